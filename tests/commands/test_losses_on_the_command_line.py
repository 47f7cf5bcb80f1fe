"""Counts and targets with outliers: fit, predict, search and discover."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import mean_poisson_deviance

from vstg import load_model
from vstg.commands.shared.prepared import LOSS_OF
from vstg.prediction import Predictor
from vstg.tables.roles import LOSSES

FIT = "fit visits.csv --task ward --target visits --n-latent 2 --k 1"


@pytest.fixture
def visits(vstg):
    """Six wards of two kinds: counts, and costs of which every twelfth is a mistake."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(6 * 50, 5))
    first = np.repeat(np.arange(6) < 3, 50)
    m = np.where(first, 0.8 * X[:, 0] - 0.5 * X[:, 1], 0.7 * X[:, 2])
    table = pd.DataFrame(X, columns=list("abcde"))
    table.insert(0, "ward", np.repeat([f"ward {j}" for j in range(6)], 50))
    table["visits"] = rng.poisson(np.exp(1 + m))
    table["cost"] = 100 * m + 20 * rng.normal(size=len(m))
    table.loc[::12, "cost"] += 5000.0
    table.drop(columns="cost").to_csv("visits.csv", index=False)
    table.drop(columns="visits").to_csv("costs.csv", index=False)
    return table


def test_the_names_of_losses_are_those_of_recipes():
    assert {problem: loss for loss, problem in LOSS_OF.items()} == LOSSES


@pytest.mark.parametrize("how", ["", "--as-is"])
def test_counts_are_fitted_and_predicted_as_their_mean(vstg, visits, how):
    line = f"{FIT} --loss poisson --gamma1 0.01 --gamma2 0.01 -o visits.npz {how}"
    code, out, err = vstg(line)
    assert (code, err) == (0, "")
    assert "training error: mean deviance" in out
    assert how or "plain models: mean of each task" in out
    line = "predict visits.npz visits.csv --target visits --interval 90 -o p.csv"
    code, out, err = vstg(line)
    assert (code, err) == (0, "")
    found = pd.read_csv("p.csv")
    assert (found["prediction"] > 0).all()
    assert (found["prediction_lower"] >= 0).all()
    y = visits["visits"].to_numpy()
    inside = (found["prediction_lower"] <= y) & (y <= found["prediction_upper"])
    assert 0.85 < inside.mean() < 0.97
    # Twice as many as predicted would be, on average, twice as many as there are.
    assert found["prediction"].mean() == pytest.approx(y.mean(), rel=0.01)
    deviance = [
        mean_poisson_deviance(y[rows], found["prediction"].iloc[rows])
        for rows in visits.groupby("ward").indices.values()
    ]
    assert f"mean deviance {np.mean(deviance):.3}" in out
    assert load_model("visits.npz").loss == "poisson"
    table = Predictor.load("visits.npz").predict(visits)
    np.testing.assert_allclose(table["expected count"], found["prediction"])


@pytest.mark.parametrize(("value", "why"), [(-1, "is negative"), (2.5, "is no whole")])
def test_what_is_no_count_is_refused_before_the_fit(vstg, visits, value, why):
    visits["visits"] = visits["visits"].astype(float)
    visits.loc[7, "visits"] = value
    visits.to_csv("visits.csv", index=False)
    code, out, err = vstg(f"{FIT} --loss poisson -o visits.npz")
    assert (code, out) == (2, "")
    assert f"target 'visits' has {value} in row 9, which {why}" in err
    assert not Path("visits.npz").exists()


def test_outliers_do_not_decide_with_hubers_loss(vstg, visits):
    fit = "fit costs.csv --task ward --target cost --n-latent 2 --k 1"
    fit += " --gamma1 0.01 --gamma2 0.01 --force -o costs.npz"
    spoilt = np.arange(len(visits)) % 12 == 0
    errors = {}
    for loss in ("squared", "huber", "huber --huber-threshold 0.1"):
        code, out, err = vstg(f"{fit} --loss {loss}")
        assert (code, err) == (0, "")
        model = Predictor.load("costs.npz")
        found = model.predict(visits)["prediction"]
        errors[loss] = (found - visits["cost"])[~spoilt].abs().mean()
    assert "training error: mean absolute error" in out
    assert model.loss == "huber:0.1"
    assert errors["huber"] < 0.1 * errors["squared"]
    assert errors["huber --huber-threshold 0.1"] < errors["huber"]
    assert vstg(f"{fit} --huber-threshold 2")[2].count("needs --loss huber") == 1
    assert "must be above 0" in vstg(f"{fit} --loss huber --huber-threshold 0")[2]
    assert vstg(f"{fit} --loss huber --classify")[0] == 2


def test_search_and_discover(vstg, visits):
    grid = "--n-latent 2 --k 1 --gamma1 0.01 --gamma2 0.01 1 --folds 3"
    columns = "visits.csv --task ward --target visits --loss poisson"
    code, out, _ = vstg(f"search {columns} {grid} -o s.csv")
    assert code == 0
    assert "mean deviance_mean_over_tasks of the best settings" in out
    code, _, err = vstg(f"search {columns.replace('poisson', 'huber')} {grid} "
                        "-o s.csv --resume")  # fmt: skip
    assert code == 2
    assert "loss was 'poisson' and is 'huber'" in err
    code, out, _ = vstg(f"discover {columns} --resamples 0 --folds 3 --jobs 1")
    assert code == 0
    assert "The cross-validated mean deviance is" in out
    assert "3 of the 5 variables matter: a, c, b." in out
