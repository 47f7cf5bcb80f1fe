"""Find variables that give the target away, or never change within a task."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from vstg.data import Array, MultiTaskData
from vstg.tables.prepare import Prepared

NEARLY = 0.999  # rank correlation of a variable that is nearly the target
AKIN, SHARED_LETTERS = 0.9, 5  # of one that moves with the target and is named like it
MIN_ROWS = 20  # fewer may be in order by chance
MAX_ROWS = 20_000
MAX_PRODUCTS = 2**33


def nearly_targets(prepared: Prepared) -> tuple[str, ...]:
    """Return the variables that are nearly a monotone function of the target.

    ``lfare`` for ``fare``, or the same in another unit: over all rows, or within the
    tasks if each has a unit of its own. Ranks are compared, so that the function may
    be any that rises or falls; for two classes, whether a threshold parts them.
    """
    strengths = target_strengths(prepared)
    return tuple(name for name, found in strengths.items() if found >= NEARLY)


def akin_to_targets(prepared: Prepared) -> tuple[str, ...]:
    """Return the variables that move with a target and have a similar name.

    ``total_score`` beside ``motor_score`` is another form of the target rather than a
    cause of it. Neither sign is enough alone: in a panel many variables grow together.
    """
    targets, names = prepared.recipe.targets, prepared.train.feature_names
    alike = [name for name in names if any(_alike(name, other) for other in targets)]
    if not alike:  # spares the ranks
        return ()
    strengths = target_strengths(prepared)
    return tuple(name for name in alike if AKIN <= strengths[name] < NEARLY)


def _alike(name: str, other: str) -> bool:
    """Whether two names share a run of letters long enough to be a word."""
    first, second = name.casefold(), other.casefold()
    starts = range(len(first) - SHARED_LETTERS + 1)
    runs = (first[start : start + SHARED_LETTERS] for start in starts)
    return any(run.isalpha() and run in second for run in runs)


def target_strengths(prepared: Prepared) -> dict[str, float]:
    """How closely each variable follows the order of a target, from 0 to 1."""
    train, recipe = prepared.train, prepared.recipe
    if recipe.layout == "classes":  # a class may well be apart from all others
        return dict.fromkeys(train.feature_names, 0.0)
    found = np.zeros(train.n_features)
    for X, targets in _blocks(train, shared=recipe.layout == "wide"):
        two = recipe.problem == "classification"
        strength = _rank_strength(X, targets, two_classes=two)
        found = np.maximum(found, strength)
    if recipe.layout == "long" and recipe.problem == "regression":
        found = np.maximum(found, _within_tasks(train))
    return dict(zip(train.feature_names, map(float, found), strict=True))


def _blocks(train: MultiTaskData, *, shared: bool) -> list[tuple[Array, Array]]:
    """Variables (n, D) and targets (n, t) whose rows belong together."""
    if not shared:
        X, y = np.concatenate(train.X), np.concatenate(train.y)
        step = 1 + len(X) // MAX_ROWS
        return [(X[::step], y[::step, None])]
    by_design: dict[int, list[int]] = {}
    for j, X in enumerate(train.X):
        by_design.setdefault(id(X), []).append(j)
    blocks = []
    for tasks in by_design.values():
        X = train.X[tasks[0]]
        if X.size * len(tasks) < MAX_PRODUCTS // max(1, len(by_design)):
            blocks.append((X, np.stack([train.y[j] for j in tasks], axis=1)))
    return blocks


def _rank_strength(X: Array, Y: Array, *, two_classes: bool) -> Array:
    """How closely each variable follows one of the targets in rank, 0 to 1."""
    if len(X) < MIN_ROWS:
        return np.zeros(X.shape[1])
    ranks = _ranks(X)
    if two_classes:
        n_high = (Y > 0).sum(axis=0)
        n_low = len(Y) - n_high
        wins = ranks.T @ (Y > 0) - n_high * (n_high + 1) / 2
        parted: Array = np.abs(2 * wins / np.maximum(n_high * n_low, 1) - 1)
        parted[:, np.minimum(n_high, n_low) < 2] = 0.0
        return parted.max(axis=1)
    return np.abs(_correlations(ranks, _ranks(Y))).max(axis=1)


def _ranks(X: Array) -> Array:
    """Rank within each column, without SciPy, which takes half a second to import."""
    return pd.DataFrame(X).rank().to_numpy()


def _correlations(first: Array, second: Array) -> Array:
    first, second = first - first.mean(axis=0), second - second.mean(axis=0)
    sizes = np.outer(np.linalg.norm(first, axis=0), np.linalg.norm(second, axis=0))
    products: Array = first.T @ second
    return products / np.where(sizes > 0, sizes, np.inf)


def _within_tasks(train: MultiTaskData) -> Array:
    """Correlate ranks within tasks, over the tasks with enough rows."""
    products, squares, others = np.zeros((3, train.n_features))
    n_rows = 0
    for X, y in zip(train.X, train.y, strict=True):
        if len(y) < MIN_ROWS or n_rows > MAX_ROWS:
            continue
        n_rows += len(y)
        ranks, target = _ranks(X), _ranks(y[:, None])[:, 0]
        ranks, target = ranks - ranks.mean(axis=0), target - target.mean()
        sign = np.sign(target @ ranks)
        products += sign * (target @ ranks)
        squares += (ranks**2).sum(axis=0)
        others += (target**2).sum()
    sizes = np.sqrt(squares * others)
    return products / np.where(sizes > 0, sizes, np.inf)


def same_within_tasks(prepared: Prepared) -> tuple[str, ...]:
    """Return the variables with one value per task: they shift its intercept."""
    train = prepared.train
    if prepared.recipe.layout != "long" or train.n_tasks < 2:
        return ()
    moves = np.zeros(train.n_features, dtype=bool)
    for X in train.X:
        moves |= np.ptp(X, axis=0) > 0
    return tuple(n for n, m in zip(train.feature_names, moves, strict=True) if not m)


def columns_of(prepared: Prepared, names: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of the table from which variables were made."""
    wanted = set(names)
    rules = prepared.transform.rules
    return tuple(
        dict.fromkeys(rule.column for rule in rules if wanted & set(rule.names))
    )
