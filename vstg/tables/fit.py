"""Learn from training rows how columns become variables: levels, fills and scales."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
import pandas as pd

from vstg.data import Array, Index
from vstg.tables.dates import COUNTED
from vstg.tables.kinds import medians
from vstg.tables.roles import Missing, Scaling
from vstg.tables.transform import Rule, Transform, rule_values


def fit_transform(
    train: pd.DataFrame,
    columns: Sequence[tuple[str, str]],
    *,
    missing: Missing,
    scaling: Scaling,
    parts: Sequence[str] = (),
    orders: Mapping[str, str] | None = None,
) -> Transform:
    """Fit rules for columns (name, kind) on the training rows.

    Dates give a rule for each of the ``parts``; ``orders`` says how they are written.
    """
    empty = []
    for name, kind in columns:
        if kind == "date":
            order = (orders or {})[name]
            empty += [
                Rule(name, _part_kind(part), part=part, order=order) for part in parts
            ]
        else:
            empty.append(Rule(name, "number" if kind == "number" else "category"))
    counted = [rule for rule in empty if rule.kind == "number"]
    values = np.ascontiguousarray(rule_values(train, counted).T)
    by_name = _number_rules(counted, values, missing, scaling)
    rules = [
        by_name[rule.title]
        if rule.kind == "number"
        else _category_rule(rule, train[rule.column], missing)
        for rule in empty
    ]
    names = tuple(name for rule in rules for name in rule.names)
    return Transform(tuple(rules), names)


def _number_rules(
    rules: Sequence[Rule], values: Array, missing: Missing, scaling: Scaling
) -> dict[str, Rule]:
    """Return the rules of numeric columns, the rows of ``values``; nan is missing.

    All at once: there may be thousands.
    """
    fills: list[float | None] = [None] * len(rules)
    n_present = (~np.isnan(values)).sum(axis=1)
    if missing != "drop":
        n = n_present.clip(min=1)
        found = np.nansum(values, axis=1) / n if missing == "mean" else medians(values)
        pairs = zip(found.tolist(), n_present, strict=True)
        fills = [fill if some else None for fill, some in pairs]
    shifts, scales = _scales(values, n_present, scaling)
    described = zip(rules, fills, shifts.tolist(), scales.tolist(), strict=True)
    return {
        rule.title: replace(rule, fill=fill, shift=shift, scale=scale)
        for rule, fill, shift, scale in described
    }


def _part_kind(part: str) -> Literal["number", "category"]:
    return "number" if part in COUNTED else "category"


def _scales(values: Array, n_present: Index, scaling: Scaling) -> tuple[Array, Array]:
    """Return the shift and divisor of each row of values; none for rows of 0 and 1."""
    absent = np.isnan(values)
    plain = (absent | (values == 0.0) | (values == 1.0)).all(axis=1)
    largest = np.where(
        plain, 1.0, np.max(np.abs(values), axis=1, initial=0.0, where=~absent)
    )
    shifts, scales = np.zeros(len(values)), np.ones(len(values))
    if scaling == "max":
        scales = largest
    elif scaling == "standard":
        # In units of the largest, so that squares stay in the range of doubles.
        units = np.where(absent, 0.0, values) / largest[:, None]
        n = n_present.clip(min=1)
        means = units.sum(axis=1) / n
        squares = np.where(absent, 0.0, units - means[:, None]) ** 2
        spread = np.sqrt(squares.sum(axis=1) / n)
        low = np.min(units, axis=1, initial=1.0, where=~absent)
        high = np.max(units, axis=1, initial=-1.0, where=~absent)
        # Rounding leaves a constant column a spread of some 1e-17 of its size.
        changes = high - low > 1e-12
        shifts = np.where(plain, 0.0, means * largest)
        scales = np.where(plain, 1.0, np.where(changes, spread * largest, 1.0))
    return shifts, scales


def _category_rule(rule: Rule, column: pd.Series, missing: Missing) -> Rule:
    counts = Counter(text for text in rule.texts(column) if text is not None)
    levels = tuple(sorted(counts))
    fill = None
    if missing != "drop" and levels:
        fill = max(levels, key=lambda level: counts[level])
    return replace(rule, levels=levels, fill=fill)
