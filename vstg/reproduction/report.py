"""Our numbers next to the paper's: means, tests, Markdown and LaTeX."""

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from vstg.comparison import compare_methods, format_mean, signed_rank_test
from vstg.reproduction.benchmarks import BENCHMARKS
from vstg.reproduction.exhibits import Exhibit
from vstg.reproduction.protocol import COLUMNS

MEASURE_LABELS = {"rmse": "RMSE", "ree": "REE", "er": "ER (%)"}


def long_frame(outcomes: pd.DataFrame, exhibit: Exhibit) -> pd.DataFrame:
    """One row per data set, measure of the paper, column and repetition."""
    parts = []
    for name, part in outcomes.groupby("data", sort=False):
        for measure, column in BENCHMARKS[str(name)].measures.items():
            chosen = part[["data", "column", "repetition"]].copy()
            chosen.insert(1, "measure", measure)
            chosen["value"] = part[column]
            parts.append(chosen)
    if not parts:
        return pd.DataFrame(
            columns=["data", "measure", "column", "repetition", "value"]
        )
    frame = pd.concat(parts, ignore_index=True)
    order = {name: place for place, name in enumerate(exhibit.all_columns)}
    key = frame["column"].map(order)
    return frame.loc[key.sort_values(kind="stable").index].reset_index(drop=True)


def summary(outcomes: pd.DataFrame, exhibit: Exhibit) -> pd.DataFrame:
    """One row per cell of the table.

    ``data``, ``measure``, ``column``; ``mean``, ``sd``, ``n``, ``is_best`` (better
    than every other column by Wilcoxon's test at 5 %); ``paper_mean``, ``paper_sd``,
    ``paper_is_best``, ``difference`` (ours − the paper's) and ``apart``, the same in
    standard deviations of the paper; not numbers where the paper has no such column.
    """
    rows = []
    long = long_frame(outcomes, exhibit)
    for names, part in long.groupby(["data", "measure"], sort=False):
        name, measure = (str(text) for text in names)
        compared = compare_methods(part, method="column")
        for column, ours in compared.summary.iterrows():
            paper = exhibit.paper(BENCHMARKS[name], measure, str(column))
            difference = ours["mean"] - paper.mean
            rows.append(
                {
                    "data": name,
                    "measure": measure,
                    "column": column,
                    **ours[["mean", "sd", "n", "is_best", "p_rival"]],
                    "paper_mean": paper.mean,
                    "paper_sd": paper.sd,
                    "paper_is_best": paper.is_best,
                    "difference": difference,
                    "apart": difference / paper.sd,
                }
            )
    return pd.DataFrame(rows)


def pair_tests(outcomes: pd.DataFrame, exhibit: Exhibit) -> pd.DataFrame:
    """Wilcoxon's signed-rank test of every two columns on every data set."""
    rows = []
    long = long_frame(outcomes, exhibit)
    for names, part in long.groupby(["data", "measure"], sort=False):
        wide = part.pivot(index="repetition", columns="column", values="value")
        present = [column for column in exhibit.all_columns if column in wide]
        for first, second in combinations(present, 2):
            a, b = wide[first].to_numpy(), wide[second].to_numpy()
            test = signed_rank_test(a, b)
            rows.append(
                {
                    "data": names[0],
                    "measure": names[1],
                    "first": first,
                    "second": second,
                    "mean_difference": float(np.nanmean(a - b))
                    if test.n_pairs
                    else np.nan,
                    "p_value": test.p_value,
                    "n": test.n_pairs,
                }
            )
    return pd.DataFrame(rows)


def markdown(table: pd.DataFrame) -> str:
    """Ours above the paper's, row by row; bold is better than all others (5 %)."""
    columns = list(table["column"].unique())
    head = ["data", "measure", "", *(COLUMNS[name].label for name in columns)]
    lines = [markdown_line(head), markdown_line(["---"] * len(head))]
    for names, part in table.groupby(["data", "measure"], sort=False):
        cells = part.set_index("column")
        label = _label(str(names[0]), part, table)
        measure = MEASURE_LABELS[str(names[1])]
        ours, paper = [label, measure, "ours"], ["", "", "paper"]
        for name in columns:
            ours.append(_markdown_cell(cells, name, ""))
            paper.append(_markdown_cell(cells, name, "paper_"))
        lines += [markdown_line(ours), markdown_line(paper)]
    return "\n".join(lines) + "\n"


def _label(name: str, part: pd.DataFrame, table: pd.DataFrame) -> str:
    """Name the data set, with its number of repetitions if that is smaller.

    A column that has fewer repetitions than its row says so itself.
    """
    label = BENCHMARKS[name].label
    n = int(part["n"].max())
    return label if n == table["n"].max() else f"{label} (n = {n})"


def _markdown_cell(cells: pd.DataFrame, column: str, prefix: str) -> str:
    if column not in cells.index:
        return "–"
    text, is_best = _text(cells, column, prefix)
    return f"**{text}**" if is_best else text


def _text(cells: pd.DataFrame, column: str, prefix: str) -> tuple[str, bool]:
    row: Any = cells.loc[column]
    text = format_mean(row[f"{prefix}mean"], row[f"{prefix}sd"])
    if not prefix and row["n"] < cells["n"].max():
        text += f" (n = {row['n']})"
    return text, bool(row[f"{prefix}is_best"])


def markdown_line(cells: list[str]) -> str:
    """A row of a table in Markdown."""
    return "| " + " | ".join(cells) + " |"


def latex(table: pd.DataFrame) -> str:
    """Write the table as a LaTeX tabular."""
    columns = list(table["column"].unique())
    labels = [COLUMNS[name].label.replace("k=", "$k$=") for name in columns]
    lines = [
        rf"\begin{{tabular}}{{lll{'c' * len(columns)}}}",
        r"\hline",
        " & ".join(["Data", "Measure", "", *labels]) + r" \\ \hline",
    ]
    for names, part in table.groupby(["data", "measure"], sort=False):
        cells = part.set_index("column")
        label = _label(str(names[0]), part, table)
        measure = MEASURE_LABELS[str(names[1])].replace("%", r"\%")
        ours = [label, measure, "ours"]
        paper = ["", "", "paper"]
        for name in columns:
            ours.append(_latex_cell(cells, name, ""))
            paper.append(_latex_cell(cells, name, "paper_"))
        lines += [" & ".join(ours) + r" \\", " & ".join(paper) + r" \\ \hline"]
    return "\n".join([*lines, r"\end{tabular}"]) + "\n"


def _latex_cell(cells: pd.DataFrame, column: str, prefix: str) -> str:
    if column not in cells.index:
        return "--"
    text, is_best = _text(cells, column, prefix)
    text = text.replace("±", r"$\pm$").replace("–", "--")
    return rf"\textbf{{{text}}}" if is_best else text
