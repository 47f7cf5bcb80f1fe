"""VSTG-MTL compared with the methods people would use instead, on the same data.

    python benchmarks/bench_peers.py --write    # D=2,000, T=100, N=200, K=5, into docs/
    python benchmarks/bench_peers.py --quick    # a small size: a smoke test

Syn-like data with the bases of Syn1 (each has its own variables) among many irrelevant
variables; ``--per-basis`` sets how many variables a basis has. Every method chooses its
strength on the same validation rows, by least error and by the sparsest setting within
one standard error of it; those of the peers are fractions of the strength at which
all coefficients are zero. What is timed is one fit at the chosen setting, from data in
memory to coefficients, in processor time of one core, each method to its own default
tolerance. F1 compares the non-zero entries of W with the truth. Further comparisons:
one design shared by all tasks, for which scikit-learn (and skglm, if it is installed)
have a MultiTaskLasso; and a size that Algorithm 1 can still handle, timed to the
objective at which it stops.
"""

import argparse
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import process_time
from typing import Any

import docs_page
import numpy as np
from sklearn.linear_model import Lasso, LassoCV, MultiTaskLasso, RidgeCV
from threadpoolctl import threadpool_limits

from vstg import MultiTaskData, solve_vstg
from vstg.datasets import make_syn

REPEATS = 3
FRACTIONS = (0.6, 0.45, 0.3, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03)


@dataclass(frozen=True)
class Truth:
    """Coefficients, training rows to learn from, validation and test rows."""

    W: np.ndarray
    train: MultiTaskData
    validation: MultiTaskData
    test: MultiTaskData


