"""Select tasks, features and rows: by name, or at random for training and test."""

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from vstg.data.values import Array, DataError, Index

Drawn = TypeVar("Drawn")


def row_index(raw: npt.ArrayLike, n_samples: int) -> Index:
    """Return positions from positions or from a mask as long as the task."""
    rows = np.asarray(raw)
    if rows.dtype != bool:
        return rows.astype(np.intp)
    if len(rows) != n_samples:
        msg = f"a mask of {len(rows)} rows does not fit a task of {n_samples} rows"
        raise DataError(msg)
    return np.flatnonzero(rows)


def check_rows(index: Index, task: str) -> None:
    """Raise DataError if a task would be left without rows."""
    if len(index) == 0:
        msg = (
            f"task {task!r}, there are no rows: "
            "leave the task out or give it observations"
        )
        raise DataError(msg)


def positions(
    wanted: Sequence[str | int] | None, names: Sequence[str], *, kind: str
) -> list[int]:
    """Return the positions of names or numbers; all of them for None."""
    if wanted is None:
        return list(range(len(names)))
    place = {name: i for i, name in enumerate(names)}
    unknown = [
        item
        for item in wanted
        if (item not in place if isinstance(item, str) else not 0 <= item < len(names))
    ]
    if unknown:
        msg = f"{kind}s {unknown} are not in the data; there are {list(names)}"
        raise DataError(msg)
    return [place[item] if isinstance(item, str) else int(item) for item in wanted]


def draw_by_name(names: Sequence[str], draw: Callable[[int], Drawn]) -> list[Drawn]:
    """Call ``draw`` with the position of every task, and return what it drew in order.

    Tasks take their turn in the order of their names, with numbers by value, so that
    one random generator draws the same for a task wherever it stands in the data.
    """
    turns = sorted(range(len(names)), key=lambda j: (_natural(names[j]), names[j]))
    drawn = {position: draw(position) for position in turns}
    return [drawn[position] for position in range(len(names))]


def _natural(name: str) -> list[tuple[int, str]]:
    """Return a sort key that orders digits by value: task2 comes before task10."""
    pieces = re.findall(r"[0-9]+|[^0-9]+", name)
    values = [piece.lstrip("0") if piece[0].isdecimal() else None for piece in pieces]
    return [
        (-1, piece) if value is None else (len(value), value)
        for piece, value in zip(pieces, values, strict=True)
    ]


def count_train(n_samples: int, test_size: float) -> int:
    """Return floor((1 - test_size) n), but at least one row for either part."""
    # 1e-9 keeps (1 - 0.9) * 10 = 0.9999999999999998 from becoming no row.
    n_train = int(np.floor((1.0 - test_size) * n_samples + 1e-9))
    return min(max(n_train, 1), n_samples - 1)


def split_rows(
    n_samples: int,
    test_size: float,
    rng: np.random.Generator,
    strata: npt.NDArray[np.intp] | None = None,
) -> tuple[Index, Index]:
    """Return sorted training and test rows, drawn at random.

    With ``strata`` (one code per row) each stratum gives its share of the training
    rows, rounded so that their total stays :func:`count_train`.
    """
    n_train = count_train(n_samples, test_size)
    order = rng.permutation(n_samples)
    if strata is None:
        chosen = order[:n_train]
    else:
        quota = _share(np.bincount(strata), n_train)
        chosen = np.concatenate(
            [order[strata[order] == s][:count] for s, count in enumerate(quota)]
        )
    in_train = np.zeros(n_samples, dtype=bool)
    in_train[chosen] = True
    return np.flatnonzero(in_train), np.flatnonzero(~in_train)


def split_tasks(
    targets: Sequence[Array],
    test_size: float,
    rng: np.random.Generator,
    *,
    shared: bool,
    stratify: bool,
) -> tuple[list[Index], list[Index]]:
    """Split the rows of every task; tasks with shared rows are split alike."""
    groups = [targets] if shared else [[y] for y in targets]
    train, test = [], []
    for ys in groups:
        strata = label_strata(ys) if stratify else None
        kept, held_out = split_rows(len(ys[0]), test_size, rng, strata)
        train += [kept] * len(ys)
        test += [held_out] * len(ys)
    return train, test


def split_groups(
    groups: Sequence[Index], test_size: float, rng: np.random.Generator
) -> tuple[list[Index], list[Index]]:
    """Split the rows of every task so that no group is in both parts."""
    known, counts = np.unique(np.concatenate(groups), return_counts=True)
    order = rng.permutation(len(known))
    # Groups are given to the test part until it has its share of the rows.
    before = np.cumsum(counts[order]) - counts[order]
    chosen = known[order[before < test_size * counts.sum()]]
    marks = [np.isin(codes, chosen) for codes in groups]
    return [np.flatnonzero(~m) for m in marks], [np.flatnonzero(m) for m in marks]


def _share(counts: Index, n_train: int) -> Index:
    """Divide ``n_train`` in proportion to ``counts`` by largest remainders."""
    exact = counts * (n_train / counts.sum())
    quota = np.floor(exact + 1e-9).astype(np.intp)
    # A stratum without any training row could not be learnt: it comes first.
    urgency = exact - quota + (quota == 0)
    late = np.argsort(-urgency, kind="stable")[: n_train - quota.sum()]
    quota[late] += 1
    return quota


def label_strata(targets: Sequence[Array]) -> npt.NDArray[np.intp]:
    """Return one code per row for each distinct combination of the tasks' labels."""
    _, codes = np.unique(np.stack(list(targets)), axis=1, return_inverse=True)
    return codes.reshape(-1)


def check_split(test_size: float, n_samples: Index, names: tuple[str, ...]) -> None:
    """Check that the share is in (0, 1) and every task can be in both parts."""
    if not 0.0 < test_size < 1.0:
        msg = f"test_size={test_size} must lie between 0 and 1"
        raise DataError(msg)
    for name, count in zip(names, n_samples, strict=True):
        if count < 2:
            msg = (
                f"task {name!r} has {count} row and cannot be in both parts: "
                "leave the task out or give it more rows"
            )
            raise DataError(msg)


def check_strata(targets: Sequence[Array], names: Sequence[str]) -> None:
    """Raise DataError unless the targets are labels."""
    for y, name in zip(targets, names, strict=True):
        if not np.isin(y, (-1.0, 1.0)).all():
            value = y[~np.isin(y, (-1.0, 1.0))][0]
            msg = (
                f"task {name!r} has the target {value}: stratify needs labels -1 "
                "and +1; split without it"
            )
            raise DataError(msg)
