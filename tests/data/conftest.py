"""Small data that the tests of this folder look at."""

import numpy as np
import pytest

from vstg.data import MultiTaskData


@pytest.fixture
def data(rng):
    sizes = (4, 7, 5)
    return MultiTaskData(
        X=[rng.normal(size=(n, 3)) for n in sizes],
        y=[rng.normal(size=n) for n in sizes],
        task_names=["north", "south", "west"],
        feature_names=["age", "income", "size"],
    )


@pytest.fixture
def shared(rng):
    return MultiTaskData.from_multioutput(
        rng.normal(size=(20, 3)), rng.normal(size=(20, 4))
    )


@pytest.fixture
def classes(rng):
    labels = np.repeat(["a", "b", "c"], [4, 8, 12])
    return MultiTaskData.one_vs_rest(rng.normal(size=(24, 3)), labels)
