"""A fitted model as a header and arrays, and back, every part checked."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

import vstg
from vstg.data import Array
from vstg.estimators.archive import (
    MAX_BYTES,
    Arrays,
    Header,
    Source,
    describe_source,
    opened,
    parse,
    refusing,
    unpack,
)
from vstg.estimators.labels import labels_from_json, labels_to_json
from vstg.objective import Settings
from vstg.solvers import VSTGResult

if TYPE_CHECKING:
    from vstg.estimators.base import BaseVSTG

FORMAT = "vstg-model"
VERSION = 1
HISTORY = "history_"

Types = tuple[type, ...]
NUMBER: Types = (int, float)
NONE: Types = (type(None),)
PARAMETERS: dict[str, Types] = {
    "task_column": (str, int, *NONE),
    "n_latent": (int,),
    "k": (int,),
    "gamma1": NUMBER,
    "gamma2": NUMBER,
    "mu": NUMBER + NONE,
    "fit_intercept": (bool,),
    "solver": (str,),
    "tol": NUMBER + NONE,
    "max_iter": (int, *NONE),
    "n_init": (int,),
    "random_state": (int, *NONE),
}
RESULT: dict[str, Types] = {
    "loss": (str,),
    "solver": (str,),
    "fit_intercept": (bool,),
    "objective": NUMBER,
    "n_iter": (int,),
    "converged": (bool,),
    "stop_reason": (str,),
    "seconds": NUMBER,
    "form": (str,),
}


def describe(model: "BaseVSTG") -> tuple[Header, Arrays]:
    """Return all that predicting, reporting and fitting again need."""
    result = model.result_
    names = getattr(model, "feature_names_in_", None)
    columns = None if names is None else tuple(str(name) for name in names)
    params = {name: _plain(name, getattr(model, name)) for name in PARAMETERS}
    # A parameter that was changed after the fit would make a file nobody can read.
    _check_columns(columns, model.feature_names_, params["task_column"])
    labels = getattr(model, "task_classes_", None)
    header = {
        "format": FORMAT,
        "version": VERSION,
        "vstg": vstg.__version__,
        "class": type(model).__name__,
        "params": params,
        "tasks": list(model.tasks_),
        "features": list(model.feature_names_),
        "columns": columns,
        "multioutput": model._multioutput,
        "labels": None if labels is None else labels_to_json(labels),
        "settings": asdict(result.settings),
        "result": {name: _plain(name, getattr(result, name)) for name in RESULT},
        "restart_objectives": [float(value) for value in result.restart_objectives],
    }
    arrays = {"U": result.U, "V": result.V, "intercept": result.intercept}
    arrays |= {HISTORY + name: values for name, values in result.history.items()}
    return header, arrays


def read_model(source: Source, *classes: type["BaseVSTG"]) -> "BaseVSTG":
    """Read a model of one of ``classes`` from a model file."""
    with opened(source) as stream, refusing(describe_source(source)):
        return _restore(*unpack(stream), {cls.__name__: cls for cls in classes})


def dump_json(model: "BaseVSTG") -> str:
    """The content of a model file as one JSON text."""
    header, arrays = describe(model)
    header["arrays"] = {name: array.tolist() for name, array in arrays.items()}
    return json.dumps(header, allow_nan=False)


def read_json(text: str | bytes, *classes: type["BaseVSTG"]) -> "BaseVSTG":
    """Read a model of one of ``classes`` from the text of :func:`dump_json`."""
    with refusing("the model text"):
        if len(text) > MAX_BYTES:
            msg = f"it has {len(text)} characters, more than the {MAX_BYTES} allowed"
            raise ValueError(msg)
        header = parse(text)
        lists = _get(header, "arrays", (dict,))
        arrays = {name: _array(name, rows) for name, rows in lists.items()}
        return _restore(header, arrays, {cls.__name__: cls for cls in classes})


def _restore(
    header: Header, arrays: Arrays, classes: Mapping[str, type["BaseVSTG"]]
) -> "BaseVSTG":
    _check_format(header)
    name = _get(header, "class", (str,))
    if name not in classes:
        msg = f"it holds a {name[:40]}, not a {' or '.join(classes)}"
        raise ValueError(msg)
    params = _typed(header, "params", PARAMETERS)
    tasks, features = _names(header, "tasks"), _names(header, "features")
    result = _restore_result(header, arrays, len(features), len(tasks))
    columns = None if header.get("columns") is None else _names(header, "columns")
    _check_columns(columns, features, params["task_column"])
    labels = header.get("labels")
    return classes[name](**params)._assume(
        result,
        tasks,
        features,
        columns=columns,
        multioutput=_get(header, "multioutput", (bool,)),
        labels=None if labels is None else labels_from_json(labels),
    )


def _check_format(header: Header) -> None:
    if header.get("format") != FORMAT:
        msg = "it is not a vstg model"
        raise ValueError(msg)
    version = _get(header, "version", (int,))
    if version != VERSION:
        remedy = "; upgrade vstg to read it" if version > VERSION else ""
        msg = f"its format is version {version} and this vstg reads {VERSION}{remedy}"
        raise ValueError(msg)


def _restore_result(header: Header, arrays: Arrays, D: int, T: int) -> VSTGResult:
    known = _get(header, "result", (dict,))
    header = header | {"result": {"form": "", **known}}  # older files do not have it
    fields = _typed(header, "result", RESULT)
    settings = Settings.checked(**_get(header, "settings", (dict,)))
    K = settings.n_latent
    shapes: dict[str, tuple[int, ...]] = {"U": (D, K), "V": (K, T), "intercept": (T,)}
    steps = (fields["n_iter"],)
    shapes |= {name: steps for name in arrays if name.startswith(HISTORY)}
    if set(arrays) != set(shapes) or f"{HISTORY}objective" not in arrays:
        msg = f"it holds the arrays {sorted(arrays)}, not those of a model"
        raise ValueError(msg)
    for name, shape in shapes.items():
        if arrays[name].shape != shape:
            msg = f"{name} has the shape {arrays[name].shape} and not {shape}"
            raise ValueError(msg)
        if not np.isfinite(arrays[name]).all():
            msg = f"{name} holds values that are not finite"
            raise ValueError(msg)
    history = {
        name.removeprefix(HISTORY): array
        for name, array in arrays.items()
        if name.startswith(HISTORY)
    }
    ends = _get(header, "restart_objectives", (list,))
    return VSTGResult(
        U=arrays["U"],
        V=arrays["V"],
        intercept=arrays["intercept"],
        **fields,
        settings=settings,
        history=history,
        restart_objectives=tuple(_number(end, "restart_objectives") for end in ends),
    )


def _check_columns(
    columns: tuple[str, ...] | None,
    features: tuple[str, ...],
    task_column: str | int | None,
) -> None:
    """Columns are the features in their order, and the task if there is one."""
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
            fits &= by_position or others == [str(task_column)]
    if not fits:
        msg = f"the columns do not fit the features and task_column={task_column!r}"
        raise ValueError(msg)


def _get(header: Mapping[str, Any], key: str, types: Types) -> Any:
    value = header.get(key)
    # Python takes True for a whole number; nobody else does.
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        msg = f"{key!r} is missing from its header or is of the wrong type"
        raise ValueError(msg)
    return value if float not in types or value is None else _number(value, key)


def _typed(header: Header, key: str, schema: Mapping[str, Types]) -> dict[str, Any]:
    part = _get(header, key, (dict,))
    wrong = sorted(set(part) ^ set(schema))
    if wrong:
        msg = f"{key!r} in its header lacks or should not have {wrong[0][:40]!r}"
        raise ValueError(msg)
    return {name: _get(part, name, types) for name, types in schema.items()}


def _names(header: Header, key: str) -> tuple[str, ...]:
    names = _get(header, key, (list,))
    is_text = all(isinstance(name, str) for name in names)
    if not is_text or not 0 < len(names) == len(set(names)):
        msg = f"{key!r} in its header is not a list of distinct names"
        raise ValueError(msg)
    return tuple(names)


def _array(name: str, rows: Any) -> Array:
    try:
        return np.array(rows, dtype=float)
    except (TypeError, ValueError) as error:
        msg = f"{name[:40]} is not a table of numbers"
        raise ValueError(msg) from error


def _number(value: Any, key: str) -> float:
    if not isinstance(value, int | float) or not abs(value) < np.inf:
        msg = f"{key!r} in its header holds something that is no finite number"
        raise ValueError(msg)
    return float(value)


def _plain(name: str, value: Any) -> Any:
    """A value that JSON can hold."""
    if isinstance(value, np.generic):
        value = value.item()
    if name == "random_state" and not isinstance(value, int):
        return None  # the state of a generator is not part of a fitted model
    if not isinstance(value, str | bool | int | float | None):
        msg = f"{name}={value!r} cannot be written to a model file"
        raise ValueError(msg)
    return value
