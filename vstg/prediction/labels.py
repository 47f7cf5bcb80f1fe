"""Class labels of any kind as JSON and back, checked."""

from typing import Any

import numpy as np
import numpy.typing as npt

from vstg.prediction.archive import MAX_BYTES

Labels = npt.NDArray[Any]

DTYPES: dict[str, Any] = {
    "b": np.bool_,
    "i": np.int64,
    "u": np.uint64,
    "f": np.float64,
    "U": np.str_,
    "O": np.object_,
}


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
    # A text array is as wide as its longest text, 4 bytes per character.
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
        msg = "one label per task makes sense for three classes or more on one table"
        raise ValueError(msg)
    groups = labels if labels.ndim == 2 else labels[None, :]
    if any(len(np.unique(group)) < len(group) for group in groups):
        msg = "its labels cannot be told apart"
        raise ValueError(msg)
    return labels
