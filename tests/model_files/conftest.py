"""A model and its file."""

import pytest
from kinds import fitted

from vstg import save_model


@pytest.fixture
def model(rng):
    return fitted("classifier with a task column", rng)[0]


@pytest.fixture
def path(tmp_path, model):
    path = tmp_path / "model.npz"
    save_model(model, path)
    return path
