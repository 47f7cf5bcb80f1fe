"""Find variables that give the target away as a sum, difference, product or ratio."""

from dataclasses import dataclass

import numpy as np

from vstg.data import Array
from vstg.tables.prepare import Prepared

UNEXPLAINED = 1e-5  # share of the target's variance that rounding may leave
WORTH_A_LOOK = 0.1  # before odd rows are set aside
ODD, ROUNDS = 0.05, 2  # share of odd rows, and how often they are set aside
TINY = 1e-10
MAX_TERMS = 12  # as the months of a year
MAX_COLUMNS, MAX_ROWS = 60, 2000
MIN_ROWS, ROWS_PER_COLUMN = 20, 3  # fewer rows are fitted exactly by chance


@dataclass(frozen=True)
class Identity:
    """Columns that give the target when they are added up or multiplied."""

    columns: tuple[str, ...]
    multiplied: bool


def identities(prepared: Prepared) -> tuple[Identity, ...]:
    """Return the smallest sets of columns that give the target in most rows.

    The target is fitted by least squares with all columns of numbers at once, and so is
    its logarithm with theirs where all are positive; a tenth of the rows may be off. Of
    an exact fit, columns that are not needed are removed one by one. One column that is
    enough alone is what :func:`~vstg.tables.checking.leaks.nearly_targets` finds.
    """
    recipe = prepared.recipe
    if recipe.layout != "long" or recipe.problem != "regression":
        return ()
    names, X = _numbers(prepared)
    y = np.concatenate(prepared.train.targets)
    step = 1 + len(y) // MAX_ROWS
    X, y = X[::step], y[::step]
    found = []
    terms = _exact_terms(X, y)
    if terms:
        found.append(Identity(tuple(names[i] for i in terms), multiplied=False))
    elif (y >= 0).all():
        X, y = X[y > 0], y[y > 0]  # a rate of nothing is nothing
        positive = np.flatnonzero((X > 0).all(axis=0))
        terms = _exact_terms(np.log(X[:, positive]), np.log(y))
        if terms:
            columns = tuple(names[positive[i]] for i in terms)
            found.append(Identity(columns, multiplied=True))
    return tuple(found)


def _numbers(prepared: Prepared) -> tuple[list[str], Array]:
    """Return the numeric columns as they are in the table, in the training rows."""
    train = prepared.train
    places = {name: i for i, name in enumerate(train.feature_names)}
    rules = [
        rule
        for rule in prepared.transform.rules
        if rule.kind == "number" and not rule.part and rule.title in places
    ][:MAX_COLUMNS]
    chosen = [places[rule.title] for rule in rules]
    X = np.concatenate([X[:, chosen] for X in train.X])
    shift, scale = (
        np.array([(rule.shift, rule.scale) for rule in rules]).reshape(-1, 2).T
    )
    return [rule.column for rule in rules], X * scale + shift


def _exact_terms(X: Array, y: Array) -> list[int]:
    """Return the columns that an exact fit needs; none if there is no exact fit."""
    n, n_columns = X.shape
    few = n < max(MIN_ROWS, ROWS_PER_COLUMN * n_columns)
    if n_columns < 2 or few or np.ptp(y) == 0:
        return []
    gram, kept = _correlations(X, y), list(range(n_columns))
    for _ in range(ROUNDS):
        if _unexplained(gram, kept) > WORTH_A_LOOK:
            return []
        X, y = _without_odd_rows(X, y)
        gram = _correlations(X, y)
    if _unexplained(gram, kept) > UNEXPLAINED:
        return []
    weights = np.abs(_weights(gram, kept))
    for i in [kept[place] for place in np.argsort(weights)]:
        others = [j for j in kept if j != i]
        if _unexplained(gram, others) <= UNEXPLAINED:
            kept = others
    return kept if 2 <= len(kept) <= MAX_TERMS else []


def _correlations(X: Array, y: Array) -> Array:
    """Correlate all columns and the target (last); 0 for constant columns."""
    Z = np.column_stack([X, y])
    Z = Z - Z.mean(axis=0)
    size = np.linalg.norm(Z, axis=0)
    Z = Z / np.where(size > 0, size, 1.0)
    return Z.T @ Z


def _without_odd_rows(X: Array, y: Array) -> tuple[Array, Array]:
    """Drop the rows that fit worst: a few slips do not undo an identity."""
    centred = X - X.mean(axis=0)
    centred /= np.maximum(np.linalg.norm(centred, axis=0), np.finfo(float).tiny)
    target = y - y.mean()
    weights = np.linalg.lstsq(centred, target, rcond=1e-10)[0]
    off = np.abs(target - centred @ weights)
    good = off <= np.quantile(off, 1.0 - ODD)
    return X[good], y[good]


def _weights(gram: Array, kept: list[int]) -> Array:
    """Return standardised coefficients of the target, the last of ``gram``."""
    # The small diagonal lets columns that repeat each other pass.
    inner = gram[np.ix_(kept, kept)] + TINY * np.eye(len(kept))
    return np.asarray(np.linalg.solve(inner, gram[kept, -1]), dtype=np.float64)


def _unexplained(gram: Array, kept: list[int]) -> float:
    """Return the share of the target's variance that these columns leave."""
    if not kept:
        return 1.0
    return float(1.0 - gram[kept, -1] @ _weights(gram, kept))
