"""Time the paper's grid: warm-started chains in parallel against cold fits.

    python benchmarks/bench_search.py            # 14 × 14 × 6 settings, 10 folds
    python benchmarks/bench_search.py --full     # and all of it cold, to compare
    python benchmarks/bench_search.py --quick    # a tiny grid: a smoke test
    python benchmarks/bench_search.py --table    # VSTG against all baselines on Syn1-4
    python benchmarks/bench_search.py --cuts     # a search with three cuts and without
    python benchmarks/bench_search.py --discover # discover against the paper's grid

The whole grid is searched with warm starts on all cores. A random sample of the same
cells is fitted from a cold start (eqs. (7)-(8), no neighbour); its time is scaled up.
With --full every cell is fitted cold, and the choices are compared.
"""

import argparse
import os
from dataclasses import replace
from time import perf_counter, process_time

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from vstg import discover
from vstg.datasets import make_syn
from vstg.losses import SquaredLoss
from vstg.metrics import relative_estimation_error, rmse_mean_over_tasks
from vstg.model_selection import METHODS, TaskKFold, paper_grid, search_grid
from vstg.model_selection.evaluation import make_parts
from vstg.model_selection.grid import check_grid, expand
from vstg.model_selection.search import SEARCH_TOL
from vstg.problem import Problem

VSTG = METHODS["vstg"]


def fit_cold(problem, setting, init, tol):
    """A fit that ignores its neighbour."""
    return VSTG.fit(problem, setting, None, tol)


def search(data, method, grid, folds):
    """Search on all cores; the result, the seconds and the share of the cores used."""
    n_jobs = os.cpu_count() or 1
    began, cpu = perf_counter(), process_time()
    result = search_grid(data, method, grid, folds, n_jobs=n_jobs)
    seconds, cpu = perf_counter() - began, process_time() - cpu
    return result, seconds, cpu / seconds / n_jobs


def sampled_cold_seconds(data, grid, folds, n_cells):
    """Mean seconds of cold fits of random cells, one at a time."""
    settings = expand(VSTG, check_grid(VSTG, grid))
    parts = make_parts(data, SquaredLoss(), folds.folds(data), fit_intercept=False)
    opened = [part.open() for part in parts]
    rng = np.random.default_rng(0)
    with threadpool_limits(1):
        began = perf_counter()
        for _ in range(n_cells):
            problem, judge = opened[rng.integers(len(opened))]
            setting = settings[rng.integers(len(settings))]
            judge(fit_cold(problem, setting, None, SEARCH_TOL))
        return (perf_counter() - began) / n_cells


def run(*, quick: bool, full: bool) -> None:
    """Search one Syn data set both ways."""
    data = make_syn(1, random_state=0).train
    grid = paper_grid("vstg", k=(1,))
    if quick:
        grid = {**grid, "n_latent": (3,), "gamma1": (0.1,), "gamma2": (0.1, 1.0)}
    folds = TaskKFold(3 if quick else 10)
    warm, seconds, use = search(data, VSTG, grid, folds)
    n_fits = len(warm.frame)
    print(f"grid: {n_fits} fits, {int(warm.frame['skipped'].sum())} skipped by proof")
    print(f"warm, all cores: {seconds:.1f} s, {n_fits / seconds:.0f} fits/s")
    print(f"use of the cores: {100 * use:.0f} %")
    print(f"choice: {warm.best}, CV error {warm.best_error:.4f}")
    print(f"one-SE: {warm.one_se}")
    n_cells = 3 if quick else 300
    each = sampled_cold_seconds(data, grid, folds, n_cells)
    print(f"cold, one core, {n_cells} cells scaled: {each * n_fits:.0f} s")
    print(f"ratio cold on one core / warm on all: {each * n_fits / seconds:.1f}")
    if full:
        cold, seconds, _ = search(data, replace(VSTG, fit=fit_cold), grid, folds)
        apart = warm.best_error / cold.best_error - 1
        print(f"cold, all cores: {seconds:.1f} s")
        print(f"cold choice: {cold.best}, CV error {cold.best_error:.4f}")
        print(f"warm choice against cold choice: {100 * apart:+.3f} %")


