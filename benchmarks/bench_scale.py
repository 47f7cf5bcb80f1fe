"""How time and memory of one fit grow with D, T, N and K.

    python benchmarks/bench_scale.py            # three decades, a few minutes
    python benchmarks/bench_scale.py --write    # and put table and figure into docs/
    python benchmarks/bench_scale.py --quick    # small sizes: a smoke test

Every point is a process of its own, which makes sparse Syn-like data, fits once at
the default tolerance and tells the processor time of the fit and its largest memory.
Time is that of one core and so depends little on what else runs. ``memory`` is the
growth of the process from before the data were made, in units of the data. The exponent
is the slope of log time against log size. (The smoke test stays in one process.)
"""

import argparse
import json
import resource
import subprocess
import sys
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd

DOCS = Path(__file__).parents[1] / "docs"
MARKS = ("<!-- bench_scale begins -->", "<!-- bench_scale ends -->")
BASE = {
    "D": {"T": 20, "N": 50, "K": 5},
    "T": {"D": 200, "N": 20, "K": 5},
    "N": {"D": 50, "T": 10, "K": 5},
    "K": {"D": 2000, "T": 64, "N": 50},
}
SIZES = {
    "D": (100, 1000, 10_000, 100_000),
    "T": (10, 100, 1000, 10_000),
    "N": (100, 1000, 10_000, 100_000),
    "K": (2, 4, 8, 16),
}
QUICK = {"D": (100, 1000), "T": (10, 30), "N": (100, 300), "K": (2, 4)}


def peak() -> int:
    """Largest memory of this process so far, in bytes."""
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def make(D: int, T: int, N: int, K: int):
    """Four variables a basis, T/K tasks a basis, unit noise; nothing is copied."""
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


def child(sizes: dict[str, int]) -> dict:
    """One point: fit and measure in this process."""
    from vstg import solve_vstg
    from vstg.datasets import make_syn
    from vstg.kernels import compile_all

    compile_all()
    solve_vstg(make_syn(1, random_state=0).train)
    before = peak()
    data = make(**sizes)
    strength = 0.02 * data.n_tasks
    began = process_time()
    result = solve_vstg(
        data, n_latent=sizes["K"], k=1, gamma1=strength, gamma2=strength, mu=0.5
    )
    seconds = process_time() - began
    size = sum(X.nbytes for X in data.X)
    return {
        **sizes,
        "MB of data": size / 2**20,
        "seconds": seconds,
        "memory": (peak() - before) / size,
        "iterations": result.n_iter,
        "form": result.form,
        "converged": result.converged,
    }


def measure(along: str, value: int, *, alone: bool) -> dict:
    """One point, in a process of its own if it is to be ``alone``."""
    sizes = {**BASE[along], along: value}
    if not alone:
        return {"along": along, **child(sizes)}
    command = [sys.executable, __file__, "--child", json.dumps(sizes)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return {"along": along, **json.loads(done.stdout.splitlines()[-1])}


def exponent(table: pd.DataFrame, along: str) -> float:
    """Slope of log time against log size."""
    part = table[table["along"] == along]
    return float(np.polyfit(np.log(part[along]), np.log(part["seconds"]), 1)[0])


def markdown(table: pd.DataFrame) -> str:
    """The table and the exponents for the page."""
    lines = [
        "| along | D | T | N | K | MB of data | seconds | memory / data | solved on |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for _, row in table.iterrows():
        sizes = " | ".join(f"{row[name]:,}" for name in ("D", "T", "N", "K"))
        lines.append(
            f"| {row['along']} | {sizes} | {row['MB of data']:.3g} | "
            f"{row['seconds']:.3g} | {row['memory']:.2f} | {row['form']} |"
        )
    found = [f"{name} {exponent(table, name):.2f}" for name in BASE]
    return "\n".join([*lines, "", f"Exponents of time: {', '.join(found)}."])


def panel(table: pd.DataFrame, along: str, x0: int) -> list[str]:
    """One log-log panel of the figure."""
    part = table[table["along"] == along]
    x, y = np.log10(part[along].to_numpy(float)), np.log10(part["seconds"].to_numpy())
    low, high = np.floor(np.log10(table["seconds"].min())), np.ceil(y.max() + 0.01)
    high = max(high, np.ceil(np.log10(table["seconds"].max())))
    px = x0 + 30 + 150 * (x - x[0]) / (x[-1] - x[0])
    py = 190 - 160 * (y - low) / (high - low)
    lines = [f'<rect x="{x0 + 30}" y="30" width="150" height="160" class="frame"/>']
    for power in range(int(low), int(high) + 1):
        at = 190 - 160 * (power - low) / (high - low)
        lines.append(f'<path d="M{x0 + 30} {at:.1f}h150" class="grid"/>')
        lines.append(
            f'<text x="{x0 + 26}" y="{at + 3:.1f}" class="end">10^{power}</text>'
        )
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(px, py, strict=True))
    lines.append(f'<polyline points="{points}"/>')
    for a, b, value in zip(px, py, part[along], strict=True):
        lines.append(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3"/>')
        lines.append(f'<text x="{a:.1f}" y="204" class="mid">{value:,}</text>')
    title = f"{along} (exponent {exponent(table, along):.2f})"
    return [*lines, f'<text x="{x0 + 105}" y="20" class="mid">{title}</text>']


def svg(table: pd.DataFrame) -> str:
    """Seconds of a fit against each size."""
    style = (
        "text{font:9px sans-serif;fill:#555}.mid{text-anchor:middle}"
        ".end{text-anchor:end}.frame{fill:none;stroke:#999}.grid{stroke:#ddd}"
        "polyline{fill:none;stroke:#1f6feb;stroke-width:1.5}circle{fill:#1f6feb}"
    )
    parts = [
        part for i, name in enumerate(BASE) for part in panel(table, name, 200 * i)
    ]
    title = "<title>Processor seconds of one fit against D, T, N and K</title>"
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 810 215" role="img">'
    body = "\n".join([f"<style>{style}</style>", *parts])
    return f"{head}\n{title}\n{body}\n</svg>\n"


def write(table: pd.DataFrame) -> None:
    """Put table and figure into the documentation."""
    (DOCS / "scaling.svg").write_text(svg(table))
    page = DOCS / "scaling.md"
    before, rest = page.read_text().split(MARKS[0])
    after = rest.split(MARKS[1])[1]
    page.write_text(f"{before}{MARKS[0]}\n\n{markdown(table)}\n\n{MARKS[1]}{after}")


def main() -> None:
    """Measure all points and print them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", action="store_true", help="into docs/scaling.md")
    parser.add_argument("--largest", type=int, default=10**9, help="leave out above")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        print(json.dumps(child(json.loads(arguments.child))))
        return
    sizes = QUICK if arguments.quick else SIZES
    rows = []
    for along, values in sizes.items():
        for value in values:
            if value <= arguments.largest:
                rows.append(measure(along, value, alone=not arguments.quick))
                print(rows[-1], file=sys.stderr)
    table = pd.DataFrame(rows)
    print(markdown(table))
    print(f"largest ratio of memory to data above 10 MB: {worst_memory(table):.2f}")
    if arguments.write:
        write(table)


def worst_memory(table: pd.DataFrame) -> float:
    """Small data say nothing: the process grows by its own habits then."""
    large = table[table["MB of data"] > 10]
    return float(large["memory"].max()) if len(large) else float("nan")


if __name__ == "__main__":
    main()
