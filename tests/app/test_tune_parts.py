"""What Tune works out before and after a click, without a page."""

from dataclasses import replace

import pytest

from pages.shared.data.catalogue import SyntheticData
from pages.shared.runs.grids import ready_grid
from pages.shared.runs.opening import explore_query
from pages.shared.state.choices import control_values
from pages.tune.edges import edges
from pages.tune.found import closest
from pages.tune.maps import clicked_cell, map_axes
from pages.tune.request import TuneChoice
from pages.tune.views import edge_words


def test_link_to_explore_has_exactly_the_setting():
    setting = {"n_latent": 9, "k": 3, "gamma1": 2**-7, "gamma2": 2.0}
    source = control_values(SyntheticData("Syn2", "25 × 20", 7, 50, 1.0))
    assert explore_query(source, setting) == {
        "data": "Syn2", "seed": "7", "K": "9", "k": "3", "g1": "-7", "g2": "1",
    }  # fmt: skip


def test_click_is_read_in_both_forms_and_nothing_else():
    class Event:
        def __init__(self, *points):
            self.selection = type("S", (), {"points": list(points)})

    assert clicked_cell(Event({"customdata": ["K = 5", 0.5, 2]})) == ("K = 5", 0.5, 2.0)
    spread = {"customdata": {"0": "", "1": 1, "2": 4}}
    assert clicked_cell(Event(spread)) == ("", 1.0, 4.0)
    assert clicked_cell(Event({"x": 1})) is None
    assert clicked_cell(None) is None
    assert map_axes(("n_latent", "k", "gamma1", "gamma2")) == ("gamma2", "gamma1")
    assert map_axes(("gamma1",)) == ("gamma1", "gamma1")


def test_grid_stays_within_what_the_data_allow():
    grid = ready_grid("paper", 4)
    assert grid["n_latent"] == (3,)
    choice = TuneChoice(
        methods=("vstg",), **grid, validation=False, folds=5, repeats=2, seed=0,
        halving=False, threads=1, scheduler=None,
    )  # fmt: skip
    assert choice.grid("vstg")["k"] == [1, 3]
    assert choice.n_fits() == 2 * 14 * 14 * 10


@pytest.mark.parametrize(
    ("folds", "share"), [(2, 1.0), (3, (2 + 1 / 3) / 3), (10, (2 + 4 / 3 + 4 / 9) / 10)]
)
def test_halving_saves_what_its_rounds_leave_out(folds, share):
    choice = TuneChoice(
        methods=("lasso",), n_latent=(), k=(), gamma1=(1.0,), gamma2=(), cut=(),
        relax=(), alpha=(), validation=False, folds=folds, repeats=1, seed=0,
        halving=True, threads=1, scheduler=None,
    )  # fmt: skip
    assert choice.share == pytest.approx(share)


def test_edges_are_named_where_something_lies_beyond():
    tried = {
        "n_latent": (3, 5, 20), "k": (1, 3), "gamma1": (0.5, 1.0, 2.0),
        "gamma2": (0.25,), "cut": (0.0, 0.3), "relax": (0.0, 1.0),
    }  # fmt: skip
    setting = {
        "n_latent": 3, "k": 3, "gamma1": 2.0, "gamma2": 0.25, "cut": 0.3, "relax": 0.0,
    }  # fmt: skip
    found = [(edge.name, edge.largest) for edge in edges(setting, tried, 20)]
    assert found == [("n_latent", False), ("gamma1", True), ("cut", True)]
    natural = {**setting, "n_latent": 20, "k": 1, "gamma1": 1.0, "cut": 0.0}
    assert edges(natural, tried, 20) == []
    assert [e.name for e in edges(natural, tried, 25)] == ["n_latent"]
    text = edge_words("It", edges(setting, tried, 20))
    assert "K = 3 is the smallest, γ₁ = 2¹ is the largest and cut = 0.3 is the" in text
    beyond = "K below 3, γ₁ above 2¹ and cut above 0.3 (a custom grid)."
    assert text.endswith(f"search again with {beyond}")


def test_one_fit_of_the_refitted_method_serves_all_cuts():
    grid = ready_grid("coarse", 13)
    one = {"validation": False, "folds": 5, "repeats": 1, "seed": 0, "halving": False}
    choice = TuneChoice(
        methods=("vstg_refitted",), **grid, **one, threads=1, scheduler=None
    )
    plain = replace(choice, methods=("vstg",))
    assert choice.n_settings("vstg_refitted") == 4 * plain.n_settings("vstg")
    assert choice.n_fits() == plain.n_fits()
    data = SyntheticData("Syn1", "25 × 20", 0, 50, 1.0)
    assert 1 < choice.seconds(data) / plain.seconds(data) <= 1.6


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [("gamma1", 0.3, 0.25), ("gamma1", 0.36, 0.5), ("cut", 0.16, 0.2), ("k", 9, 3)],
)
def test_what_was_found_is_marked_at_the_closest_place(name, value, expected):
    tried = {"gamma1": [0.25, 0.5], "cut": [0.1, 0.2], "k": [1, 3]}
    assert closest(name, value, tried[name]) == expected
