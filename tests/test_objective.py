import numpy as np
import pytest
from oracles import objective_by_loops

from vstg.losses import get_loss
from vstg.objective import Objective, Settings


@pytest.fixture
def settings():
    return Settings.checked(n_latent=3, k=2, gamma1=0.3, gamma2=0.2, mu=0.15)


@pytest.mark.parametrize("name", ["squared", "logistic"])
def test_value_is_equation_6_written_as_loops(name, settings, request, rng):
    data = request.getfixturevalue(
        {"squared": "regression", "logistic": "classification"}[name]
    )
    U = rng.normal(size=(data.n_features, 3))
    V, b = rng.normal(size=(3, data.n_tasks)), rng.normal(size=data.n_tasks)
    value = Objective(data, get_loss(name), settings).value(U, V, b)
    expected = objective_by_loops(data, name, settings, U, V, b)
    assert value == pytest.approx(expected, rel=1e-7)


def test_scaling_U_against_V_keeps_the_loss(regression, settings, rng):
    U, V = rng.normal(size=(5, 3)), rng.normal(size=(3, 4))
    objective = Objective(regression, get_loss("squared"), settings)
    once, twice = objective.terms(U, V), objective.terms(2 * U, V / 2)
    assert twice["loss"] == pytest.approx(once["loss"])
    assert twice["l1"] == pytest.approx(2 * once["l1"])
    assert twice["k_support"] == pytest.approx(once["k_support"] / 4)


def test_residuals_vanish_only_at_an_optimum(regression, settings, rng):
    objective = Objective(regression, get_loss("squared"), settings)
    U, V = np.zeros((5, 3)), np.zeros((3, 4))
    assert objective.residuals(U, V)[:2] == (0.0, 0.0)
    away = objective.residuals(rng.normal(size=(5, 3)), rng.normal(size=(3, 4)))
    assert away.U > 0.01
    assert away.V > 0.01


GOOD = {"n_latent": 5, "k": 3, "gamma1": 0.1, "gamma2": 0.1, "mu": 0.1}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"k": 6}, "k=6 must lie between 1 and n_latent=5"),
        ({"k": 0}, "k=0 must lie between 1 and n_latent=5"),
        ({"n_latent": 0}, "n_latent=0 must be at least 1"),
        ({"gamma1": -1.0}, "gamma1=-1.0 must be a finite number, at least 0"),
        ({"gamma2": np.inf}, "gamma2=inf must be a finite number"),
        ({"mu": float("nan")}, "mu=nan must be a finite number"),
        ({"mu": 0.0}, "leave V unpenalised"),
        ({"gamma1": 0.0, "gamma2": 0.0}, "leave U unpenalised"),
    ],
)
def test_impossible_settings_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        Settings.checked(**(GOOD | change))


@pytest.mark.parametrize("change", [{"n_latent": 2.5}, {"k": True}, {"gamma1": "1"}])
def test_settings_of_a_wrong_type_are_refused(change):
    with pytest.raises(TypeError, match=next(iter(change))):
        Settings.checked(**(GOOD | change))


def test_mu_defaults_to_gamma1():
    assert Settings.checked(**(GOOD | {"mu": None, "gamma1": 0.7})).mu == 0.7
