"""Turn X and Y, arrays or cells from MATLAB and NPZ files, into one table."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from vstg.bounded import clean_name
from vstg.tables.limits import Limits, TableError
from vstg.tables.table import Table, listed

Numbers = npt.NDArray[Any]
KEYS = ("X", "Y", "tasks")
NUMBERED = re.compile(r"([xy])[_ ]?(\d{1,9})")
EXPECTED = (
    "give X and Y: cells with one matrix and one vector per task, or a matrix X and a "
    "matrix Y with one column per task"
)


def read_npz(content: bytes, name: str) -> dict[str, Any]:
    """Return the arrays of numbers in an NPZ file; nothing in it is executed."""
    found: dict[str, Any] = {}
    try:
        with np.load(BytesIO(content), allow_pickle=False) as archive:
            for title in archive.files:
                found[clean_name(title)] = _array(archive, title, name)
    except (TableError, MemoryError):
        raise
    except Exception as error:  # zipfile has no one error for what may be wrong
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        msg = f"{name} is damaged ({reason}): write it again with numpy.savez"
        raise TableError(msg) from error
    return found


def _array(archive: Any, title: str, name: str) -> Numbers | None:
    """Read one member; None unless it contains numbers."""
    try:
        value = archive[title]
    except (ValueError, EOFError, OverflowError, MemoryError) as error:
        if "allow_pickle" in str(error):
            why = "contains Python objects, which are never read: save plain arrays"
        else:
            why = "declares a shape or type that its bytes do not fit: save it again"
        msg = f"{name}: {title[:80]!r} {why}"
        raise TableError(msg) from error
    numeric = isinstance(value, np.ndarray) and value.dtype.kind in "biuf"
    return value if numeric else None


def table_of_arrays(
    variables: Mapping[str, Any],
    name: str,
    form: str,
    limits: Limits,
    chosen: Sequence[str] | None = None,
) -> Table:
    """Join X and Y into a long table (cells) or a wide one (matrices).

    ``chosen`` names the arrays that are X and Y, and a third with the task of each row.
    """
    if chosen:
        variables = _renamed(variables, chosen, name)
    X, Y, facts = _find_pair(variables, name)
    table = _joined(X, Y, name, form, limits, facts)
    if chosen:
        table = replace(table, options={"variables": list(chosen)})
    if chosen and len(chosen) == 3:
        return _with_tasks(table, variables["tasks"], chosen[2])
    return table


def _renamed(
    variables: Mapping[str, Any], chosen: Sequence[str], name: str
) -> dict[str, Any]:
    """Return the chosen arrays as X, Y and tasks."""
    if len(chosen) not in (2, 3):
        msg = f"{name}: variables={list(chosen)} must name X and Y, and perhaps tasks"
        raise TableError(msg)
    unknown = [key for key in chosen if variables.get(key) is None]
    if unknown:
        there = listed([key for key, value in variables.items() if value is not None])
        msg = f"{name} has no array {unknown[0]!r}; its arrays are {there}"
        raise TableError(msg)
    return {key: variables[one] for key, one in zip(KEYS, chosen, strict=False)}


def _with_tasks(table: Table, tasks: Any, title: str) -> Table:
    """Add a column with the task of each row to a table of matrices."""
    ids = np.ravel(tasks) if isinstance(tasks, np.ndarray) else np.empty(0)
    if len(ids) != len(table.frame) or table.task is not None:
        msg = (
            f"{table.name}: {title!r} must give the task of each of the "
            f"{len(table.frame)} rows of X"
        )
        raise TableError(msg)
    if len(table.targets) > 1:
        msg = f"{table.name}: Y has {len(table.targets)} columns: give one with tasks"
        raise TableError(msg)
    frame = table.frame.copy()
    frame.insert(0, "task", ids)
    return replace(table, frame=frame, task="task")


def _joined(
    X: Any, Y: Any, name: str, form: str, limits: Limits, facts: list[str]
) -> Table:
    if isinstance(X, list):
        return _long_table(X, Y, name, form, limits, facts)
    return _wide_table(X, Y, name, form, limits, facts)


def _find_pair(variables: Mapping[str, Any], name: str) -> tuple[Any, Any, list[str]]:
    """Find X and Y, both as lists or both as arrays."""
    by_name = {key.lower(): _squeeze(value) for key, value in variables.items()}
    for letter in "xy":
        numbered = [
            (int(found.group(2)), value)
            for key, value in by_name.items()
            if (found := NUMBERED.fullmatch(key)) and found.group(1) == letter
        ]
        if letter not in by_name and numbered:
            by_name[letter] = [value for _, value in sorted(numbered, key=_first)]
    X, Y = by_name.get("x"), by_name.get("y")
    if X is None or Y is None:
        msg = f"{name} has the variables {listed(list(variables))}: {EXPECTED}"
        raise TableError(msg)
    facts = [
        f"the variables {listed(others)} were not used"
        for others in [[k for k in variables if not _is_pair(k) and k != "tasks"]]
        if others
    ]
    if isinstance(X, list) and isinstance(Y, np.ndarray) and Y.ndim == 2:
        Y = list(Y)  # one row of targets per task
    if isinstance(X, list) != isinstance(Y, list):
        msg = (
            f"{name}: one of X and Y is made of cells and the other is not: {EXPECTED}"
        )
        raise TableError(msg)
    return X, Y, facts


def _first(pair: tuple[int, Any]) -> int:
    return pair[0]


def _is_pair(key: str) -> bool:
    return key.lower() in ("x", "y") or NUMBERED.fullmatch(key.lower()) is not None


def _squeeze(value: Any) -> Any:
    """Split a stack of matrices or vectors into a list."""
    if isinstance(value, np.ndarray) and value.ndim == 3:
        return list(value)
    return value


def _long_table(
    X: Sequence[Any],
    Y: Sequence[Any],
    name: str,
    form: str,
    limits: Limits,
    facts: list[str],
) -> Table:
    if len(X) != len(Y) or not X:
        msg = f"{name}: X has {len(X)} cells and Y has {len(Y)}: give one per task"
        raise TableError(msg)
    pairs = [
        _pair(x, y, f"{name}, cell {j + 1}")
        for j, (x, y) in enumerate(zip(X, Y, strict=True))
    ]
    widths = {x.shape[1] for x, _ in pairs}
    if len(widths) > 1:
        msg = (
            f"{name}: the cells of X have {sorted(widths)[:5]} columns: give all alike"
        )
        raise TableError(msg)
    n_rows, width = sum(len(y) for _, y in pairs), widths.pop()
    limits.check_shape(n_rows, width + 2, name)
    if n_rows == 0 or width == 0:
        msg = f"{name}: X has no values: {EXPECTED}"
        raise TableError(msg)
    # To doubles at once: cells often hold bytes, which wrap around in arithmetic.
    frame = pd.DataFrame(
        np.concatenate([x for x, _ in pairs], dtype=np.float64),
        columns=[f"x{i + 1}" for i in range(width)],
    )
    names = [f"task {j + 1}" for j in range(len(pairs))]
    sizes = [len(y) for _, y in pairs]
    frame.insert(
        0,
        "task",
        pd.Series(np.repeat(np.array(names, dtype=object), sizes), dtype="category"),
    )
    frame.insert(1, "y", np.concatenate([y for _, y in pairs], dtype=np.float64))
    frame.index = pd.RangeIndex(1, n_rows + 1)
    facts = [f"X and Y have {len(pairs)} cells, one per task", *facts]
    return Table(name, frame, form, tuple(facts), task="task", targets=("y",))


def _pair(x: Any, y: Any, where: str) -> tuple[Numbers, Numbers]:
    """Return one task's matrix and vector, transposed if necessary."""
    for value, letter in ((x, "X"), (y, "Y")):
        if not isinstance(value, np.ndarray):
            msg = f"{where}: {letter} is not an array of numbers: {EXPECTED}"
            raise TableError(msg)
    target = np.asarray(y).ravel()
    if x.ndim == 2 and max(y.shape, default=1) == target.size:
        if len(x) == target.size:
            return x, target
        if x.shape[1] == target.size:
            return x.T, target
    msg = f"{where}: X has the shape {x.shape} and Y {y.shape}: give one value per row"
    raise TableError(msg)


