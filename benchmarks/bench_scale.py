"""How time and memory of one fit grow with D, T, N and K.

    python benchmarks/bench_scale.py --digits --threads --write    # all, into docs/
    python benchmarks/bench_scale.py            # three decades along each size
    python benchmarks/bench_scale.py --quick    # small sizes: a smoke test

Every point is measured in its own process, which makes sparse Syn-like data, fits once
at the default tolerance and reports the processor time of the fit and its peak memory.
The time is that of one core, so it depends little on what else runs. ``memory`` is the
growth of the process from before the data were made, the data included, in units of
the data. Exponents are slopes of log time and log memory against log size, over all
points (for memory those above 1 MB) and from each to the next. The penalties grow with
the tasks of a basis, so that the true variables are found at every size. ``readings``
is the time in units of one plain sum over the data, the least that any pass over them
can take; ``passes`` is how often the fit reads all data. (The smoke test uses a single
process.)

``--digits`` fits ten one-vs-rest tasks with the logistic loss on data of the size of
MNIST; ``--threads`` compares one thread with all on 10,000 tasks, in wall-clock time.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
from time import perf_counter, process_time

import docs_page
import numpy as np
import pandas as pd
from scale_figure import exponent, slopes, svg

BASE = {
    "D": {"T": 20, "N": 50, "K": 5},
    "T": {"D": 200, "N": 20, "K": 5},
    "N": {"D": 50, "T": 10, "K": 5},
    "K": {"D": 1000, "T": 512, "N": 50},
}
SIZES = {
    "D": (100, 1000, 10_000, 100_000),
    "T": (10, 100, 1000, 10_000),
    "N": (100, 1000, 10_000, 100_000),
    "K": (1, 2, 4, 8, 16, 32, 64),
}
QUICK = {"D": (100, 1000), "T": (10, 30), "N": (100, 300), "K": (2, 4)}


def peak() -> int:
    """Largest memory of this process so far, in bytes."""
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def make(D: int, T: int, N: int, K: int):
    """Four variables and T/K tasks per basis, unit noise; nothing is copied."""
    from vstg import MultiTaskData

    rng = np.random.default_rng(0)
    W = np.zeros((D, T))
    for j in range(T):
        r = j * K // T
        W[4 * r : 4 * r + 4, j] = rng.normal(1, 0.25, size=4)
    X, y = [], []
    for w in W.T:
        design = rng.standard_normal((N, D))
        design.flags.writeable = False
        X.append(design)
        y.append(design @ w + rng.standard_normal(N))
    return MultiTaskData(X, y)


def make_digits(n: int, D: int, dtype: str):
    """Ten classes around sparse centres on one design of n rows."""
    from vstg import MultiTaskData

    rng = np.random.default_rng(0)
    labels = rng.integers(10, size=n)
    centres = np.where(rng.random((10, D)) < 0.1, rng.normal(0, 0.5, size=(10, D)), 0.0)
    X = np.empty((n, D), dtype)
    for low in range(0, n, 1000):  # a whole draw in float64 would be larger than X
        rows = slice(low, low + 1000)
        X[rows] = rng.standard_normal(X[rows].shape) + centres[labels[rows]]
    X.flags.writeable = False
    return MultiTaskData.one_vs_rest(X, labels)


def warm_up() -> None:
    """Load the kernels of both forms, and those for thousands of tasks."""
    from vstg import solve_vstg
    from vstg.solvers import compiling

    compiling.compile_all()
    for data in (make(D=20, T=4, N=30, K=2), make(D=2000, T=4, N=10, K=2)):
        solve_vstg(data, n_latent=2, k=1)
    solve_vstg(make_digits(200, 5, "float32"), loss="logistic", n_latent=2, k=1)


def one_reading(designs: list) -> float:
    """Seconds of a plain sum over the data."""
    timings = []
    for _ in range(3):
        began = process_time()
        for X in designs:
            X.sum()
        timings.append(process_time() - began)
    return min(timings)


def child(asked: dict) -> dict:
    """One point: fit and measure in this process."""
    from vstg import solve_vstg
    from vstg.problem import Problem

    warm_up()
    before = peak()
    if "dtype" in asked:
        data = make_digits(asked["N"], asked["D"], asked["dtype"])
        strengths = {"gamma1": 2**-6, "gamma2": 2**-6, "k": 2, "fit_intercept": True}
        options = {"loss": "logistic", "n_latent": asked["K"], **strengths}
    else:
        data = make(**asked)
        strength = 0.1 * data.n_tasks / asked["K"]
        strengths = {"gamma1": strength, "gamma2": strength, "mu": 0.5, "k": 1}
        options = {"n_latent": asked["K"], **strengths}
    count = count_passes(Problem) if "dtype" in asked else [0]
    clock, began = perf_counter(), process_time()
    result = solve_vstg(data, **options)
    seconds, clock = process_time() - began, perf_counter() - clock
    designs = list({id(X): X for X in data.X}.values())
    size = sum(X.nbytes for X in designs)
    grown = max(peak() - before, 1)
    certified = re.search(r"in (\d+) passes", result.form)
    return {
        **asked,
        "MB of data": size / 2**20,
        "seconds": seconds,
        "clock": clock,
        "readings": seconds / one_reading(designs),
        "passes": 1 + (int(certified[1]) if certified else 0) + count[0],
        "memory": grown / size,
        "MB in all": grown / 2**20,
        "iterations": result.n_iter,
        "variables": int(result.U.any(axis=1).sum()),
        "form": result.form,
        "converged": result.converged,
    }


def count_passes(problem: type) -> list[int]:
    """Count products with the whole design from now on."""
    count = [0]
    for name in ("margins", "backwards"):
        plain = getattr(problem, name)

        def counted(*arguments, plain=plain):
            count[0] += 1
            return plain(*arguments)

        setattr(problem, name, counted)
    return count


def alone(asked: dict, n_threads: int = 1) -> dict:
    """One point in its own process."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    environment = os.environ | dict.fromkeys(names, str(n_threads))
    command = [sys.executable, __file__, "--child", json.dumps(asked)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def measure(along: str, value: int, *, apart: bool) -> dict:
    """One point, in its own process if ``apart``."""
    sizes = {**BASE[along], along: value}
    return {"along": along, **(alone(sizes) if apart else child(sizes))}


def digits(*, quick: bool) -> list[str]:
    """The size of MNIST, in both precisions."""
    n = 2000 if quick else 60_000
    lines = []
    for dtype in ("float32", "float64"):
        asked = {"D": 784, "N": n, "K": 5, "dtype": dtype}
        row = alone(asked)
        lines.append(
            f"Ten classes, {n:,} × 784, {dtype}, logistic: {row['seconds']:.3g} s, "
            f"{row['passes']} passes, {row['readings']:.0f} readings of the data, "
            f"memory / data {row['memory']:.2f}, "
            f"{'converged' if row['converged'] else 'stopped'}."
        )
        print(lines[-1], file=sys.stderr)
    return lines


def threads(*, quick: bool) -> list[str]:
    """10,000 tasks by the clock, on one thread and on all."""
    n_all = len(os.sched_getaffinity(0))
    lines = []
    for D in (20, 100):
        asked = {"D": D, "T": 3000 if quick else 10_000, "N": 50, "K": 5}
        one, every = (alone(asked, n)["clock"] for n in (1, n_all))
        lines.append(
            f"{asked['T']:,} tasks, D = {D}, N = 50, K = 5, by the clock: {one:.3g} s "
            f"on one thread, {every:.3g} s on {n_all} (ratio {one / every:.2f})."
        )
        print(lines[-1], file=sys.stderr)
    return lines


def markdown(table: pd.DataFrame, further: list[str]) -> str:
    """The table, the exponents and further lines for the page."""
    names = "along | D | T | N | K | MB of data | seconds | readings | passes"
    head = f"| {names} | memory / data | variables kept | solved on |"
    lines = [head, "|---" * 12 + "|"]
    for _, row in table.iterrows():
        sizes = " | ".join(f"{row[name]:,}" for name in ("D", "T", "N", "K"))
        lines.append(
            f"| {row['along']} | {sizes} | {row['MB of data']:.3g} | "
            f"{row['seconds']:.3g} | {row['readings']:.0f} | {row['passes']} | "
            f"{row['memory']:.2f} | {row['variables']:,} | {row['form']} |"
        )
    lines += ["", *growth(table), "", worst_memory(table)]
    return "\n".join([*lines, *(f"\n{line}" for line in further)])


def growth(table: pd.DataFrame) -> list[str]:
    """Exponents of time and memory, over all points and from each to the next."""
    lines = ["| along | time | from point to point | memory | from point to point |"]
    lines.append("|---" * 5 + "|")
    for name in pd.unique(table["along"]):
        cells = []
        # Below a megabyte the growth of the process is not due to the data.
        told = table[table["MB of data"] > 1]
        for rows, what in ((table, "seconds"), (told, "MB in all")):
            steps = ", ".join(f"{s:.2f}" for s in slopes(rows, name, what))
            cells += [f"{exponent(rows, name, what):.2f}", steps]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def main() -> None:
    """Measure all points and print them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", action="store_true", help="into docs/scaling.md")
    parser.add_argument("--along", nargs="+", choices=list(BASE), default=list(BASE))
    parser.add_argument("--largest", type=int, default=10**9, help="leave out above")
    parser.add_argument("--digits", action="store_true", help="the size of MNIST")
    parser.add_argument("--threads", action="store_true", help="one against all")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        print(json.dumps(child(json.loads(arguments.child))))
        return
    quick = arguments.quick
    rows = []
    for along in arguments.along:
        for value in (QUICK if quick else SIZES)[along]:
            if value <= arguments.largest:
                rows.append(measure(along, value, apart=not quick))
                print(rows[-1], file=sys.stderr)
    table = pd.DataFrame(rows)
    further = digits(quick=quick) if arguments.digits else []
    further += threads(quick=quick) if arguments.threads else []
    text = markdown(table, further)
    print(text)
    if arguments.write:
        (docs_page.DOCS / "scaling.svg").write_text(svg(table))
        docs_page.write("bench_scale", text)


def worst_memory(table: pd.DataFrame) -> str:
    """A line on memory; below 10 MB its growth is not due to the data."""
    large = table[table["MB of data"] > 10]
    if not len(large):
        return "No data above 10 MB to tell a ratio of memory to data."
    return f"Largest ratio of memory to data above 10 MB: {large['memory'].max():.2f}."


if __name__ == "__main__":
    main()
