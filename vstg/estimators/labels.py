"""Class labels of any kind, as the -1 and +1 of the solver."""

from collections.abc import Sequence

import numpy as np

from vstg.data import Array, DataError
from vstg.data.tables import group_rows
from vstg.estimators.columns import shown
from vstg.prediction.labels import Labels


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
    """Return targets (n, T) of a plain y: one task for two classes, else one per class.

    The labels are a pair (1, 2) in the former case and the classes (T,) in the latter.
    """
    classes = np.unique(y)
    if len(classes) <= 2:
        pair = find_pair(y, "y")
        return np.where(y[:, None] == pair[1], 1.0, -1.0), pair[None, :]
    return np.where(y[:, None] == classes, 1.0, -1.0), classes
