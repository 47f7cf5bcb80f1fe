"""Our table next to the paper's, with cells that can be clicked."""

from html import escape
from math import isnan
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from pages.reproduce import words
from vstg.comparison import format_mean
from vstg.reproduction import BENCHMARKS, Exhibit
from vstg.reproduction.protocol import COLUMNS
from vstg.reproduction.report import MEASURE_LABELS

FOLDER = Path(__file__).parent
# Distinct with every common colour blindness.
BETTER, WORSE = (42, 145, 135), (217, 118, 43)
FULL_COLOUR = 3.0  # standard deviations from which a colour gets no stronger
STRONGEST = 0.55  # opacity: the text stays legible on light and on dark

draw = st.components.v2.component(
    "vstg_reproduce_table",
    html='<div class="vstg-paper"></div>',
    css=(FOLDER / "reproduce.css").read_text("utf-8"),
    js=(FOLDER / "reproduce.js").read_text("utf-8"),
    isolate_styles=False,
)

Cell = tuple[str, str, str]  # data set, measure, column


def colour(apart: float) -> str:
    """The colour behind a cell: from none at the paper's mean to full at three sd."""
    strength = STRONGEST * min(abs(apart) / FULL_COLOUR, 1.0)
    red, green, blue = BETTER if apart < 0 else WORSE
    return f"rgba({red},{green},{blue},{strength:.2f})"


def apart_words(apart: float) -> str:
    """The same as text, to a tenth."""
    if abs(apart) < 0.05:
        return words.SAME
    return (words.BETTER if apart < 0 else words.WORSE).format(sd=abs(apart))


def cell_html(row: Any, n: int, *, chosen: bool) -> str:
    """Ours, the paper's, and how far apart they are; ``n`` repetitions are usual."""
    ours = format_mean(row["mean"], row["sd"])
    if row["n"] < n:
        ours += words.FEWER.format(n=row["n"])
    if isnan(row["paper_mean"]):
        paper, apart, shade = words.NOT_IN_PAPER, "", "none"
    else:
        printed_mean = format_mean(row["paper_mean"], row["paper_sd"])
        paper = words.PAPER.format(text=printed_mean)
        apart, shade = apart_words(row["apart"]), colour(row["apart"])
    name = "|".join((row["data"], row["measure"], row["column"]))
    best, printed = (" best" if row[k] else "" for k in ("is_best", "paper_is_best"))
    return (
        f'<td style="background:{shade}">'
        f'<button type="button" data-cell="{escape(name)}" '
        f'aria-pressed="{str(chosen).lower()}">'
        f'<span class="ours{best}">{escape(ours)}</span>'
        f'<span class="paper{printed}">{escape(paper)}</span>'
        f'<i class="apart">{escape(apart)}</i></button></td>'
    )


def table_html(table: pd.DataFrame, exhibit: Exhibit, chosen: Cell | None) -> str:
    """The whole table, without columns that were not measured."""
    present = set(table["column"])
    columns = [name for name in exhibit.all_columns if name in present]
    head = "".join(f"<th>{escape(COLUMNS[name].label)}</th>" for name in columns)
    rows = []
    for names, part in table.groupby(["data", "measure"], sort=False):
        data, measure = (str(name) for name in names)
        cells = {row["column"]: row for row in part.to_dict("records")}
        label = escape(BENCHMARKS[data].label)
        line = f"<th>{label}<small>{escape(MEASURE_LABELS[measure])}</small></th>"
        for name in columns:
            if name not in cells:
                line += f'<td class="none">{words.MISSING}</td>'
                continue
            is_chosen = (data, measure, name) == chosen
            line += cell_html(cells[name], part["n"].max(), chosen=is_chosen)
        rows.append(f"<tr>{line}</tr>")
    caption = escape(words.TABLE_ALT.format(title=exhibit.title))
    return (
        f"<table><caption>{caption}</caption><thead><tr><th></th>{head}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def scale_html() -> str:
    """What the colours mean."""
    stops = ", ".join(colour(s * FULL_COLOUR / 2) for s in (-2, -1, 0, 1, 2))
    bar = f'<i style="background:linear-gradient(90deg, {stops})"></i>'
    left, right = (escape(word.format(sd=FULL_COLOUR)) for word in words.SCALE)
    return f'<div class="vstg-scale"><span>{left}</span>{bar}<span>{right}</span></div>'


def read_cell(text: object) -> Cell | None:
    """The cell that a click or a link names."""
    match str(text).split("|"):
        case [data, measure, column] if data in BENCHMARKS and column in COLUMNS:
            return data, measure, column
    return None
