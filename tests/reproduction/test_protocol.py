"""The protocol of the paper's tables: numbers, grids, pieces."""

from dataclasses import replace

import numpy as np
import pytest

from vstg.baselines import BASELINES
from vstg.datasets import make_syn
from vstg.model_selection import TaskKFold, paper_grid, search_grid
from vstg.problem import Problem
from vstg.reproduction import (
    EXHIBITS,
    get_benchmark,
    get_effort,
    get_exhibit,
    run_piece,
)
from vstg.reproduction.exhibits import check_columns, check_sets, pieces
from vstg.reproduction.protocol import COLUMNS, Effort, distinct_grid, neighbours
from vstg.solvers import solve_vstg

QUICK = get_effort("quick")
TINY = Effort("tiny", "for tests", n_repetitions=1, n_folds=2, stride=6)
REFITTED = COLUMNS["vstg_refitted"]


def test_every_cell_of_a_table_has_a_printed_number():
    for exhibit in EXHIBITS.values():
        for name in exhibit.sets:
            data = get_benchmark(name)
            for measure in data.measures:
                for column in exhibit.columns:
                    assert exhibit.paper(data, measure, column).sd > 0


def test_a_variant_is_held_against_its_data_set():
    table = get_exhibit("table2")
    raw = table.paper(get_benchmark("school-raw"), "rmse", "lasso")
    assert raw == table.paper(get_benchmark("school"), "rmse", "lasso")


@pytest.mark.parametrize("name", ["mmtfl", "go_mtl"])
def test_equivalent_strengths_have_equal_fits(name):
    # The claim behind distinct_grid: only γ1²γ2 matters.
    train = make_syn(1, random_state=0).train
    problem = Problem.of(train, "squared", fit_intercept=False)
    sizes = {"n_latent": 3} if name == "go_mtl" else {}
    fits = [
        BASELINES[name].solve(problem, gamma1=g1, gamma2=g2, tol=1e-7, **sizes)
        for g1, g2 in [(0.5, 0.25), (2.0**4, 2.0**-12), (2.0**-6, 2.0**8)]
    ]
    for fit in fits[1:]:
        assert fit.objective == pytest.approx(fits[0].objective, rel=1e-6)
        np.testing.assert_allclose(fit.W, fits[0].W, atol=1e-3)


def test_distinct_grid_has_every_product_of_the_paper_once():
    grid, paper = distinct_grid(COLUMNS["mmtfl"]), paper_grid("mmtfl")
    products = {a * a * b for a in paper["gamma1"] for b in paper["gamma2"]}
    assert len(products) == 40
    assert set(grid["gamma2"]) == products
    assert distinct_grid(COLUMNS["vstg_k1"]) == paper_grid("vstg", k=(1,))


def test_coarse_pass_and_neighbours_reach_every_value():
    column, coarse = COLUMNS["vstg_opt"], get_effort("coarse")
    whole = paper_grid("vstg")
    for name in ("gamma1", "gamma2", "n_latent"):
        reached = set()
        for value in coarse.grid(column)[name]:
            setting = {"n_latent": 3, "k": 1, "gamma1": 1.0, "gamma2": 1.0}
            near = neighbours(column, {**setting, name: value})
            assert value in near[name]
            reached |= set(near[name])
        # Three apart, one to each side: only the far end of K stays out.
        assert set(whole[name]) - reached <= {13}


def test_neighbours_have_room_for_k():
    setting = {"n_latent": 9, "k": 7, "gamma1": 2.0**-10, "gamma2": 8.0}
    near = neighbours(COLUMNS["vstg_opt"], setting)
    assert near["n_latent"] == (7, 9, 11)
    assert near["k"] == (7,)
    assert near["gamma1"] == (2.0**-10, 2.0**-9)
    assert near["gamma2"] == (4.0, 8.0)


def test_pieces_are_balanced_wherever_they_stop():
    work = pieces(("syn1", "syn2"), ("lasso", "mmtfl"), 3)
    assert [piece.repetition for piece in work] == [0] * 4 + [1] * 4 + [2] * 4
    assert len({piece.name for piece in work}) == 12


