"""What Tune works out before and after a click, without a page."""

import pytest

from pages.shared.data.catalogue import SyntheticData
from pages.shared.runs.grids import ready_grid
from pages.shared.runs.opening import explore_query
from pages.shared.state.choices import control_values
from pages.tune.maps import clicked_cell, map_axes
from pages.tune.request import TuneChoice


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
        methods=("lasso",), n_latent=(), k=(), gamma1=(1.0,), gamma2=(),
        validation=False, folds=folds, repeats=1, seed=0, halving=True, threads=1,
        scheduler=None,
    )  # fmt: skip
    assert choice.share == pytest.approx(share)
