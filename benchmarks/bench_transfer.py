"""A new task on known bases: every task left out in turn and given a few rows.

    python benchmarks/bench_transfer.py          # prints the tables
    python benchmarks/bench_transfer.py --write  # puts them into docs/new-tasks.md

School needs its file (docs/data.md); without it only Syn1 is measured.
"""

from argparse import ArgumentParser
from collections.abc import Iterator

import docs_page
import numpy as np
import pandas as pd

from vstg.baselines import solve_pooled
from vstg.data import Dataset
from vstg.datasets import FetchError, fetch_school, make_syn
from vstg.losses import get_loss
from vstg.model_selection import search_grid
from vstg.model_selection.sharing import own_ridge
from vstg.model_selection.yardsticks import STRENGTHS, strength_scale
from vstg.solvers import fit_task, solve_vstg

ROWS = (2, 5, 10, 20)
DRAWS = 5  # of the rows that a task is given
BASES, RIDGE, POOLED = "known bases", "ridge of its own", "one ridge for all others"
SETTINGS = {  # as chosen in some repetitions of results/table1 and table2
    "syn1": {"n_latent": 13, "k": 1, "gamma1": 2**-2, "gamma2": 2**-10},
    "school": {"n_latent": 9, "k": 1, "gamma1": 4.0, "gamma2": 2**-10},
}
COLOURS = {BASES: "#1f6feb", RIDGE: "#c2410c", POOLED: "#777"}
WIDTH, HEIGHT = 240, 170


def problems(*, quick: bool) -> Iterator[tuple[str, Dataset]]:
    """The data sets that are there."""
    if quick:
        yield "syn1", make_syn(1, random_state=0, n_tasks=5, n_features=20, n_train=30)
        return
    yield "syn1", make_syn(1, random_state=0)
    try:
        yield "school", fetch_school(random_state=0)
    except FetchError as error:
        print(f"without School: {error}")


def measured(name: str, data: Dataset) -> pd.DataFrame:
    """One row per task left out, number of rows and draw: the test RMSE of each."""
    train, loss, b = data.train, get_loss("squared"), data.fit_intercept
    strengths = [s * strength_scale(train, "pooled", loss) for s in STRENGTHS]
    gamma = search_grid(
        train, "pooled", {"gamma1": strengths}, cv=5, fit_intercept=b
    ).best["gamma1"]  # fmt: skip
    rng, found = np.random.default_rng(0), []
    for j in range(train.n_tasks):
        known = train.subset(tasks=[i for i in range(train.n_tasks) if i != j])
        result = solve_vstg(known, fit_intercept=b, **SETTINGS[name])
        pooled = solve_pooled(known, gamma1=gamma, fit_intercept=b).W[:, 0]
        one, X, y = train.subset(tasks=[j]), data.test.X[j], data.test.y[j]
        for draw in range(DRAWS):
            order = rng.permutation(len(one.y[0]))
            for n in ROWS:
                given = one.take([order[:n]])
                task = fit_task(result, given.X[0], given.y[0])
                over = given.y[0] - given.X[0] @ pooled
                guesses = {
                    BASES: X @ task.w + task.intercept,
                    RIDGE: own_ridge(given, loss, b)(X),
                    POOLED: X @ pooled + (over.mean() if b else 0.0),
                }
                errors = {m: np.sqrt(np.mean((y - g) ** 2)) for m, g in guesses.items()}
                found.append({"task": j, "draw": draw, "rows": n, **errors})
    return pd.DataFrame(found)


def summary(table: pd.DataFrame) -> pd.DataFrame:
    """Means over tasks and draws, and in how many tasks the bases beat the ridge."""
    means = table.groupby("rows")[list(COLOURS)].mean()
    tasks = table.groupby(["rows", "task"])[list(COLOURS)].mean()
    better = (tasks[BASES] < tasks[RIDGE]).groupby("rows").sum()
    of = tasks.index.get_level_values("task").nunique()
    means["bases better than ridge"] = [f"in {n} of {of} tasks" for n in better]
    return means


