"""Class labels of any kind, as the -1 and +1 of the solver and back."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from vstg.data import Array, DataError
from vstg.data.tables import group_rows
from vstg.estimators.archive import MAX_BYTES
from vstg.estimators.columns import shown

Labels = npt.NDArray[Any]

DTYPES: dict[str, Any] = {
    "b": np.bool_,
    "i": np.int64,
    "u": np.uint64,
    "f": np.float64,
    "U": np.str_,
    "O": np.object_,
}


def find_pair(y: Labels, where: str) -> Labels:
    """Return the two labels in sorted order: the second one becomes +1."""
    found = np.unique(y)
    if len(found) == 1:
        msg = (
            f"{where} has one class only, {found[0]!s}, in its {len(y)} rows: "
            "leave it out or add rows of another class"
        )
        raise DataError(msg)
    if len(found) > 2:
        msg = f"{where} has the {len(found)} classes {shown(found.tolist())}, not two"
        raise DataError(msg)
    return found


def encode_tasks(y: Labels, tasks: Sequence[str]) -> tuple[Array, Labels]:
    """Return -1 or +1 for each row, and the pair of labels of each task (T, 2)."""
    names, rows = group_rows(tasks)
    pairs = np.array(
        [find_pair(y[i], f"task {n!r}") for n, i in zip(names, rows, strict=True)]
    )
    target = np.empty(len(y))
    for (_, positive), index in zip(pairs, rows, strict=True):
        target[index] = np.where(y[index] == positive, 1.0, -1.0)
    return target, pairs


def encode_outputs(Y: Labels) -> tuple[Array, Labels]:
    """Return -1 and +1 for each entry of Y (n, T), and the pair of each column."""
    pairs = np.array([find_pair(y, f"column {j} of y") for j, y in enumerate(Y.T)])
    return np.where(pairs[:, 1] == Y, 1.0, -1.0), pairs


def encode_classes(y: Labels) -> tuple[Array, Labels]:
    """Return targets (n, T) of a plain y: one task for two classes, else one a class.

    The labels are a pair (1, 2) in the former case and the classes (T,) in the latter.
    """
    classes = np.unique(y)
    if len(classes) <= 2:
        pair = find_pair(y, "y")
        return np.where(y[:, None] == pair[1], 1.0, -1.0), pair[None, :]
    return np.where(y[:, None] == classes, 1.0, -1.0), classes


def labels_to_json(labels: Labels) -> dict[str, Any]:
    """Return the labels as plain values with the kind of their type."""
    flat = labels.ravel().tolist()
    plain = all(isinstance(v, str | bool | int | float) for v in flat)
    if labels.dtype.kind not in DTYPES or not plain:
        msg = (
            f"labels such as {labels.flat[0]!r} cannot be written to a model file: "
            "fit on text or numbers"
        )
        raise ValueError(msg)
    return {"kind": labels.dtype.kind, "values": labels.tolist()}


def labels_from_json(content: Any) -> Labels:
    """Return the labels; a ValueError says what is wrong with them."""
    kind = content.get("kind") if isinstance(content, dict) else None
    values = content.get("values") if isinstance(content, dict) else None
    if kind not in DTYPES or not isinstance(values, list):
        msg = "its labels are missing or of an unknown kind"
        raise ValueError(msg)
    objects = np.array(values, dtype=object)
    flat = objects.ravel().tolist()
    longest = max((len(v) for v in flat if isinstance(v, str)), default=0)
    if not all(isinstance(v, str | bool | int | float) for v in flat):
        msg = "its labels hold something that is neither text nor a number"
        raise ValueError(msg)
    # A text array is as wide as its longest text, 4 bytes a character.
    if 4 * longest * len(flat) > MAX_BYTES:
        msg = f"its labels have up to {longest} characters, which is too long"
        raise ValueError(msg)
    if kind != "O" and any(isinstance(v, str) != (kind == "U") for v in flat):
        msg = f"its labels are not of the kind {kind!r}"
        raise ValueError(msg)
    return objects.astype(DTYPES[kind])


def check_labels(labels: Labels | None, n_tasks: int, *, one_vs_rest: bool) -> Labels:
    """Refuse labels that do not fit the tasks, or that cannot be told apart."""
    if labels is None or labels.shape not in [(n_tasks, 2), (n_tasks,)]:
        got = None if labels is None else labels.shape
        msg = f"labels of shape {got} do not fit {n_tasks} tasks"
        raise ValueError(msg)
    if labels.ndim == 1 and not (one_vs_rest and n_tasks > 2):
        msg = "one label a task makes sense for three classes or more on one table"
        raise ValueError(msg)
    groups = labels if labels.ndim == 2 else labels[None, :]
    if any(len(np.unique(group)) < len(group) for group in groups):
        msg = "its labels cannot be told apart"
        raise ValueError(msg)
    return labels
