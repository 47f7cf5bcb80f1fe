"""Rules for choosing a model, side by side, on data whose truth is known.

    python benchmarks/bench_discovery.py                       # Syn1-4, seeds 100-109
    python benchmarks/bench_discovery.py -o syn.csv            # kept, and resumed
    python benchmarks/bench_discovery.py --n-train 30          # or --noise 2, ...
    python benchmarks/bench_discovery.py --sets 0              # pure noise
    python benchmarks/bench_discovery.py --against results/table1
    python benchmarks/bench_discovery.py --quick               # a smoke test

`best` and `one SE` are choices of `search_grid` without cut and refit, `discover` is
the call, and `limit` is least squares on the true support. For each: how often all
variables are right, agreement of the groups (adjusted Rand), how often both are right,
the number of bases, overlap (every task has as many bases as in the truth), test RMSE,
RMSE relative to the limit, relative estimation error, CPU seconds.

`--against` runs `discover` on the data sets of Table 1 and tests its errors against
those of every column there (Wilcoxon's signed-rank test; with ten pairs p is never
below 0.002).

Every data set is printed, and written with `-o`, as soon as it is finished; a later run
with the same file and sizes leaves out what is there.
"""

import argparse
from dataclasses import replace
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd

from vstg import MultiTaskData, discover
from vstg.comparison import signed_rank_test
from vstg.datasets import make_syn
from vstg.metrics import (
    pattern_adjusted_rand,
    relative_estimation_error,
    rmse_mean_over_tasks,
)
from vstg.model_selection import search_grid
from vstg.objective import Settings
from vstg.problem import Problem
from vstg.reproduction.results import read_results
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
        "ree": relative_estimation_error(syn.W, W) if syn.W.any() else np.nan,
        "seconds": seconds,
    }


def rules(syn, seed, args):
    """U, V and seconds of every rule, by its name."""
    began = process_time()
    problem = Problem.of_dataset(syn)
    settings = Settings.checked(n_latent=syn.U.shape[1], k=1, gamma1=1.0, gamma2=1.0)
    limit = refit(problem, replace(settings, relax=0.0), syn.U, syn.V)
    yield "limit", limit.U, limit.V, process_time() - began
    if not args.only_discover:
        began = process_time()
        grid = {**GRID, "n_latent": (4,)} if args.quick else GRID
        search = search_grid(syn.train, "vstg", grid, cv=5, n_jobs=args.jobs)
        spent = process_time() - began
        for name, setting in (("best", search.best), ("one SE", search.one_se)):
            fit = solve_vstg(syn.train, **setting)
            yield name, fit.U, fit.V, spent
    began = process_time()
    few = {"cv": 2, "grid": {"n_latent": (3,), "k": (1,)}} if args.quick else {}
    found = discover(syn, random_state=seed, n_resamples=0, n_jobs=args.jobs, **few)
    U, V = found.result.U, found.result.V
    yield "discover", U, V, process_time() - began


def problem_of(number, seed, sizes):
    """Syn1 to Syn4; number 0 is Syn1 with targets of pure noise."""
    syn = make_syn(max(number, 1), random_state=seed, **sizes)
    if number:
        return syn
    rng = np.random.default_rng(seed)
    parts = {}
    for name, part in (("train", syn.train), ("test", syn.test)):
        noise = [rng.normal(size=len(y)) for y in part.y]
        parts[name] = MultiTaskData(part.X, noise)
    truth = replace(syn.truth, U=0 * syn.U, V=0 * syn.V)
    return replace(syn, truth=truth, **parts)


def finished(path):
    """The rows of an earlier run."""
    if path is None or not Path(path).exists():
        return []
    return pd.read_csv(path).to_dict("records")


def arguments():
    """What to measure."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=100, help="first seed")
    parser.add_argument("--sets", type=int, nargs="+", default=[1, 2, 3, 4])
    parser.add_argument("--n-train", type=int, default=50)
    parser.add_argument("--noise", type=float, default=1.0)
    parser.add_argument("--n-features", type=int, default=25)
    parser.add_argument("--n-tasks", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only-discover", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--against", metavar="FOLDER", help="results of Table 1")
    parser.add_argument("-o", "--output", help="CSV of every data set and rule")
    return parser.parse_args()


def main() -> None:
    """Measure, print each data set when it is finished, and the means at the end."""
    args = arguments()
    sizes = {
        "n_train": args.n_train, "noise": args.noise,
        "n_features": args.n_features, "n_tasks": args.n_tasks,
    }  # fmt: skip
    if args.quick:
        args.sets, args.seeds, sizes["n_tasks"] = [1], 1, 5
    results = None
    if args.against:
        results = read_results(args.against)
        args.first, args.seeds, args.only_discover = 0, 10, True
    rows = finished(args.output)
    done = {(row["set"], row["seed"], *(row[s] for s in sizes)) for row in rows}
    for seed in range(args.first, args.first + args.seeds):
        for number in args.sets:
            if (number, seed, *sizes.values()) in done:
                continue
            syn = problem_of(number, seed, sizes)
            here = {"set": number, "seed": seed, **sizes}
            new = [
                {**here, "rule": name, **measure(syn, U, V, seconds)}
                for name, U, V, seconds in rules(syn, seed, args)
            ]
            for row in new:
                row["of limit"] = row["rmse"] / new[0]["rmse"]
            rows += new
            if args.output:
                pd.DataFrame(rows).to_csv(args.output, index=False, float_format="%.8g")
            print(pd.DataFrame(new).drop(columns=[*sizes]).to_string(index=False))
    report(pd.DataFrame(rows), sizes)
    if results is not None:
        compare(pd.DataFrame(rows), results.outcomes)


def compare(table, outcomes):
    """Test `discover` against every column of a table, data set by data set."""
    found = table[table.rule == "discover"]
    for (data, column), rows in outcomes.groupby(["data", "column"], sort=True):
        own = found[found.set.map("syn{}".format) == data]
        both = own.merge(rows, left_on="seed", right_on="repetition")
        for name, theirs in (("rmse", "rmse_mean_over_tasks"), ("ree_x", "ree_y")):
            a, b = both[name].to_numpy(), both[theirs].to_numpy()
            p = signed_rank_test(a, b).p_value
            print(
                f"{data} {name.removesuffix('_x'):4s} discover {a.mean():.4f}"
                f"  {column:13s} {b.mean():.4f}  p = {p:.3f}"
            )


def report(table, sizes):
    """Means over the data sets of these sizes."""
    for name, value in sizes.items():
        table = table[table[name] == value]
    numbers = [c for c in table.columns if c not in ("set", "seed", "rule", *sizes)]
    with pd.option_context("display.width", 200, "display.max_columns", 20):
        for by in (["set", "rule"], ["rule"]):
            groups = table.groupby(by, sort=False)
            print(groups[numbers].mean().round(4).assign(n=groups.size()))


if __name__ == "__main__":
    main()
