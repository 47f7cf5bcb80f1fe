"""Turn the columns of a table into the variables of a model, also for new rows."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from vstg.data import Array
from vstg.tables.dates import PARTS, WORDS, part_numbers, part_texts
from vstg.tables.kinds import (
    ColumnKind,
    is_plain,
    number_matrix,
    numbers,
    texts,
)
from vstg.tables.limits import TableError
from vstg.tables.table import listed

SCALING = ("shift", "scale")


@dataclass(frozen=True)
class Rule:
    """How one column becomes variables: a scaled number, or one 0/1 variable per level.

    ``fill`` takes the place of a missing value; None means that such rows are
    dropped in training and refused in prediction. Of a column of dates a rule takes one
    ``part``, such as the year; ``order`` says how they are written.
    """

    column: str
    kind: Literal["number", "category"]
    levels: tuple[str, ...] = ()
    fill: float | str | None = None
    shift: float = 0.0
    scale: float = 1.0
    part: str = ""
    order: str = ""

    @property
    def title(self) -> str:
        """Return the name of the column, or of the part of its dates."""
        return f"{self.column} {self.part}" if self.part else self.column

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the variables; a category of two levels gives one."""
        if self.kind == "number":
            return (self.title,)
        shown = self.levels[1:] if len(self.levels) == 2 else self.levels
        return tuple(f"{self.title}={level}" for level in shown)

    def texts(self, column: pd.Series) -> list[str | None]:
        """Return the levels of a column's values."""
        values = texts(column)
        return part_texts(values, self.order, self.part) if self.part else values

    def apply(self, column: pd.Series) -> Array:
        """Return the 0/1 variables of a category, nan where a value is missing."""
        shown = self.levels[1:] if len(self.levels) == 2 else self.levels
        place = {level: i for i, level in enumerate(shown)}
        coded: Array = np.zeros((len(column), len(shown)))
        for row, text in enumerate(self.texts(column)):
            value = self.fill if text is None else text
            if value is None:
                coded[row] = np.nan
            elif value in place:
                coded[row, place[value]] = 1.0
        return coded


def apply_numbers(frame: pd.DataFrame, rules: Sequence[Rule]) -> Array:
    """Apply the rules for numbers, all at once: there may be thousands."""
    values = rule_values(frame, rules)
    fills = [np.nan if rule.fill is None else float(rule.fill) for rule in rules]
    values = np.where(np.isnan(values), np.array(fills), values)
    shifts, scales = (np.array([getattr(r, n) for r in rules]) for n in SCALING)
    return (values - shifts) / scales


def rule_values(frame: pd.DataFrame, rules: Sequence[Rule]) -> Array:
    """Return the numbers of the columns, or of their dates, before scaling."""
    plain = [i for i, rule in enumerate(rules) if not rule.part]
    if len(plain) == len(rules):
        return number_matrix(frame, [rule.column for rule in rules])
    values: Array = np.empty((len(frame), len(rules)))
    values[:, plain] = number_matrix(frame, [rules[i].column for i in plain])
    for i, rule in enumerate(rules):
        if rule.part:
            found = texts(frame[rule.column])
            values[:, i] = part_numbers(found, rule.order, rule.part)
    return values


@dataclass(frozen=True)
class Transform:
    """All rules, fitted on training rows; ``keep`` lists the variables in use."""

    rules: tuple[Rule, ...]
    keep: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the columns of the table that are needed."""
        kept = set(self.keep)
        used = (rule.column for rule in self.rules if kept & set(rule.names))
        return tuple(dict.fromkeys(used))  # dates have several rules

    def apply(self, frame: pd.DataFrame) -> Array:
        """Return the variables (n, D) of the rows of a table, nan where missing."""
        place = {name: i for i, name in enumerate(self.keep)}
        X = np.empty((len(frame), len(self.keep)))
        counted = [r for r in self.rules if r.kind == "number" and r.title in place]
        X[:, [place[rule.title] for rule in counted]] = apply_numbers(frame, counted)
        for rule in self.rules:
            if rule.kind == "category" and any(name in place for name in rule.names):
                coded = rule.apply(frame[rule.column])
                for name, values in zip(rule.names, coded.T, strict=True):
                    if name in place:
                        X[:, place[name]] = values
        return X

    @property
    def origins(self) -> tuple[Array, Array]:
        """Return what each variable was shifted and divided by, (D,) each."""
        places = {name: rule for rule in self.rules for name in rule.names}
        rules = [places[name] for name in self.keep]
        shifts, scales = (np.array([getattr(r, n) for r in rules]) for n in SCALING)
        return shifts, scales

    def check_columns(self, frame: pd.DataFrame, name: str) -> None:
        """Reject a table that lacks a column; ``name`` is the table's."""
        missing = [column for column in self.columns if column not in frame.columns]
        if missing:
            msg = (
                f"{name} lacks the columns {listed(missing)}: the model needs "
                f"{listed(self.columns, 40)}"
            )
            raise TableError(msg)

    def new_rows(self, frame: pd.DataFrame, name: str) -> tuple[Array, tuple[str, ...]]:
        """Return the variables of new rows, and remarks on them.

        Columns are found by name, in any order; others are ignored and reported.
        Unknown levels of a category count as none of the known ones.
        """
        self.check_columns(frame, name)
        columns = self.columns
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
            msg = "this is not a transform: give the JSON text of Transform.to_json"
            raise TableError(msg) from error


def _read_rule(content: dict[str, Any]) -> Rule:
    """Read a rule from JSON and check its types; ValueError or KeyError."""
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
        *_read_part(content),
    )


def _read_part(content: dict[str, Any]) -> tuple[str, str]:
    """Read the part of a date and the format of dates; older files have none."""
    part, order = content.get("part", ""), content.get("order", "")
    if (part, order) != ("", "") and (part not in PARTS or order not in WORDS):
        raise ValueError
    return part, order


def _unknown_levels(rule: Rule, column: pd.Series) -> list[str]:
    known = {None, *rule.levels}
    new = [level for level in dict.fromkeys(rule.texts(column)) if level not in known]
    if not new:
        return []
    return [
        f"{rule.column!r} has the levels {listed(new)}, which the model does not know: "
        "they count as none of its levels"
    ]


def _doubtful(frame: pd.DataFrame, columns: Sequence[str]) -> set[str]:
    """Return the columns that may contain something other than numbers."""
    kinds = dict(zip(frame.columns, frame.dtypes, strict=True))
    plain = [name for name in columns if is_plain(kinds[name])]
    infinite = np.isinf(frame[plain].to_numpy(dtype=np.float64)).any(axis=0)
    sure = {name for name, bad in zip(plain, infinite, strict=True) if not bad}
    return set(columns) - sure


def _check_number(rule: Rule, column: pd.Series, name: str) -> None:
    values = rule_values(column.to_frame(), [rule])[:, 0] if rule.part else None
    values = numbers(column) if values is None else values
    bad = np.isnan(values) & column.notna().to_numpy(dtype=bool)
    if bad.any():
        n = int(np.argmax(bad))
        msg = (
            f"{name}, row {column.index[n]} has {str(column.iloc[n])[:40]!r} for "
            f"{rule.column!r}: give a {'date' if rule.part else 'number'}"
        )
        raise TableError(msg)


def encoded_kind(found: ColumnKind) -> tuple[str, str]:
    """Return the kind of a column that can be a variable, or why it cannot."""
    why = {
        "date": "it contains dates",
        "text": f"it contains text with {found.n_levels} different values",
        "empty": "it is empty",
    }
    return found.kind, why.get(found.kind, "")
