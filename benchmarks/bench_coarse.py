"""Does the coarse first pass choose settings as good as those of the whole grid?

    vstg reproduce table1 --coarse --sets syn2 syn3 --columns vstg_k1 vstg_k3 \\
        -o results/coarse
    python benchmarks/bench_coarse.py results/table1 results/coarse

Both folders hold test errors of the same repetitions. For each column: the mean error
by the whole grid and by the coarse pass, the mean difference with its 95 % interval,
Wilcoxon's signed-rank test, and how many fits and seconds each took.
"""

import argparse

import numpy as np
from scipy.stats import t

from vstg.comparison import signed_rank_test
from vstg.reproduction.results import read_results

KEY = ["data", "column", "repetition"]
MEASURE = "rmse_mean_over_tasks"
HEAD = "data column        n      full   coarse   coarse - full, %      p   fits ratio"


def outcomes(folder):
    """The repetitions that a folder holds."""
    results = read_results(folder)
    if results is None:
        msg = f"{folder} contains no results of vstg reproduce"
        raise SystemExit(msg)
    return results.outcomes


def interval(differences):
    """Mean and half width of its 95 % interval."""
    n = len(differences)
    half = t.ppf(0.975, n - 1) * differences.std(ddof=1) / np.sqrt(n) if n > 1 else 0.0
    return differences.mean(), half


def line(name, both):
    """One row of the table that is printed."""
    full = both[f"{MEASURE}_full"].to_numpy()
    coarse = both[f"{MEASURE}_coarse"].to_numpy()
    mean, half = interval(100 * (coarse - full) / full)
    fits = both.n_fits_full.sum() / both.n_fits_coarse.sum()
    p = signed_rank_test(coarse, full).p_value
    return (
        f"{name:16s} {len(both):3d}  {full.mean():8.4f} {coarse.mean():8.4f}"
        f"   {mean:+6.2f} ± {half:4.2f}     {p:6.3f}   {fits:6.1f}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("full", nargs="?", default="results/table1")
    parser.add_argument("coarse", nargs="?", default="results/coarse")
    parser.add_argument("--quick", action="store_true", help="the first column only")
    args = parser.parse_args()
    suffixes = ("_full", "_coarse")
    both = outcomes(args.full).merge(outcomes(args.coarse), on=KEY, suffixes=suffixes)
    print(HEAD)
    for number, (key, rows) in enumerate(both.groupby(KEY[:2], sort=True)):
        if not (args.quick and number):
            print(line(" ".join(key), rows))


if __name__ == "__main__":
    main()
