"""Fit a model to data with a known truth, and see how much of the truth it finds.

python examples/fit_synthetic.py            # Syn2 of the paper
python examples/fit_synthetic.py 4 --rows 30
"""

from argparse import ArgumentParser

from vstg import solve_vstg
from vstg.datasets import make_syn
from vstg.inspection import recover_truth, recovery_frame, task_groups
from vstg.metrics import rmse_pooled


def main(number: int, rows: int) -> None:
    """Generate data, fit, compare with the truth."""
    syn = make_syn(number, n_train=rows, random_state=0)
    fit = solve_vstg(
        syn.train, n_latent=5, k=2, gamma1=2**-1, gamma2=2**-4, n_init=5, random_state=0
    )
    print(f"objective {fit.objective:.4f}, {fit.stop_reason}, {fit.n_iter} iterations")
    error = rmse_pooled(syn.test.y, fit.decision(syn.test))
    print(f"test RMSE {error:.3f}; no model can do better than the noise, which is 1")

    found = recover_truth(fit.U, fit.V, syn.U, syn.V, threshold=0.1)
    print("\nHow much of the truth was found:")
    print(recovery_frame(found).round(2).to_string())

    names = syn.train.task_names
    print("\nGroups of tasks:")
    for group in task_groups(fit.V, threshold=0.1, names=names):
        print(f"  bases {group.bases}: {', '.join(group.task_names)}")


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("number", type=int, nargs="?", default=2, choices=(1, 2, 3, 4))
    parser.add_argument("--rows", type=int, default=50, help="training rows per task")
    arguments = parser.parse_args()
    main(arguments.number, arguments.rows)
