"""Write and read the folder with the results of a reproduction."""

import json
import platform
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pandas as pd

from vstg.data import Array
from vstg.model_selection.grid import AFTER
from vstg.reproduction.benchmarks import BENCHMARKS
from vstg.reproduction.exhibits import Exhibit, get_exhibit
from vstg.reproduction.protocol import COLUMNS, Effort, get_effort
from vstg.reproduction.report import latex, markdown, pair_tests, summary

PACKAGES = ("vstg", "numpy", "scipy", "numba", "scikit-learn", "pandas")
OUTCOMES, ABOUT = "repetitions.csv", "about.json"
SETTING_NAMES = ("n_latent", "k", "gamma1", "gamma2", "alpha", *AFTER)
MIXED = "mixed"  # the effort of results that several efforts have made

Key = tuple[str, str, int]  # data set, column, repetition


@dataclass(frozen=True, eq=False)
class Results:
    """A table as it was measured.

    Attributes
    ----------
    outcomes : one row per data set, column and repetition
    about : command, effort, versions, seconds
    coefficients : W of the pieces, if they come from a run store
    """

    exhibit: Exhibit
    outcomes: pd.DataFrame
    about: dict[str, Any]
    coefficients: dict[Key, Array]

    def setting(self, data: str, column: str, repetition: int) -> dict[str, Any]:
        """The setting that was chosen."""
        row = self._row(data, column, repetition)
        names = [n for n in SETTING_NAMES if n in row]
        counts = {"n_latent", "k"}
        return {
            name: int(row[name]) if name in counts else float(row[name])
            for name in names
            if not pd.isna(row[name])
        }

    def effort(self, data: str, column: str, repetition: int) -> Effort:
        """How thoroughly it was searched for."""
        if "effort" in self.outcomes:
            return get_effort(str(self._row(data, column, repetition)["effort"]))
        return get_effort(self.about.get("effort", "full"))

    def _row(self, data: str, column: str, repetition: int) -> pd.Series:
        table = self.outcomes
        chosen = (table["data"] == data) & (table["column"] == column)
        return table[chosen & (table["repetition"] == repetition)].iloc[0]


def versions() -> dict[str, str]:
    """Of Python and the packages that compute."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def contents(results: Results) -> dict[str, bytes]:
    """The files of a results folder by name."""
    table = summary(results.outcomes, results.exhibit)
    tests = pair_tests(results.outcomes, results.exhibit)
    files = {
        OUTCOMES: results.outcomes.to_csv(index=False, float_format="%.10g"),
        "table.csv": table.to_csv(index=False, float_format="%.6g"),
        "p_values.csv": tests.to_csv(index=False, float_format="%.4g"),
        "table.md": head(results) + markdown(table),
        "table.tex": latex(table),
        ABOUT: json.dumps(results.about, indent=2) + "\n",
    }
    return {name: text.encode() for name, text in files.items()}


def head(results: Results) -> str:
    """What the table is and how it came about."""
    about = results.about
    parts = about.get("parts", [about])
    commands = "\n".join(f"    {part['command']}" for part in parts)
    jobs = sorted({part["n_jobs"] for part in parts})
    protocol = about["effort_label"]
    if about["effort"] != MIXED:
        protocol = f"{about['effort']}, {protocol}"
    threads = f"{' or '.join(map(str, jobs))} thread{'s' if jobs != [1] else ''}"
    return (
        f"# {results.exhibit.title}\n\n"
        f"Mean ± standard deviation of {about['repetitions']} repetitions, or of the "
        "number after the name; bold: "
        "better than every other column by Wilcoxon's signed-rank test at 5 % (ours), "
        "printed in bold (paper). "
        f"Protocol: {protocol}.\n\n"
        f"{commands}\n\n"
        f"{about['n_fits']} fits in {about['seconds']:.0f} s, on {threads}.\n\n"
    )


def combined(new: Results, old: Results) -> Results:
    """Combine new results with those that only ``old`` has.

    Where the two were measured with different efforts, every row says with which.
    """
    if new.exhibit.name != old.exhibit.name:
        msg = f"results of {old.exhibit.name} cannot complete {new.exhibit.name}"
        raise ValueError(msg)
    key = ["data", "column", "repetition"]
    both = pd.concat([_with_effort(old), _with_effort(new)], ignore_index=True)
    both = both.drop_duplicates(key, keep="last", ignore_index=True)
    order = {name: place for place, name in enumerate(BENCHMARKS)}
    both = both.sort_values(
        ["data", "repetition"],
        key=lambda values: values.map(order) if values.name == "data" else values,
        kind="stable",
        ignore_index=True,
    )
    about = {
        **new.about,
        **_efforts(both),
        "repetitions": int(both["repetition"].max()) + 1,
        "n_fits": int(both["n_fits"].sum()),
        "seconds": float(both["seconds"].sum()),
        "parts": [*old.about.get("parts", [old.about]), new.about],
    }
    if both["effort"].nunique() == 1:
        both = both.drop(columns="effort")
    return Results(new.exhibit, both, about, {**old.coefficients, **new.coefficients})


def _with_effort(results: Results) -> pd.DataFrame:
    if "effort" in results.outcomes:
        return results.outcomes
    return results.outcomes.assign(effort=results.about["effort"])


def _efforts(outcomes: pd.DataFrame) -> dict[str, str]:
    """The effort as ``about`` has it; if there are several, who had which."""
    names = list(dict.fromkeys(outcomes["effort"]))
    if len(names) == 1:
        return {"effort": names[0], "effort_label": get_effort(names[0]).label}
    columns = outcomes.groupby("effort")["column"].unique()
    parts = []
    for name in names:
        who = ", ".join(COLUMNS[column].label for column in columns[name])
        parts.append(f"{who}: {get_effort(name).label}")
    return {"effort": MIXED, "effort_label": "; ".join(parts)}


def read_results(folder: str | Path) -> Results | None:
    """Read what :func:`contents` wrote; None if there is nothing."""
    place = Path(folder)
    if not (place / OUTCOMES).is_file() or not (place / ABOUT).is_file():
        return None
    try:
        about = json.loads((place / ABOUT).read_text(encoding="utf-8"))
        outcomes = pd.read_csv(place / OUTCOMES)
        exhibit = get_exhibit(about["exhibit"])
        missing = {"data", "column", "repetition"} - set(outcomes.columns)
    except (ValueError, KeyError, OSError) as error:
        msg = f"the results in {place} cannot be read: {error}"
        raise ValueError(msg) from error
    if missing:
        msg = f"{place / OUTCOMES} has no column {sorted(missing)[0]!r}"
        raise ValueError(msg)
    return Results(exhibit, outcomes, about, {})  # W stays in the run store
