"""The columns of a table into the variables of a model, and again for new rows."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from vstg.data import Array
from vstg.tables.kinds import ColumnKind, as_text, is_plain, number_matrix, numbers
from vstg.tables.limits import TableError
from vstg.tables.roles import Missing, Scaling
from vstg.tables.table import listed

SCALING = ("shift", "scale")


@dataclass(frozen=True)
class Rule:
    """One column: a number, shifted and divided, or a category, one 0/1 a level.

    ``fill`` takes the place of a missing value; None means that such rows are
    dropped in training and refused in prediction.
    """

    column: str
    kind: Literal["number", "category"]
    levels: tuple[str, ...] = ()
    fill: float | str | None = None
    shift: float = 0.0
    scale: float = 1.0

    @property
    def names(self) -> tuple[str, ...]:
        """The variables it gives; a category of two levels gives one."""
        if self.kind == "number":
            return (self.column,)
        shown = self.levels[1:] if len(self.levels) == 2 else self.levels
        return tuple(f"{self.column}={level}" for level in shown)

    def apply(self, column: pd.Series) -> Array:
        """The 0/1 variables of a category; nan where a value is missing."""
        texts = as_text(column)
        if self.fill is not None:
            texts = texts.fillna(self.fill)
        shown = self.levels[1:] if len(self.levels) == 2 else self.levels
        coded: Array = np.stack(
            [(texts == level).to_numpy(dtype=np.float64) for level in shown], axis=1
        )
        coded[texts.isna().to_numpy()] = np.nan
        return coded


def apply_numbers(frame: pd.DataFrame, rules: Sequence[Rule]) -> Array:
    """The variables of rules for numbers, all at once: there may be thousands."""
    values = number_matrix(frame, [rule.column for rule in rules])
    fills = [np.nan if rule.fill is None else float(rule.fill) for rule in rules]
    values = np.where(np.isnan(values), np.array(fills), values)
    shifts, scales = (np.array([getattr(r, n) for r in rules]) for n in SCALING)
    return (values - shifts) / scales


@dataclass(frozen=True)
class Transform:
    """All rules, fitted on training rows; ``keep`` are the variables that are used."""

    rules: tuple[Rule, ...]
    keep: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table that are needed."""
        kept = set(self.keep)
        return tuple(rule.column for rule in self.rules if kept & set(rule.names))

    def apply(self, frame: pd.DataFrame) -> Array:
        """Return the variables (n, D) of the rows of a table, nan where missing."""
        place = {name: i for i, name in enumerate(self.keep)}
        X = np.empty((len(frame), len(self.keep)))
        counted = [r for r in self.rules if r.kind == "number" and r.column in place]
        X[:, [place[rule.column] for rule in counted]] = apply_numbers(frame, counted)
        for rule in self.rules:
            if rule.kind == "category" and any(name in place for name in rule.names):
                coded = rule.apply(frame[rule.column])
                for name, values in zip(rule.names, coded.T, strict=True):
                    if name in place:
                        X[:, place[name]] = values
        return X

    def new_rows(self, frame: pd.DataFrame, name: str) -> tuple[Array, tuple[str, ...]]:
        """Return the variables of new rows and what was remarkable, in words.

        Columns are found by name, in any order; others are ignored and reported.
        Unknown levels of a category count as none of the known ones.
        """
        columns = self.columns
        missing = [column for column in columns if column not in frame.columns]
        if missing:
            msg = (
                f"{name} lacks the columns {listed(missing)}: the model needs "
                f"{listed(columns, 40)}"
            )
            raise TableError(msg)
        notes = []
        needed = set(columns)
        doubtful = _doubtful(frame, columns)
        for rule in self.rules:
            if rule.kind == "category" and rule.column in needed:
                notes += _unknown_levels(rule, frame[rule.column])
            elif rule.column in doubtful:
                _check_number(rule, frame[rule.column], name)
        X = self.apply(frame)
        if np.isnan(X).any():
            n, i = np.argwhere(np.isnan(X))[0]
            msg = (
                f"{name}, row {frame.index[n]} has no value for {self.keep[i]!r}: "
                "fill it, or prepare the data with missing values filled in"
            )
            raise TableError(msg)
        return X, tuple(notes)

    def to_json(self) -> str:
        """Return a text that :meth:`from_json` reads back."""
        return json.dumps(asdict(self), allow_nan=False)

    @classmethod
    def from_json(cls, text: str | bytes) -> "Transform":
        """Read what :meth:`to_json` wrote."""
        try:
            content = json.loads(text)
            rules = tuple(_read_rule(rule) for rule in content["rules"])
            keep = tuple(str(name) for name in content["keep"])
            made = {name for rule in rules for name in rule.names}
            if not set(keep) <= made or len(set(keep)) < len(keep):
                raise ValueError
            return cls(rules, keep)
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            msg = "this is no transform: give the JSON text of Transform.to_json"
            raise TableError(msg) from error