def _wide_table(
    X: Any, Y: Any, name: str, form: str, limits: Limits, facts: list[str]
) -> Table:
    if not isinstance(X, np.ndarray) or not isinstance(Y, np.ndarray):
        msg = f"{name}: X or Y is not an array of numbers: {EXPECTED}"
        raise TableError(msg)
    Y = Y[:, None] if Y.ndim == 1 else Y
    if Y.ndim == 2 and X.ndim == 2 and Y.shape == (1, len(X)):
        Y = Y.T  # a row of targets, as MATLAB has many
    if X.ndim != 2 or Y.ndim != 2 or len(X) != len(Y) or X.size == 0 or Y.size == 0:
        msg = f"{name}: X has the shape {X.shape} and Y {Y.shape}: {EXPECTED}"
        raise TableError(msg)
    limits.check_shape(len(X), X.shape[1] + Y.shape[1], name)
    targets = [f"y{j + 1}" for j in range(Y.shape[1])]
    names = [*targets, *(f"x{i + 1}" for i in range(X.shape[1]))]
    values = np.concatenate([Y, X], axis=1, dtype=np.float64)
    index = pd.RangeIndex(1, len(X) + 1)
    frame = pd.DataFrame(values, columns=names, index=index)
    facts = [f"X and Y are matrices: {Y.shape[1]} tasks share X", *facts]
    return Table(name, frame, form, tuple(facts), targets=tuple(targets))
