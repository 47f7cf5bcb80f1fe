"""Comparing methods: the signed-rank test, Holm, and who is marked as best."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata, wilcoxon

from vstg.comparison import (
    compare_methods,
    format_mean,
    holm_correction,
    signed_rank_test,
)


def tidy(**methods):
    """One row a method and repetition."""
    rows = [
        {"method": name, "repetition": i, "value": value}
        for name, values in methods.items()
        for i, value in enumerate(values)
    ]
    return pd.DataFrame(rows)


def enumerate_signs(d):
    """The p-value of the signed-rank test by going through all signs."""
    d = d[d != 0]
    ranks = rankdata(np.abs(d))
    signs = np.array(list(product([0, 1], repeat=len(d))))
    distance = np.abs(signs @ ranks - ranks.sum() / 2)
    seen = abs(ranks[d > 0].sum() - ranks.sum() / 2)
    return np.mean(distance >= seen - 1e-9)


@pytest.mark.parametrize("n", [1, 5, 6, 10, 25])
def test_without_ties_it_is_the_exact_test_of_scipy(rng, n):
    a, b = rng.normal(size=n), rng.normal(size=n) + 0.5
    expected = wilcoxon(a, b, method="exact").pvalue
    assert signed_rank_test(a, b).p_value == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(5))
def test_with_ties_and_zeros_it_is_what_all_signs_give(seed):
    d = np.random.default_rng(seed).integers(-3, 5, size=10).astype(float)
    assert len(np.unique(np.abs(d))) < len(d)
    test = signed_rank_test(d, np.zeros(10))
    assert test.p_value == pytest.approx(enumerate_signs(d))
    assert test.n_pairs == 10


def test_many_pairs_use_the_normal_distribution(rng):
    a, b = rng.normal(size=400), rng.normal(size=400) + 0.1
    expected = wilcoxon(a, b, method="asymptotic").pvalue
    assert signed_rank_test(a, b).p_value == pytest.approx(expected)
    assert 1e-6 < expected < 1 - 1e-6


def test_rounding_does_not_break_ties():
    a, b = np.array([0.3, 0.2, 0.1]), np.array([0.2, 0.1, 0.2])
    assert len(set(np.abs(a - b))) > 1  # rounding made them differ
    assert signed_rank_test(a, b).p_value == pytest.approx(
        enumerate_signs(np.array([1.0, 1.0, -1.0]))
    )


def test_direction_says_who_has_the_smaller_values():
    low, high = np.arange(8.0), np.arange(8.0) + np.arange(1, 9)
    assert signed_rank_test(low, high).direction == -1
    assert signed_rank_test(high, low).direction == 1
    assert signed_rank_test(low, high).p_value == pytest.approx(2 / 2**8)


def test_holm_by_hand():
    adjusted = holm_correction(np.array([0.01, 0.04, np.nan, 0.03, 0.9]))
    np.testing.assert_allclose(adjusted, [0.04, 0.09, np.nan, 0.09, 0.9])
    assert holm_correction(np.array([0.6, 0.7]))[0] == 1.0


@pytest.fixture
def three(rng):
    """'good' below 'fair' below 'poor' in every one of ten repetitions."""
    base = rng.normal(size=10)
    steps = rng.uniform(0.5, 1.0, size=(2, 10))
    return tidy(fair=base + steps[0], good=base, poor=base + steps.sum(axis=0))


def test_best_is_significantly_better_than_every_other(three):
    result = compare_methods(three)
    assert result.best == "good"
    assert list(result.summary.index) == ["fair", "good", "poor"]
    assert result.summary["is_best"].tolist() == [False, True, False]
    np.testing.assert_allclose(result.summary["p_rival"], 2 / 2**10)
    np.testing.assert_array_equal(result.p_values, result.p_values.T)
    np.testing.assert_allclose(result.p_holm.loc["good", "poor"], 6 / 2**10)


def test_the_best_of_scores_is_the_largest(three):
    assert compare_methods(three, lower_is_better=False).best == "poor"


def test_order_of_the_rows_does_not_matter(three):
    mixed = compare_methods(three.sample(frac=1.0, random_state=0))
    plain = compare_methods(three)
    labels = list(plain.summary.index)
    pd.testing.assert_frame_equal(
        mixed.p_values.loc[labels, labels], plain.p_values, check_names=False
    )
    pd.testing.assert_frame_equal(mixed.summary.loc[labels], plain.summary)


def test_beating_some_is_not_enough(three):
    rival = three[three["method"] == "good"].assign(method="twin")
    rival["value"] += np.tile([0.01, -0.01], 5)
    result = compare_methods(pd.concat([three, rival]))
    assert result.best is None
    assert result.p_values.loc["good", "fair"] < 0.05
    assert result.summary.loc["good", "p_rival"] > 0.05


def test_pairing_finds_what_means_hide(rng):
    hard = 10 * rng.normal(size=10)  # repetitions differ far more than methods
    result = compare_methods(tidy(a=hard, b=hard + rng.uniform(0.01, 0.02, size=10)))
    assert result.best == "a"
    assert result.summary["text"].str[:4].nunique() == 1


def test_mean_and_sd_as_printed():
    result = compare_methods(tidy(a=[1.0, 1.1, 1.3], b=[2.0, 2.0, 2.0]))
    assert result.summary["text"].tolist() == ["1.1333 ± 0.1528", "2.0000 ± 0.0000"]
    assert result.summary.loc["a", "sd"] == pytest.approx(np.std([1, 1.1, 1.3], ddof=1))
    assert format_mean(12.345, 0.678, digits=1) == "12.3 ± 0.7"


def test_five_repetitions_cannot_be_significant():
    result = compare_methods(tidy(a=range(5), b=range(10, 15)))
    assert result.best is None
    assert result.smallest_p == result.p_values.loc["a", "b"] == 0.0625


def test_one_repetition_has_no_spread_and_no_winner():
    result = compare_methods(tidy(a=[1.0], b=[2.0]))
    assert result.summary["text"].tolist() == ["1.0000", "2.0000"]
    assert result.summary["p_rival"].tolist() == [1.0, 1.0]
    assert result.best is None


def test_equal_methods_are_equal():
    result = compare_methods(tidy(a=[1.0] * 10, b=[1.0] * 10))
    assert (result.p_values == 1.0).all(axis=None)
    assert result.best is None


def test_a_single_method_is_better_than_nobody():
    result = compare_methods(tidy(a=range(10)))
    assert result.best is None
    assert result.p_values.shape == (1, 1)
    assert np.isnan(result.summary.loc["a", "p_rival"])


def test_missing_values_are_left_out_pair_by_pair(rng):
    base = rng.normal(size=10)
    frame = tidy(a=base, b=base + rng.uniform(0.5, 1.0, size=10))
    frame.loc[0, "value"] = np.nan  # a run of 'a' failed
    frame = frame[frame.index != 19]  # one of 'b' was never made
    result = compare_methods(frame)
    assert result.summary["n"].tolist() == [9, 9]
    assert result.p_values.loc["a", "b"] == pytest.approx(2 / 2**8)


def test_methods_without_common_repetitions_are_not_compared():
    frame = tidy(a=[1.0, np.nan], b=[np.nan, 2.0], c=[np.nan, np.nan])
    result = compare_methods(frame)
    assert np.isnan(result.p_values.loc["a", "b"])
    assert np.isnan(result.p_holm.loc["a", "b"])
    assert result.summary.loc["c", "text"] == "–"
    assert result.best is None


@pytest.mark.parametrize(
    ("frame", "options", "message"),
    [
        (tidy(a=[1.0]).drop(columns="value"), {}, r"columns \['value'\] are not in"),
        (tidy(a=[1.0]).iloc[:0], {}, "no rows"),
        (
            pd.concat([tidy(a=[1.0])] * 2),
            {},
            "method a has several values in repetition 0",
        ),
        (tidy(a=[np.inf]), {}, "infinite"),
        (tidy(a=[1.0]), {"alpha": 0.0}, "alpha=0.0 must lie between 0 and 1"),
    ],
)
def test_refusals(frame, options, message):
    with pytest.raises(ValueError, match=message):
        compare_methods(frame, **options)
