"""``vstg discover`` as a user meets it."""

import json

import pandas as pd

SEARCH = "discover syn/train.csv --task task --target target --folds 2 --resamples 1"


def test_json_has_the_variables_and_groups_of_the_truth(vstg, syn):
    code, out, _ = vstg(f"{SEARCH} --json --jobs 1")
    assert code == 0
    found = json.loads(out)
    assert {"variables", "groups", "n_bases", "error", "baselines"} <= set(found)
    U = pd.read_csv("syn/U.csv", index_col="variable")
    assert set(found["variables"]) == set(U.index[U.any(axis=1)])
    V = pd.read_csv("syn/V.csv", index_col="basis")
    truth = {frozenset(V.columns[row != 0]) for row in V.to_numpy()}
    assert {frozenset(group["tasks"]) for group in found["groups"]} == truth


def test_sentences_name_them(vstg, syn):
    code, out, err = vstg(f"{SEARCH} --jobs 1 --progress")
    assert code == 0
    assert "fits" in err
    assert "120 rows, 4 tasks" in out
    assert "variables matter" in out
    assert "2 groups on 2 bases" in out


def test_a_column_that_is_not_there_is_named(vstg, syn):
    code, _, err = vstg("discover syn/train.csv --task school --target target")
    assert code == 2
    assert "school" in err
