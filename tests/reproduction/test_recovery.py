"""How much of the truth the methods of Table 1 find."""

import numpy as np
import pandas as pd
from reproduced import made_up, write

from vstg.__main__ import main
from vstg.data.dataset import Truth
from vstg.reproduction.recovery import (
    Structure,
    compare_structure,
    markdown,
    summarise,
)

# Four variables, of which the last does not count; two groups of two tasks.
U = np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
V = np.array([[1.0, 2.0, 0.0, 0.0], [0.0, 0.0, 1.0, 3.0]])
TRUTH = Truth(U, V, 1.0)


def test_truth_itself_is_found_whatever_the_order_and_scale_of_its_bases():
    found = Structure.of_factors(-3.0 * U[:, ::-1], V[::-1] / 3.0)
    compared = compare_structure(TRUTH, found)
    assert compared["variables_exact"] and compared["both"]
    assert compared["adjusted_rand"] == 1.0
    assert (compared["n_bases"], compared["n_groups"]) == (2, 2)


def test_small_entry_is_an_entry():
    dense = np.where(U == 0, 1e-9, U)
    compared = compare_structure(TRUTH, Structure.of_factors(dense, V))
    assert not compared["variables_exact"] and not compared["both"]
    assert compared["n_variables"] == 4
    assert compared["adjusted_rand"] == 1.0


def test_method_without_bases_groups_tasks_by_their_variables():
    found = Structure.of_coefficients(U @ V)
    compared = compare_structure(TRUTH, found)
    assert compared["both"] and compared["n_bases"] is None
    joint = Structure.of_coefficients(np.ones((4, 4)))  # one group: no agreement
    assert compare_structure(TRUTH, joint)["adjusted_rand"] == 0.0


def test_missed_variable_and_idle_basis_are_counted():
    idle = np.vstack([V, np.zeros(4)])
    fewer = np.hstack([U * (np.arange(4) != 0)[:, None], np.ones((4, 1))])
    compared = compare_structure(TRUTH, Structure.of_factors(fewer, idle))
    assert (compared["n_missed"], compared["n_bases"]) == (1, 2)


def test_table_counts_repetitions_and_pools_the_data_sets():
    right = {"variables_exact": True, "n_variables": 20, "adjusted_rand": 1.0}
    wrong = {"variables_exact": False, "n_variables": 25, "adjusted_rand": -0.001}
    rows = [
        {"data": data, "column": "lasso", "repetition": r, **found}
        | {"both": found["variables_exact"], "n_bases": None}
        for data, found in (("syn1", right), ("syn3", wrong))
        for r in range(3)
    ]
    table = summarise(pd.DataFrame(rows))
    assert table.set_index("data").loc["all", "variables_exact"] == 3
    text = markdown(table)
    assert "| Syn1 | variables exact |  | 3 of 3 |" in text
    assert "|  | variables kept | 18 | 25.0 |" in text
    assert "| all four | variables exact |  | 3 of 6 |" in text
    assert "|  | bases used | 5 | – |" in text
    assert "-0.00" not in text


def test_command_fits_with_the_settings_of_a_table(tmp_path, capsys):
    columns = ["lasso", "mmtfl", "go_mtl", "vstg_k1", "vstg_refitted"]
    results = made_up(sets=["syn1"], columns=columns, repetitions=1)
    results.outcomes["n_latent"] = results.outcomes["n_latent"].fillna(5)
    for name in ("lasso", "mmtfl"):
        chosen = results.outcomes["column"] == name
        results.outcomes.loc[chosen, "n_latent"] = np.nan
    write(results, tmp_path / "table1")
    out = tmp_path / "recovery"
    places = ["--results", str(tmp_path / "table1"), "-o", str(out)]
    assert main(["reproduce", "recovery", *places]) == 0
    assert "| VSTG-MTL, refitted |" in capsys.readouterr().out
    found = pd.read_csv(out / "repetitions.csv").set_index("column")
    assert found.loc["go_mtl", "n_variables"] == 25  # it does not select
    assert found.loc["vstg_refitted", "n_variables"] <= 25
    assert np.isnan(found.loc["lasso", "n_bases"])
    assert {p.name for p in out.iterdir()} == {
        "repetitions.csv", "table.csv", "table.md", "about.json",
    }  # fmt: skip


def test_command_without_results_says_what_it_needs(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["reproduce", "recovery", "-o", "out"]) == 2
    assert "--results" in capsys.readouterr().err
