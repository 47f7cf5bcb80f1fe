"""Write a predictor as a header and arrays of a model file, and read it back.

Every part of a file is checked, since a file may come from anywhere.
"""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

import vstg
from vstg.baselines import BaselineResult, get_baseline
from vstg.data import Array
from vstg.objective import Settings
from vstg.prediction.archive import (
    MAX_BYTES,
    Arrays,
    Header,
    Source,
    describe_source,
    opened,
    pack,
    parse,
    refusing,
    unpack,
)
from vstg.prediction.intervals import ConformalScores
from vstg.prediction.schema import (
    ENDING,
    ESTIMATORS,
    NUMBER,
    RESULT,
    TASK_COLUMN,
    array,
    check_columns,
    check_labels,
    evaluation,
    get,
    labels_from_json,
    labels_to_json,
    names,
    number,
    plain,
    typed,
)
from vstg.solvers import VSTGResult
from vstg.tables import Preparation

if TYPE_CHECKING:
    from vstg.prediction.predictor import Predictor

FORMAT = "vstg-model"
# Version 1 had no preparation, no means, and VSTG-MTL only; version 2 no units.
VERSION = 3
HISTORY, REFIT, FACTOR = "history_", "refit_", "factor_"
SCORES = "scores"
BESIDE = ("means", "units", "task_means")  # arrays that a file may lack
VSTG = "vstg"

Model = TypeVar("Model")
Parts = dict[str, Any]  # of a predictor, by the names of its fields


@dataclass(frozen=True)
class EstimatorRecord:
    """What an estimator was, beside its fit: its class, its parameters and its table.

    ``columns`` are the names of the columns of X, None for an array; ``multioutput``
    is whether y had one column per task.
    """

    name: str
    params: Mapping[str, Any]
    columns: tuple[str, ...] | None
    multioutput: bool

    @property
    def task_column(self) -> str | int | None:
        """The column of X that names the task."""
        return self.params["task_column"]


def dump(predictor: "Predictor") -> bytes:
    """Return the content of a model file."""
    return pack(*describe(predictor))


def dump_json(predictor: "Predictor") -> str:
    """Return the content of a model file as one JSON text."""
    header, arrays = describe(predictor)
    header["arrays"] = {name: array.tolist() for name, array in arrays.items()}
    return json.dumps(header, allow_nan=False)


def describe(predictor: "Predictor") -> tuple[Header, Arrays]:
    """Return header and arrays: all that is needed to predict, report and refit."""
    preparation = predictor.preparation
    labels = predictor.labels
    header: Header = {
        "format": FORMAT,
        "version": VERSION,
        "vstg": vstg.__version__,
        "name": predictor.name,
        "method": predictor.method,
        "tasks": list(predictor.task_names),
        "features": list(predictor.feature_names),
        "task_column": plain("task_column", predictor.task_column),
        "labels": None if labels is None else labels_to_json(labels),
        "preparation": preparation and json.loads(preparation.to_json()),
    }
    if predictor.added:
        header["added"] = {task: int(n) for task, n in predictor.added.items()}
    if predictor.weights:
        header["weights"] = predictor.weights
    if predictor.evaluation:
        header["evaluation"] = {n: plain(n, v) for n, v in predictor.evaluation.items()}
    arrays = {"intercept": predictor.result.intercept}
    if predictor.means is not None:
        arrays["means"] = predictor.means
    if predictor.units:
        arrays["units"] = np.array(predictor.units)
    if predictor.task_means is not None:
        arrays["task_means"] = predictor.task_means
    if predictor.scores is not None:
        header["scores"], more = _describe_scores(predictor.scores)
        arrays |= more
    result = predictor.result
    arrays |= {HISTORY + name: values for name, values in result.history.items()}
    if isinstance(result, VSTGResult):
        header["settings"] = asdict(result.settings)
        header["restart_objectives"] = [float(v) for v in result.restart_objectives]
        arrays |= {"U": result.U, "V": result.V}
        arrays |= {REFIT + n: values for n, values in result.refit_history.items()}
    else:
        header["settings"] = {k: plain(k, v) for k, v in result.parameters.items()}
        arrays |= {"W": result.W}
        arrays |= {FACTOR + name: values for name, values in result.factors.items()}
    schema = RESULT if isinstance(result, VSTGResult) else ENDING
    header["result"] = {name: plain(name, getattr(result, name)) for name in schema}
    if predictor.estimator is not None:
        header |= _describe_estimator(predictor.estimator, predictor.feature_names)
    return header, arrays


def _describe_scores(scores: ConformalScores) -> tuple[str, Arrays]:
    counts = np.array([len(errors) for errors in scores.by_task], dtype=float)
    return scores.rows, {
        SCORES: np.concatenate(scores.by_task),
        f"{SCORES}_counts": counts,
        f"{SCORES}_units": scores.units,
    }


