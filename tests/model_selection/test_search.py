import numpy as np
import pandas as pd
import pytest

from vstg import solve_vstg
from vstg.datasets import make_syn
from vstg.metrics import rmse_mean_over_tasks, rmse_pooled
from vstg.model_selection import METHODS, TaskKFold, paper_grid, search_grid
from vstg.model_selection.grid import check_grid, count_settings, expand
from vstg.model_selection.search import rungs

GRID = {
    "n_latent": (3, 5),
    "k": (1,),
    "gamma1": (2**-4, 2**-2),
    "gamma2": (2**-5, 2**-3, 2.0),
}
STABLE = ["seconds"]  # columns that no two runs share


@pytest.fixture(scope="module")
def syn():
    return make_syn(2, random_state=0, n_train=30)


@pytest.fixture(scope="module")
def searched(syn):
    return search_grid(syn.train, "vstg", GRID, cv=4)


def test_table_has_one_row_a_setting_and_fold(searched):
    assert len(searched.frame) == 2 * 2 * 3 * 4
    assert not searched.frame.duplicated([*GRID, "repeat", "fold"]).any()
    assert not searched.cancelled


def test_errors_are_those_of_a_plain_fit_on_the_fold(syn, searched):
    fold = TaskKFold(4).folds(syn.train)[1]
    train, test = syn.train.take(fold.train), syn.train.take(fold.test)
    setting = {"n_latent": 5, "k": 1, "gamma1": 2**-4, "gamma2": 2**-5}
    row = searched.frame.query(
        "n_latent == 5 and gamma1 == 2**-4 and gamma2 == 2**-5 and fold == 1"
    ).iloc[0]
    # The first of its chain starts cold: the same fit from the rows themselves.
    result = solve_vstg(train, tol=1e-3, **setting)
    predictions = result.decision(test)
    assert row["objective"] == pytest.approx(result.objective, rel=1e-6)
    assert row["rmse_pooled"] == pytest.approx(rmse_pooled(test.y, predictions), 1e-5)
    assert row["rmse_mean_over_tasks"] == pytest.approx(
        rmse_mean_over_tasks(test.y, predictions), rel=1e-5
    )
    assert row["n_variables"] == (result.W != 0).any(axis=1).sum()


def test_intercepts_are_part_of_the_judgement(syn):
    moved = type(syn.train)([X + 3 for X in syn.train.X], [y + 50 for y in syn.train.y])
    grid = {**GRID, "n_latent": (5,), "gamma1": (2**-4,), "gamma2": (2**-5,)}
    plain = search_grid(syn.train, "vstg", grid, cv=3, fit_intercept=True)
    shifted = search_grid(moved, "vstg", grid, cv=3, fit_intercept=True)
    assert shifted.best_error == pytest.approx(plain.best_error, rel=1e-6)
    without = search_grid(moved, "vstg", grid, cv=3)
    assert without.best_error > 1.5 * plain.best_error


def test_the_table_does_not_depend_on_the_number_of_workers(syn, searched):
    parallel = search_grid(syn.train, "vstg", GRID, cv=4, n_jobs=3)
    pd.testing.assert_frame_equal(
        parallel.frame.drop(columns=STABLE), searched.frame.drop(columns=STABLE)
    )


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_cancelling_keeps_what_is_done_and_resuming_gives_the_same_table(
    syn, searched, n_jobs
):
    looks = []

    def cancel_at_third_look(progress):
        looks.append(progress)
        return len(looks) == 3

    part = search_grid(
        syn.train, "vstg", GRID, cv=4, n_jobs=n_jobs, callback=cancel_at_third_look
    )
    assert part.cancelled
    assert 9 <= len(part.frame) < len(searched.frame)
    refitted = []
    rest = search_grid(
        syn.train, "vstg", GRID, cv=4, done=part.frame, callback=refitted.append
    )
    pd.testing.assert_frame_equal(
        rest.frame.drop(columns=STABLE), searched.frame.drop(columns=STABLE)
    )
    kept = part.frame.merge(rest.frame, on=[*GRID, "fold", "seconds"])
    assert len(kept) >= 9  # whole chains were taken over, not run again


def test_progress_counts_to_the_end_and_knows_the_best(syn, searched):
    looks = []
    search_grid(syn.train, "vstg", GRID, cv=4, callback=looks.append)
    assert [look.done for look in looks] == sorted(look.done for look in looks)
    assert looks[-1].done == looks[-1].total == 48
    assert looks[-1].seconds_left == 0
    assert looks[-1].best == searched.best
    assert looks[-1].best_error == pytest.approx(searched.best_error)


