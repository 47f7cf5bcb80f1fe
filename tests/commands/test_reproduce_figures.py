"""``vstg reproduce fig1|fig2``: whole files with the right matrices in them."""

import numpy as np
import pandas as pd
import pytest
from reproduced import made_up, write

from vstg.datasets import make_syn
from vstg.lessons.toy import FIGURE_1_U, FIGURE_1_V, read_toy
from vstg.reproduction.figures import panel
from vstg.reproduction.results import read_results


def matrix(frame, name):
    part = frame[frame["matrix"] == name]
    return part.pivot(index="row", columns="column", values="value").to_numpy()


def is_whole_page(path):
    text = path.read_text("utf-8")
    return "Plotly.newPlot" in text and "<script src" not in text


def test_figure_1_is_the_paper_s_example(vstg, tmp_path):
    code, out, _ = vstg("reproduce fig1 -o out")
    assert code == 0
    assert "fig1.html, fig1.csv" in out
    frame = pd.read_csv(tmp_path / "out" / "fig1.csv")
    U, V, W = (matrix(frame, name) for name in "UVW")
    toy = read_toy(FIGURE_1_U, FIGURE_1_V)
    np.testing.assert_array_equal(U, toy.U)
    np.testing.assert_array_equal(V, toy.V)
    np.testing.assert_array_equal(W, U @ V)
    assert is_whole_page(tmp_path / "out" / "fig1.html")


@pytest.mark.parametrize("named", [True, False])
def test_figure_2_is_fitted_with_the_settings_of_the_results(vstg, tmp_path, named):
    write(made_up(repetitions=2), tmp_path / "results" / "table1")
    option = "--results results/table1" if named else ""
    code, out, err = vstg(f"reproduce fig2 {option} --repetition 1 -o out")
    assert (code, err) == (0, "")
    assert "Syn3: --n-latent 5 --k 3" in out
    frame = pd.read_csv(tmp_path / "out" / "fig2.csv")
    truth = make_syn(3, random_state=1).W
    np.testing.assert_allclose(matrix(frame, "syn3 true"), truth)
    found = panel(read_results(tmp_path / "results" / "table1"), "syn3", "vstg_k3", 1)
    np.testing.assert_allclose(matrix(frame, "syn3 vstg_k3"), found.estimated)
    assert found.relative_error < 0.3
    assert is_whole_page(tmp_path / "out" / "fig2.html")


def test_k_can_be_chosen(vstg, tmp_path):
    write(made_up(repetitions=1), tmp_path / "results" / "table1")
    assert vstg("reproduce fig2 --k 1 -o out")[0] == 0
    names = set(pd.read_csv(tmp_path / "out" / "fig2.csv")["matrix"])
    assert "syn4 vstg_k1" in names


def test_kept_coefficients_are_drawn_as_they_are():
    results = made_up(repetitions=1)
    kept = np.full((25, 20), 0.5)
    results.coefficients["syn1", "vstg_k1", 0] = kept
    assert panel(results, "syn1", "vstg_k1", 0).estimated is kept


def test_without_results_the_page_says_that_nobody_searched():
    assert not panel(None, "syn1", "vstg_k1", 0).searched


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("--results nowhere", "nowhere contains no results"),
        ("--results second", "contains results of table2; fig2 needs table1"),
        ("--results first --repetition 9", "no repetition 9 of syn1"),
        ("--repetition -1", "--repetition -1 must be at least 0"),
    ],
)
def test_mistakes_are_told(vstg, tmp_path, line, words):
    write(made_up(repetitions=1, sets=["syn1"]), tmp_path / "first")
    write(made_up("table2", repetitions=1), tmp_path / "second")
    code, _, err = vstg(f"reproduce fig2 {line} -o out")
    assert code == 2
    assert words in err
