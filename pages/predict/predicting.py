"""Predictions for new rows, whatever the model comes from. No Streamlit here."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

import numpy as np
import pandas as pd
from scipy.special import expit

from pages.shared.data.own import LastFit
from pages.shared.fits.stored import StoredFit
from vstg.data import Array, MultiTaskData
from vstg.estimators import VSTGClassifier, load_model
from vstg.model_selection.methods import Fitted
from vstg.tables import Preparation, Rule, Table, TableError, Transform
from vstg.tables.kinds import as_text
from vstg.tables.table import listed

SHOWN = 40  # variables of the form
TEMPLATE_ROWS = 3


@dataclass(frozen=True, eq=False)
class Model:
    """What is needed to predict.

    ``transform`` turns columns of the user's table into variables; it always exists,
    and passes values through where the model knows of no preparation. ``typical`` is
    a value for every column, to begin a row with.
    """

    name: str
    tasks: tuple[str, ...]
    W: Array
    intercept: Array
    logistic: bool
    labels: tuple[str, str]
    transform: Transform
    typical: dict[str, float | str]
    task_column: str | None
    prepared: bool

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that new rows must have."""
        return self.transform.columns

    def decide(self, X: Array, tasks: np.ndarray) -> Array:
        """x w_j + b_j of each row and its task."""
        return np.einsum("nd,dn->n", X, self.W[:, tasks]) + self.intercept[tasks]


def plain_transform(names: tuple[str, ...]) -> Transform:
    """Variables as they are."""
    return Transform(tuple(Rule(name, "number") for name in names), names)


def model_of_fit(fit: LastFit) -> Model:
    """The model of the Explore page."""
    preparation = None if fit.prepared is None else Preparation.of(fit.prepared)
    return _model(fit.name, fit.result, fit.data.train, fit.data.loss, preparation)


def model_of_run(fit: StoredFit) -> Model:
    """The model of a run in History."""
    return _model(fit.name, fit.result, fit.train, fit.loss, fit.preparation)


def _model(
    name: str,
    result: Fitted,
    train: MultiTaskData,
    loss: str,
    preparation: Preparation | None,
) -> Model:
    names = train.feature_names
    transform, labels, task_column = plain_transform(names), None, "task"
    if preparation is not None:
        transform, labels = preparation.transform, preparation.labels
        task_column = preparation.recipe.task
    designs = train.X[:1] if train.shared_X else train.X  # a thousand tasks, one design
    means = np.mean([X.mean(axis=0) for X in designs], axis=0)
    return Model(
        name,
        train.task_names,
        result.W,
        np.asarray(result.intercept, dtype=float),
        loss == "logistic",
        labels or ("-1", "+1"),
        transform,
        _typical(transform, dict(zip(names, means.tolist(), strict=True))),
        task_column,
        preparation is not None,
    )


def model_of_file(
    content: bytes, name: str, preparation: Preparation | None = None
) -> Model:
    """The model of a file; ModelFileError if it is none.

    With the preparation that was saved beside it, the rows may be as in the table.
    """
    model = load_model(BytesIO(content))
    names = tuple(model.feature_names_)
    coef = np.atleast_2d(model.coef_)
    column = model.task_column
    transform, labels = plain_transform(names), None
    if preparation is not None:
        transform, labels = preparation.transform, preparation.labels
        column = preparation.recipe.task
        if transform.keep != names:
            msg = (
                f"the preparation gives the variables {listed(transform.keep)}, and "
                f"the model {name} has {listed(names)}: they do not belong together"
            )
            raise TableError(msg)
    return Model(
        name,
        tuple(model.tasks_),
        coef.T,
        np.broadcast_to(np.atleast_1d(model.intercept_), len(coef)).astype(float),
        isinstance(model, VSTGClassifier),
        labels or ("-1", "+1"),
        transform,
        _typical(transform, dict.fromkeys(names, 0.0)),
        str(column) if column is not None else None,
        preparation is not None,
    )


def _typical(transform: Transform, means: dict[str, float]) -> dict[str, float | str]:
    """A value of every column: the mean of the training rows, the commonest level."""
    values: dict[str, float | str] = {}
    needed = set(transform.columns)
    for rule in transform.rules:
        if rule.column not in needed:
            continue
        if rule.kind == "number":
            values[rule.column] = means[rule.column] * rule.scale + rule.shift
        else:
            shares = {
                level: means.get(f"{rule.column}={level}", 0.0) for level in rule.levels
            }
            values[rule.column] = max(shares, key=lambda level: shares[level])
    return values


