"""Turn the user's values into checked arrays, or say which value is wrong."""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.sparse import csr_array, issparse

Array = npt.NDArray[np.float64]
Index = npt.NDArray[np.intp]  # positions

REMEDY = "drop the row or fill the value before building the data"


class DataError(ValueError):
    """The data are rejected; the message names the task, the column and the value."""


def numeric_frame(table: pd.DataFrame, *, where: str) -> Array:
    """Return the columns as float64; reject columns that are not numeric.

    Columns are converted one by one: a table of numbers and booleans becomes an
    array of objects when it is converted as a whole.
    """
    columns = [
        numeric_column(table.iloc[:, i], where=f"{where}column {str(name)!r}")
        for i, name in enumerate(table.columns)
    ]
    return np.column_stack(columns) if columns else np.empty((len(table), 0))


def numeric_column(column: pd.Series, *, where: str) -> Array:
    """Return one column as float64 with nan where a value is missing."""
    if column.dtype == object:
        column = column.infer_objects()
    numeric = pd.api.types.is_numeric_dtype(column.dtype)
    if numeric and not pd.api.types.is_complex_dtype(column.dtype):
        return column.to_numpy(dtype=np.float64, na_value=np.nan)
    present = column.dropna()
    if present.empty:
        return np.full(len(column), np.nan)
    text = present.map(lambda value: isinstance(value, str))
    example = (present[text] if text.any() else present).iloc[0]
    msg = (
        f"{where} is not numeric, it contains {example!r}: "
        "encode it as numbers or leave the column out"
    )
    raise DataError(msg)


def as_design(raw: Any, *, where: str) -> Any:
    """Return a 2-D array of float64, or float32 if it is, or a CSR matrix of either.

    Arrays, nested lists, tables and sparse matrices of any format are accepted.
    """
    if issparse(raw):
        return _as_csr(raw, where=where)
    table = raw if isinstance(raw, pd.DataFrame) else _as_array(raw, where=f"{where}X")
    if table.ndim != 2:
        msg = f"{where}X has shape {table.shape}: give rows by columns"
        raise DataError(msg)
    if isinstance(table, np.ndarray):
        if table.dtype.kind in "biuf":
            return table.astype(_precision(table.dtype), order="C", copy=False)
        table = pd.DataFrame(table)
    return numeric_frame(table, where=where)


def _precision(dtype: npt.DTypeLike) -> npt.DTypeLike:
    """Keep float32, which saves memory; everything else becomes float64."""
    return np.float32 if dtype == np.float32 else np.float64


def _as_csr(raw: Any, *, where: str) -> Any:
    if raw.ndim != 2:
        msg = f"{where}X has shape {raw.shape}: give rows by columns"
        raise DataError(msg)
    if raw.dtype.kind not in "biuf":
        msg = f"{where}X is a sparse matrix of {raw.dtype}: give numbers"
        raise DataError(msg)
    matrix = csr_array(raw, dtype=_precision(raw.dtype))
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    return matrix


def as_target(raw: Any, *, where: str) -> Array:
    """Return a 1-D float64 array from an array, a list or a series."""
    target = raw if isinstance(raw, pd.Series) else _as_array(raw, where=f"{where}y")
    if target.ndim != 1:
        msg = f"{where}y has shape {target.shape}: give one value per row"
        raise DataError(msg)
    if isinstance(target, np.ndarray):
        if target.dtype.kind in "biuf":
            return target.astype(np.float64, copy=False)
        target = pd.Series(target)
    return numeric_column(target, where=f"{where}target")


def _as_array(raw: Any, *, where: str) -> npt.NDArray[Any]:
    try:
        return np.asarray(raw)
    except ValueError as error:
        msg = f"{where} has rows of different lengths: give each row every column"
        raise DataError(msg) from error


def check_finite_design(
    X: Any,
    feature_names: Sequence[str],
    *,
    where: str | Sequence[str],
    rows: Sequence[Hashable] | None = None,
) -> None:
    """Reject nan and infinity, naming the first such entry.

    ``where`` is one prefix for all rows or one per row; ``rows`` are the names the
    user knows the rows by (positions by default).
    """
    if issparse(X):
        if np.isfinite(X.data).all():
            return
        entries = X.tocoo()
        bad = int(np.argmin(np.isfinite(entries.data)))
        n, i = int(entries.row[bad]), int(entries.col[bad])
    elif np.isfinite(X).all():
        return
    else:
        n, i = np.argwhere(~np.isfinite(X))[0]
    row = n if rows is None else rows[n]
    prefix = where if isinstance(where, str) else where[n]
    msg = f"{prefix}column {feature_names[i]!r}, row {row} is {X[n, i]}: {REMEDY}"
    raise DataError(msg)


def check_finite_target(
    y: Array,
    *,
    where: str | Sequence[str],
    name: str = "target",
    rows: Sequence[Hashable] | None = None,
) -> None:
    """Reject nan and infinity in a target, naming the first such entry."""
    if np.isfinite(y).all():
        return
    n = int(np.argmin(np.isfinite(y)))
    row = n if rows is None else rows[n]
    prefix = where if isinstance(where, str) else where[n]
    msg = f"{prefix}{name}, row {row} is {y[n]}: {REMEDY}"
    raise DataError(msg)


