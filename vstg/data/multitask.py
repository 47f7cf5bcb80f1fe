"""The data of all tasks together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.sparse import issparse

from vstg.data.builders import Builders
from vstg.data.designs import columns
from vstg.data.fingerprint import fingerprint
from vstg.data.selection import (
    check_rows,
    check_split,
    check_strata,
    positions,
    row_index,
    split_groups,
    split_tasks,
)
from vstg.data.tables import stack_frame
from vstg.data.values import (
    Array,
    DataError,
    Index,
    check_groups,
    check_names,
    check_tasks,
    check_units,
    common_columns,
    distinct_designs,
    seal,
)
from vstg.data.weights import (
    Weighing,
    check_task_weights,
    check_weights,
    rows_that_count,
)


@dataclass(frozen=True, eq=False, init=False, repr=False)
class MultiTaskData(Weighing, Builders):
    r"""T supervised tasks on the same D variables.

    Task j has :math:`X_j \in R^{N_j \times D}` and :math:`y_j \in R^{N_j}`; the
    :math:`N_j` may differ. Arrays are float64 (or float32, or CSR matrices of either),
    C-contiguous and read-only.

    Parameters
    ----------
    X : sequence of array-like or SciPy sparse matrices, each (N_j, D)
        One design per task. Tasks given the same object share it: it is kept once. A
        float32 design stays float32 and a sparse one sparse. A design is copied, unless
        it is read-only already: so make large ones read-only before.
    y : sequence of array-like, each (N_j,)
        One target per task.
    task_names, feature_names : sequence of str, optional
        ``task0, task1, ...`` and, unless the first design is a table with column
        names, ``x0, x1, ...`` by default.
    units : sequence of float, optional
        What the target of each task was divided by. It decides nothing in a fit;
        errors and predictions are multiplied by it, so that they are in the user's
        units.
    groups : sequence of integer arrays, each (N_j,), optional
        Rows that belong together, such as those of one patient or one day, whatever
        their task: folds never divide a group. It decides nothing in a fit.
    weights : sequence of array-like, each (N_j,), optional
        How much each row counts within its task, 0 or more: in eq. (6) the loss of task
        j is the weighted mean over its rows. A row of weight 2 counts as two rows; one
        of weight 0 is left out.
    task_weights : sequence of float, or mapping from names to floats, optional
        What the loss of each task is multiplied by in eq. (6), above 0; 1 by default.

    Raises
    ------
    DataError
        A value is missing, infinite or not a number, a task is empty, lengths or
        columns disagree, or a name occurs twice. The message names the place.

    Notes
    -----
    Targets that can be stored but not learnt from (one value, one class, labels
    other than -1 and +1) are checked by :func:`vstg.data.check_targets`, since test
    data may well contain them.
    """

    X: tuple[Any, ...]
    y: tuple[Array, ...]
    task_names: tuple[str, ...]
    feature_names: tuple[str, ...]
    units: tuple[float, ...] = ()  # empty: the targets are as the user has them
    groups: tuple[Index, ...] = ()  # empty: every row by itself
    weights: tuple[Array, ...] = ()  # empty: every row counts as one
    task_weights: tuple[float, ...] = ()  # empty: every task counts as one

    def __init__(
        self,
        X: Sequence[Any],
        y: Sequence[Any],
        task_names: Sequence[Any] | None = None,
        feature_names: Sequence[Any] | None = None,
        units: Sequence[float] = (),
        groups: Sequence[Any] = (),
        weights: Sequence[Any] = (),
        task_weights: Sequence[float] | Mapping[str, float] = (),
    ) -> None:
        # Held in a list: designs are told apart by identity, and the slices of a
        # three-dimensional array would be new objects at every look.
        X = list(X)
        if len(X) != len(y) or len(X) == 0:
            msg = (
                f"X has {len(X)} tasks and y has {len(y)}: "
                "give one design and one target for each task, at least one task"
            )
            raise DataError(msg)
        tasks = check_names(task_names, len(X), kind="task", default="task")
        where = [f"task {name!r}, " for name in tasks]
        if feature_names is None:
            feature_names = common_columns(X, where)
        designs = distinct_designs(X, where)
        n_features = designs[id(X[0])].shape[1]
        features = check_names(feature_names, n_features, kind="feature", default="x")
        targets = check_tasks(X, y, designs, features, where)
        check_units(units, len(X))
        codes = check_groups(groups, targets)
        kept = [designs[id(raw_X)] for raw_X in X]
        of_rows = check_weights(weights, targets, where)
        of_tasks = check_task_weights(task_weights, tasks)
        self._fill(kept, targets, tasks, features, units, codes, of_rows, of_tasks)
        rows = rows_that_count(of_rows)
        if rows is not None:
            counting = self.take(rows)
            self.__dict__.update(vars(counting))

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for name in ("groups", "weights", "task_weights"):
            self.__dict__.setdefault(name, ())  # pickles of earlier versions
        # Pickle restores arrays as writeable, which would let the fingerprint lie, and
        # Dask not aligned, which would change the last digits of every fit.
        designs = {id(X): X for X in self.X}
        designs = {key: seal(X) for key, X in designs.items()}
        self.__dict__["X"] = tuple(designs[id(X)] for X in self.X)
        self.__dict__["y"] = tuple(seal(y) for y in self.y)
        self.__dict__["groups"] = tuple(seal(codes) for codes in self.groups)
        kept = {id(one): one for one in self.weights}
        kept = {key: seal(one) for key, one in kept.items()}
        self.__dict__["weights"] = tuple(kept[id(one)] for one in self.weights)

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(n_tasks={self.n_tasks}, "
            f"n_features={self.n_features}, n_rows={self.n_rows})"
        )

    @property
    def n_tasks(self) -> int:
        """T, the number of tasks."""
        return len(self.X)

    @property
    def n_features(self) -> int:
        """D, the number of variables."""
        return self.X[0].shape[1]

    @property
    def n_samples(self) -> npt.NDArray[np.intp]:
        """N_j, the number of observations of each task."""
        return np.array([len(y) for y in self.y], dtype=np.intp)

    @property
    def n_rows(self) -> int:
        """The number of observations of all tasks together."""
        return int(self.n_samples.sum())

    @property
    def shared_X(self) -> bool:
        """Whether all tasks have one and the same design, kept once."""
        return all(X is self.X[0] for X in self.X)

    @property
    def unit(self) -> float:
        """The factor that turns errors over all tasks into the user's units.

        1 if the tasks have different units: an average of their errors is then in
        standard deviations of the targets, as metres and kilograms have no mean.
        """
        return self.units[0] if len(set(self.units)) == 1 else 1.0

    @property
    def task_units(self) -> Array:
        """What errors and coefficients of each task are multiplied by, (T,)."""
        return np.array(self.units) if self.units else np.ones(self.n_tasks)

    @property
    def targets(self) -> tuple[Array, ...]:
        """The targets in the user's units."""
        if not self.units:
            return self.y
        return tuple(y * unit for y, unit in zip(self.y, self.units, strict=True))

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of names and values: equal content gives an equal fingerprint.

        How the data were built does not matter, nor whether tasks share a design or
        keep it in float32; but a sparse design is not a dense one.
        """
        names = self.task_names, self.feature_names
        return fingerprint(
            self.X, self.y, *names, self.units, self.groups, self.weights,
            self.task_weights,
        )  # fmt: skip

    def split(
        self,
        test_size: float = 0.25,
        *,
        random_state: int | np.random.Generator | None,
        stratify: bool = False,
    ) -> tuple[Self, Self]:
        """Return training and test data, every task in both.

        Task j gives floor((1 - test_size) N_j) rows, at least one, to the training
        part. Tasks with a shared design are split at the same rows, and no group of
        rows is divided (then a task may be in one part only: DataError). ``stratify``
        keeps the shares of the labels -1 and +1 in each part.
        """
        check_split(test_size, self.n_samples, self.task_names)
        if stratify:
            check_strata(self.y, self.task_names)
        if self.groups:
            rng = np.random.default_rng(random_state)
            train, test = split_groups(self.groups, test_size, rng)
            return self.take(train), self.take(test)
        train, test = split_tasks(
            self.y,
            test_size,
            np.random.default_rng(random_state),
            shared=self.shared_X,
            stratify=stratify,
        )
        return self.take(train), self.take(test)

    def _fill(self, *parts: Sequence[Any]) -> None:
        for name, part in zip(self.__dataclass_fields__, parts, strict=True):
            object.__setattr__(self, name, tuple(part))

    def replaced(self, **parts: Sequence[Any]) -> Self:
        """The data with some parts replaced by others that are checked already."""
        data = object.__new__(type(self))
        data._fill(*(parts.get(name, getattr(self, name)) for name in FIELDS))
        return data

    def take(self, rows: Sequence[npt.ArrayLike]) -> Self:
        """Return the rows given for each task; tasks with equal rows share on."""
        if len(rows) != self.n_tasks:
            msg = f"rows has {len(rows)} entries and there are {self.n_tasks} tasks"
            raise DataError(msg)
        taken: dict[tuple[int, bytes], Any] = {}

        def once(values: Any, index: Index) -> Any:
            key = (id(values), index.tobytes())
            if key not in taken:
                taken[key] = seal(values[index])
            return taken[key]

        designs, targets, indices = [], [], []
        tasks = zip(self.X, self.y, rows, self.task_names, strict=True)
        for X, y, raw, name in tasks:
            index = row_index(raw, len(y))
            check_rows(index, name)
            designs.append(once(X, index))
            targets.append(seal(y[index]))
            indices.append(index)
        groups = [seal(g[i]) for g, i in zip(self.groups, indices, strict=False)]
        weights = [once(w, i) for w, i in zip(self.weights, indices, strict=False)]
        return self.replaced(X=designs, y=targets, groups=groups, weights=weights)

    def with_groups(self, groups: Sequence[Any]) -> Self:
        """The same data with other ``groups``; none for an empty sequence."""
        return self.replaced(groups=check_groups(groups, self.y))

    def with_weights(
        self,
        weights: Sequence[Any] = (),
        task_weights: Sequence[float] | Mapping[str, float] = (),
    ) -> Self:
        """The same data with other weights of rows and tasks; none by default."""
        return type(self)(
            self.X, self.y, self.task_names, self.feature_names, self.units,
            self.groups, weights, task_weights,
        )  # fmt: skip

    def scaled(self, units: Sequence[float]) -> Self:
        """Return the same data with the target of each task divided by its unit."""
        check_units(units, self.n_tasks)
        y = [seal(t / unit) for t, unit in zip(self.targets, units, strict=True)]
        return self.replaced(y=y, units=units)

    def columns(self, index: npt.NDArray[np.intp]) -> Self:
        """Return some variables in float64, for the inner loops of a solver."""
        taken = {id(X): X for X in self.X}
        taken = {key: columns(X, index) for key, X in taken.items()}
        names = [self.feature_names[i] for i in index]
        designs = [taken[id(X)] for X in self.X]
        return self.replaced(X=designs, feature_names=names)

    def only_tasks(self, js: Sequence[int]) -> Self:
        """Some tasks by position, unchecked."""
        by_task = [name for name in FIELDS if name != "feature_names"]
        parts = {name: getattr(self, name) for name in by_task}
        return self.replaced(
            **{name: [part[j] for j in js] for name, part in parts.items() if part}
        )

    def subset(
        self,
        tasks: Sequence[str | int] | None = None,
        features: Sequence[str | int] | None = None,
    ) -> Self:
        """Return the named (or numbered) tasks and features, in the order given."""
        js = positions(tasks, self.task_names, kind="task")
        columns = positions(features, self.feature_names, kind="feature")
        some = self.only_tasks(js)
        designs = {id(X): X for X in some.X}
        if features is not None:
            designs = {key: seal(X[:, columns]) for key, X in designs.items()}
        return type(self)(
            [designs[id(X)] for X in some.X], some.y, some.task_names,
            [self.feature_names[i] for i in columns],
            some.units, some.groups, some.weights, some.task_weights,
        )  # fmt: skip

    def to_frame(
        self, *, task: str = "task", target: str = "target", weight: str = "weight"
    ) -> pd.DataFrame:
        """Return a long table that :meth:`from_frame` reads back unchanged.

        Its targets are in the user's units. It has a column ``weight`` if rows have
        weights.
        """
        names = (self.task_names, self.feature_names)
        if any(issparse(X) for X in self.X):
            msg = "a sparse design has no table: it would be far larger than the data"
            raise DataError(msg)
        frame = stack_frame(self.X, self.targets, *names, task=task, target=target)
        if self.weights:
            if weight in frame.columns:
                msg = f"there is a variable {weight!r}: choose another name for weights"
                raise DataError(msg)
            frame.insert(2, weight, np.concatenate(self.weights))
        return frame


FIELDS = tuple(MultiTaskData.__dataclass_fields__)
