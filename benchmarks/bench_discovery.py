"""Rules for choosing a model, side by side, on data whose truth is known.

    python benchmarks/bench_discovery.py                       # Syn1-4, 10 seeds
    python benchmarks/bench_discovery.py --seeds 20 --jobs 2
    python benchmarks/bench_discovery.py --n-train 30          # or --noise 2, ...
    python benchmarks/bench_discovery.py --quick               # a smoke test

`best` and `one SE` are choices of `search_grid` without cut and refit, `discover` is
the call, and `limit` is least squares on the true support. For each: how often all
variables are right, agreement of the groups (adjusted Rand), how often both are right,
the number of bases, overlap (every task has as many bases as in the truth), test RMSE,
RMSE relative to the limit, relative estimation error, seconds.
"""

import argparse
from dataclasses import replace
from time import perf_counter

import numpy as np
import pandas as pd

from vstg import discover
from vstg.datasets import make_syn
from vstg.metrics import (
    pattern_adjusted_rand,
    relative_estimation_error,
    rmse_mean_over_tasks,
)
from vstg.model_selection import search_grid
from vstg.objective import Settings
from vstg.problem import Problem
from vstg.solvers import solve_vstg
from vstg.solvers.refit import refit

GRID = {
    "n_latent": (4, 5, 6),
    "k": (1,),
    "gamma1": tuple(2.0**e for e in range(-4, 1)),
    "gamma2": (2.0**-10, 2.0**-4, 2.0**-2, 2.0**-1, 1.0),
}


def measure(syn, U, V, seconds):
    """What a pair (U, V) is worth."""
    W = U @ V
    predicted = [X @ w for X, w in zip(syn.test.X, W.T, strict=True)]
    variables = bool(np.array_equal(U.any(axis=1), syn.relevant))
    used = (V != 0) & U.any(axis=0)[:, None]
    groups = pattern_adjusted_rand(syn.V != 0, used)
    overlap = (used.sum(axis=0) == (syn.V != 0).sum(axis=0)).all()
    return {
        "variables": variables,
        "groups": groups,
        "both": variables and groups == 1.0,
        "bases": int(used.any(axis=1).sum()),
        "overlap": bool(overlap),
        "rmse": rmse_mean_over_tasks(syn.test.y, predicted),
        "ree": relative_estimation_error(syn.W, W),
        "seconds": seconds,
    }


def rules(syn, seed, args):
    """U, V and seconds of every rule, by its name."""
    began = perf_counter()
    problem = Problem.of_dataset(syn)
    settings = Settings.checked(n_latent=syn.U.shape[1], k=1, gamma1=1.0, gamma2=1.0)
    limit = refit(problem, replace(settings, relax=0.0), syn.U, syn.V)
    yield "limit", limit.U, limit.V, perf_counter() - began
    if not args.only_discover:
        began = perf_counter()
        grid = {**GRID, "n_latent": (4,)} if args.quick else GRID
        search = search_grid(syn.train, "vstg", grid, cv=5, n_jobs=args.jobs)
        spent = perf_counter() - began
        for name, setting in (("best", search.best), ("one SE", search.one_se)):
            fit = solve_vstg(syn.train, **setting)
            yield name, fit.U, fit.V, spent
    began = perf_counter()
    few = {"cv": 2, "grid": {"n_latent": (3,), "k": (1,)}} if args.quick else {}
    found = discover(syn, random_state=seed, n_resamples=0, n_jobs=args.jobs, **few)
    U, V = found.result.U, found.result.V
    yield "discover", U, V, perf_counter() - began


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=20, help="first seed")
    parser.add_argument("--sets", type=int, nargs="+", default=[1, 2, 3, 4])
    parser.add_argument("--n-train", type=int, default=50)
    parser.add_argument("--noise", type=float, default=1.0)
    parser.add_argument("--n-features", type=int, default=25)
    parser.add_argument("--n-tasks", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only-discover", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("-o", "--output", help="CSV of every data set and rule")
    args = parser.parse_args()
    sizes = {
        "n_train": args.n_train, "noise": args.noise,
        "n_features": args.n_features, "n_tasks": args.n_tasks,
    }  # fmt: skip
    if args.quick:
        args.sets, args.seeds, sizes["n_tasks"] = [1], 1, 5
    rows = []
    for number in args.sets:
        for seed in range(args.first, args.first + args.seeds):
            syn = make_syn(number, random_state=seed, **sizes)
            for name, U, V, seconds in rules(syn, seed, args):
                found = measure(syn, U, V, seconds)
                rows.append({"set": number, "seed": seed, "rule": name, **found})
    table = pd.DataFrame(rows)
    limit = table[table["rule"] == "limit"].set_index(["set", "seed"])["rmse"]
    places = table.set_index(["set", "seed"]).index
    table["of limit"] = table["rmse"] / limit.reindex(places).to_numpy()
    columns = table.columns[3:]
    with pd.option_context("display.width", 200, "display.max_columns", 20):
        means = table.groupby(["set", "rule"], sort=False)[list(columns)].mean()
        print(means.round(3))
        print(table.groupby("rule", sort=False)[list(columns)].mean().round(3))
    if args.output:
        table.to_csv(args.output, index=False, float_format="%.8g")


if __name__ == "__main__":
    main()
