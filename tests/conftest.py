"""Fixtures that many tests share."""

import numpy as np
import pytest

from vstg.data import MultiTaskData

LONG = ("browser", "solvers", "jobs", "docs", "packaging")


def pytest_collection_modifyitems(items):
    """Folders with long tests come first: none is left for one worker at the end."""
    place = {folder: number for number, folder in enumerate(LONG)}
    items.sort(key=lambda item: place.get(item.path.parent.name, len(LONG)))


@pytest.fixture(scope="session", autouse=True)
def own_store(tmp_path_factory):
    """Runs that tests make never reach the user's own store."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("runs")
        patch.setenv("VSTG_STORE", str(folder / "runs.sqlite"))
        patch.setenv("VSTG_NICE", "0")  # nobody else is to be served first
        patch.setenv("VSTG_CURVES", "off")  # seventy fits for every setting
        yield


@pytest.fixture
def rng() -> np.random.Generator:
    """The one source of randomness of a test."""
    return np.random.default_rng(20180819)


def draw_tasks(
    rng: np.random.Generator, sizes: tuple[int, ...], n_features: int
) -> tuple[list, list]:
    """Designs and noisy linear responses of tasks that share two directions."""
    basis = rng.normal(size=(n_features, 2))
    X = [rng.normal(size=(n, n_features)) for n in sizes]
    y = [x @ basis @ rng.normal(size=2) + 0.5 * rng.normal(size=len(x)) for x in X]
    return X, y


@pytest.fixture
def regression(rng: np.random.Generator) -> MultiTaskData:
    """Four tasks of unequal size on five variables, with means far from zero."""
    X, y = draw_tasks(rng, (14, 9, 22, 17), 5)
    return MultiTaskData([x + 1.5 for x in X], [target - 2.0 for target in y])


@pytest.fixture
def classification(rng: np.random.Generator) -> MultiTaskData:
    """Three tasks of unequal size with unbalanced labels -1 and +1."""
    X, y = draw_tasks(rng, (40, 31, 54), 4)
    return MultiTaskData(X, [np.where(target > 0.6, 1.0, -1.0) for target in y])
