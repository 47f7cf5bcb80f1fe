"""How good predictions are, and how much of a known truth was recovered.

Targets and predictions are sequences with one array per task, such as ``data.y``.
Pooled means give every observation the same weight, means over tasks give it to every
task; the two differ when tasks have unequal numbers of observations, so no function
here is simply called ``rmse``. Where rows have ``weights`` (one array per task), a row
of weight 2 counts as two; ``task_weights`` weigh the mean over tasks, and pooled rows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vstg.data import Array, MultiTaskData
from vstg.losses import Loss, PoissonLoss, measure_of, response
from vstg.notation import measure_text

Targets = Sequence[npt.ArrayLike]


def rmse_by_task(y: Targets, predictions: Targets, weights: Targets = ()) -> Array:
    r"""Return :math:`\sqrt{\sum_n (y_j^n - \hat y_j^n)^2 / N_j}` for each task j."""
    pairs = _pair_tasks(y, predictions)
    return np.sqrt(_means([(a - b) ** 2 for a, b in pairs], weights))


def rmse_pooled(
    y: Targets,
    predictions: Targets,
    weights: Targets = (),
    task_weights: Sequence[float] = (),
) -> float:
    r"""Return :math:`\sqrt{\sum_{jn} (y_j^n - \hat y_j^n)^2 / \sum_j N_j}`."""
    pairs = _pair_tasks(y, predictions)
    squares = [(a - b) ** 2 for a, b in pairs]
    return float(np.sqrt(_pooled(squares, weights, task_weights)))


def rmse_mean_over_tasks(
    y: Targets,
    predictions: Targets,
    weights: Targets = (),
    task_weights: Sequence[float] = (),
) -> float:
    """Return the mean of the tasks' RMSEs (:func:`rmse_by_task`)."""
    return mean_over_tasks(rmse_by_task(y, predictions, weights), task_weights)


def mean_over_tasks(
    by_task: Array, task_weights: Array | Sequence[float] = ()
) -> float:
    """The plain mean, or that weighted by the tasks' weights."""
    if len(task_weights) == 0:
        return float(by_task.mean())
    return float(np.average(by_task, weights=task_weights))


def _means(values: Sequence[Array], weights: Targets) -> Array:
    """The mean of each task's values, weighted if there are weights."""
    if len(weights) == 0:
        return np.array([np.mean(one) for one in values])
    pairs = zip(values, weights, strict=True)
    return np.array([np.average(one, weights=np.asarray(w)) for one, w in pairs])


def _pooled(
    values: Sequence[Array], weights: Targets, task_weights: Sequence[float]
) -> float:
    """The mean of all values; rows and tasks weigh as given."""
    if len(weights) == 0 and len(task_weights) == 0:
        return float(np.mean(np.concatenate(values)))
    rows = weights if len(weights) else [np.ones(len(one)) for one in values]
    tasks = task_weights if len(task_weights) else np.ones(len(values))
    heavy = [a * np.asarray(s) for a, s in zip(tasks, rows, strict=True)]
    return float(np.average(np.concatenate(values), weights=np.concatenate(heavy)))


def mae_by_task(y: Targets, predictions: Targets, weights: Targets = ()) -> Array:
    r"""Return the mean of :math:`|y_j^n - \hat y_j^n|` for each task j."""
    pairs = _pair_tasks(y, predictions)
    return _means([np.abs(a - b) for a, b in pairs], weights)


def mae_pooled(
    y: Targets,
    predictions: Targets,
    weights: Targets = (),
    task_weights: Sequence[float] = (),
) -> float:
    """Return the mean absolute error of all observations."""
    pairs = _pair_tasks(y, predictions)
    return _pooled([np.abs(a - b) for a, b in pairs], weights, task_weights)


def deviance_by_task(y: Targets, log_means: Targets, weights: Targets = ()) -> Array:
    r"""Return the mean Poisson deviance of each task.

    .. math:: \frac{2}{N_j} \sum_n y_j^n \log \frac{y_j^n}{m_j^n} - y_j^n + m_j^n

    ``log_means`` are the logarithms of the expected counts m.
    """
    return _means(_deviances(y, log_means), weights)


def deviance_pooled(
    y: Targets,
    log_means: Targets,
    weights: Targets = (),
    task_weights: Sequence[float] = (),
) -> float:
    """Return the mean Poisson deviance of all observations."""
    return _pooled(_deviances(y, log_means), weights, task_weights)


def _deviances(y: Targets, log_means: Targets) -> list[Array]:
    """The Poisson deviance of every observation."""
    pairs = _pair_tasks(y, log_means)
    return [2.0 * PoissonLoss().values(a, b) for a, b in pairs]


def error_rate_by_task(
    y: Targets, predictions: Targets, weights: Targets = ()
) -> Array:
    """Return the share of wrong signs for each task.

    ``y`` is -1 or +1. ``predictions`` are labels or decision values: above zero
    means +1, and zero or below means -1.
    """
    return _means(_wrong(y, predictions), weights)


