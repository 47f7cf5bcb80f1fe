"""Three schools in one table, and models fitted to them."""

import numpy as np
import pandas as pd
import pytest
from schools import FEATURES, SETTINGS

from vstg import VSTGClassifier, VSTGRegressor


@pytest.fixture
def table(rng):
    """Rows of three schools, mixed; 'noise' has no influence. Target 'score' last."""
    schools = np.repeat(["north", "south", "west"], [30, 22, 41])
    X = rng.normal(size=(len(schools), 4)) + 1.0
    W = {"north": [2, 1, 0, 0], "south": [2, 1, 0, 0.5], "west": [-1, 0.5, 0, 2]}
    w = np.array([W[school] for school in schools])
    mean = pd.Series(schools).map({"north": 5.0, "south": -3.0, "west": 0.0})
    score = (X * w).sum(axis=1) + mean.to_numpy() + 0.1 * rng.normal(size=len(w))
    frame = pd.DataFrame(X, columns=FEATURES)
    frame.insert(1, "school", schools)
    frame["score"] = score
    order = rng.permutation(len(frame))
    return frame.iloc[order].set_axis(100 + np.arange(len(frame)), axis=0)


@pytest.fixture
def X(table):
    return table.drop(columns="score")


@pytest.fixture
def y(table):
    return table["score"]


@pytest.fixture
def model(X, y):
    return VSTGRegressor("school", **SETTINGS).fit(X, y)


@pytest.fixture
def answers(X, y):
    """'yes' or 'no': above the median of the school or not."""
    middle = y.groupby(X["school"]).transform("median")
    return pd.Series(np.where(y > middle, "yes", "no"), index=y.index)


@pytest.fixture
def classifier(X, answers):
    return VSTGClassifier("school", **SETTINGS).fit(X, answers)