def test_wrong_names_are_answered_in_words():
    table = get_exhibit("table1")
    with pytest.raises(ValueError, match="'table3' is unknown"):
        get_exhibit("table3")
    with pytest.raises(ValueError, match="no data set 'school'"):
        check_sets(table, ["school"])
    with pytest.raises(ValueError, match="'sin1' is unknown"):
        check_sets(table, ["sin1"])
    with pytest.raises(ValueError, match="no column 'vstg_opt'"):
        check_columns(table, ["vstg_opt"])
    assert check_sets(table, []) == table.sets


def test_piece_is_tuned_without_looking_at_the_test_rows(monkeypatch):
    data, column = get_benchmark("syn1"), COLUMNS["lasso"]
    found = run_piece(data, column, 0, QUICK)
    again = run_piece(data, column, 0, QUICK, n_jobs=2)
    assert found is not None and again is not None
    assert found.setting == again.setting
    assert found.errors == again.errors
    assert found.n_fits == QUICK.n_fits(column)
    syn = make_syn(1, random_state=0)
    left = np.linalg.norm(found.W - syn.W) / np.linalg.norm(syn.W)
    assert found.errors["ree"] == pytest.approx(left)


def test_walk_ends_where_no_neighbour_is_better():
    effort, column = get_effort("coarse"), COLUMNS["l1_trace"]
    syn1 = get_benchmark("syn1")
    found = run_piece(syn1, column, 1, effort)
    assert found is not None
    assert 0.5 <= found.n_fits / effort.n_fits(column) <= 2.0
    near = neighbours(column, found.setting)
    judged = search_grid(
        syn1.load(1, {}).train,
        "l1_trace",
        near,
        TaskKFold(effort.n_folds, random_state=1),
        measure=syn1.choice_measure,
    )
    assert judged.best == found.setting
    assert judged.best_error == found.choice_error
    begun = run_piece(syn1, column, 1, replace(effort, refine=False))
    assert begun is not None
    assert found.choice_error < begun.choice_error


@pytest.mark.parametrize("exhibit", EXHIBITS.values(), ids=EXHIBITS)
def test_refitted_column_is_measured_only_if_asked_for(exhibit):
    assert check_columns(exhibit, []) == exhibit.columns
    assert "vstg_refitted" not in exhibit.columns
    wanted = check_columns(exhibit, ["vstg_refitted", "lasso"])
    assert wanted == ("lasso", "vstg_refitted")
    data = get_benchmark(exhibit.sets[0])
    printed = exhibit.paper(data, next(iter(data.measures)), "vstg_refitted")
    assert np.isnan(printed.mean)


def test_refitted_method_has_the_paper_s_grid_with_cuts():
    grid = dict(distinct_grid(REFITTED))
    assert (grid.pop("cut"), grid.pop("relax")) == ((0.0, 0.1, 0.2, 0.3), (0.0, 1.0))
    assert grid == paper_grid("vstg", k=(1, 3))
    setting = {"n_latent": 5, "k": 3, "gamma1": 1.0, "gamma2": 1.0}
    near = neighbours(REFITTED, {**setting, "cut": 0.1, "relax": 0.0})
    assert near["cut"] == (0.0, 0.1, 0.2, 0.3)
    assert near["k"] == (3,)


def test_refitted_method_chooses_its_cut_with_the_rest():
    """The plain fit is among its candidates, so that its CV error cannot be higher."""
    syn1 = get_benchmark("syn1")
    found = run_piece(syn1, REFITTED, 0, TINY)
    plain = run_piece(syn1, replace(REFITTED, after={}), 0, TINY)
    assert found is not None and plain is not None
    assert found.choice_error < plain.choice_error
    assert found.n_fits == plain.n_fits == TINY.n_fits(REFITTED) / 8
    dataset = syn1.load(0, {})
    again = solve_vstg(dataset.train, **found.setting)
    assert found.W.any()
    left = np.linalg.norm(found.W - dataset.truth.W) / np.linalg.norm(dataset.truth.W)
    assert found.errors["ree"] == pytest.approx(left)
    assert found.errors["ree"] < plain.errors["ree"]
    np.testing.assert_allclose(again.W, found.W, atol=0.05 * abs(found.W).max())