def _wrong(y: Targets, predictions: Targets) -> list[Array]:
    """1 where a sign is wrong, else 0."""
    pairs = _pair_tasks(y, predictions)
    return [((a > 0) != (b > 0)).astype(float) for a, b in pairs]


def error_rate_pooled(
    y: Targets,
    predictions: Targets,
    weights: Targets = (),
    task_weights: Sequence[float] = (),
) -> float:
    """Return the share of wrong signs among all observations."""
    return _pooled(_wrong(y, predictions), weights, task_weights)


def error_rate_mean_over_tasks(
    y: Targets,
    predictions: Targets,
    weights: Targets = (),
    task_weights: Sequence[float] = (),
) -> float:
    """Return the mean of the tasks' error rates."""
    return mean_over_tasks(error_rate_by_task(y, predictions, weights), task_weights)


@dataclass(frozen=True)
class Measure:
    """A way to score predictions: by task, and of all rows together."""

    by_task: Callable[..., Array]  # of targets, predictions and weights of rows
    pooled: Callable[..., float]  # the same, and weights of tasks
    of_margins: bool = False  # else of what the margins predict
    has_unit: bool = False  # that of the target


MEASURES: Mapping[str, Measure] = {
    "rmse": Measure(rmse_by_task, rmse_pooled, has_unit=True),
    "mae": Measure(mae_by_task, mae_pooled, has_unit=True),
    "deviance": Measure(deviance_by_task, deviance_pooled, of_margins=True),
    "error_rate": Measure(error_rate_by_task, error_rate_pooled, of_margins=True),
}


@dataclass(frozen=True, eq=False)
class ModelErrors:
    """How far a model's predictions are from the targets, in the user's units.

    Attributes
    ----------
    measure : "RMSE", "mean absolute error", "mean deviance" or "error rate"
    mean : mean over the tasks, the paper's measure and the default everywhere;
        weighted if tasks have weights
    pooled : every row counts alike, or by its weight and that of its task
    by_task : (T,) array
    """

    measure: str
    mean: float
    pooled: float
    by_task: Array


def errors_on(
    data: MultiTaskData,
    margins: Targets,
    *,
    loss: str | Loss = "squared",
    measure: str | None = None,
) -> ModelErrors:
    """Compare what margins Xw + b of the tasks of ``data`` predict with its targets.

    By the measure that suits the loss, unless another of :data:`MEASURES` is named.
    Where tasks have different units, mean and pooled are in standard deviations of
    the targets (see :attr:`vstg.data.MultiTaskData.unit`), and ``by_task`` is in the
    unit of each. Rows and tasks count as their weights say.
    """
    name = measure_of(loss) if measure is None else measure
    chosen = MEASURES[name]
    predicted: Targets = margins
    if not chosen.of_margins:
        predicted = [response(loss, np.asarray(m)) for m in margins]
    scaled = chosen.by_task(data.y, predicted, data.weights)
    unit, units = (data.unit, data.task_units) if chosen.has_unit else (1.0, 1.0)
    return ModelErrors(
        measure_text(name),
        unit * mean_over_tasks(scaled, data.task_weights),
        unit * chosen.pooled(data.y, predicted, data.weights, data.task_weights),
        units * scaled,
    )


def multiclass_error_rate(
    y: Targets, decisions: Targets, weights: Array | None = None
) -> float:
    """Return the share of rows whose largest decision value is not the true class.

    For one-vs-rest data: task j is +1 for the rows of class j, and all tasks have
    the same rows. Equal decision values go to the first class. ``weights`` has one
    number per row.
    """
    pairs = _pair_tasks(y, decisions)
    if len({len(a) for a, _ in pairs}) > 1:
        msg = "the tasks have different numbers of rows: one-vs-rest tasks share them"
        raise ValueError(msg)
    truth = np.stack([a > 0 for a, _ in pairs])
    marks = truth.sum(axis=0)
    if np.any(marks != 1):
        row = int(np.argmax(marks != 1))
        msg = f"row {row} is +1 in {marks[row]} tasks: it must belong to one class"
        raise ValueError(msg)
    chosen = np.argmax(np.stack([b for _, b in pairs]), axis=0)
    return float(np.average(chosen != np.argmax(truth, axis=0), weights=weights))


def relative_estimation_error(W_true: npt.ArrayLike, W: npt.ArrayLike) -> float:
    r"""Return REE, :math:`\|W^* - W\|_F / \|W^*\|_F`."""
    truth, estimate = _same_shape(W_true, W)
    scale = np.linalg.norm(truth)
    if scale == 0:
        msg = "W_true is zero: an error relative to it has no meaning"
        raise ValueError(msg)
    return float(np.linalg.norm(truth - estimate) / scale)