def _read_rule(content: dict[str, Any]) -> Rule:
    """A rule of JSON, its types checked; ValueError or KeyError if it is none."""
    kind, fill = content["kind"], content["fill"]
    if kind not in ("number", "category") or float(content["scale"]) == 0:
        raise ValueError
    if fill is not None:
        fill = float(fill) if kind == "number" else str(fill)
    return Rule(
        str(content["column"]),
        kind,
        tuple(str(level) for level in content["levels"]),
        fill,
        float(content["shift"]),
        float(content["scale"]),
    )


def _unknown_levels(rule: Rule, column: pd.Series) -> list[str]:
    known = set(rule.levels)
    new = [level for level in as_text(column).dropna().unique() if level not in known]
    if not new:
        return []
    return [
        f"{rule.column!r} has the levels {listed(new)}, which the model does not know: "
        "they count as none of its levels"
    ]


def _doubtful(frame: pd.DataFrame, columns: Sequence[str]) -> set[str]:
    """The columns that may hold what is no number; the others are passed at once."""
    kinds = dict(zip(frame.columns, frame.dtypes, strict=True))
    plain = [name for name in columns if is_plain(kinds[name])]
    infinite = np.isinf(frame[plain].to_numpy(dtype=np.float64)).any(axis=0)
    sure = {name for name, bad in zip(plain, infinite, strict=True) if not bad}
    return set(columns) - sure


def _check_number(rule: Rule, column: pd.Series, name: str) -> None:
    values = numbers(column)
    bad = np.isnan(values) & column.notna().to_numpy(dtype=bool)
    if bad.any():
        n = int(np.argmax(bad))
        msg = (
            f"{name}, row {column.index[n]} has {str(column.iloc[n])[:40]!r} for "
            f"{rule.column!r}: give a number"
        )
        raise TableError(msg)


def fit_transform(
    train: pd.DataFrame,
    columns: Sequence[tuple[str, str]],
    *,
    missing: Missing,
    scaling: Scaling,
) -> Transform:
    """Fit rules for columns (name, kind) on the training rows."""
    counted = [name for name, kind in columns if kind == "number"]
    values = number_matrix(train, counted)
    by_name = {
        name: _number_rule(name, column[~np.isnan(column)], missing, scaling)
        for name, column in zip(counted, np.ascontiguousarray(values.T), strict=True)
    }
    rules = [
        by_name.get(name) or _category_rule(name, train[name], missing)
        for name, _ in columns
    ]
    names = tuple(name for rule in rules for name in rule.names)
    return Transform(tuple(rules), names)


def _number_rule(name: str, values: Array, missing: Missing, scaling: Scaling) -> Rule:
    fill = None
    if missing != "drop" and len(values):
        fill = float(np.mean(values) if missing == "mean" else np.median(values))
    shift, scale = _scale(values, scaling)
    return Rule(name, "number", fill=fill, shift=shift, scale=scale)


def _scale(values: Array, scaling: Scaling) -> tuple[float, float]:
    """The shift and the divisor of a column; none for 0/1 columns."""
    if ((values == 0.0) | (values == 1.0)).all():
        return 0.0, 1.0
    if scaling == "max":
        return 0.0, float(np.abs(values).max()) or 1.0
    if scaling == "standard":
        largest = float(np.abs(values).max())
        # In units of the largest, so that squares stay in the range of doubles.
        units = values / largest
        # Rounding leaves a constant column a spread of some 1e-17 of its size.
        spread = float(units.std()) if np.ptp(units) > 1e-12 else 1.0 / largest
        return float(units.mean()) * largest, spread * largest
    return 0.0, 1.0


def _category_rule(name: str, column: pd.Series, missing: Missing) -> Rule:
    counts: Any = as_text(column).dropna().value_counts()
    levels = tuple(sorted(counts.index))
    fill = None
    if missing != "drop" and levels:
        fill = max(levels, key=lambda level: counts[level])
    return Rule(name, "category", levels, fill)


def encoded_kind(found: ColumnKind) -> tuple[str, str]:
    """Whether a column can be a variable: its kind, and why not in words."""
    why = {
        "date": "it holds dates",
        "text": f"it holds text with {found.n_levels} different values",
        "empty": "it is empty",
    }
    return found.kind, why.get(found.kind, "")
