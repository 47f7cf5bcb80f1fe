"""``vstg reproduce fig1|fig2``: write the paper's figures as a page and as numbers."""

import sys
from argparse import Namespace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from vstg.data import DataError
from vstg.notation import setting_flags

if TYPE_CHECKING:
    import pandas as pd

    from vstg.plots.report import Section
    from vstg.reproduction.figures import Panel
    from vstg.reproduction.results import Results

FIGURES = ("fig1", "fig2")
USUAL_RESULTS = Path("results") / "table1"
FIGURE_1_TEXT = (
    "Entries that are not zero are grey. A row of U without any leaves its variable "
    "out; tasks whose columns of V have the same pattern are a group."
)
FIGURE_2_TEXT = (
    "Magnitudes of the coefficients, variables down and tasks across: the truth above, "
    "the estimate of VSTG-MTL below. Dark is large, white is zero."
)


def run_figure(args: Namespace, folder: Path) -> None:
    """Write the page and the numbers of a figure."""
    from vstg.commands.shared.tables import write_files
    from vstg.plots.report import report_html

    check_plotly()
    title, section, numbers = figure_1() if args.exhibit == "fig1" else figure_2(args)
    files = {
        f"{args.exhibit}.html": report_html(title, [section]).encode(),
        f"{args.exhibit}.csv": numbers.to_csv(index=False).encode(),
    }
    write_files({folder / name: content for name, content in files.items()})
    print(f"{folder}: {', '.join(files)}")


def check_plotly() -> None:
    """Raise an error if plotly, which only the figures need, is not installed."""
    if find_spec("plotly") is None:
        msg = "the figures need plotly: install vstg[app]"
        raise DataError(msg)


def figure_1() -> tuple[str, "Section", "pd.DataFrame"]:
    """The paper's example of W = U V."""
    from vstg.plots import factor_frames
    from vstg.plots.report import Section
    from vstg.plots.runs.reproduction import pattern_figure
    from vstg.reproduction.figures import figure_1 as example
    from vstg.reproduction.figures import matrices_frame

    toy = example()
    rows = [f"x{i + 1}" for i in range(len(toy.U))]
    tasks = [f"task {j + 1}" for j in range(toy.V.shape[1])]
    frames = factor_frames(toy.U, toy.V, rows, tasks)
    figure = pattern_figure({"U": frames.U, "V": frames.V, "W = U V": frames.W})
    section = Section("W = U V", FIGURE_1_TEXT, figures={"U, V and W": figure})
    numbers = matrices_frame({"U": toy.U, "V": toy.V, "W": toy.W})
    return "Figure 1: an example of VSTG-MTL", section, numbers


def figure_2(args: Namespace) -> tuple[str, "Section", "pd.DataFrame"]:
    """True and estimated coefficients of Syn1 to Syn4."""
    from vstg.plots.report import Section
    from vstg.plots.runs.reproduction import coefficients_figure
    from vstg.reproduction import BENCHMARKS
    from vstg.reproduction.figures import matrices_frame, named

    panels = [
        panel_of(args, find_results(args.results), data, column)
        for data, column in columns_of(args.k).items()
    ]
    labels = {p.data: BENCHMARKS[p.data].label for p in panels}
    figure = coefficients_figure(
        {f"{labels[p.data]} true": named(p.true) for p in panels},
        {f"{labels[p.data]} VSTG-MTL k={p.k}": named(p.estimated) for p in panels},
    )
    matrices = {f"{p.data} true": p.true for p in panels}
    matrices |= {f"{p.data} {p.column}": p.estimated for p in panels}
    listing = "\n".join(
        f"{labels[p.data]}: {setting_flags(p.setting)}, REE {p.relative_error:.4f}"
        for p in panels
    )
    title = f"Repetition {args.repetition}"
    section = Section(title, FIGURE_2_TEXT, figures={"|W|": figure}, listing=listing)
    print(listing)
    title = "Figure 2: coefficients of Syn1 to Syn4"
    return title, section, matrices_frame(matrices)


def columns_of(k: int | None) -> dict[str, str]:
    """Choose which column of each data set is drawn: the paper's choice by default."""
    from vstg.reproduction.figures import FIGURE_2

    return {data: f"vstg_k{k}" if k else column for data, column in FIGURE_2.items()}


def find_results(path: str | None) -> "Results | None":
    """Find the results with the chosen settings: those named, or the usual ones."""
    from vstg.reproduction.results import read_results

    found = read_results(USUAL_RESULTS if path is None else path)
    if found is None and path is not None:
        msg = (
            f"{path} contains no results: give a folder that vstg reproduce has written"
        )
        raise DataError(msg)
    if found is not None and found.exhibit.name != "table1":
        msg = f"{path} contains results of {found.exhibit.name}; fig2 needs table1"
        raise DataError(msg)
    return found


def panel_of(
    args: Namespace, results: "Results | None", data: str, column: str
) -> "Panel":
    """Fit one panel, with the setting of the results or of a quick search."""
    from vstg.reproduction import get_effort
    from vstg.reproduction.figures import has_piece, panel, searched_panel

    if has_piece(results, data, column, args.repetition):
        return panel(results, data, column, args.repetition)
    if args.results is not None:
        msg = (
            f"{args.results} has no repetition {args.repetition} of {data} by {column}"
        )
        raise DataError(msg)
    text = f"{data}: no results have a setting, searching quickly"
    print(text, file=sys.stderr, flush=True)
    effort = get_effort("quick")
    return searched_panel(data, column, args.repetition, effort, args.jobs)
