"""Folds that keep every task in every part."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from vstg.data import MultiTaskData
from vstg.data.selection import draw_by_name

Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Fold:
    """One split: rows to learn from and rows held out, by task."""

    repeat: int
    number: int
    train: tuple[Rows, ...]
    test: tuple[Rows, ...]

    def leaves_out(self, n_samples: Rows) -> bool:
        """Whether some rows are in neither part, as later ones are."""
        parts = zip(self.train, self.test, strict=True)
        return [len(a) + len(b) for a, b in parts] != list(n_samples)


class TaskKFold:
    """K-fold cross-validation, stratified by task and, for labels, by class.

    Parameters
    ----------
    n_splits : number of folds, at least 2
    n_repeats : how often the folds are drawn again
    random_state : seed of the draws
    task_column : where :meth:`split` finds the task of a row: a column of the table (or
        its position); without it, in ``groups``

    Notes
    -----
    The folds of a task do not depend on which tasks come before it in the data: tasks
    are drawn in the order of their names. A task with fewer rows than folds is held out
    row by row and is absent from some test parts, never from a training part; a task of
    one row is never held out. Tasks with a shared design are held out at the same rows,
    with the classes of all tasks together as strata. Rows of one group
    (:attr:`vstg.data.MultiTaskData.groups`) are held out together, in whatever tasks
    they are; a task with a single group is never held out.
    """

    def __init__(
        self,
        n_splits: int = 10,
        *,
        n_repeats: int = 1,
        random_state: int | None = 0,
        task_column: Any = None,
    ) -> None:
        if n_splits < 2 or n_repeats < 1:
            msg = (
                f"n_splits={n_splits}, n_repeats={n_repeats}: "
                "give at least 2 folds and 1 repetition"
            )
            raise ValueError(msg)
        self.n_splits = n_splits
        self.n_repeats = n_repeats
        self.random_state = random_state
        self.task_column = task_column

    def folds(self, data: MultiTaskData, *, stratify: bool = False) -> list[Fold]:
        """All splits of ``data``; ``stratify`` spreads the values of y evenly."""
        rng = np.random.default_rng(self.random_state)
        found = []
        for repeat in range(self.n_repeats):
            numbers = self._fold_numbers(data, rng, stratify=stratify)
            for number in range(self.n_splits):
                held_out = [of_task == number for of_task in numbers]
                train = tuple(np.flatnonzero(~held) for held in held_out)
                test = tuple(np.flatnonzero(held) for held in held_out)
                found.append(Fold(repeat, number, train, test))
        return found

    def _fold_numbers(
        self, data: MultiTaskData, rng: np.random.Generator, *, stratify: bool
    ) -> Sequence[Rows]:
        if data.groups:
            return deal_groups(data.groups, self.n_splits, rng)
        if data.shared_X:
            strata = _codes(np.column_stack(data.y)) if stratify else None
            return [deal(len(data.y[0]), self.n_splits, rng, strata)] * data.n_tasks

        def deal_task(j: int) -> Rows:
            strata = _codes(data.y[j][:, None]) if stratify else None
            return deal(len(data.y[j]), self.n_splits, rng, strata)

        return draw_by_name(data.task_names, deal_task)

    def split(
        self, X: Any, y: Any = None, groups: Any = None
    ) -> Iterator[tuple[Rows, Rows]]:
        """(train, test) row numbers of a stacked table, as scikit-learn asks."""
        tasks = _codes(np.asarray(self._tasks(X, groups)).reshape(-1, 1))
        labels = None if y is None else _codes(np.asarray(y).reshape(len(tasks), -1))
        # Few values are labels to spread; many are a response.
        stratify = labels is not None and labels.max() < min(10, len(labels) // 10)
        rng = np.random.default_rng(self.random_state)
        for _ in range(self.n_repeats):
            numbers = np.empty(len(tasks), dtype=np.intp)
            for task in range(tasks.max() + 1):
                rows = np.flatnonzero(tasks == task)
                strata = labels[rows] if labels is not None and stratify else None
                numbers[rows] = deal(len(rows), self.n_splits, rng, strata)
            for number in range(self.n_splits):
                yield (
                    np.flatnonzero(numbers != number),
                    np.flatnonzero(numbers == number),
                )

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Number of (train, test) pairs."""
        return self.n_splits * self.n_repeats

    def _tasks(self, X: Any, groups: Any) -> Any:
        if self.task_column is None:
            n_rows = X.shape[0] if hasattr(X, "shape") else len(X)
            return np.zeros(n_rows, dtype=int) if groups is None else groups
        if isinstance(X, pd.DataFrame):
            if self.task_column not in X.columns:
                msg = (
                    f"task_column={self.task_column!r} is not in the table; "
                    f"its columns are {list(X.columns)}"
                )
                raise ValueError(msg)
            return X[self.task_column]
        return np.asarray(X)[:, self.task_column]


