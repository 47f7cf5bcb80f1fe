"""Tables beside the paper's, and the folder they are kept in."""

import json

import numpy as np
import pandas as pd
import pytest
from reproduced import made_up

from vstg.comparison import signed_rank_test
from vstg.reproduction import get_exhibit
from vstg.reproduction.report import latex, long_frame, markdown, pair_tests, summary
from vstg.reproduction.results import (
    Results,
    combined,
    contents,
    read_results,
    versions,
)

TABLE1 = get_exhibit("table1")


@pytest.fixture
def outcomes():
    """Two methods, one better by a hair in all of eight repetitions."""
    rng = np.random.default_rng(0)
    rows = []
    for repetition in range(8):
        base = 1.05 + 0.02 * rng.normal()
        for column, extra in (("vstg_k1", 0.0), ("lasso", 0.001)):
            rows.append(
                {
                    "data": "syn1",
                    "column": column,
                    "repetition": repetition,
                    "rmse_mean_over_tasks": base + extra,
                    "rmse_pooled": base,
                    "ree": 0.1,
                    "gamma1": 2.0**-4,
                    "n_latent": 5 if column == "vstg_k1" else np.nan,
                    "seconds": 1.5,
                    "n_fits": 10,
                }
            )
    return pd.DataFrame(rows)


def test_summary_stands_beside_the_paper(outcomes):
    table = summary(outcomes, TABLE1).set_index(["measure", "column"])
    ours = table.loc[("rmse", "vstg_k1")]
    values = outcomes.query("column == 'vstg_k1'")["rmse_mean_over_tasks"]
    assert ours["mean"] == pytest.approx(values.mean())
    assert ours["sd"] == pytest.approx(values.std(ddof=1))
    assert ours["paper_mean"] == 1.0456
    assert ours["apart"] == pytest.approx((values.mean() - 1.0456) / 0.0228)
    assert ours["is_best"]
    assert not table.loc[("rmse", "lasso")]["is_best"]
    assert not table.loc[("ree", "vstg_k1")]["is_best"]  # a tie


def test_columns_stand_in_the_order_of_the_paper(outcomes):
    long = long_frame(outcomes, TABLE1)
    assert list(long["column"].unique()) == ["lasso", "vstg_k1"]


def test_pairs_are_tested_by_signed_ranks(outcomes):
    pairs = pair_tests(outcomes, TABLE1).set_index("measure")
    wide = outcomes.pivot(
        index="repetition", columns="column", values="rmse_mean_over_tasks"
    )
    expected = signed_rank_test(wide["lasso"].to_numpy(), wide["vstg_k1"].to_numpy())
    assert pairs.loc["rmse", "p_value"] == pytest.approx(expected.p_value)
    assert pairs.loc["rmse", "mean_difference"] == pytest.approx(0.001)


def test_markdown_and_latex_have_the_same_numbers(outcomes):
    table = summary(outcomes, TABLE1)
    mean = table.query("measure == 'rmse' and column == 'vstg_k1'")["mean"].iloc[0]
    assert f"**{mean:.4f} ± " in markdown(table)
    assert rf"\textbf{{{mean:.4f} $\pm$ " in latex(table)
    assert "1.0456 ± 0.0228" in markdown(table)
    widths = {line.count("|") for line in markdown(table).splitlines()}
    assert len(widths) == 1


def test_fewer_repetitions_are_told(outcomes):
    fewer = outcomes[outcomes["repetition"] < 3].assign(data="syn2")
    table = summary(pd.concat([outcomes, fewer], ignore_index=True), TABLE1)
    assert "| Syn1 |" in markdown(table)
    assert "| Syn2 (n = 3) |" in markdown(table)
    assert "Syn2 (n = 3) &" in latex(table)


def test_folder_is_read_back(tmp_path, outcomes):
    about = {
        "exhibit": "table1",
        "effort": "quick",
        "effort_label": "two repetitions",
        "repetitions": 8,
        "command": "vstg reproduce table1",
        "n_fits": 160,
        "seconds": 16.0,
        "n_jobs": 1,
        "versions": versions(),
    }
    for name, content in contents(Results(TABLE1, outcomes, about, {})).items():
        (tmp_path / name).write_bytes(content)
    found = read_results(tmp_path)
    assert found is not None
    assert found.about == about
    assert found.setting("syn1", "vstg_k1", 3) == {"gamma1": 2.0**-4, "n_latent": 5}
    assert found.setting("syn1", "lasso", 3) == {"gamma1": 2.0**-4}
    pd.testing.assert_frame_equal(found.outcomes, outcomes, check_exact=False)


def test_missing_and_broken_folders(tmp_path, outcomes):
    assert read_results(tmp_path) is None
    (tmp_path / "about.json").write_text(json.dumps({"exhibit": "table9"}))
    outcomes.to_csv(tmp_path / "repetitions.csv")
    with pytest.raises(ValueError, match="table9"):
        read_results(tmp_path)


def test_column_that_the_paper_lacks_is_compared_with_every_other():
    columns = [*TABLE1.columns, "vstg_refitted"]
    found = made_up(sets=["syn1"], columns=columns)
    table = summary(found.outcomes, TABLE1)
    assert table["column"].unique().tolist() == columns
    refitted = table[table["column"] == "vstg_refitted"]
    assert refitted["mean"].notna().all() and refitted["apart"].isna().all()
    pairs = pair_tests(found.outcomes, TABLE1)
    others = pairs[(pairs["second"] == "vstg_refitted") & (pairs["measure"] == "rmse")]
    assert others["first"].tolist() == list(TABLE1.columns)
    assert others["p_value"].notna().all()
    lines = markdown(table).splitlines()
    assert lines[0].endswith("VSTG-MTL k=3 | VSTG-MTL, refitted |")
    assert all(line.endswith("| – |") for line in lines if "| paper |" in line)
    assert found.setting("syn1", "vstg_refitted", 0)["cut"] == 0.3


def test_results_of_two_efforts_say_who_had_which():
    full = made_up(sets=["syn1"])
    coarse = made_up(sets=["syn1"], columns=["vstg_refitted"], repetitions=3)
    coarse.about.update(effort="coarse", effort_label="every third value")
    both = combined(coarse, full)
    assert both.about["effort"] == "mixed"
    assert both.effort("syn1", "vstg_k1", 0).name == "full"
    assert both.effort("syn1", "vstg_refitted", 0).name == "coarse"
    files = {name: text.decode() for name, text in contents(both).items()}
    assert "VSTG-MTL, refitted: every third value" in files["table.md"]
    assert "(n = 3)" in files["table.md"]
    # A further combination keeps what each row had; an effort alone needs no column.
    again = combined(both, full)
    assert again.effort("syn1", "vstg_refitted", 2).name == "coarse"
    assert "effort" not in combined(full, full).outcomes