def predict_table(
    model: Model, table: Table, task_column: str | None
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Predictions beside the rows they belong to, and remarks in words.

    Without a task column every row is predicted for all tasks, one column each.
    """
    X, notes = model.transform.new_rows(table.frame, table.name)
    used = {*model.columns, task_column}
    extra = [name for name in table.frame.columns if name not in used]
    if extra:
        notes = (
            *notes,
            f"columns that the model does not know are kept: {listed(extra)}",
        )
    result = table.frame.copy()
    result.index.name = "row"
    if task_column is None:
        values = X @ model.W + model.intercept
        endings = [f" {task}" for task in model.tasks]
        return _with_predictions(result, model, values.T, endings), notes
    positions = _positions(model, table, task_column)
    values = model.decide(X, positions)
    return _with_predictions(result, model, [values], [""]), notes


def _positions(model: Model, table: Table, task_column: str) -> np.ndarray:
    """The task of every row among those of the model."""
    if task_column not in table.frame.columns:
        msg = f"{table.name} has no column {task_column!r} for the task"
        raise TableError(msg)
    ids = as_text(table.frame[task_column])
    place = {name: j for j, name in enumerate(model.tasks)}
    unknown = [name for name in ids.unique() if name not in place]
    if unknown:
        row = table.frame.index[int(np.argmax(~ids.isin(list(place)).to_numpy()))]
        msg = (
            f"{table.name}, row {row}: the model does not know the tasks "
            f"{listed(['(missing)' if u is None else u for u in unknown])}; it knows "
            f"{listed(model.tasks)}"
        )
        raise TableError(msg)
    return np.array([place[name] for name in ids], dtype=np.intp)


def _with_predictions(
    frame: pd.DataFrame,
    model: Model,
    values: Sequence[Array] | Array,
    endings: Sequence[str],
) -> pd.DataFrame:
    """All columns are added at once: one by one the table is copied for each."""
    new: dict[str, Array] = {}
    for column, ending in zip(values, endings, strict=True):
        if model.logistic:
            minus, plus = model.labels
            new[f"prediction{ending}"] = np.where(column > 0, plus, minus)
            new[f"probability of {plus}{ending}"] = expit(column)
        else:
            new[f"prediction{ending}"] = column
    taken = [name for name in new if name in frame.columns]
    return pd.concat(
        [frame.drop(columns=taken), pd.DataFrame(new, index=frame.index)], axis=1
    )


def template(model: Model) -> pd.DataFrame:
    """Rows to be filled in: a typical one for each of the first tasks."""
    column = model.task_column
    tasks = [""] if column is None else list(model.tasks[:TEMPLATE_ROWS])
    typical = {name: _short(model.typical[name]) for name in model.columns}
    values = {name: [value] * len(tasks) for name, value in typical.items()}
    if column is None:
        first, *_ = values
        return pd.DataFrame(values).set_index(first)
    return pd.DataFrame(values, index=pd.Index(tasks, name=column))


def _short(value: float | str) -> float | str:
    """A number with the digits that a hand would write."""
    return value if isinstance(value, str) else float(f"{value:.4g}")


def form_columns(model: Model, task: int) -> list[str]:
    """The columns to ask for, the weightiest first, and no more than fit a form."""
    weight = dict.fromkeys(model.columns, 0.0)
    place = {name: i for i, name in enumerate(model.transform.keep)}
    for rule in model.transform.rules:
        for name in rule.names:
            if name in place:
                size = abs(float(model.W[place[name], task]))
                weight[rule.column] = max(weight[rule.column], size)
    order = sorted(weight, key=lambda name: -weight[name])
    return order[:SHOWN]


def contributions(
    model: Model, values: dict[str, float | str], task: int
) -> tuple[float, pd.DataFrame]:
    """The decision value of one row and the part of every variable in it."""
    frame = pd.DataFrame([values], index=[1])
    X, _ = model.transform.new_rows(frame, "this row")
    parts = X[0] * model.W[:, task]
    table = pd.DataFrame(
        {"value": X[0], "weight": model.W[:, task], "contribution": parts},
        index=pd.Index(model.transform.keep, name="variable"),
    )
    table.loc["intercept"] = [1.0, model.intercept[task], model.intercept[task]]
    total = float(parts.sum() + model.intercept[task])
    return total, table.sort_values("contribution", key=np.abs, ascending=False)