class ForwardFolds(TaskKFold):
    """Folds for rows in the order of time: learn from earlier rows, test the next ones.

    The groups of the data (:attr:`vstg.data.MultiTaskData.groups`) are stretches of
    time numbered from the earliest, as ``Recipe(order=…)`` makes them. They are cut
    into ``n_splits`` + 1 runs of about equally many rows; fold n learns from the first
    n runs and is evaluated on the next, so that no row is predicted from later ones. A
    task without earlier rows is an error.

    Parameters
    ----------
    n_splits : number of folds, at least 2
    """

    def __init__(self, n_splits: int = 5) -> None:
        super().__init__(n_splits)

    def folds(self, data: MultiTaskData, *, stratify: bool = False) -> list[Fold]:
        """All splits of ``data``; ``stratify`` has no meaning here."""
        if not data.groups:
            msg = (
                "the data do not say when their rows are: prepare the table with "
                "order=..., or give MultiTaskData groups numbered by time"
            )
            raise ValueError(msg)
        known, counts = np.unique(np.concatenate(data.groups), return_counts=True)
        if len(known) <= self.n_splits:
            msg = (
                f"{len(known)} stretches of time are too few for {self.n_splits} folds"
            )
            raise ValueError(msg)
        middle = (np.cumsum(counts) - counts / 2) / counts.sum()
        run_of = np.floor((self.n_splits + 1) * middle).astype(np.intp)
        runs = [run_of[np.searchsorted(known, codes)] for codes in data.groups]
        found = []
        for number in range(self.n_splits):
            train = tuple(np.flatnonzero(of <= number) for of in runs)
            test = tuple(np.flatnonzero(of == number + 1) for of in runs)
            for name, rows in zip(data.task_names, train, strict=True):
                if not len(rows):
                    msg = (
                        f"task {name!r} has no row before those of fold {number + 1}: "
                        "take fewer folds, or leave the task out"
                    )
                    raise ValueError(msg)
            found.append(Fold(0, number, train, test))
        return found

    def split(
        self, X: Any, y: Any = None, groups: Any = None
    ) -> Iterator[tuple[Rows, Rows]]:
        """(train, test) rows of a stacked table whose ``groups`` are times."""
        times = np.arange(len(X)) if groups is None else _codes(np.c_[groups])
        one = MultiTaskData([np.zeros((len(times), 1))], [times], groups=[times])
        for fold in self.folds(one):
            yield fold.train[0], fold.test[0]


def deal(
    n_rows: int, n_folds: int, rng: np.random.Generator, strata: Rows | None = None
) -> Rows:
    """Give each row a fold number, evenly within each stratum; a lone row gets none."""
    order = rng.permutation(n_rows)
    if strata is not None:
        order = order[np.argsort(strata[order], kind="stable")]
    # Dealt round, folds differ by at most one row; where dealing begins is drawn.
    first = int(rng.integers(n_folds))
    numbers = np.empty(n_rows, dtype=np.intp)
    numbers[order] = (first + np.arange(n_rows)) % n_folds
    if n_rows == 1:
        numbers[:] = -1
    return numbers


def deal_groups(
    groups: Sequence[Rows], n_folds: int, rng: np.random.Generator
) -> list[Rows]:
    """Give each row of each task the fold of its group; a lone group gets none."""
    known = np.unique(np.concatenate(groups))
    if len(known) < n_folds:
        msg = f"there are {len(known)} groups for {n_folds} folds: take fewer folds"
        raise ValueError(msg)
    of_group = deal(len(known), n_folds, rng)
    numbers = [of_group[np.searchsorted(known, codes)] for codes in groups]
    # A task whose rows would all be held out at once has nothing to learn from.
    return [np.full(len(n), -1) if len(np.unique(n)) < 2 else n for n in numbers]


def _codes(columns: npt.NDArray[Any]) -> Rows:
    """The number of each distinct row."""
    frame = pd.DataFrame(columns)
    codes = frame.groupby(list(frame.columns), sort=True).ngroup()
    return np.asarray(codes, dtype=np.intp)
