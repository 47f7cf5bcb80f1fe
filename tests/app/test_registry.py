"""The state of the page: links, limits, presets."""

import pytest

from pages.shared import words as common
from pages.shared.state import exact
from pages.shared.state.choices import (
    basis_limit,
    choices,
    control_values,
    not_shown,
    wrongly_typed,
)
from pages.shared.state.links import check_link, to_query
from pages.shared.state.parameters import PARAMS, OneOf
from pages.shared.state.presets import PRESETS
from vstg.objective import Settings


@pytest.mark.parametrize("param", PARAMS.values(), ids=PARAMS)
def test_default_survives_a_link(param):
    if param.default is not None:
        assert param.allowed.read(param.write(param.default)) == param.default


@pytest.mark.parametrize("param", PARAMS.values(), ids=lambda param: param.key)
def test_every_parameter_has_words(param):
    label, help_text = common.CONTROLS[param.key]
    assert label
    assert help_text


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("K", "999"), ("K", "0"), ("K", "five"), ("K", "2.5"), ("g1", "-11"),
        ("tie", "maybe"), ("data", "Syn9"), ("noise", "nan"), ("noise", "-1"),
        ("starts", "3"), ("view", ""), ("seed", "9" * 400),
    ],
)  # fmt: skip
def test_impossible_values_are_named(key, text):
    (bad,) = check_link({key: text})
    assert (bad.key, bad.value) == (key, text)
    assert bad.used == PARAMS[key].write(PARAMS[key].default)


def test_possible_and_foreign_values_are_not():
    assert check_link({"K": "13", "tie": "false", "embed": "true", "tab": "x"}) == []


def test_link_leaves_defaults_out_and_reads_back():
    values = {key: param.default for key, param in PARAMS.items()}
    assert to_query(values) == {}
    values |= {"K": 7, "zero": 0.05, "noise": 0.25, "tie": False, "solver": "admm"}
    query = to_query(values)
    assert set(query) == {"K", "zero", "noise", "tie", "solver"}
    for key, text in query.items():
        assert PARAMS[key].allowed.read(text) == values[key]


def test_settings_survive_the_controls():
    settings = Settings(4, 2, 0.25, 2.0, 0.5, cut=0.15, relax=0.0)
    assert choices(control_values(settings)).settings == settings
    assert not not_shown(settings)


@pytest.mark.parametrize(
    "settings",
    [
        Settings(4, 2, 0.25, 2.0, 0.25, cut=0.12, relax=0.5),
        Settings(40, 20, 0.3, 1e-7, 0.3),
        Settings(2, 1, 1 / 3, 0.0, 16.0),
        Settings(2, 1, 0.0, 0.0, 0.0),
    ],
)
def test_settings_between_the_positions_are_carried_exactly(settings):
    values = control_values(settings)
    assert not not_shown(settings)
    query = to_query(values)
    again = {key: PARAMS[key].allowed.read(text) for key, text in query.items()}
    assert choices(again).settings == settings


def test_a_moved_slider_leaves_what_was_typed():
    values = control_values(Settings(4, 2, 0.3, 2.0, 0.3))
    assert values["exact"] == "g1=0.3"
    assert choices({**values, "g1": -5}).settings.gamma1 == 2**-5
    assert choices({**values, "K": 7}).settings.gamma1 == 0.3


def test_what_cannot_be_shown_is_named():
    lost = not_shown(Settings(101, 1, 1.0, 1.0, 1.0))
    assert lost == ["K = 101 (shown: 13)"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("K=20, γ₁ = 0.3; mu=2^-5", {"n_latent": 20, "gamma1": 0.3, "mu": 2**-5}),
        ("cut=12% gamma2=1e-4", {"cut": 0.12, "gamma2": 1e-4}),
        ("", {}),
    ],
)
def test_typed_values_are_read(text, found):
    assert exact.read(text) == (found, [])


@pytest.mark.parametrize(
    "text",
    ["K=2.5", "K=0", "K=1000", "k=-1", "g1=x", "g1", "cut=1", "relax=2", "q=1",
     "g1=nan", "g1=9^999", "K=1e999", "g1=²", "1" * 300],
)  # fmt: skip
def test_wrongly_typed_values_are_said_and_not_used(text):
    assert wrongly_typed({"exact": text})
    assert choices({"exact": text}).settings == choices({}).settings


def test_typed_values_that_do_not_go_together_are_not_used():
    values = control_values(Settings(4, 2, 0.25, 2.0, 0.5))
    values |= exact.positions({"gamma1": 0.0, "gamma2": 0.0})
    values["exact"] = "g1=0 g2=0"  # leaves U without a penalty
    assert "unpenalised" in wrongly_typed(values)[0]
    assert choices(values).settings.mu == 0.5


def test_k_is_brought_down_to_K():
    model = choices({"K": 3, "k": 9}).settings
    assert (model.n_latent, model.k) == (3, 3)


def test_K_is_limited_by_the_data():
    chosen = choices({})
    assert basis_limit(chosen.data) == 13


def test_mu_follows_gamma1_until_it_is_let_go():
    assert choices({"g1": -3, "mu": 2}).settings.mu == 2**-3
    assert choices({"g1": -3, "mu": 2, "tie": False}).settings.mu == 4.0


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_presets_set_only_possible_values(preset):
    for key, value in preset.values.items():
        param = PARAMS[key]
        assert key in preset.resets
        assert param.allowed.read(param.write(value)) == value


def test_every_data_set_can_be_loaded():
    for name in PARAMS["data"].allowed.options:
        choice = choices({"data": name}).data
        train = choice.load().train
        assert (train.n_features, train.n_tasks) == choice.shape


def test_labels_of_options_differ():
    for param in PARAMS.values():
        if isinstance(param.allowed, OneOf):
            labels = [param.allowed.label(option) for option in param.allowed.options]
            assert len(set(labels)) == len(labels)