def check_names(
    names: Sequence[Any] | None, count: int, *, kind: str, default: str
) -> tuple[str, ...]:
    """Return ``count`` distinct names as text, numbering from 0 when none are given."""
    if names is None:
        return tuple(f"{default}{i}" for i in range(count))
    if isinstance(names, str):
        msg = f"{kind} names must be a list of names, not the text {names!r}"
        raise DataError(msg)
    given = tuple(str(name) for name in names)
    if len(given) != count:
        msg = f"there are {len(given)} {kind} names for {count} {kind}s: give one each"
        raise DataError(msg)
    counts = Counter(given)
    repeated = sorted(name for name, n in counts.items() if n > 1)
    if repeated:
        msg = f"{kind} names {repeated} occur more than once: rename or merge them"
        raise DataError(msg)
    return given


def freeze(values: Any) -> Any:
    """Return a read-only C-contiguous array that nobody else can write to.

    An array that already is one is returned as it is, so that tasks which share
    a design go on sharing it. The same holds for the arrays of a sparse matrix.
    """
    if issparse(values):
        if any(part.flags.writeable for part in sparse_parts(values)):
            values = values.copy()
        return seal(values)
    flags = values.flags
    if not flags.writeable and flags.owndata and flags.c_contiguous:
        return values
    return seal(np.array(values, order="C", copy=True))


def seal(array: Any) -> Any:
    """Make an array that the caller has just created read-only.

    It is copied only if it is not contiguous, or not at a multiple of its item size in
    memory, as arrays that came over a network may be: NumPy multiplies those without
    BLAS, whose sums differ in the last digit.
    """
    if issparse(array):
        for name in ("data", "indices", "indptr"):
            setattr(array, name, seal(getattr(array, name)))
        return array
    sealed = np.require(array, requirements=["C", "A"])
    sealed.flags.writeable = False
    return sealed


def sparse_parts(matrix: Any) -> tuple[npt.NDArray[Any], ...]:
    """Return the arrays of which a CSR matrix consists."""
    return matrix.data, matrix.indices, matrix.indptr


def common_columns(X: Sequence[Any], where: Sequence[str]) -> list[Any] | None:
    """Return the column names of designs given as tables, None for arrays.

    Tables whose columns differ, or are in another order, are refused: their
    columns would be taken for one another.
    """
    tables = [
        (list(raw.columns), place)
        for raw, place in zip(X, where, strict=True)
        if isinstance(raw, pd.DataFrame)
    ]
    for columns, place in tables:
        if columns != tables[0][0]:
            msg = (
                f"{place}X has the columns {columns} and the first table "
                f"{tables[0][0]}: give all tasks the same columns in the same order"
            )
            raise DataError(msg)
    return tables[0][0] if tables else None


def distinct_designs(X: Sequence[Any], where: Sequence[str]) -> dict[int, Any]:
    """Convert each distinct design once, so that shared ones stay shared."""
    designs: dict[int, Any] = {}
    for raw, place in zip(X, where, strict=True):
        if id(raw) not in designs:
            designs[id(raw)] = freeze(as_design(raw, where=place))
    return designs


def check_shapes(X: Any, y: Array, n_features: int, *, where: str) -> None:
    """Reject unequal columns, unequal lengths and tasks without rows."""
    if X.shape[1] != n_features or n_features == 0:
        msg = (
            f"{where}X has {X.shape[1]} columns and the first task {n_features}: "
            "all tasks must have the same columns, at least one"
        )
        raise DataError(msg)
    if X.shape[0] != len(y):
        sizes = f"X has {X.shape[0]} rows and y has {len(y)}"
        msg = f"{where}{sizes}: give one target per row"
        raise DataError(msg)
    if len(y) == 0:
        msg = f"{where}there are no rows: leave the task out or give it observations"
        raise DataError(msg)


def check_tasks(
    X: Sequence[Any],
    y: Sequence[Any],
    designs: dict[int, Any],
    features: Sequence[str],
    where: Sequence[str],
) -> list[Array]:
    """Check all tasks, and return their targets, read-only.

    ``designs`` are those of :func:`distinct_designs`: each is looked through once.
    """
    checked: set[int] = set()
    targets = []
    for raw_X, raw_y, place in zip(X, y, where, strict=True):
        design, target = designs[id(raw_X)], as_target(raw_y, where=place)
        check_shapes(design, target, len(features), where=place)
        if id(raw_X) not in checked:
            check_finite_design(design, features, where=place)
            checked.add(id(raw_X))
        check_finite_target(target, where=place)
        targets.append(freeze(target))
    return targets


def check_groups(groups: Sequence[Any], y: Sequence[Array]) -> list[Index]:
    """Return the group of every row as whole numbers, or none."""
    codes = [np.asarray(group) for group in groups]
    whole = all(code.dtype.kind in "iu" for code in codes)
    sizes = [len(code) for code in codes if code.ndim == 1]
    if codes and (not whole or sizes != [len(target) for target in y]):
        msg = "groups: give one whole number per row of every task, or none"
        raise DataError(msg)
    return [freeze(code.astype(np.intp)) for code in codes]


def check_units(units: Sequence[float], n_tasks: int) -> None:
    """Reject units that are not one positive number per task, or none."""
    good = all(np.isfinite(unit) and unit > 0 for unit in units)
    if len(units) not in (0, n_tasks) or not good:
        msg = f"units={list(units)[:5]}: give one positive number per task, or none"
        raise DataError(msg)