def wide_syn(D: int, T: int, N: int, K: int, per_basis: int, *, shared: bool) -> Truth:
    """Bases of ``per_basis`` variables each, used by T/K tasks, as in Syn1."""
    rng = np.random.default_rng(0)
    U, V = np.zeros((D, K)), np.zeros((K, T))
    for r, tasks in enumerate(np.array_split(np.arange(T), K)):
        U[r * per_basis : (r + 1) * per_basis, r] = rng.normal(1, 0.25, per_basis)
        V[r, tasks] = rng.uniform(1, 1.5, len(tasks))
    W = U @ V

    def draw(n: int) -> MultiTaskData:
        X = [rng.standard_normal((n, D)) for _ in range(1 if shared else T)]
        for design in X:
            design.flags.writeable = False  # so that it is not copied
        designs = X * T if shared else X
        pairs = zip(designs, W.T, strict=True)
        return MultiTaskData(
            designs, [x @ w + rng.standard_normal(n) for x, w in pairs]
        )

    return Truth(W, draw(N), draw(max(N // 4, 10)), draw(max(N // 4, 10)))


def errors(W: np.ndarray, data: MultiTaskData) -> np.ndarray:
    """The RMSE of every task."""
    tasks = zip(data.X, data.y, W.T, strict=True)
    return np.array([np.sqrt(np.mean((y - X @ w) ** 2)) for X, y, w in tasks])


def f1(W: np.ndarray, truth: np.ndarray) -> float:
    """F1 of the non-zero entries."""
    found, true = W != 0, truth != 0
    return float(2 * (found & true).sum() / max(found.sum() + true.sum(), 1))


def fastest(function: Callable, repeats: int) -> tuple[float, Any]:
    """The best of several timings, in seconds of the processor, and the last result."""
    timings = []
    for _ in range(repeats):
        began = process_time()
        result = function()
        timings.append(process_time() - began)
    return min(timings), result


def lasso_fits(X: Iterable, y: Iterable, alpha: float, **options: Any) -> np.ndarray:
    """W of one scikit-learn Lasso per task, with the default tolerance."""
    fits = [
        Lasso(alpha=alpha, fit_intercept=False, **options).fit(design, target).coef_
        for design, target in zip(X, y, strict=True)
    ]
    return np.column_stack(fits)


def choose(fit: Callable, grid: list, truth: Truth) -> dict[str, Any]:
    """The settings with the least error, and the sparsest within one standard error."""
    fitted = [(setting, fit(truth.train, setting)) for setting in grid]
    table = [(errors(W, truth.validation), (W != 0).sum()) for _, W in fitted]
    means = np.array([found.mean() for found, _ in table])
    best = int(means.argmin())
    limit = means[best] + table[best][0].std() / np.sqrt(len(table[best][0]))
    near = [i for i in range(len(grid)) if means[i] <= limit]
    sparsest = min(near, key=lambda i: (table[i][1], means[i]))
    return {"least error": grid[best], "one SE": grid[sparsest]}


def vstg_fit(data: MultiTaskData, setting: tuple, n_latent: int) -> np.ndarray:
    """W of VSTG-MTL with γ1 = μ and γ2 as given."""
    gamma1, gamma2 = setting
    return solve_vstg(data, n_latent=n_latent, k=1, gamma1=gamma1, gamma2=gamma2).W


def row(name: str, rule: str, setting: Any, seconds: float, W, truth: Truth) -> dict:
    """One line of a table."""
    return {
        "method": name,
        "chosen by": rule,
        "setting": setting,
        "seconds": seconds,
        "test RMSE": errors(W, truth.test).mean(),
        "F1": f1(W, truth.W),
        "non-zero": int((W != 0).sum()),
    }


def parts_of(largest: float, fractions: Iterable[float]) -> list[float]:
    """Fractions of the strength at which all coefficients are zero, to three digits."""
    return [float(f"{part * largest:.3g}") for part in fractions]


def vstg_rows(truth: Truth, n_latent: int, strengths: list) -> list[dict]:
    """VSTG-MTL by both rules."""

    def fit(data: MultiTaskData, setting: tuple) -> np.ndarray:
        return vstg_fit(data, setting, n_latent)

    rows = []
    for rule, setting in choose(fit, strengths, truth).items():
        seconds, W = fastest(lambda s=setting: fit(truth.train, s), REPEATS)
        rows.append(row("VSTG-MTL", rule, setting, seconds, W, truth))
    return rows


def separate_designs(
    truth: Truth, n_latent: int, fractions, strengths, *, cv: bool
) -> list[str]:
    """VSTG-MTL against T fits of scikit-learn."""
    train = truth.train
    rows = vstg_rows(truth, n_latent, strengths)

    def lasso(data: MultiTaskData, alpha: float) -> np.ndarray:
        return lasso_fits(data.X, data.y, alpha)

    columns = [np.asfortranarray(X) for X in train.X]
    pairs = list(zip(train.X, train.y, strict=True))
    alphas = parts_of(max(abs(X.T @ y).max() / len(y) for X, y in pairs), fractions)
    for rule, alpha in choose(lasso, alphas, truth).items():
        seconds, W = fastest(lambda a=alpha: lasso(train, a), REPEATS)
        rows.append(row("T × Lasso", rule, alpha, seconds, W, truth))
        # In the order of memory that scikit-learn works in, free of its own copy.
        ready = {"copy_X": False, "alpha": alpha}
        seconds, W = fastest(lambda r=ready: lasso_fits(columns, train.y, **r), REPEATS)
        rows.append(row("T × Lasso, X ready", rule, alpha, seconds, W, truth))
    if cv:
        for name, kind in (("T × LassoCV", LassoCV), ("T × RidgeCV", RidgeCV)):
            options = {"cv": 5} if kind is LassoCV else {"alphas": np.logspace(0, 4, 9)}

            def by_task(kind=kind, options=options) -> np.ndarray:
                model = kind(fit_intercept=False, **options)
                return np.column_stack([model.fit(X, y).coef_ for X, y in pairs])

            seconds, W = fastest(by_task, 1)
            rows.append(row(name, "CV by task", "", seconds, W, truth))
    return [*table(rows), *ratios(rows)]


def table(rows: list[dict]) -> list[str]:
    """Lines of a table."""
    names = list(rows[0])
    lines = [f"| {' | '.join(names)} |", "|---" * len(names) + "|"]
    for one in rows:
        cells = (f"{x:.3g}" if isinstance(x, float) else f"{x}" for x in one.values())
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def ratios(rows: list[dict]) -> list[str]:
    """The requirement in one line for each rule."""
    lines = [""]
    for rule in ("least error", "one SE"):
        ours, *theirs = (line for line in rows if line["chosen by"] == rule)
        lines += [
            f"- {other['method']} to VSTG-MTL, {rule}: "
            f"{other['seconds'] / ours['seconds']:.1f} times as long; "
            f"F1 {ours['F1']:.2f} for VSTG-MTL, {other['F1']:.2f} for the other"
            for other in theirs
        ]
    return lines


def shared_design(truth: Truth, n_latent: int, fractions, strengths) -> list[str]:
    """VSTG-MTL against MultiTaskLasso, one design for all tasks."""
    X, Y = np.asfortranarray(truth.train.X[0]), np.column_stack(truth.train.y)
    peers = {"MultiTaskLasso": MultiTaskLasso}
    try:
        from skglm import MultiTaskLasso as SkglmLasso

        peers["skglm MultiTaskLasso"] = SkglmLasso
    except ImportError:
        print("skglm is not installed: left out")
    rows = vstg_rows(truth, n_latent, strengths)
    largest = float(np.linalg.norm(X.T @ Y, axis=1).max() / len(X))
    for name, kind in peers.items():

        def fit(data: MultiTaskData, alpha: float, kind=kind) -> np.ndarray:
            return kind(alpha=alpha, fit_intercept=False).fit(X, Y).coef_.T

        for rule, alpha in choose(fit, parts_of(largest, fractions), truth).items():
            seconds, W = fastest(lambda a=alpha, f=fit: f(truth.train, a), REPEATS)
            rows.append(row(name, rule, alpha, seconds, W, truth))
    return [*table(rows), *ratios(rows)]


def against_algorithm_1(n_features: int, n_tasks: int) -> str:
    """Time to the objective at which Algorithm 1 stops."""
    data = make_syn(1, n_features=n_features, n_tasks=n_tasks, random_state=0).train
    options = {"n_latent": 5, "k": 1, "gamma1": 2**-3, "gamma2": 2**-3}
    admm_seconds, admm = fastest(
        lambda: solve_vstg(data, solver="admm", **options), repeats=1
    )
    seconds, fast = fastest(lambda: solve_vstg(data, **options), REPEATS)
    below = np.flatnonzero(fast.history["objective"] <= admm.objective)
    reached = fast.history["seconds"][below[0]] if len(below) else np.nan
    return (
        f"Syn1 with D={n_features}, T={n_tasks}: Algorithm 1 takes "
        f"{admm_seconds:.3g} s to {admm.objective:.5g}; fast is there after "
        f"{reached:.3g} s ({admm_seconds / reached:.0f} times quicker) and ends after "
        f"{seconds:.3g} s at {fast.objective:.5g}."
    )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", action="store_true", help="into docs/scaling.md")
    parser.add_argument("--per-basis", type=int, nargs="+", default=[4, 20])
    arguments = parser.parse_args()
    quick = arguments.quick
    D, T, N, K = (200, 10, 50, 2) if quick else (2000, 100, 200, 5)
    fractions = FRACTIONS[2:4] if quick else FRACTIONS
    powers = [0.125, 0.25] if quick else [0.25, 0.5, 1.0, 2.0, 4.0]
    strengths = [(a, b) for a in powers for b in powers]
    warnings.simplefilter("ignore")  # some peers do not converge at weak settings
    solve_vstg(make_syn(1, random_state=0).train)  # load the kernels
    text = []
    with threadpool_limits(1):
        for per_basis in arguments.per_basis:
            sizes = f"D={D:,}, T={T}, N={N}, K={K}, {per_basis} variables per basis"
            for shared, words in ((False, "a design for each task"), (True, "one X")):
                truth = wide_syn(D, T, N, K, per_basis, shared=shared)
                text += ["", f"**{sizes}, {words}**", ""]
                if shared:
                    text += shared_design(truth, K, fractions, strengths)
                else:
                    text += separate_designs(
                        truth, K, fractions, strengths, cv=not quick
                    )
        text += ["", against_algorithm_1(*((25, 10) if quick else (60, 40)))]
    print("\n".join(text))
    if arguments.write:
        docs_page.write("bench_peers", "\n".join(text).strip())


if __name__ == "__main__":
    main()
