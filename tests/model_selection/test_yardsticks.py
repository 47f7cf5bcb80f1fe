"""Plain models to compare with: against scikit-learn, in any unit."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.metrics import d2_log_loss_score, r2_score, root_mean_squared_error

from vstg import MultiTaskData, solve_vstg
from vstg.data.designs import margins
from vstg.datasets import make_syn
from vstg.losses import get_loss
from vstg.model_selection.yardsticks import (
    PLAIN,
    STRENGTHS,
    compare_with_plain,
    plain_models,
    scores_of,
    strength_scale,
)

SYN = make_syn(1, n_train=15, n_test=40, n_tasks=8, random_state=0)


@pytest.fixture(scope="module")
def plain():
    return plain_models(SYN.train, fit_intercept=True)


@pytest.fixture(scope="module")
def against():
    fit = solve_vstg(
        SYN.train, n_latent=5, k=1, gamma1=2**-3, gamma2=2**-3, fit_intercept=True
    )
    return compare_with_plain(fit, SYN.train, SYN.test)


def test_scores_are_those_of_scikit_learn(plain):
    for fit in plain.values():
        scores = scores_of(fit, SYN.test, "squared")
        found = margins(SYN.test.X, fit.W, fit.intercept)
        pairs = list(zip(SYN.test.y, found, strict=True))
        r2 = [r2_score(y, p) for y, p in pairs]
        np.testing.assert_allclose(scores.explained_by_task, r2, atol=1e-10)
        rmse = [root_mean_squared_error(y, p) for y, p in pairs]
        np.testing.assert_allclose(scores.errors.by_task, rmse)
        assert scores.errors.mean == pytest.approx(np.mean(rmse))


def test_ridge_is_scikit_learns_at_a_strength_of_the_grid(plain):
    """(1/2N)‖y − Xw‖² + γ/2 ‖w‖² is Ridge with alpha = N γ."""
    scale = strength_scale(SYN.train, "ridge", get_loss("squared"))
    fit = plain["ridge per task"]
    distances = []
    for factor in (1.0, 2.0):  # whether the penalty is written with a half or not
        for strength in STRENGTHS:
            coefs = [
                Ridge(alpha=len(y) * strength * scale * factor).fit(X, y).coef_
                for X, y in zip(SYN.train.X, SYN.train.y, strict=True)
            ]
            distances.append(np.abs(np.array(coefs).T - fit.W).max())
    assert min(distances) < 1e-6


def test_one_ridge_for_all_has_one_slope(plain):
    W = plain["one ridge for all"].W
    np.testing.assert_allclose(W, np.repeat(W[:, :1], W.shape[1], axis=1))


def test_the_sentence_follows_the_numbers(against):
    assert set(against.baselines) == {"mean of each task", *PLAIN}
    assert "Sharing pays here" in against.sentence()  # 15 rows, 25 variables per task
    table = against.frame()
    assert table.index[0] == "this model"
    assert table["best in tasks"].sum() >= SYN.test.n_tasks
    rival = against.plain["ridge per task"]
    worse = replace(against, model=rival, plain={**against.plain, "LASSO": rival})
    assert "no clear difference" in worse.sentence()
    swapped = replace(
        against,
        model=rival,
        plain={
            name: rival if name == "one ridge for all" else against.model
            for name in against.plain
        },
    )
    assert "does not pay" in swapped.sentence()
    better = (rival.errors.by_task < against.model.errors.by_task).sum()
    assert f"(this model is better in {better} of 8 tasks)" in swapped.sentence()
    pooled = replace(
        against, model=rival, plain={**worse.plain, "one ridge for all": against.model}
    )
    assert "one ridge for all has" in pooled.sentence()


@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_other_units_give_the_same_shares_and_scaled_errors(plain, unit):
    train, test = (
        MultiTaskData(
            [X / unit for X in part.X], [y * unit for y in part.y], part.task_names
        )
        for part in (SYN.train, SYN.test)
    )
    for name, fit in plain_models(train, fit_intercept=True).items():
        before = scores_of(plain[name], SYN.test, "squared")
        after = scores_of(fit, test, "squared")
        assert after.explained == pytest.approx(before.explained, rel=1e-3)
        assert after.errors.mean == pytest.approx(unit * before.errors.mean, rel=1e-3)


def test_labels_have_the_explained_deviance_of_scikit_learn():
    rng = np.random.default_rng(0)
    w = rng.normal(size=(4, 3))
    X = [rng.normal(size=(60, 4)) for _ in range(3)]
    chance = [1 / (1 + np.exp(-X[j] @ w[:, j])) for j in range(3)]
    y = [np.where(rng.random(60) < p, 1.0, -1.0) for p in chance]
    data = MultiTaskData(X, y)
    train, test = data.split(0.5, random_state=0, stratify=True)
    model = SimpleNamespace(W=w, intercept=np.zeros(3))
    against = compare_with_plain(model, train, test, loss="logistic")
    assert against.explained_name == "D²"
    for j in range(3):
        p = 1 / (1 + np.exp(-test.X[j] @ w[:, j]))
        expected = d2_log_loss_score(test.y[j] > 0, p)
        assert against.model.explained_by_task[j] == pytest.approx(expected)
    assert against.model.errors.mean < against.baselines["mean of each task"]


def test_a_target_that_does_not_vary_explains_nothing():
    data = MultiTaskData([np.eye(3)] * 2, [np.ones(3), np.arange(3.0)])
    model = SimpleNamespace(W=np.zeros((3, 2)), intercept=np.array([1.0, 1.0]))
    scores = scores_of(model, data, "squared")
    assert np.isnan(scores.explained_by_task[0])
    assert scores.explained == pytest.approx(0.0)