def test_ctrl_c_keeps_what_is_done(syn):
    def interrupt(progress):
        raise KeyboardInterrupt

    result = search_grid(syn.train, "vstg", GRID, cv=4, callback=interrupt)
    assert result.cancelled
    assert len(result.frame) >= 3


def test_best_has_the_least_mean_and_one_se_is_sparser_and_near(searched):
    means = searched.frame.groupby(list(GRID))["rmse_mean_over_tasks"].mean()
    assert searched.best_error == pytest.approx(means.min())
    assert tuple(searched.best.values()) == means.idxmin()
    table = searched.summary().set_index(list(GRID))
    best = table.loc[tuple(searched.best.values())]
    chosen = table.loc[tuple(searched.one_se.values())]
    assert chosen["error"] <= best["error"] + best["se"]
    assert chosen["n_variables"] <= best["n_variables"]
    near = table[table["error"] <= best["error"] + best["se"]]
    assert chosen["n_variables"] == near["n_variables"].min()


def test_halving_judges_good_settings_everywhere_and_bad_ones_less(syn):
    full = search_grid(syn.train, "vstg", GRID, cv=10)
    halved = search_grid(syn.train, "vstg", GRID, cv=10, halving=True)
    assert len(halved.frame) < 0.6 * len(full.frame)
    assert sorted(halved.frame["round"].unique()) == [0, 1, 2]
    seen = halved.frame.groupby(list(GRID)).size()
    assert seen.min() == 2
    assert seen.max() == 10
    assert halved.best_error == pytest.approx(full.best_error, rel=0.02)


@pytest.mark.parametrize(("n", "expected"), [(1, [1]), (2, [2]), (10, [2, 6, 10])])
def test_rungs_end_with_all_parts(n, expected):
    assert rungs(n) == expected


def test_a_validation_set_takes_the_place_of_folds(syn):
    result = search_grid(syn.train, "vstg", GRID, cv=syn.test)
    assert set(result.frame["fold"]) == {0}
    assert result.one_se == result.best
    fit = solve_vstg(syn.train, tol=1e-3, **result.best)
    error = rmse_mean_over_tasks(syn.test.y, fit.decision(syn.test))
    assert result.best_error == pytest.approx(error, rel=0.01)


def test_settings_proven_zero_are_skipped_and_are_zero(syn):
    grid = {"n_latent": (3,), "k": (1,), "gamma1": (1e4,), "gamma2": (2**-3, 1e4)}
    result = search_grid(syn.train, "vstg", grid, cv=3)
    assert result.frame["skipped"].all()
    assert (result.frame["n_nonzero"] == 0).all()
    assert (result.frame["n_iter"] == 0).all()


@pytest.mark.parametrize("name", METHODS)
def test_every_method_can_be_searched(name, syn):
    grid = {
        parameter: values[5::4] if parameter.startswith("gamma") else values[:2]
        for parameter, values in paper_grid(name, k=(1,)).items()
    }
    result = search_grid(syn.train, name, grid, cv=3)
    assert set(result.best) == set(METHODS[name].parameters)
    null = np.sqrt(np.mean(np.concatenate(syn.train.y) ** 2))
    assert result.best_error < null


@pytest.mark.parametrize("name", ["vstg", "lasso", "go_mtl"])
def test_labels_are_searched_by_error_rate(name, classification):
    grid = {
        parameter: values[2:7:2] if parameter.startswith("gamma") else values[:1]
        for parameter, values in paper_grid(name, k=(1,)).items()
    }
    result = search_grid(
        classification, name, grid, cv=3, loss="logistic", fit_intercept=True
    )
    assert result.measure == "error_rate_mean_over_tasks"
    share = np.mean([min((y > 0).mean(), (y < 0).mean()) for y in classification.y])
    assert result.best_error < share


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"gamma1": (-1.0,)}, "gamma1=-1.0 must be a finite number, at least 0"),
        ({"k": (7,)}, "k=7|every k in"),
        ({"k": (1, 7)}, "k=7 exceeds every n_latent"),
        ({"gamma2": ()}, "no value for gamma2"),
        ({"lambda": (1.0,)}, "VSTG-MTL takes"),
        ({"n_latent": (0,)}, "n_latent=0"),
    ],
)
def test_bad_grids_are_refused_with_a_sentence(syn, change, message):
    with pytest.raises(ValueError, match=message):
        search_grid(syn.train, "vstg", GRID | change, cv=3)


def test_k_above_n_latent_is_left_out(syn):
    grid = GRID | {"n_latent": (1, 3), "k": (1, 3), "gamma1": (0.1,), "gamma2": (0.1,)}
    result = search_grid(syn.train, "vstg", grid, cv=2)
    assert set(zip(result.frame["n_latent"], result.frame["k"], strict=True)) == {
        (1, 1),
        (3, 1),
        (3, 3),
    }


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "svm"}, "method 'svm' is unknown"),
        ({"measure": "r2"}, "measure='r2' is unknown; choose one of"),
        ({"n_jobs": 0}, "n_jobs=0 must be at least 1"),
    ],
)
def test_bad_options_are_refused_with_a_sentence(syn, options, message):
    with pytest.raises(ValueError, match=message):
        search_grid(syn.train, **({"method": "vstg", "grid": GRID, "cv": 2} | options))


