"""Check the types of all parts of a model file, including the labels."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from vstg.data import Array
from vstg.prediction.archive import MAX_BYTES, Header

Types = tuple[type, ...]
MAX_ERRORS = 50  # names and numbers in an evaluation
NUMBER: Types = (int, float)
NONE: Types = (type(None),)
TASK_COLUMN: Types = (str, int, *NONE)
VSTG_PARAMETERS: dict[str, Types] = {
    "task_column": TASK_COLUMN,
    "n_latent": (int,),
    "k": (int,),
    "gamma1": NUMBER,
    "gamma2": NUMBER,
    "mu": NUMBER + NONE,
    "cut": NUMBER,
    "relax": NUMBER,
    "fit_intercept": (bool,),
    "solver": (str,),
    "tol": NUMBER + NONE,
    "max_iter": (int, *NONE),
    "n_init": (int,),
    "random_state": (int, *NONE),
}
BASELINE_PARAMETERS: dict[str, Types] = {
    "task_column": TASK_COLUMN,
    "method": (str,),
    "gamma1": NUMBER,
    "gamma2": NUMBER,
    "n_latent": (int,),
    "alpha": NUMBER,
    "fit_intercept": (bool,),
    "tol": NUMBER + NONE,
    "max_iter": (int, *NONE),
}
ESTIMATORS: dict[str, dict[str, Types]] = {
    "VSTGRegressor": {**VSTG_PARAMETERS, "loss": (str,)},
    "VSTGClassifier": VSTG_PARAMETERS,
    "BaselineRegressor": BASELINE_PARAMETERS,
    "BaselineClassifier": BASELINE_PARAMETERS,
}
ENDING: dict[str, Types] = {  # how a fit ended
    "loss": (str,),
    "objective": NUMBER,
    "n_iter": (int,),
    "converged": (bool,),
    "stop_reason": (str,),
    "seconds": NUMBER,
}
RESULT: dict[str, Types] = {
    **ENDING,
    "solver": (str,),
    "fit_intercept": (bool,),
    "form": (str,),
}

Labels = npt.NDArray[Any]
DTYPES: dict[str, Any] = {
    "b": np.bool_,
    "i": np.int64,
    "u": np.uint64,
    "f": np.float64,
    "U": np.str_,
    "O": np.object_,
}


def check_columns(
    columns: tuple[str, ...] | None,
    features: tuple[str, ...],
    task_column: str | int | None,
) -> None:
    """Check that columns are the features in order, and the task if any."""
    n_columns = len(features) + 1
    is_position = task_column in range(-n_columns, n_columns)
    if columns is None:
        fits = task_column is None or is_position
    else:
        known = set(features)
        others = [name for name in columns if name not in known]
        fits = [name for name in columns if name in known] == list(features)
        if task_column is None or len(others) != 1:
            fits &= task_column is None and not others
        else:
            by_position = is_position and columns[int(task_column)] == others[0]
            # A ColumnTransformer puts the name of a step before that of a column.
            fits &= (
                by_position
                or others[0] == str(task_column)
                or others[0].endswith(f"__{task_column}")
            )
    if not fits:
        msg = f"the columns do not fit the features and task_column={task_column!r}"
        raise ValueError(msg)


def plain(name: str, value: Any) -> Any:
    """Convert a value to one that JSON can represent."""
    if isinstance(value, np.generic):
        value = value.item()
    if name == "random_state" and not isinstance(value, int):
        return None  # the state of a generator is not part of a fitted model
    if not isinstance(value, str | bool | int | float | None):
        msg = f"{name}={value!r} cannot be written to a model file"
        raise ValueError(msg)
    return value


def get(header: Mapping[str, Any], key: str, types: Types) -> Any:
    """Return a value of one of the types; ValueError if it is missing or another."""
    value = header.get(key)
    # Python takes True for a whole number; nobody else does.
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        msg = f"{key!r} is missing from its header or is of the wrong type"
        raise ValueError(msg)
    return value if float not in types or value is None else number(value, key)


def typed(header: Header, key: str, schema: Mapping[str, Types]) -> dict[str, Any]:
    """Return a part of the header with exactly the keys and types of ``schema``."""
    part = get(header, key, (dict,))
    wrong = sorted(set(part) ^ set(schema))
    if wrong:
        msg = f"{key!r} in its header lacks or should not have {wrong[0][:40]!r}"
        raise ValueError(msg)
    return {name: get(part, name, types) for name, types in schema.items()}


def names(header: Header, key: str) -> tuple[str, ...]:
    """Return a list of distinct names."""
    found = get(header, key, (list,))
    is_text = all(isinstance(name, str) for name in found)
    if not is_text or not 0 < len(found) == len(set(found)):
        msg = f"{key!r} in its header is not a list of distinct names"
        raise ValueError(msg)
    return tuple(found)


def array(name: str, rows: Any) -> Array:
    """Convert nested lists to an array."""
    try:
        return np.array(rows, dtype=float)
    except (TypeError, ValueError) as error:
        msg = f"{name[:40]} is not a table of numbers"
        raise ValueError(msg) from error


def evaluation(content: Any) -> dict[str, float | str]:
    """Read the errors of models by name, and the description of their rows."""
    good = isinstance(content, dict) and len(content) <= MAX_ERRORS
    if not good or any(type(v) not in (str, int, float) for v in content.values()):
        msg = "'evaluation' in its header is not a list of errors"
        raise ValueError(msg)
    return {
        str(name)[:100]: v[:200] if isinstance(v, str) else number(v, "evaluation")
        for name, v in content.items()
    }


def number(value: Any, key: str) -> float:
    """Return a finite number."""
    if not isinstance(value, int | float) or not abs(value) < np.inf:
        msg = f"{key!r} in its header holds something that is not a finite number"
        raise ValueError(msg)
    return float(value)


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
    """Reject labels that do not fit the tasks or cannot be told apart."""
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
