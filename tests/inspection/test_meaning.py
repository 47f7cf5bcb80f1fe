"""Effects in the user's units, and the sentences that are made of them."""

import numpy as np
import pytest

from vstg import MultiTaskData, solve_vstg
from vstg.datasets import load_sample
from vstg.inspection.meaning import Meaning, plural
from vstg.prediction import Predictor
from vstg.tables import Preparation, Recipe, prepare, read_table

RNG = np.random.default_rng(0)
NAMES = ("employment", "capital", "unemployment", "promo")
X = [
    np.column_stack([RNG.normal(5, 2, (40, 3)), RNG.integers(0, 2, 40)])
    for _ in range(4)
]
TRAIN = MultiTaskData(X, [np.zeros(40)] * 4, list("abcd"), NAMES)
U = np.array([[1.0, 0], [0.5, 0], [0, 1.0], [0, 1.5]])
V = np.array([[2.0, 4, 0, 0], [-1.0, -1, 1, 0]])


@pytest.fixture
def meaning():
    return Meaning.of(
        U, V, TRAIN, scale=np.full(4, 10.0), target="output", task="state"
    )


def test_effects_are_those_of_one_standard_deviation_and_of_one_unit(meaning):
    W, spread = U @ V, np.concatenate(X).std(axis=0)
    np.testing.assert_allclose(meaning.effects[:3], (W * spread[:, None])[:3])
    np.testing.assert_allclose(meaning.effects[3], W[3])  # from 0 to 1
    np.testing.assert_allclose(meaning.per_unit, W / 10.0)


def test_a_group_is_a_sentence(meaning):
    both, unemployed, nothing = meaning.groups
    text = "2 states (a, b): output rises with employment and capital, falls with"
    assert meaning.sentence(both) == f"{text} unemployment and promo."
    assert (
        meaning.sentence(unemployed) == "c: output rises with unemployment and promo."
    )
    assert "d: no variable helps" in meaning.sentence(nothing)
    assert meaning.basis_name(0) == "employment, capital"
    assert meaning.basis_name(1) == "unemployment, promo"


def test_signs_that_differ_between_tasks_are_called_mixed():
    V = np.array([[2.0, -2.0, 2.0, -2.0]])
    mixed = Meaning.of(U[:, :1], V, TRAIN)
    assert "up in some and down in others with employment" in mixed.sentence(
        mixed.groups[0]
    )


def test_groups_are_told_apart_by_the_largest_difference(meaning):
    both, unemployed, nothing = meaning.groups
    i = int(
        np.abs(meaning.mean_effects(both) - meaning.mean_effects(unemployed)).argmax()
    )
    text = meaning.difference(both, unemployed)
    assert text.startswith(NAMES[i])
    assert "against" in text
    assert meaning.difference(nothing, nothing) == "no variable distinguishes them"


def test_the_table_has_the_mean_over_the_tasks_of_a_group(meaning):
    table = meaning.frame().set_index(["group", "variable"])
    assert table.loc[(1, "capital"), "per unit"] == pytest.approx(0.5 * 3 / 10)
    assert (2, "employment") not in table.index
    assert len(Meaning.of(U * 0, V, TRAIN).frame()) == 0


def test_an_effect_per_unit_is_what_a_prediction_changes_by():
    sample = load_sample("shops")
    table = read_table(sample.path)
    recipe = Recipe(
        task=sample.task, targets=sample.targets, missing="median", scaling="standard"
    )
    prepared = prepare(table, recipe)
    result = solve_vstg(
        prepared.train, n_latent=3, k=1, gamma1=2**-6, gamma2=2**-6, fit_intercept=True
    )
    model = Predictor.of(result, prepared.train, preparation=Preparation.of(prepared))
    said = Meaning.of(
        model.U, model.V, prepared.train, scale=prepared.transform.origins[1],
        task=sample.task,
    )  # fmt: skip
    row = table.frame.head(1).copy()
    before = model.predict(row)["prediction"].iloc[0]
    row["leaflets_thousand"] += 1.0
    change = model.predict(row)["prediction"].iloc[0] - before
    i = prepared.train.feature_names.index("leaflets_thousand")
    j = prepared.train.task_names.index(row["shop"].iloc[0])
    assert said.per_unit[i, j] == pytest.approx(change)
    assert said.tasks == "shops"


def test_names_of_columns_in_the_plural():
    assert [plural(n) for n in ("STATE", "country", "day", "task_id", "series")] == [
        "states", "countries", "days", "tasks", "tasks",
    ]  # fmt: skip


def test_names_with_commas_are_told_apart():
    names = ["Congo, Rep.", "Korea", "Korea, South", "Chad"]
    train = MultiTaskData(X, TRAIN.y, names, NAMES)
    found = Meaning.of(U[:, :1], np.ones((1, 4)), train)
    assert "(Congo, Rep.; Korea; Korea, South; Chad)" in found.members(found.groups[0])