def test_the_papers_grid_is_the_default():
    grid = paper_grid("vstg", k=(1,))
    sizes = [len(values) for values in grid.values()]
    assert np.prod(sizes) == 14 * 14 * 6
    assert grid["gamma1"][0] == 2**-10
    assert grid["gamma1"][-1] == 2**3


@pytest.mark.parametrize("name", sorted(METHODS))
def test_settings_are_counted_as_they_are_made(name):
    method = METHODS[name]
    values = {"n_latent": (2, 5, 3), "k": (1, 3, 4), "gamma1": (1.0, 2.0, 1.0)}
    values["cut"] = (0.0, 0.2)
    grid = check_grid(method, {p: values.get(p, (0.5, 1.0)) for p in method.parameters})
    assert count_settings(method, grid) == len(expand(method, grid))


AFTER = {"cut": (0.0, 0.1, 0.3), "relax": (0.0, 1.0)}
SMALL = {**GRID, "n_latent": (4,), "gamma1": (2**-3,)}


@pytest.fixture(scope="module")
def refitted(syn):
    return search_grid(syn.train, "vstg", {**SMALL, **AFTER}, cv=3)


def test_cuts_and_refits_follow_the_fits_of_the_plain_search(syn, refitted):
    plain = search_grid(syn.train, "vstg", SMALL, cv=3)
    frame = refitted.frame
    assert len(frame) == 6 * len(plain.frame)
    assert refitted.parameters == (*GRID, "cut", "relax")
    untouched = frame[(frame["cut"] == 0) & (frame["relax"] == 1)]
    pd.testing.assert_frame_equal(
        untouched[plain.frame.columns].drop(columns=STABLE).reset_index(drop=True),
        plain.frame.drop(columns=STABLE),
    )


def test_a_refitted_row_is_a_fit_cut_and_refitted_on_the_fold(syn, refitted):
    fold = TaskKFold(3).folds(syn.train)[2]
    train, test = syn.train.take(fold.train), syn.train.take(fold.test)
    setting = {"n_latent": 4, "k": 1, "gamma1": 2**-3, "gamma2": 2**-5}
    found = refitted.frame.query("gamma2 == 2**-5 and fold == 2").set_index([*AFTER])
    for cut, relax in ((0.1, 0.0), (0.3, 0.0), (0.3, 1.0)):
        row = found.loc[(cut, relax)]
        result = solve_vstg(train, tol=1e-3, cut=cut, relax=relax, **setting)
        error = rmse_pooled(test.y, result.decision(test))
        assert row["rmse_pooled"] == pytest.approx(error, rel=1e-5)
        assert row["n_variables"] == result.U.any(axis=1).sum()
        assert row["objective"] == pytest.approx(result.objective, rel=1e-6)


def test_the_choices_name_their_cut_and_relax(refitted):
    for choice in (refitted.best, refitted.one_se):
        assert set(choice) == {*GRID, "cut", "relax"}
    assert (
        refitted.best["relax"] == 0.0
    )  # these data are noisy, and the truth is sparse
    assert refitted.best["cut"] > 0.0
    assert len(refitted.summary()) == 18


def test_halving_cancelling_and_workers_keep_the_refits_apart(syn, refitted):
    grid = {**SMALL, **AFTER}
    halved = search_grid(syn.train, "vstg", grid, TaskKFold(3), halving=True)
    assert halved.best in refitted.summary()[list(halved.best)].to_dict("records")
    parallel = search_grid(syn.train, "vstg", grid, 3, n_jobs=2)
    pd.testing.assert_frame_equal(
        parallel.frame.drop(columns=STABLE), refitted.frame.drop(columns=STABLE)
    )
    half = refitted.frame[refitted.frame["fold"] < 2]
    resumed = search_grid(syn.train, "vstg", grid, 3, done=half)
    pd.testing.assert_frame_equal(
        resumed.frame.drop(columns=STABLE), refitted.frame.drop(columns=STABLE)
    )


def test_methods_without_a_refit_reject_a_cut(syn):
    with pytest.raises(ValueError, match="cut"):
        search_grid(syn.train, "ridge" if "ridge" in METHODS else "lasso", {**AFTER})
    with pytest.raises(ValueError, match="cut=1"):
        search_grid(syn.train, "vstg", {**SMALL, "cut": (1.0,)})