def time_cuts(*, quick: bool, full: bool) -> None:
    """A search on one core, without cuts and with three of them and a refit.

    CPU time, and both kinds in turn, so that other work on the machine does not count.
    By default every third strength and three K of the paper's grid.
    """
    whole = paper_grid("vstg", k=(1,))
    grid = whole if full else thinned(whole, 7 if quick else 3)
    after = {"cut": (0.1, 0.2, 0.3), "relax": (0.0,)}
    for number in (1,) if quick else (1, 2, 3, 4):
        data = make_syn(number, random_state=0).train
        spent = {"plain": 0.0, "cuts": 0.0}
        for fold in range(1 if quick else 2):
            folds = TaskKFold(2, random_state=fold)
            for name, values in (("plain", grid), ("cuts", {**grid, **after})):
                began = process_time()
                search_grid(data, "vstg", values, folds)
                spent[name] += process_time() - began
        ratio = spent["cuts"] / spent["plain"]
        print(
            f"Syn{number}: {spent['plain']:.1f} s without cuts, {spent['cuts']:.1f} s "
            f"with three: {ratio:.2f} times as long",
            flush=True,
        )


def thinned(grid, step):
    """Every ``step``-th strength of a grid, and three K."""
    thin = {name: grid[name][::step] for name in ("gamma1", "gamma2")}
    return {**grid, **thin, "n_latent": (3, 5, 7)}


def time_discover() -> None:
    """`discover` against the paper's grid with all its k, in CPU seconds.

    The grid is measured on a slice and scaled by the number of its fits.
    """
    data = make_syn(1, random_state=0).train
    discover(make_syn(1, random_state=0, n_tasks=5).train, cv=2, n_resamples=1)
    part, whole = thinned(paper_grid("vstg"), 3), paper_grid("vstg")
    share = np.prod([len(values) for values in part.values()], dtype=float)
    share /= np.prod([len(values) for values in whole.values()], dtype=float)
    began = process_time()
    search_grid(data, "vstg", part, TaskKFold(2))
    seconds = (process_time() - began) / share * 10 / 2
    print(f"paper's grid, 10 folds: {seconds:.0f} s ({share:.1%}, 2 folds, scaled up)")
    for n_resamples in (0, 25):
        began = process_time()
        discover(data, n_resamples=n_resamples, n_jobs=1)
        spent = process_time() - began
        print(
            f"discover, {2 * n_resamples} halves: {spent:.1f} s, "
            f"{seconds / spent:.0f} times as quick",
            flush=True,
        )


def compare_methods() -> None:
    """Every method on Syn1-4, 3 seeds, a coarse grid: test RMSE and REE."""
    rows = []
    for number in (1, 2, 3, 4):
        for seed in range(3):
            syn = make_syn(number, random_state=seed)
            for label, name, k in [
                *((method.label, name, 1) for name, method in METHODS.items()),
                ("VSTG-MTL k=3", "vstg", 3),
            ]:
                grid = {
                    parameter: values[::2] if parameter.startswith("gamma") else values
                    for parameter, values in paper_grid(name, k=(k,)).items()
                }
                if "n_latent" in grid:
                    grid["n_latent"] = (3, 5, 7)
                found = search_grid(syn.train, name, grid, 5, n_jobs=2)
                problem = Problem.of(syn.train, "squared", fit_intercept=False)
                fit = METHODS[name].fit(problem, found.best, None, None)
                predictions = [X @ w for X, w in zip(syn.test.X, fit.W.T, strict=True)]
                rows.append(
                    {
                        "data": f"Syn{number}",
                        "method": label,
                        "RMSE": rmse_mean_over_tasks(syn.test.y, predictions),
                        "REE": relative_estimation_error(syn.W, fit.W),
                    }
                )
    table = pd.DataFrame(rows).groupby(["method", "data"], sort=False).mean()
    print(table.unstack("data").to_string(float_format="{:.4f}".format))


def main() -> None:
    """Choose what to print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--cuts", action="store_true")
    parser.add_argument("--discover", action="store_true")
    args = parser.parse_args()
    if args.table:
        compare_methods()
    elif args.cuts:
        time_cuts(quick=args.quick, full=args.full)
    elif args.discover:
        time_discover()
    else:
        run(quick=args.quick, full=args.full)


if __name__ == "__main__":
    main()