def _scores(header: Header, arrays: Arrays, n_tasks: int) -> ConformalScores | None:
    """Read the errors on held-out rows; None in files without them."""
    if "scores" not in header:
        return None
    names = (SCORES, f"{SCORES}_counts", f"{SCORES}_units")
    parts = {name: arrays.pop(name) for name in names if name in arrays}
    total = parts[SCORES].size if SCORES in parts else 0
    shapes = dict(zip(names, ((total,), (n_tasks,), (n_tasks,)), strict=True))
    _check_arrays(parts, shapes)
    counts = parts[names[1]].astype(int)
    good = (counts == parts[names[1]]).all() and counts.min() >= 0
    if not good or counts.sum() != total or parts[names[2]].min() <= 0:
        msg = "its errors of held-out rows do not fit its tasks"
        raise ValueError(msg)
    errors = np.split(parts[SCORES], np.cumsum(counts)[:-1])
    return ConformalScores.of(errors, parts[names[2]], get(header, "scores", (str,)))


def _describe_estimator(record: EstimatorRecord, features: tuple[str, ...]) -> Header:
    params = {name: plain(name, value) for name, value in record.params.items()}
    # A parameter that was changed after the fit would make a file nobody can read.
    check_columns(record.columns, features, params["task_column"])
    columns = None if record.columns is None else list(record.columns)
    return {
        "class": record.name,
        "params": params,
        "columns": columns,
        "multioutput": record.multioutput,
    }


def read(
    source: Source,
    build: Callable[[Parts], Model],
    classes: Collection[str] = tuple(ESTIMATORS),
) -> Model:
    """Read the parts of a model file and pass them to ``build``, or ModelFileError.

    ``classes`` are the estimators whose files are accepted.
    """
    with opened(source) as stream, refusing(describe_source(source)):
        return build(restore(*unpack(stream), classes))


def read_json(
    text: str | bytes, build: Callable[[Parts], Model], classes: Collection[str]
) -> Model:
    """Do as :func:`read` with the text of :func:`dump_json`."""
    with refusing("the model text"):
        if len(text) > MAX_BYTES:
            msg = f"it has {len(text)} characters, more than the {MAX_BYTES} allowed"
            raise ValueError(msg)
        header = parse(text)
        lists = get(header, "arrays", (dict,))
        arrays = {name: array(name, rows) for name, rows in lists.items()}
        return build(restore(header, arrays, classes))


def restore(header: Header, arrays: Arrays, classes: Collection[str]) -> Parts:
    """Check every part of a predictor; ValueError says what is wrong."""
    _check_format(header)
    tasks, features = names(header, "tasks"), names(header, "features")
    means, units, by_task = (arrays.pop(n, None) for n in BESIDE)
    scores = _scores(header, arrays, len(tasks))
    result = _result(header, arrays, len(features), len(tasks))
    D, T = len(features), len(tasks)
    shapes = {"means": (D,), "units": (T,), "task_means": (T, D)}
    for name, part in zip(BESIDE, (means, units, by_task), strict=True):
        if part is not None:
            _check_arrays({name: part}, {name: shapes[name]})
    record = _estimator(header, features, classes)
    preparation = header.get("preparation")
    column = get(header, "task_column", TASK_COLUMN) if record is None else None
    return {
        "result": result,
        "task_names": tasks,
        "feature_names": features,
        "name": str(header.get("name", ""))[:200],
        "labels": _labels(header, len(tasks)),
        "task_column": column if record is None else record.task_column,
        "preparation": preparation
        and Preparation.from_json(json.dumps(get(header, "preparation", (dict,)))),
        "means": means,
        "units": () if units is None else tuple(units.tolist()),
        "task_means": by_task,
        "evaluation": evaluation(header.get("evaluation", {})),
        "estimator": record,
        "added": _added(header, tasks),
        "scores": scores,
        "weights": str(header.get("weights", ""))[:200],
    }


def _added(header: Header, tasks: tuple[str, ...]) -> dict[str, int]:
    """Read which tasks were added after the fit, and from how many rows."""
    added = header.get("added", {})
    if not isinstance(added, dict) or not len(added) < len(tasks):
        msg = "'added' in its header is not a list of tasks"
        raise ValueError(msg)
    if list(added) != list(tasks[len(tasks) - len(added) :]):
        msg = "'added' in its header does not name the last tasks"
        raise ValueError(msg)
    return {task: get(added, task, (int,)) for task in added}


def _labels(header: Header, n_tasks: int) -> Any:
    if header.get("labels") is None:
        return None
    return check_labels(labels_from_json(header["labels"]), n_tasks, one_vs_rest=True)