def markdown(title: str, means: pd.DataFrame) -> str:
    """A table of the docs."""
    head = ["rows of the new task", *means.columns]
    lines = [f"| {' | '.join([f'{title}: {head[0]}', *head[1:]])} |"]
    lines.append("|" + "---|" * len(head))
    for n, row in means.iterrows():
        cells = [v if isinstance(v, str) else f"{v:.3g}" for v in row]
        lines.append(f"| {' | '.join([str(n), *cells])} |")
    return "\n".join(lines)


def panel(title: str, means: pd.DataFrame, x0: int) -> list[str]:
    """One data set: test error against the number of rows."""
    values = means[list(COLOURS)].to_numpy(float)
    low, high = 0.9 * values.min(), 1.05 * values.max()
    xs = x0 + WIDTH * np.linspace(0.06, 0.94, len(means))
    base = 30 + HEIGHT
    parts = [
        f'<rect x="{x0}" y="30" width="{WIDTH}" height="{HEIGHT}" class="frame"/>',
        f'<text x="{x0 + WIDTH / 2}" y="20" class="mid">{title}, test RMSE</text>',
    ]
    for x, n in zip(xs, means.index, strict=True):
        parts.append(f'<text x="{x:.0f}" y="{base + 14}" class="mid">{n}</text>')
    for step in np.linspace(low, high, 5)[1:-1]:
        y = base - HEIGHT * (step - low) / (high - low)
        parts.append(f'<path d="M{x0} {y:.0f}h{WIDTH}" class="grid"/>')
        parts.append(
            f'<text x="{x0 - 4}" y="{y + 3:.0f}" class="end">{step:.3g}</text>'
        )
    for name, colour in COLOURS.items():
        ys = base - HEIGHT * (means[name].to_numpy(float) - low) / (high - low)
        points = " ".join(f"{x:.0f},{y:.0f}" for x, y in zip(xs, ys, strict=True))
        parts.append(f'<polyline points="{points}" stroke="{colour}"/>')
    return parts


def svg(tables: dict[str, pd.DataFrame]) -> str:
    """All data sets side by side, and which colour is which."""
    parts = []
    for place, (title, means) in enumerate(tables.items()):
        parts += panel(title, means, 40 + place * (WIDTH + 60))
    foot = 30 + HEIGHT + 32
    parts.append(f'<text x="40" y="{foot}">rows of the new task:</text>')
    for place, (name, colour) in enumerate(COLOURS.items()):
        x = 150 + 130 * place
        parts.append(
            f'<path d="M{x} {foot - 3}h18" stroke="{colour}" stroke-width="2"/>'
        )
        parts.append(f'<text x="{x + 23}" y="{foot}">{name}</text>')
    style = (
        "text{font:10px sans-serif;fill:#777}.mid{text-anchor:middle}"
        ".end{text-anchor:end}.frame{fill:none;stroke:#999}.grid{stroke:#8884}"
        "polyline{fill:none;stroke-width:2}"
    )
    width = max(40 + len(tables) * (WIDTH + 60), 560)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {foot + 10}">'
    return f"{head}<style>{style}</style>{''.join(parts)}</svg>\n"


def main() -> None:
    """Measure, print and perhaps write."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="the smallest size")
    parser.add_argument("--write", action="store_true", help="write docs/new-tasks.md")
    args = parser.parse_args()
    tables = {}
    for name, data in problems(quick=args.quick):
        tables[data.name] = summary(measured(name, data))
    text = "\n\n".join(markdown(title, means) for title, means in tables.items())
    print(text)
    if args.write:
        docs_page.write("bench_transfer", text, "new-tasks.md")
        (docs_page.DOCS / "new-tasks.svg").write_text(svg(tables))


if __name__ == "__main__":
    main()
