"""How often the methods of Table 1 find the true variables and groups.

The paper reports errors alone. Here every method is fitted once more, on the training
rows of each repetition, with the setting that Table 1 chose for it.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from vstg.data import Array, Dataset
from vstg.data.dataset import Truth
from vstg.inspection import task_support
from vstg.metrics import pattern_adjusted_rand
from vstg.reproduction.benchmarks import BENCHMARKS
from vstg.reproduction.exhibits import EXHIBITS
from vstg.reproduction.experiment import refit
from vstg.reproduction.protocol import COLUMNS, neighbours
from vstg.reproduction.report import markdown_line
from vstg.reproduction.results import ABOUT, OUTCOMES, Key, Results, versions

TRUTH = "truth"
ALL = "all"
# Rows of the table for each data set: how they are called, and whether they are counts
# of repetitions or means.
COUNTED = {"variables_exact": "variables exact", "both": "variables and groups exact"}
MEANS = {
    "n_variables": "variables kept",
    "adjusted_rand": "groups, adjusted Rand",
    "n_bases": "bases used",
}
ORDER = ("variables_exact", "n_variables", "adjusted_rand", "both", "n_bases")
LABELS = COUNTED | MEANS

Flags = npt.NDArray[np.bool_]
Notify = Callable[[Key, dict[str, Any]], None]


@dataclass(frozen=True, eq=False)
class Structure:
    """The variables, groups and bases of a fit.

    Attributes
    ----------
    variables : (D,) array, whether each is used by any task
    patterns : (·, T) array; tasks with equal columns are a group. Rows are bases if the
        method has them, and variables otherwise
    n_bases : how many bases are used, None if the method has none
    """

    variables: Flags
    patterns: Flags
    n_bases: int | None

    @classmethod
    def of_factors(cls, U: Array, V: Array) -> "Structure":
        """Read the structure off W = U V."""
        used = task_support(V, U=U)
        return cls((U @ V != 0).any(axis=1), used, int(used.any(axis=1).sum()))

    @classmethod
    def of_coefficients(cls, W: Array) -> "Structure":
        """Read the structure of a method without bases."""
        return cls((W != 0).any(axis=1), W != 0, None)

    @classmethod
    def of_fit(cls, fit: Any) -> "Structure":
        """Read the structure of a fit of any method."""
        factors = getattr(fit, "factors", {})
        if "L" in factors:
            return cls.of_factors(factors["L"], factors["S"])
        if hasattr(fit, "U"):
            return cls.of_factors(fit.U, fit.V)
        return cls.of_coefficients(fit.W)


def compare_structure(truth: Truth, found: Structure) -> dict[str, Any]:
    """How much of the truth was found: one row of the repetitions."""
    exact = bool(np.array_equal(truth.relevant, found.variables))
    agreement = pattern_adjusted_rand(truth.V != 0, found.patterns)
    groups = len(np.unique(found.patterns, axis=1).T)
    return {
        "variables_exact": exact,
        "n_variables": int(found.variables.sum()),
        "n_missed": int((truth.relevant & ~found.variables).sum()),
        "adjusted_rand": agreement,
        "n_groups": groups,
        "both": exact and agreement == 1.0,
        "n_bases": found.n_bases,
    }


def fit_again(results: Results, dataset: Dataset, key: Key) -> Any:
    """The fit of a piece, reached as the experiment reaches it."""
    column, setting = COLUMNS[key[1]], results.setting(*key)
    effort = results.effort(*key)
    grid = neighbours(column, setting) if effort.refine else effort.grid(column)
    return refit(dataset, column, setting, grid)


def measure_recovery(results: Results, notify: Notify | None = None) -> pd.DataFrame:
    """One row per data set, column and repetition of results of Table 1."""
    rows = []
    keys: list[Key] = [
        (str(row["data"]), str(row["column"]), int(row["repetition"]))
        for row in results.outcomes.to_dict("records")
    ]
    for key in keys:
        data, column, repetition = key
        dataset = BENCHMARKS[data].load(repetition, {})
        assert dataset.truth is not None
        fit = fit_again(results, dataset, key)
        found = compare_structure(dataset.truth, Structure.of_fit(fit))
        if notify is not None:
            notify(key, found)
        rows.append({"data": data, "column": column, "repetition": repetition, **found})
    return pd.DataFrame(rows)


def summarise(repetitions: pd.DataFrame) -> pd.DataFrame:
    """One row per data set and column, and per column over all data sets.

    Counts of repetitions (out of ``n``) and means.
    """
    rows = []
    pooled = repetitions.assign(data=ALL)
    whole = pd.concat([repetitions, pooled], ignore_index=True)
    present = list(dict.fromkeys(whole["column"]))
    order = [name for name in EXHIBITS["table1"].all_columns if name in present]
    for data, part in whole.groupby("data", sort=False):
        for column in order:
            chosen = part[part["column"] == column]
            if chosen.empty:
                continue
            rows.append(
                {
                    "data": data,
                    "column": column,
                    "n": len(chosen),
                    **{name: int(chosen[name].sum()) for name in COUNTED},
                    **{name: float(chosen[name].mean()) for name in MEANS},
                }
            )
    return pd.DataFrame(rows)


def true_structure(data: str) -> dict[str, float]:
    """The numbers of variables and bases of the truth, the same in every repetition."""
    truth = BENCHMARKS[data].load(0, {}).truth
    assert truth is not None
    return {"n_variables": int(truth.relevant.sum()), "n_bases": len(truth.V)}


def markdown(table: pd.DataFrame) -> str:
    """Data sets and measures down, the truth and methods across."""
    columns = list(dict.fromkeys(table["column"]))
    head = ["data", "", TRUTH, *(COLUMNS[name].label for name in columns)]
    lines = [markdown_line(head), markdown_line(["---"] * len(head))]
    for data, part in table.groupby("data", sort=False):
        cells = part.set_index("column")
        truth = {} if data == ALL else true_structure(str(data))
        label = "all four" if data == ALL else BENCHMARKS[str(data)].label
        for number, name in enumerate(ORDER):
            if data == ALL and name in ("n_variables", "n_bases"):
                continue  # the truth is not the same everywhere
            line = ["" if number else label, LABELS[name]]
            line.append(str(truth[name]) if name in truth else "")
            line += [cell_text(cells, column, name) for column in columns]
            lines.append(markdown_line(line))
    return "\n".join(lines) + "\n"


def cell_text(cells: pd.DataFrame, column: str, name: str) -> str:
    """A count out of the repetitions, or a mean."""
    if column not in cells.index:
        return "–"
    cell: Any = cells.loc[column]
    if name in COUNTED:
        return f"{cell[name]} of {cell['n']}"
    if pd.isna(cell[name]):
        return "–"
    digits = 2 if name == "adjusted_rand" else 1
    return f"{round(cell[name], digits) + 0.0:.{digits}f}"  # zero without a sign


def recovery_files(
    repetitions: pd.DataFrame, results: Results, command: str
) -> dict[str, bytes]:
    """The files of a folder by name."""
    table = summarise(repetitions)
    about = {
        "exhibit": "recovery",
        "command": command,
        "settings": made_by(results),
        "versions": versions(),
    }
    head = (
        "# Variables and groups of Syn1 to Syn4 that the methods find\n\n"
        f"    {command}\n\nSettings chosen by\n\n"
        + "".join(f"    {line}\n" for line in about["settings"])
        + "\n"
    )
    files = {
        OUTCOMES: repetitions.to_csv(index=False, float_format="%.10g"),
        "table.csv": table.to_csv(index=False, float_format="%.6g"),
        "table.md": head + markdown(table),
        ABOUT: json.dumps(about, indent=2) + "\n",
    }
    return {name: text.encode() for name, text in files.items()}


def made_by(results: Results) -> Sequence[str]:
    """The commands that chose the settings."""
    about = results.about
    return [part.get("command", "") for part in about.get("parts", [about])]
