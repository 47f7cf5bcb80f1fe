"""Coverage and width of prediction intervals on held-out rows of five data sets.

    python benchmarks/bench_intervals.py          # prints the table
    python benchmarks/bench_intervals.py --write  # puts it into docs/new-tasks.md

School and Parkinson's need their files (docs/data.md); without them three are measured.
"""

from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from typing import Any

import docs_page
import numpy as np
import pandas as pd

from vstg.baselines import solve_ridge
from vstg.data import Dataset, MultiTaskData
from vstg.datasets import FetchError, fetch_parkinsons, fetch_school, make_syn
from vstg.datasets.samples import load_sample
from vstg.losses import get_loss
from vstg.model_selection import search_grid
from vstg.model_selection.held_out_scores import cross_scores
from vstg.model_selection.yardsticks import STRENGTHS, strength_scale
from vstg.solvers import solve_vstg
from vstg.tables import Recipe, prepare, read_table

LEVELS = (0.8, 0.9, 0.95)
DRAWS = 5  # of training and test rows
SETTINGS = {  # of Syn and School those of results/table1 and table2
    "Syn1": {"n_latent": 13, "k": 1, "gamma1": 2**-2, "gamma2": 2**-10},
    "School exam": {"n_latent": 9, "k": 1, "gamma1": 4.0, "gamma2": 2**-10},
    "": {"n_latent": 5, "k": 1, "gamma1": 2**-5, "gamma2": 2**-5},
}


def problems(draw: int, *, quick: bool) -> Iterator[Dataset]:
    """The data sets that are there, with another split for every draw."""
    yield make_syn(1, random_state=draw)
    if quick:
        return
    for name in ("shops", "wards"):
        sample = load_sample(name)
        recipe = Recipe(
            sample.layout, sample.task, sample.targets, problem=sample.problem,
            missing="median", test_size=0.3, seed=draw,
        )  # fmt: skip
        yield prepare(read_table(sample.path), recipe).to_dataset(name)
    for fetch in (fetch_school, fetch_parkinsons):
        try:
            yield fetch(random_state=draw)
        except FetchError as error:
            print(f"without one: {error}")


def ridge(data: Dataset) -> Callable[[MultiTaskData], Any]:
    """A ridge per task with one strength, chosen by cross-validation."""
    loss, b = get_loss("squared"), data.fit_intercept
    strengths = [s * strength_scale(data.train, "ridge", loss) for s in STRENGTHS]
    found = search_grid(
        data.train, "ridge", {"gamma1": strengths}, cv=5, fit_intercept=b
    )
    gamma = found.best["gamma1"]
    return lambda part: solve_ridge(part, gamma1=gamma, fit_intercept=b)


def measured(data: Dataset) -> list[dict[str, Any]]:
    """For each model and level: covered test rows, all of them, and the mean width."""
    setting = SETTINGS.get(data.name, SETTINGS[""])

    def vstg(part: MultiTaskData) -> Any:
        return solve_vstg(
            part, fit_intercept=data.fit_intercept, allow_constant=True, **setting
        )

    rows = []
    for name, fit in {"vstg": vstg, "ridge": ridge(data)}.items():
        model, scores = fit(data.train), cross_scores(data.train, fit)
        errors = [
            u * np.abs(y - X @ w - b)
            for X, y, w, b, u in zip(
                data.test.X, data.test.y, model.W.T, model.intercept,
                data.test.task_units, strict=True,
            )
        ]  # fmt: skip
        for level in LEVELS:
            widths = scores.widths(level)
            pairs = list(zip(errors, widths, strict=True))
            inside = sum(int((e <= w).sum()) for e, w in pairs)
            total = sum(len(e) for e in errors)
            wide = sum(len(e) * w for e, w in pairs) / total
            rows.append(
                {"data": data.name, "model": name, "level": level, "inside": inside,
                 "rows": total, "width": 2 * wide}
            )  # fmt: skip
    return rows


def table(found: pd.DataFrame) -> str:
    """Coverage with the binomial error of the test rows, and widths, as markdown."""
    lines = ["| data set | level | covered | binomial error | width | ridge per task |"]
    lines.append("|" + "---|" * 6)
    for (name, level), part in found.groupby(["data", "level"], sort=False):
        ours, theirs = (part[part["model"] == m] for m in ("vstg", "ridge"))
        share = ours["inside"].sum() / ours["rows"].sum()
        # Draws are splits of the same rows, so that the rows of one draw count.
        error = np.sqrt(level * (1 - level) / ours["rows"].mean())
        lines.append(
            f"| {name} | {level:.0%} | {share:.1%} | ±{error:.1%} | "
            f"{ours['width'].mean():.3g} | {theirs['width'].mean():.3g} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Measure, print and perhaps write."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="the smallest size")
    parser.add_argument("--write", action="store_true", help="write docs/new-tasks.md")
    args = parser.parse_args()
    rows = []
    for draw in range(1 if args.quick else DRAWS):
        for data in problems(draw, quick=args.quick):
            rows += measured(data)
    text = table(pd.DataFrame(rows))
    print(text)
    if args.write:
        docs_page.write("bench_intervals", text, "new-tasks.md")


if __name__ == "__main__":
    main()
