"""Small data of every kind with weights, and the same rows repeated instead."""

import numpy as np
from scipy.sparse import csr_array

from vstg.data import MultiTaskData

TASK_WEIGHTS = (1.0, 2.0, 0.5, 1.0)
FORMS = ("dense", "sparse", "shared")


def draw(rng, loss, form="dense", n_rows=25, n_features=6):
    """Designs and targets of four tasks."""
    X = [rng.normal(size=(n_rows, n_features)) for _ in TASK_WEIGHTS]
    if form == "sparse":
        X = [csr_array(x * (np.abs(x) > 0.8)) for x in X]
    if form == "shared":
        X = [X[0]] * len(X)
    W = 0.5 * rng.normal(size=(n_features, 2)) @ rng.normal(size=(2, len(X)))
    y = []
    for x, w in zip(X, W.T, strict=True):
        m = x @ w + 0.3
        if loss == "logistic":
            y.append(np.where(m + rng.logistic(size=n_rows) > 0, 1.0, -1.0))
        elif loss == "poisson":
            y.append(rng.poisson(np.exp(np.clip(0.3 * m, -3, 2))).astype(float))
        else:
            y.append(m + 0.5 * rng.normal(size=n_rows))
    return X, y


def draw_weights(rng, y, form="dense", most=4):
    """Whole numbers from 0 on; tasks on one design have the same."""
    s = [rng.integers(0, most, size=len(one)).astype(float) for one in y]
    return [s[0]] * len(s) if form == "shared" else s


def repeated(X, y, s):
    """Every row as often as its weight says."""
    rows = [np.repeat(np.arange(len(one)), one.astype(int)) for one in s]
    taken = {id(x): x[i] for x, i in zip(X, rows, strict=True)}
    same = len(taken) < len(X)
    X = [taken[id(x)] if same else x[i] for x, i in zip(X, rows, strict=True)]
    return X, [one[i] for one, i in zip(y, rows, strict=True)]


def pair(rng, loss, form="dense", **sizes):
    """The weighted data and the repeated ones."""
    X, y = draw(rng, loss, form, **sizes)
    s = draw_weights(rng, y, form)
    weighted = MultiTaskData(X, y, weights=s, task_weights=TASK_WEIGHTS)
    return weighted, MultiTaskData(*repeated(X, y, s), task_weights=TASK_WEIGHTS)
