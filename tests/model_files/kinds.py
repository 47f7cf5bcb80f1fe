"""One fitted model of every kind that can be saved."""

import numpy as np
import pandas as pd

from vstg import VSTGClassifier, VSTGRegressor

SETTINGS = dict(n_latent=3, k=2, gamma1=2**-5, gamma2=2**-6)
KINDS = [
    "plain regressor",
    "wide regressor",
    "regressor with a task column",
    "regressor with a task position",
    "two classes",
    "three classes",
    "wide classifier",
    "classifier with a task column",
    "tasks with labels of their own",
]


def fitted(kind, rng):
    """A model of every kind, and a table that it can predict."""
    X = rng.normal(size=(60, 4))
    Y = X @ rng.normal(size=(4, 3)) + 1.0
    tasks = np.array(["a", "b", "ç"])[np.arange(60) % 3]
    frame = pd.DataFrame(X, columns=list("wxyz")).assign(town=tasks)
    mixed = frame[["w", "town", "x", "y", "z"]].to_numpy()
    y = Y[np.arange(60), np.arange(60) % 3]
    labels = np.where(y > 1, "high", "low")
    own = np.where(tasks == "b", np.where(y > 1, "up", "down"), labels)
    model, table, target = {
        "plain regressor": (VSTGRegressor(), X, Y[:, 0]),
        "wide regressor": (VSTGRegressor(mu=0.25), X, Y),
        "regressor with a task column": (VSTGRegressor("town"), frame, y),
        "regressor with a task position": (VSTGRegressor(1, n_init=2), mixed, y),
        "two classes": (VSTGClassifier(), frame[["w", "z"]], y > 1),
        "three classes": (VSTGClassifier(), X, Y.argmax(axis=1)),
        "wide classifier": (VSTGClassifier(), X, np.where(Y > 1, 1.0, 0.0)),
        "classifier with a task column": (VSTGClassifier("town"), frame, labels),
        "tasks with labels of their own": (
            VSTGClassifier("town"),
            frame,
            pd.Series(own, dtype=object),
        ),
    }[kind]
    return model.set_params(**SETTINGS).fit(table, target), table
