"""Print the kernels that a fit has to compile after all have been compiled.

Run in a process of its own: what another test has compiled would hide them.
"""

import importlib
import pkgutil
import warnings

import numpy as np
from scipy.sparse import csc_array, csr_array

import vstg.kernels
from vstg import MultiTaskData, solve_vstg
from vstg.baselines import BASELINES
from vstg.model_selection import search_grid, stability
from vstg.solvers import compiling

SETTING = {"n_latent": 2, "k": 2, "gamma1": 0.01, "gamma2": 0.01}


def signatures() -> dict[str, set]:
    """The types for which every kernel is compiled or loaded, by its name."""
    found = {}
    for module in pkgutil.iter_modules(vstg.kernels.__path__, "vstg.kernels."):
        for name, thing in vars(importlib.import_module(module.name)).items():
            if hasattr(thing, "signatures"):
                found[name] = set(thing.signatures)
    return found


def designs(n: int, D: int) -> dict[str, list]:
    """Two tasks in every form in which a design may come."""
    rng = np.random.default_rng(0)
    X = [rng.standard_normal((n, D)) for _ in range(2)]
    sparse = [x * (rng.random(x.shape) < 0.5) for x in X]
    for x in sparse:
        x[0] = 1.0  # no column is empty
    forms = {
        "plain": X,
        "by column": [np.asfortranarray(x) for x in X],
        "single": [x.astype(np.float32) for x in X],
        "csr": [csr_array(x) for x in sparse],
        "csc": [csc_array(x) for x in sparse],
        "some rows": [np.repeat(x, 2, axis=0)[::2] for x in X],
    }
    shared = {f"{name}, shared": [x[0]] * 2 for name, x in forms.items()}
    return {**forms, **shared}


def fit_everything() -> None:
    """Both losses, with and without intercept, narrow and wide, every method."""
    rng = np.random.default_rng(1)
    for n, D in ((12, 4), (6, 700)):
        for X in designs(n, D).values():
            y = [rng.standard_normal(n) for _ in X]
            labels = [np.where(np.arange(n) % 2 == j, 1.0, -1.0) for j in range(2)]
            for free in (False, True):
                data = MultiTaskData(X, y)
                solve_vstg(data, fit_intercept=free, **SETTING)
                for relax in (0.0, 0.5):
                    after = {"cut": 0.1, "relax": relax}
                    solve_vstg(data, fit_intercept=free, **after, **SETTING)
                solve_vstg(
                    MultiTaskData(X, labels),
                    loss="logistic",
                    fit_intercept=free,
                    max_iter=3,
                    **SETTING,
                )
                if n > D:
                    for baseline in BASELINES.values():
                        setting = {name: 0.1 for name in baseline.parameters}
                        if "n_latent" in setting:
                            setting["n_latent"] = 2
                        baseline.solve(data, fit_intercept=free, **setting)
    search_grid(data, "vstg", {name: (SETTING[name],) for name in SETTING}, cv=3)
    stability(data, n_resamples=2, **SETTING)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    compiling.compile_all()
    before = signatures()
    fit_everything()
    for name, types in signatures().items():
        for further in types - before[name]:
            print(name, further)
