"""The results that are kept, and the page that speaks of them."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from real_files import FILES, needs_files

from benchmarks.bench_restarts import report
from vstg.datasets import fetch_computer
from vstg.reproduction import recovery
from vstg.reproduction.report import markdown, summary
from vstg.reproduction.results import read_results

ROOT = Path(__file__).parents[2]
# Those with columns beside the paper's are there once they have been measured.
MORE = [
    folder.name
    for ending in ("refitted", "today")
    for folder in sorted((ROOT / "results").glob(f"*-{ending}"))
]
each_table = pytest.mark.parametrize("name", ["table1", "table2", "variants", *MORE])


@each_table
def test_the_page_quotes_the_table_that_the_repetitions_give(name):
    results = read_results(ROOT / "results" / name)
    assert results is not None
    table = markdown(summary(results.outcomes, results.exhibit))
    assert table in (ROOT / "results" / name / "table.md").read_text("utf-8")
    assert table in (ROOT / "docs" / "reproduction.md").read_text("utf-8")


def test_the_page_quotes_what_the_methods_find():
    repetitions = pd.read_csv(ROOT / "results" / "recovery" / "repetitions.csv")
    table = recovery.markdown(recovery.summarise(repetitions))
    assert table in (ROOT / "results" / "recovery" / "table.md").read_text("utf-8")
    assert table in (ROOT / "docs" / "reproduction.md").read_text("utf-8")


def test_recovery_fits_what_table_1_fitted():
    key = ["data", "column", "repetition"]
    tables = [
        pd.read_csv(ROOT / "results" / name / "repetitions.csv").set_index(key)
        for name in ("recovery", "table1")
    ]
    found, stored = (table["n_variables"].sort_index() for table in tables)
    pd.testing.assert_series_equal(found.reindex(stored.index), stored)


def test_table_1_is_whole():
    results = read_results(ROOT / "results" / "table1")
    assert results is not None
    assert results.about["effort"] == "full"
    sizes = results.outcomes.groupby(["data", "column"]).size()
    assert len(sizes) == 24
    assert (sizes == 10).all()


def test_the_page_quotes_what_more_starts_and_another_k_gave():
    page = (ROOT / "docs" / "reproduction.md").read_text("utf-8")
    for line in report(pd.read_csv(ROOT / "results" / "restarts.csv")).splitlines():
        assert line in page


@needs_files
def test_go_mtl_is_worst_where_the_training_rows_leave_a_variable_open():
    outcomes = read_results(ROOT / "results" / "table2").outcomes
    chosen = (outcomes["data"] == "computer") & (outcomes["column"] == "go_mtl")
    errors = outcomes[chosen].set_index("repetition")["rmse_mean_over_tasks"]
    designs = [
        fetch_computer(random_state=r, data_dir=FILES).train.X[0] for r in errors.index
    ]
    open_draws = np.array([np.linalg.matrix_rank(X) < X.shape[1] for X in designs])
    assert open_draws.sum() == 2
    assert errors[open_draws].min() > 3.2
    assert errors[~open_draws].mean() < 2.0
