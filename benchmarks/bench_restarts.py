"""Would more starts, or another k, bring Table 2 closer to the paper?

    python benchmarks/bench_restarts.py results/table2 --data-dir FOLDER
    python benchmarks/bench_restarts.py results/table2 --data-dir FOLDER -o FILE
    python benchmarks/bench_restarts.py --quick       # synthetic data: a smoke test

Every fit of VSTG-MTL in the table is repeated on the same training rows: with one
start, as the best of several, and with each k of the paper at the chosen K, γ1 and γ2.
For each, the script prints the mean test error with its standard deviation over the
repetitions, how far the objective fell below that of one start, and Wilcoxon's test
against one start.
"""

import argparse

import pandas as pd

from vstg.comparison import signed_rank_test
from vstg.model_selection.grid import PAPER_K
from vstg.model_selection.methods import vstg_settings
from vstg.problem import Problem
from vstg.reproduction.benchmarks import get_benchmark
from vstg.reproduction.experiment import evaluate
from vstg.reproduction.results import read_results
from vstg.solvers import solve_problem

COLUMN = "vstg_opt"
ONE = "one start"
SMALL = (("syn1", 0), {"n_latent": 3, "k": 1, "gamma1": 0.25, "gamma2": 0.25})


def chosen(folder, sets):
    """(set, repetition) and its setting, of every fit in the table."""
    results = read_results(folder)
    if results is None:
        msg = f"{folder} contains no results of vstg reproduce table2"
        raise SystemExit(msg)
    table = results.outcomes
    table = table[(table["column"] == COLUMN) & table["data"].isin(sets)]
    keys = table[["data", "repetition"]].itertuples(index=False)
    return [((d, r), results.setting(d, COLUMN, r)) for d, r in keys]


def variants(setting, n_init):
    """What to fit by name: (setting, number of starts)."""
    tried = {ONE: (setting, 1), f"{n_init} starts": (setting, n_init)}
    for k in PAPER_K:
        if k <= setting["n_latent"]:
            tried[f"k = {k}"] = ({**setting, "k": k}, 1)
    return tried


def measure(key, setting, n_init, where):
    """A row for each variant."""
    name, repetition = key
    benchmark = get_benchmark(name)
    data = benchmark.load(repetition, where)
    problem = Problem.of_dataset(data)
    rows = []
    for variant, (asked, starts) in variants(setting, n_init).items():
        fit = solve_problem(problem, vstg_settings(asked), n_init=starts)
        error = evaluate(data, fit)[benchmark.choice_measure]
        place = {"data": name, "repetition": repetition, "variant": variant}
        rows.append({**place, "objective": fit.objective, "error": error})
    return rows


def report(frame):
    """Lines of means and tests, one data set after another."""
    lines = ["data        variant      n       error     sd    objective, %       p"]
    for name, part in frame.groupby("data", sort=False):
        errors = part.pivot(index="repetition", columns="variant", values="error")
        values = part.pivot(index="repetition", columns="variant", values="objective")
        for variant in pd.unique(part["variant"]):
            both = errors[[ONE, variant]].dropna() if variant != ONE else errors[[ONE]]
            own = both[variant]
            line = f"{name:12s}{variant:10s} {len(own):3d}  {own.mean():10.4f}"
            line += f" {own.std(ddof=1):6.4f}"
            if variant != ONE:
                test = signed_rank_test(own.to_numpy(), both[ONE].to_numpy())
                fell = 100 * (values[variant] / values[ONE] - 1).mean()
                # Another k has another objective, which is not to be compared.
                fall = f"{fell:+9.3f}" if "starts" in variant else 9 * " "
                line += f"       {fall}     {test.p_value:6.3f}"
            lines.append(line)
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("results", nargs="?", default="results/table2")
    parser.add_argument("--data-dir", help="folder with the real data sets")
    parser.add_argument("--sets", nargs="+", default=["computer", "mnist", "usps"])
    parser.add_argument("--starts", type=int, default=10)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("-o", "--output", help="CSV of every fit")
    args = parser.parse_args()
    where = {"data_dir": args.data_dir} if args.data_dir else {}
    fits = [SMALL] if args.quick else chosen(args.results, args.sets)
    rows = []
    for key, setting in fits:
        rows += measure(key, setting, 2 if args.quick else args.starts, where)
    frame = pd.DataFrame(rows)
    print(report(frame))
    if args.output:
        frame.to_csv(args.output, index=False, float_format="%.8g")


if __name__ == "__main__":
    main()
