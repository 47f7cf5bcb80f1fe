"""A store in a temporary folder, a small search, and a manager that is closed."""

import pytest
from searches import GRID

from vstg.datasets import make_syn
from vstg.jobs import Manager, SearchRequest, Store


@pytest.fixture(scope="session")
def syn():
    return make_syn(1, random_state=0, n_train=12, n_features=10, n_tasks=8, n_latent=2)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "runs.sqlite"


@pytest.fixture
def store(path):
    with Store(path) as opened:
        yield opened


@pytest.fixture
def request_of():
    """The small search, with changes."""

    def request(**changes):
        return SearchRequest(**{"grid": GRID, "folds": 4, **changes})

    return request


@pytest.fixture
def manager(store):
    working = Manager(store)
    yield working
    working.close()
