"""``vstg reproduce`` from the command line."""

from argparse import ArgumentParser

import pandas as pd
import pytest

from vstg.__main__ import main
from vstg.commands.reproduce.tables import add_arguments, command_line, make_request

SMALL = ["--quick", "--sets", "syn1", "--columns", "lasso", "--repetitions", "2"]


def test_table_is_written_and_not_measured_twice(tmp_path, capsys):
    place = ["--store", str(tmp_path / "runs.sqlite"), "-o", str(tmp_path / "out")]
    assert main(["reproduce", "table1", *SMALL, *place]) == 0
    first = capsys.readouterr()
    assert "1.4625 ± 0.1349" in first.out  # the paper's cell
    assert first.err.count("syn1/lasso/") == 2
    outcomes = pd.read_csv(tmp_path / "out" / "repetitions.csv")
    assert outcomes["repetition"].tolist() == [0, 1]
    assert (tmp_path / "out" / "table.tex").read_text().startswith(r"\begin{tabular}")

    assert main(["reproduce", "table1", *SMALL, *place]) == 0
    second = capsys.readouterr()
    assert second.err == ""
    assert second.out == first.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["table1", "--sets", "school"], "no data set 'school'"),
        (["table1", "--columns", "ridge"], "no column 'ridge'"),
        (["table1", "--repetitions", "0"], "--repetitions 0 must be at least 1"),
        (["table1", "--jobs", "0"], "--jobs 0 must be at least 1"),
    ],
)
def test_mistakes_are_told_before_any_work(tmp_path, capsys, arguments, words):
    where = ["--store", str(tmp_path / "runs.sqlite"), "-o", str(tmp_path / "out")]
    assert main(["reproduce", *arguments, *where]) == 2
    assert words in capsys.readouterr().err


def test_refitted_column_is_added_by_an_option():
    parser = ArgumentParser()
    add_arguments(parser)

    def columns(*options):
        return make_request(parser.parse_args(["table1", "-o", "x", *options])).columns

    assert "vstg_refitted" not in columns()
    assert columns("--refitted") == [*columns(), "vstg_refitted"]
    asked = columns("--columns", "lasso", "--refitted")
    assert asked == ["lasso", "vstg_refitted"]
    words = command_line(parser.parse_args(["table1", "-o", "x", "--refitted"]))
    assert "--refitted" in words
