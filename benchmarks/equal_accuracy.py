"""Time to equal accuracy on problems that peers solve too: LASSO and multi-task LASSO.

    python benchmarks/equal_accuracy.py --write    # into docs/scaling.md
    python benchmarks/equal_accuracy.py --quick    # a small size: a smoke test

Every solver gets ever smaller tolerances, until its objective is within 1e-6 of the
least that any of them found; what counts is its processor time at that tolerance, the
best of three, on one core, from arrays in memory to coefficients. Peers that are not
installed are left out.
"""

import argparse
import warnings
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.metadata import version
from time import process_time
from typing import Any

import docs_page
import numpy as np
from bench_peers import wide_syn
from sklearn.linear_model import Lasso, MultiTaskLasso
from threadpoolctl import threadpool_limits

from vstg import MultiTaskData
from vstg.baselines import solve_l21, solve_lasso

CLOSE = 1e-6
TOLERANCES = [10.0**-e for e in range(1, 15)]
STRENGTHS = (0.3, 0.1, 0.03)  # of the least with which all coefficients are zero
REPEATS = 3
PEERS = ("scikit-learn", "skglm", "celer", "adelie", "python-glmnet")

Fit = Callable[[float], np.ndarray]  # tolerance → W


def single(kind: Any, data: MultiTaskData, alpha: float, tol: float) -> np.ndarray:
    """W of one estimator per task; most of them allow few iterations by default."""
    model = partial(kind, alpha=alpha, fit_intercept=False, tol=tol, max_iter=10_000)
    pairs = zip(data.X, data.y, strict=True)
    return np.column_stack([model().fit(X, y).coef_ for X, y in pairs])


def joint(kind: Any, data: MultiTaskData, alpha: float, tol: float) -> np.ndarray:
    """W of one estimator for all tasks, whose design is one."""
    model = kind(alpha=alpha, fit_intercept=False, tol=tol, max_iter=10_000)
    return model.fit(data.X[0], np.column_stack(data.y)).coef_.T


def adelie_lasso(data: MultiTaskData, alpha: float, tol: float) -> np.ndarray:
    """W of adelie's group elastic net with groups of one."""
    adelie = import_module("adelie")
    columns = []
    for X, y in zip(data.X, data.y, strict=True):
        found = adelie.grpnet(
            np.asfortranarray(X), adelie.glm.gaussian(y), lmda_path=[alpha],
            intercept=False, tol=tol, progress_bar=False, early_exit=False,
        )  # fmt: skip
        columns.append(found.betas.toarray()[-1])
    return np.column_stack(columns)


def glmnet_lasso(data: MultiTaskData, alpha: float, tol: float) -> np.ndarray:
    """W of glmnet's Fortran code by its Python port."""
    model = import_module("glmnet").ElasticNet(
        alpha=1.0, lambda_path=np.array([alpha]), n_splits=0, standardize=False,
        fit_intercept=False, tol=tol, max_iter=10_000,
    )  # fmt: skip
    pairs = zip(data.X, data.y, strict=True)
    return np.column_stack([model.fit(X, y).coef_path_[:, -1] for X, y in pairs])


OTHERS = {"adelie": adelie_lasso, "glmnet": glmnet_lasso}  # for one task


def solvers(data: MultiTaskData, alpha: float, *, shared: bool) -> dict[str, Fit]:
    """Ours and those of the peers that are installed."""
    ours = solve_l21 if shared else solve_lasso
    found: dict[str, Fit] = {
        "vstg": lambda tol: ours(data, gamma1=alpha, tol=tol, max_iter=10_000).W
    }
    run, name = (joint, "MultiTaskLasso") if shared else (single, "Lasso")
    kinds = {"scikit-learn": MultiTaskLasso if shared else Lasso}
    # celer's MultiTaskLasso does not run with scikit-learn 1.9.
    for peer in ("skglm",) if shared else ("skglm", "celer"):
        try:
            kinds[peer] = getattr(import_module(peer), name)
        except ImportError:
            continue
    found |= {peer: partial(run, kind, data, alpha) for peer, kind in kinds.items()}
    for peer, fit in () if shared else OTHERS.items():
        try:
            import_module(peer)
        except ImportError:
            continue
        found[peer] = partial(fit, data, alpha)
    return found


def objective(W: np.ndarray, data: MultiTaskData, alpha: float, *, shared: bool):
    """Loss and penalty."""
    tasks = zip(data.X, data.y, W.T, strict=True)
    loss = sum(((y - X @ w) ** 2).mean() / 2 for X, y, w in tasks)
    size = np.linalg.norm(W, axis=1).sum() if shared else np.abs(W).sum()
    return loss + alpha * size


def timings(data: MultiTaskData, alpha: float, *, shared: bool) -> dict[str, float]:
    """Seconds of every solver to within ``CLOSE`` of the least objective."""
    fits = solvers(data, alpha, shared=shared)

    def value(fit: Fit, tol: float) -> float:
        return objective(fit(tol), data, alpha, shared=shared)

    least = min(value(fit, TOLERANCES[-4]) for fit in fits.values())
    found = {}
    for name, fit in fits.items():
        close = (t for t in TOLERANCES if value(fit, t) <= least * (1 + CLOSE))
        tol = next(close, None)
        found[name] = np.inf if tol is None else seconds(partial(fit, tol))
    return found


def seconds(function: Callable[[], Any]) -> float:
    """The best of several timings, in seconds of the processor."""
    taken = []
    for _ in range(REPEATS):
        began = process_time()
        function()
        taken.append(process_time() - began)
    return min(taken)


def lines(sizes: tuple[int, int, int]) -> list[str]:
    """Both tables."""
    text = []
    for shared in (False, True):
        data = wide_syn(*sizes, 5, 4, shared=shared).train
        what = "multi-task LASSO, one X" if shared else "LASSO, a design for each task"
        D, T, N = sizes
        text += ["", f"**{what}: D={D}, T={T}, N={N}**", ""]
        C = np.column_stack([X.T @ y for X, y in zip(data.X, data.y, strict=True)]) / N
        top = (np.linalg.norm(C, axis=1) if shared else np.abs(C)).max()
        rows = {s: timings(data, s * top, shared=shared) for s in STRENGTHS}
        names = list(rows[STRENGTHS[0]])
        text += [f"| strength | {' | '.join(names)} | quickest peer to vstg |"]
        text += ["|---" * (len(names) + 2) + "|"]
        for strength, row in rows.items():
            cells = " | ".join(f"{1e3 * x:.3g} ms" for x in row.values())
            best = min(x for name, x in row.items() if name != "vstg")
            text += [
                f"| {strength} of the largest | {cells} | {best / row['vstg']:.2g} |"
            ]
    installed = []
    for peer in PEERS:
        try:
            installed.append(f"{peer} {version(peer)}")
        except ImportError:
            installed.append(f"{peer} not installed")
    return [*text, "", f"Versions: {', '.join(installed)}."]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", action="store_true", help="into docs/scaling.md")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # loose tolerances are part of the plan
    sizes = (60, 5, 50) if arguments.quick else (400, 20, 200)
    with threadpool_limits(1):
        lines((30, 5, 20))  # load and compile
        text = "\n".join(lines(sizes)).strip()
    print(text)
    if arguments.write:
        docs_page.write("equal_accuracy", text)


if __name__ == "__main__":
    main()
