"""Compare methods on the same repetitions, each tuned by cross-validation.

python examples/compare_methods.py                     # ten repetitions of Syn1
python examples/compare_methods.py --repetitions 6 --rows 30
"""

from argparse import ArgumentParser

import pandas as pd

from vstg.comparison import compare_methods
from vstg.data import MultiTaskData
from vstg.datasets import make_syn
from vstg.metrics import rmse_mean_over_tasks
from vstg.model_selection import METHODS, search_grid
from vstg.problem import Problem

STRENGTHS = (2.0**-6, 2.0**-4, 2.0**-2, 2.0**-1)
GRIDS = {
    "vstg": {
        "n_latent": (5,),
        "k": (1,),
        "gamma1": (2.0**-2, 2.0**-1),
        "gamma2": (2.0**-6, 2.0**-4),
    },
    "lasso": {"gamma1": STRENGTHS},
    "ridge": {"gamma1": STRENGTHS},
}


def held_out_error(method: str, train: MultiTaskData, test: MultiTaskData) -> float:
    """Choose the setting on the training rows, then predict the test rows."""
    chosen = search_grid(train, method, GRIDS[method], cv=5).best
    problem = Problem.of(train, "squared", fit_intercept=False)
    fit = METHODS[method].fit(problem, chosen, None, None)
    margins = [X @ fit.W[:, j] for j, X in enumerate(test.X)]
    return rmse_mean_over_tasks(test.y, margins)


def main(number: int, repetitions: int, rows: int) -> None:
    """All methods on all repetitions, with Wilcoxon's signed-rank tests."""
    results = []
    for repetition in range(repetitions):
        syn = make_syn(number, n_train=rows, random_state=repetition)
        for method in GRIDS:
            error = held_out_error(method, syn.train, syn.test)
            label = METHODS[method].label
            results.append((label, repetition, error))
    frame = pd.DataFrame(results, columns=["method", "repetition", "value"])
    found = compare_methods(frame)
    print(f"test RMSE of Syn{number}, mean over tasks, {repetitions} repetitions")
    print(found.summary[["text", "is_best", "p_rival"]].round(4).to_string())
    print("significantly better than every other:", found.best or "none")


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("number", type=int, nargs="?", default=1, choices=(1, 2, 3, 4))
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--rows", type=int, default=50, help="training rows per task")
    arguments = parser.parse_args()
    main(arguments.number, arguments.repetitions, arguments.rows)