def _check_format(header: Header) -> None:
    if header.get("format") != FORMAT:
        msg = "it is not a vstg model"
        raise ValueError(msg)
    version = get(header, "version", (int,))
    if not 1 <= version <= VERSION:
        remedy = "; upgrade vstg to read it" if version > VERSION else ""
        msg = f"its format is version {version} and this vstg reads {VERSION}{remedy}"
        raise ValueError(msg)


def _estimator(
    header: Header, features: tuple[str, ...], classes: Collection[str]
) -> EstimatorRecord | None:
    if "class" not in header and header["version"] > 1:
        return None
    name = get(header, "class", (str,))
    if name not in classes:
        msg = f"it holds a {name[:40]}, not a {' or '.join(classes)}"
        raise ValueError(msg)
    schema = ESTIMATORS[name]
    # What files had not, before there was a choice.
    absent: dict[str, Any] = {"loss": "squared"} if "loss" in schema else {}
    if "alpha" in schema:
        absent["alpha"] = 0.5
    if "cut" in schema and header["version"] == 1:
        absent |= {"cut": 0.0, "relax": 1.0}
    header = header | {"params": {**absent, **get(header, "params", (dict,))}}
    params = typed(header, "params", schema)
    columns = None if header.get("columns") is None else names(header, "columns")
    check_columns(columns, features, params["task_column"])
    return EstimatorRecord(name, params, columns, get(header, "multioutput", (bool,)))


def _result(
    header: Header, arrays: Arrays, D: int, T: int
) -> VSTGResult | BaselineResult:
    method = header.get("method", VSTG)
    if method != VSTG:
        return _baseline_result(header, arrays, D, T)
    known = get(header, "result", (dict,))
    header = header | {"result": {"form": "", **known}}  # older files do not have it
    fields = typed(header, "result", RESULT)
    settings = Settings.checked(**get(header, "settings", (dict,)))
    K = settings.n_latent
    refit = _take(arrays, REFIT)
    n_rounds = max((len(array) for array in refit.values()), default=0)
    _check_arrays(refit, dict.fromkeys(refit, (n_rounds,)))
    shapes = {"U": (D, K), "V": (K, T), "intercept": (T,)}
    history = _check_arrays(arrays, shapes, n_iter=fields["n_iter"])
    ends = get(header, "restart_objectives", (list,))
    return VSTGResult(
        U=arrays["U"],
        V=arrays["V"],
        intercept=arrays["intercept"],
        **fields,
        settings=settings,
        history=history,
        refit_history=refit,
        restart_objectives=tuple(number(end, "restart_objectives") for end in ends),
    )


def _baseline_result(header: Header, arrays: Arrays, D: int, T: int) -> BaselineResult:
    method = get(header, "method", (str,))
    numbers = dict.fromkeys(get_baseline(method).parameters, NUMBER)
    parameters = typed(header, "settings", numbers)
    fields = typed(header, "result", ENDING)
    factors = _take(arrays, FACTOR)
    _check_arrays(factors, {name: array.shape for name, array in factors.items()})
    shapes = {"W": (D, T), "intercept": (T,)}
    history = _check_arrays(arrays, shapes, n_iter=fields["n_iter"])
    return BaselineResult(
        method=method,
        W=arrays["W"],
        intercept=arrays["intercept"],
        factors=factors,
        parameters=parameters,
        history=history,
        **fields,
    )


def _take(arrays: Arrays, prefix: str) -> dict[str, Array]:
    """Take out the arrays with a prefix, named by what follows it."""
    names = [name for name in arrays if name.startswith(prefix)]
    return {name.removeprefix(prefix): arrays.pop(name) for name in names}


def _check_arrays(
    arrays: Arrays,
    shapes: Mapping[str, tuple[int, ...]],
    *,
    n_iter: int | None = None,
) -> dict[str, Array]:
    """Reject wrong names, wrong shapes and infinite values; return the history."""
    wanted = dict(shapes)
    if n_iter is not None:
        wanted |= {n: (n_iter,) for n in arrays if n.startswith(HISTORY)}
        wanted |= {f"{HISTORY}objective": (n_iter,)}
    if set(arrays) != set(wanted):
        msg = f"it holds the arrays {sorted(arrays)}, not those of a model"
        raise ValueError(msg)
    for name, shape in wanted.items():
        if arrays[name].shape != shape:
            msg = f"{name} has the shape {arrays[name].shape} and not {shape}"
            raise ValueError(msg)
        if not np.isfinite(arrays[name]).all():
            msg = f"{name} holds values that are not finite"
            raise ValueError(msg)
    return {
        name.removeprefix(HISTORY): array
        for name, array in arrays.items()
        if name.startswith(HISTORY)
    }