@dataclass(frozen=True)
class Recovery:
    r"""How many true items were found, and how many of the found items are true.

    precision = hits / found, recall = hits / true and
    :math:`F_1 = 2 hits / (found + true)`. Precision is 1 when nothing is found, since
    nothing found is false; recall is 1 when nothing is true, since nothing is missed.
    """

    n_true: int
    n_found: int
    n_hits: int

    @property
    def precision(self) -> float:
        """Share of the found items that are true."""
        return self.n_hits / self.n_found if self.n_found else 1.0

    @property
    def recall(self) -> float:
        """Share of the true items that are found."""
        return self.n_hits / self.n_true if self.n_true else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of the two."""
        total = self.n_true + self.n_found
        return 2 * self.n_hits / total if total else 1.0


def support_recovery(A_true: npt.ArrayLike, A: npt.ArrayLike) -> Recovery:
    """Compare the non-zero entries of two arrays (or masks) of the same shape.

    Rows or columns that represent bases must be aligned first, see
    :func:`vstg.inspection.align_bases`.
    """
    truth, estimate = _same_shape(A_true, A)
    true, found = truth != 0, estimate != 0
    return Recovery(int(true.sum()), int(found.sum()), int((true & found).sum()))


def variable_recovery(U_true: npt.ArrayLike, U: npt.ArrayLike) -> Recovery:
    """Compare the selected variables: non-zero rows, whatever the bases."""
    return support_recovery(_nonzero_rows(U_true), _nonzero_rows(U))


def irrelevant_recovery(U_true: npt.ArrayLike, U: npt.ArrayLike) -> Recovery:
    """Compare the removed variables: rows of zeros, whatever the bases.

    More telling than :func:`variable_recovery` when few variables are irrelevant:
    a model that keeps all of them scores 0 here but well there.
    """
    return support_recovery(~_nonzero_rows(U_true), ~_nonzero_rows(U))


def task_pair_recovery(V_true: npt.ArrayLike, V: npt.ArrayLike) -> Recovery:
    """Compare which pairs of tasks share at least one basis.

    Overlapping groups are allowed, and the order of the bases does not matter.
    """
    true, found = _shared_bases(V_true), _shared_bases(V)
    return support_recovery(true > 0, found > 0)


def omega_index(V_true: npt.ArrayLike, V: npt.ArrayLike) -> float:
    r"""Compare how many bases each pair of tasks shares, corrected for chance.

    Let :math:`o` be the share of pairs on which both agree, and :math:`e = \sum_l
    p_l q_l` the share expected by chance, where :math:`p_l` and :math:`q_l` are the
    shares of pairs with l common bases. The index is :math:`(o - e) / (1 - e)`: 1 if
    the structures are equal, about 0 if they are unrelated.
    It is the adjusted Rand index extended to overlapping groups (Collins and Dent,
    1988). The order of the bases does not matter.
    """
    true, found = _shared_bases(V_true), _shared_bases(V)
    support_recovery(true, found)
    if true.size == 0:
        return 1.0
    length = int(max(true.max(), found.max())) + 1
    p = np.bincount(true, minlength=length) / true.size
    q = np.bincount(found, minlength=length) / found.size
    observed, expected = float(np.mean(true == found)), float(p @ q)
    # expected = 1 only if both have one and the same level everywhere.
    return 1.0 if expected == 1.0 else (observed - expected) / (1.0 - expected)


def pattern_adjusted_rand(V_true: npt.ArrayLike, V: npt.ArrayLike) -> float:
    """Compare the groups of tasks with one sparsity pattern (adjusted Rand index)."""
    from sklearn.metrics import adjusted_rand_score  # slow to import, rarely needed

    return float(adjusted_rand_score(_pattern_codes(V_true), _pattern_codes(V)))


def _pair_tasks(y: Targets, predictions: Targets) -> list[tuple[Array, Array]]:
    if len(y) != len(predictions) or len(y) == 0:
        msg = (
            f"there are {len(y)} targets and {len(predictions)} predictions: "
            "give one of each per task"
        )
        raise ValueError(msg)
    pairs = []
    for j, (target, prediction) in enumerate(zip(y, predictions, strict=True)):
        a = np.asarray(target, dtype=np.float64)
        b = np.asarray(prediction, dtype=np.float64)
        if a.shape != b.shape or a.ndim != 1 or a.size == 0:
            msg = (
                f"task {j} has targets of shape {a.shape} and predictions of shape "
                f"{b.shape}: give one prediction per row"
            )
            raise ValueError(msg)
        pairs.append((a, b))
    return pairs


def _same_shape(
    first: npt.ArrayLike, second: npt.ArrayLike
) -> tuple[np.ndarray, np.ndarray]:
    a, b = np.asarray(first), np.asarray(second)
    if a.shape != b.shape:
        msg = f"the truth has shape {a.shape} and the estimate {b.shape}"
        raise ValueError(msg)
    return a, b


def _nonzero_rows(U: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    return np.any(np.asarray(U) != 0, axis=1)


def _shared_bases(V: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Return the number of common bases of each pair of tasks i < j."""
    support = (np.asarray(V) != 0).astype(np.int64)
    counts = support.T @ support
    return counts[np.triu_indices(len(counts), k=1)]


def _pattern_codes(V: npt.ArrayLike) -> npt.NDArray[np.intp]:
    _, codes = np.unique(np.asarray(V) != 0, axis=1, return_inverse=True)
    return codes.reshape(-1)
