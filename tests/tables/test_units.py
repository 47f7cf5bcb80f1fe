"""Units decide nothing: neither those of the target nor those of the variables."""

from dataclasses import replace

import numpy as np
import pytest

from vstg import discover, solve_vstg
from vstg.data import MultiTaskData, target_spreads
from vstg.data.designs import margins
from vstg.datasets import load_sample, make_syn
from vstg.inspection import selected_variables, task_groups
from vstg.jobs.store.blobs import pack_data, unpack_data
from vstg.metrics import errors_on, rmse_by_task
from vstg.model_selection import search_grid
from vstg.prediction import Predictor
from vstg.tables import Preparation, Recipe, prepare, read_table

SETTING = {
    "n_latent": 4, "k": 1, "gamma1": 2**-6, "gamma2": 2**-6, "cut": 0.1, "relax": 0.0,
}  # fmt: skip
SHOPS = load_sample("shops")
RECIPE = Recipe(
    task=SHOPS.task, targets=SHOPS.targets, missing="median", scaling="standard"
)


def shops(target=1.0, variables=1.0):
    """The sample with other units; 0/1 variables have none."""
    table = read_table(SHOPS.path)
    frame = table.frame.copy()
    for name in frame.columns:
        plain = frame[name].dtype.kind in "if" and not frame[name].isin([0, 1]).all()
        if plain:
            unit = target if name in SHOPS.targets else variables
            frame[name] = frame[name].astype(float) * unit
    return replace(table, frame=frame)


def fitted(table):
    prepared = prepare(table, RECIPE)
    options = {"fit_intercept": True, "allow_constant": True}
    result = solve_vstg(prepared.train, **SETTING, **options)
    preparation = Preparation.of(prepared)
    return prepared, Predictor.of(result, prepared.train, preparation=preparation)


@pytest.mark.parametrize(("target", "variables"), [(1e-6, 1), (1e6, 1e-6), (1, 1e6)])
def test_units_change_neither_variables_nor_groups_nor_predictions(target, variables):
    plain, before = fitted(shops())
    scaled, after = fitted(shops(target, variables))
    assert selected_variables(after.U).tolist() == selected_variables(before.U).tolist()
    groups = [
        [group.tasks for group in task_groups(model.V, U=model.U)]
        for model in (before, after)
    ]
    assert groups[0] == groups[1]
    old = before.predict(shops().frame)["prediction"]
    new = after.predict(shops(target, variables).frame)["prediction"]
    np.testing.assert_allclose(new / target, old, rtol=1e-6)
    errors = [
        errors_on(p.test, margins(p.test.X, m.result.W, m.result.intercept)).mean
        for p, m in ((plain, before), (scaled, after))
    ]
    assert errors[1] == pytest.approx(target * errors[0])


def test_without_scaling_the_unit_of_the_target_decides():
    """The test above can fail: rates of 0.03 once gave an empty model."""
    table = shops(1e-6)
    train = prepare(table, replace(RECIPE, target_scaling="none")).train
    result = solve_vstg(train, **SETTING, fit_intercept=True, allow_constant=True)
    assert not result.U.any()


def test_a_search_chooses_the_same_and_reports_errors_in_the_users_unit():
    grid = {"n_latent": (2,), "k": (1,), "gamma1": (2**-8, 2**-3), "gamma2": (2**-5,)}
    found = [
        search_grid(prepare(shops(unit), RECIPE).train, "vstg", grid, 3,
                    fit_intercept=True)
        for unit in (1.0, 1e6)
    ]  # fmt: skip
    assert found[0].best == found[1].best
    assert found[1].best_error == pytest.approx(1e6 * found[0].best_error, rel=1e-6)


def test_a_discovery_is_the_same_in_other_units():
    grid = {"n_latent": (2,), "k": (1,), "strength": (0.1,)}
    found = []
    for table in (shops(), shops(1e6, 1e-6)):
        prepared = prepare(
            replace(table, frame=table.frame.iloc[:300, [0, 1, 2, 3, 4, 12]]), RECIPE
        )
        data = prepared.to_dataset("shops")
        found.append(discover(data, n_resamples=0, cv=2, grid=grid))
    assert found[0].kept == found[1].kept
    assert [g.tasks for g in found[0].groups] == [g.tasks for g in found[1].groups]
    for name in ("error", "test_error"):
        one, other = (getattr(f, name) for f in found)
        assert other == pytest.approx(1e6 * one, rel=1e-5)
    means = [f.baselines["mean of each task"] for f in found]
    assert means[1] == pytest.approx(1e6 * means[0])


def test_targets_of_several_columns_have_their_own_units():
    sample = load_sample("wines")
    recipe = Recipe("wide", None, sample.targets, missing="median")
    table = read_table(sample.path)
    train = prepare(table, recipe).train
    np.testing.assert_allclose([y.std() for y in train.y], 1.0)
    frame = table.frame.copy()
    frame[sample.targets[0]] *= 1e6
    other = prepare(replace(table, frame=frame), recipe).train
    for y, same in zip(train.y, other.y, strict=True):
        np.testing.assert_allclose(same, y)
    assert other.units[0] == pytest.approx(1e6 * train.units[0])
    # An average over different units is in standard deviations, a task in its own.
    zero = [np.full(len(y), y.mean()) for y in other.y]
    errors = errors_on(other, zero)
    assert errors.mean == pytest.approx(1.0)
    np.testing.assert_allclose(errors.by_task, other.units)


def test_the_papers_data_sets_stay_as_the_paper_has_them():
    for number in (1, 2, 3, 4):
        syn = make_syn(number, n_train=5, n_test=2, random_state=0)
        assert syn.train.units == syn.test.units == ()
        assert syn.train.unit == 1.0 and syn.train.targets is syn.train.y


def test_parts_of_data_keep_the_units_and_a_store_too():
    train = prepare(shops(), RECIPE).train
    kept = [
        train.take([np.arange(3)] * train.n_tasks), train.split(0.5, random_state=0)[0],
        train.columns(np.arange(2)), train.subset(features=[0]),
        unpack_data(pack_data(train)),
    ]  # fmt: skip
    assert all(part.units == train.units for part in kept)
    assert kept[-1].fingerprint == train.fingerprint
    plain = MultiTaskData(train.X, train.y, train.task_names, train.feature_names)
    assert plain.fingerprint != train.fingerprint  # its errors are other numbers
    for y, raw in zip(plain.scaled(train.units).targets, plain.y, strict=True):
        np.testing.assert_allclose(y, raw)
    with pytest.raises(ValueError, match="one positive number per task"):
        train.scaled([1.0, -1.0])


def test_the_spread_is_taken_within_the_tasks():
    y = [np.array([0.0, 2.0]), np.array([1e3, 1e3 + 4.0, 1e3 + 2.0])]
    data = MultiTaskData([np.eye(2), np.ones((3, 2))], y)
    expected = np.sqrt((2 * 1.0 + 8.0) / 5)
    np.testing.assert_allclose(target_spreads(data), expected)
    flat = MultiTaskData([np.eye(2)], [np.full(2, 0.1)])
    assert target_spreads(flat).tolist() == [1.0]
    assert rmse_by_task(y, y).sum() == 0.0
