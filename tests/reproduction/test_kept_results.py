"""The results that are kept, and the page that speaks of them."""

from pathlib import Path

import pytest

from vstg.reproduction.report import markdown, summary
from vstg.reproduction.results import read_results

ROOT = Path(__file__).parents[2]
each_table = pytest.mark.parametrize("name", ["table1", "table2", "variants"])


@each_table
def test_the_page_quotes_the_table_that_the_repetitions_give(name):
    results = read_results(ROOT / "results" / name)
    assert results is not None
    table = markdown(summary(results.outcomes, results.exhibit))
    assert table in (ROOT / "results" / name / "table.md").read_text("utf-8")
    assert table in (ROOT / "docs" / "reproduction.md").read_text("utf-8")


def test_table_1_is_whole():
    results = read_results(ROOT / "results" / "table1")
    assert results is not None
    assert results.about["effort"] == "full"
    sizes = results.outcomes.groupby(["data", "column"]).size()
    assert len(sizes) == 24
    assert (sizes == 10).all()
