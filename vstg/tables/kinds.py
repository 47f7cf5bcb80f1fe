"""Find out what a column contains: numbers, categories, dates or free text."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from vstg.data import Array
from vstg.tables.dates import looks_like_date

MAX_LEVELS = 30
CHUNK = 1000  # columns that are sorted at a time
NUMBER_SHARE = 0.8  # of the values that must be numbers in a column of text

Kind = Literal["number", "category", "date", "text", "empty"]


@dataclass(frozen=True)
class ColumnKind:
    """What a column contains, and the values that do not fit."""

    kind: Kind
    n_levels: int
    n_bad: int = 0
    example: str = ""


def is_missing(column: pd.Series) -> np.ndarray:
    """Where a column has no value, or an infinite one."""
    missing = column.isna().to_numpy(dtype=bool)
    if pd.api.types.is_float_dtype(column.dtype):
        missing = missing | np.isinf(column.to_numpy(dtype=np.float64, na_value=np.nan))
    return missing


def column_kinds(frame: pd.DataFrame) -> dict[str, ColumnKind]:
    """Find the kind of every column; those of plain numbers all at once.

    A wide table has thousands of these, and pandas takes its time for each.
    """
    plain = [name for name, kind in frame.dtypes.items() if is_plain(kind)]
    values = frame[plain].to_numpy(dtype=np.float64)
    found = {}
    for low in range(0, len(plain), CHUNK):
        part = np.sort(values[:, low : low + CHUNK], axis=0)  # nan comes last
        present = ~np.isnan(part)
        changes = (part[1:] != part[:-1]) & present[1:]
        n_levels = changes.sum(axis=0) + present[:1].sum(axis=0)
        full = np.isfinite(part).any(axis=0)
        for name, n, some in zip(plain[low:], n_levels, full, strict=False):
            found[name] = ColumnKind("number" if some else "empty", int(n))
    return {
        name: found[name] if name in found else column_kind(frame[name])
        for name in frame.columns
    }


def is_plain(kind: object) -> bool:
    """Whether a column of this type is an array of numbers or booleans."""
    return isinstance(kind, np.dtype) and kind.kind in "biuf"


def number_matrix(frame: pd.DataFrame, names: Sequence[str]) -> Array:
    """Return the values of some columns as doubles (n, m), nan where missing."""
    chosen = frame[list(names)]
    plain = np.array([is_plain(kind) for kind in chosen.dtypes], dtype=bool)
    values: Array = np.empty(chosen.shape)
    values[:, plain] = chosen.loc[:, plain].to_numpy(dtype=np.float64)
    for i, name in enumerate(names):
        if not plain[i]:
            values[:, i] = numbers(chosen[name])
    return np.where(np.isfinite(values), values, np.nan)


def medians(values: Array) -> Array:
    """Return the median of each row; missing values are nan, and sorted to the end."""
    ordered = np.sort(values, axis=1)
    n = (~np.isnan(values)).sum(axis=1)
    rows = np.arange(len(values))
    low, high = (n - 1).clip(min=0) // 2, n // 2
    return (
        0.5 * ordered[rows, low]
        + 0.5 * ordered[rows, high.clip(max=ordered.shape[1] - 1)]
    )


def column_kind(column: pd.Series) -> ColumnKind:
    """Find the kind of one column."""
    if _is_number(column):
        empty = bool(is_missing(column).all())
        return ColumnKind("empty" if empty else "number", int(column.nunique()))
    levels = Counter(text for text in texts(column) if text is not None)
    if not levels:
        return ColumnKind("empty", 0)
    pairs = levels.most_common()
    names = [name for name, _ in pairs]
    counts = np.array([count for _, count in pairs])
    values = pd.to_numeric(np.array(names, dtype=object), errors="coerce")
    good = np.isfinite(values.astype(np.float64))
    if counts[good].sum() >= NUMBER_SHARE * counts.sum():
        bad = counts[~good]
        example = names[int(np.argmin(good))] if len(bad) else ""
        return ColumnKind("number", int(good.sum()), int(bad.sum()), example[:40])
    dates = sum(looks_like_date(name) for name in names[:50])
    if dates >= NUMBER_SHARE * min(len(names), 50):
        return ColumnKind("date", len(names))
    few = len(names) <= max(2, min(MAX_LEVELS, int(counts.sum()) // 2))
    return ColumnKind("category" if few else "text", len(names))


def _is_number(column: pd.Series) -> bool:
    kind = column.dtype
    return bool(
        pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_complex_dtype(kind)
    )


def numbers(column: pd.Series) -> Array:
    """Return the values as doubles, nan where missing."""
    if not _is_number(column):
        column = pd.to_numeric(as_text(column), errors="coerce")
    values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    return np.where(np.isfinite(values), values, np.nan)


def as_text(column: pd.Series) -> pd.Series:
    """Return the values as stripped text; whole numbers have no decimal point."""
    values = np.array([*texts(column), None], dtype=object)[:-1]
    return pd.Series(values, index=column.index, dtype=object)


def texts(column: pd.Series) -> list[str | None]:
    """Return the values of :func:`as_text`, None where missing.

    In a list: a table may have thousands of columns, and a series costs more than the
    values of a short one.
    """
    if _is_number(column) and not pd.api.types.is_bool_dtype(column.dtype):
        values = column.to_numpy(dtype=np.float64, na_value=np.nan)
        distinct, codes = np.unique(values, return_inverse=True)
        named = [_number_text(value) for value in distinct]
        return [named[code] for code in codes]
    values = column.to_numpy(dtype=object)
    pairs = zip(values.tolist(), pd.isna(values).tolist(), strict=True)
    return [None if missing else str(value).strip() or None for value, missing in pairs]


def _number_text(value: float) -> str | None:
    if np.isnan(value):
        return None
    return str(int(value)) if value.is_integer() else repr(float(value))
