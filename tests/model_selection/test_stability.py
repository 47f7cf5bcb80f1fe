import numpy as np
import pytest

from vstg.datasets import make_syn
from vstg.model_selection import regularisation_path, stability

SETTING = {"n_latent": 5, "k": 1, "gamma1": 2**-3, "gamma2": 2**-1}


@pytest.fixture(scope="module")
def syn():
    return make_syn(1, random_state=0, n_train=80, noise=0.5)


@pytest.fixture(scope="module")
def found(syn):
    return stability(syn.train, n_resamples=12, **SETTING)


def test_relevant_variables_are_surer_than_the_others(syn, found):
    relevant = syn.U.any(axis=1)
    assert found.variables[relevant].min() > found.variables[~relevant].max()
    assert (found.frame(syn.train.feature_names)["frequency"].head(20) > 0.8).all()


def test_tasks_of_one_group_belong_together_more_often(found):
    together = np.kron(np.eye(5, dtype=bool), np.ones((4, 4), dtype=bool))
    np.fill_diagonal(together, False)
    apart = ~np.kron(np.eye(5, dtype=bool), np.ones((4, 4), dtype=bool))
    assert found.sharing[together].mean() > found.sharing[apart].mean() + 0.2


def test_frequencies_have_the_shapes_of_what_they_count(found):
    assert found.U.shape == (25, 5)
    assert found.V.shape == (5, 20)
    assert found.n_resamples == 12
    for values in (found.variables, found.U, found.V, found.co_membership):
        assert values.min() >= 0
        assert values.max() <= 1


def test_the_bound_on_false_variables_is_that_of_the_formula(found):
    q = found.n_selected.mean()
    assert found.expected_false(0.9) == pytest.approx(q**2 / (0.8 * 25))
    assert np.isnan(found.expected_false(0.5))


def test_the_bound_is_not_claimed_for_bootstraps(syn):
    drawn = stability(syn.train, n_resamples=2, scheme="bootstrap", **SETTING)
    assert np.isnan(drawn.expected_false(0.9))


def test_threads_do_not_change_the_frequencies(syn, found):
    parallel = stability(syn.train, n_resamples=12, n_jobs=2, **SETTING)
    np.testing.assert_array_equal(parallel.variables, found.variables)
    np.testing.assert_array_equal(parallel.U, found.U)


def test_stability_can_be_ended_early(syn):
    part = stability(
        syn.train, n_resamples=12, callback=lambda done, total: done == 3, **SETTING
    )
    assert part.cancelled
    assert 3 <= part.n_resamples <= 5  # those under way come to their end


def test_labels_keep_both_classes_in_every_resample(classification):
    found = stability(
        classification, loss="logistic", fit_intercept=True, n_resamples=4,
        n_latent=2, k=1, gamma1=2**-6, gamma2=2**-6,
    )  # fmt: skip
    assert found.n_resamples == 4
    assert found.variables.max() > 0.5


@pytest.mark.parametrize(
    ("options", "message"),
    [({"scheme": "jackknife"}, "jackknife"), ({"n_resamples": 0}, "n_resamples=0")],
)
def test_bad_stability_options_are_refused(syn, options, message):
    with pytest.raises(ValueError, match=message):
        stability(syn.train, **options, **SETTING)


def test_a_path_grows_sparser_and_its_objective_rises(syn):
    path = regularisation_path(
        syn.train, "gamma2", [8.0, 2**-6, 2**-1], n_latent=5, k=1, gamma1=2**-4
    )
    table = path.frame()
    assert path.values == (2**-6, 2**-1, 8.0)
    assert table["objective"].is_monotonic_increasing
    assert table["n_variables"].is_monotonic_decreasing
    assert table["n_variables"].iloc[0] > table["n_variables"].iloc[-1]
    assert path.at(0.4) is path.results[1]


def test_a_path_over_gamma1_takes_mu_along(syn):
    path = regularisation_path(syn.train, "gamma1", [0.1, 0.2], n_latent=2, k=1)
    assert [r.settings.mu for r in path.results] == [0.1, 0.2]


def test_a_path_can_be_ended_early(syn):
    path = regularisation_path(
        syn.train, values=[0.1, 0.2, 0.4], callback=lambda done, total: done == 2
    )
    assert len(path.results) == len(path.values) == 2


@pytest.mark.parametrize(
    ("parameter", "values", "message"),
    [
        ("k", [1.0], "parameter='k'"),
        ("mu", [], "at least one"),
        ("mu", [0.0], "positive"),
    ],
)
def test_bad_paths_are_refused(syn, parameter, values, message):
    with pytest.raises(ValueError, match=message):
        regularisation_path(syn.train, parameter, values)
