"""search: the table, the choice, Ctrl-C and going on."""

import signal
import subprocess
import sys
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from vstg import MultiTaskData
from vstg.commands import search
from vstg.commands.search import ProgressLine, progress_text
from vstg.model_selection import SearchProgress, TaskKFold, search_grid
from vstg.notation import flag_value

COLUMNS = "--task task --target target --as-is"
GRID = "--n-latent 2 --k 1 --gamma1 2^-6 2^-3 --gamma2 2^-6 2^-3 --folds 3"
SEARCH = f"search syn/train.csv {COLUMNS} {GRID} -o s.csv"
TIMES = ["seconds"]


def rows(path="s.csv"):
    return pd.read_csv(path).drop(columns=TIMES)


def test_table_and_choice_are_those_of_the_library(vstg, syn):
    code, out, err = vstg(SEARCH)
    assert (code, err) == (0, "")  # no progress without a terminal
    train = pd.read_csv("syn/train.csv")
    data = MultiTaskData.from_frame(train, task="task", target="target")
    strengths = [2**-6, 2**-3]
    expected = search_grid(
        data,
        "vstg",
        {"n_latent": [2], "k": [1], "gamma1": strengths, "gamma2": strengths},
        TaskKFold(3, random_state=0),
        fit_intercept=True,
    )
    table = rows()
    pd.testing.assert_frame_equal(
        table, expected.frame.drop(columns=TIMES), check_dtype=False
    )
    assert len(table) == 2 * 2 * 3
    best = expected.best
    flags = f"--gamma1 {flag_value(best['gamma1'])} --gamma2"
    assert f"best:                      --n-latent 2 --k 1 {flags}" in out


def test_printed_choice_is_read_by_fit(vstg, syn):
    out = vstg(SEARCH)[1]
    line = next(line for line in out.splitlines() if line.startswith("best:"))
    options = line.removeprefix("best:")
    assert vstg(f"fit syn/train.csv {COLUMNS} {options} -o m.npz")[0] == 0


def test_other_methods_have_their_own_grid(vstg, syn):
    line = f"search syn/train.csv {COLUMNS} --method lasso --gamma1 0.1 0.2 --folds 2"
    code, out, _ = vstg(f"{line} -o lasso.parquet")
    assert code == 0
    assert pd.read_parquet("lasso.parquet")["gamma1"].tolist() == [0.1, 0.2] * 2
    assert "best:                      --gamma1 0." in out


def test_values_left_out_are_the_papers(vstg, syn):
    line = f"search syn/train.csv {COLUMNS} --n-latent 3 --gamma1 1 --folds 2 -o s.csv"
    assert vstg(line)[0] == 0
    table = rows()
    assert sorted(table["k"].unique()) == [1, 3]  # 5 and 7 do not fit three bases
    assert table["gamma2"].nunique() == 14


def test_validation_set_in_place_of_folds(vstg, syn):
    test = pd.read_csv("syn/test.csv")
    test.sample(frac=1.0, random_state=1).iloc[:, ::-1].to_csv("v.csv", index=False)
    for name, table in (("a.csv", "syn/test.csv"), ("b.csv", "v.csv")):
        line = SEARCH.replace("s.csv", name)
        assert vstg(f"{line} --validation {table}")[0] == 0
    assert len(rows("a.csv")) == 4
    errors = [rows(name)["rmse_pooled"] for name in ("a.csv", "b.csv")]
    np.testing.assert_allclose(*errors)  # tasks and columns are matched by name


def test_labels_of_any_kind_are_searched(vstg, syn):
    train = pd.read_csv("syn/train.csv")
    train["target"] = np.where(train["target"] > 0, "yes", "no")
    train.to_csv("labels.csv", index=False)
    line = SEARCH.replace("syn/train.csv", "labels.csv")
    code, out, _ = vstg(f"{line} --classify")
    assert code == 0
    assert "mean error_rate_mean_over_tasks" in out
    assert 0.0 < rows()["error_rate_pooled"].mean() < 0.4


def interrupt_after(n_calls, monkeypatch):
    """Let Ctrl-C come in the n-th look at the search."""
    calls = []

    def press(self, seen):
        calls.append(seen)
        if len(calls) == n_calls:
            raise KeyboardInterrupt

    monkeypatch.setattr(search.ProgressLine, "__call__", press)


def test_interrupted_search_keeps_its_rows_and_goes_on(vstg, syn, monkeypatch):
    assert vstg(SEARCH.replace("s.csv", "whole.csv"))[0] == 0
    with monkeypatch.context() as patch:
        interrupt_after(2, patch)
        code, _, err = vstg(f"{SEARCH} --progress")
    assert code == 130
    assert "vstg: interrupted; s.csv contains what is finished" in err
    part = pd.read_csv("s.csv")
    assert 0 < len(part) < 12
    assert vstg(SEARCH)[0] == 2  # the part is not overwritten by chance
    assert vstg(f"{SEARCH} --resume")[0] == 0
    pd.testing.assert_frame_equal(rows(), rows("whole.csv"))
    kept = part.merge(pd.read_csv("s.csv"), on=["gamma1", "gamma2", "fold"])
    assert (kept["seconds_x"] == kept["seconds_y"]).any()  # not fitted again


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--gamma1 -1", "gamma1=-1.0 must be a finite number"),
        ("--k 3", "k must be at most n_latent"),
        ("--method lars", "method 'lars' is unknown"),
        ("--method lasso", "the grid has the parameters"),
        ("--measure accuracy", "measure='accuracy' is unknown"),
        ("--folds 1", "at least 2 folds"),
        ("--jobs 0", "n_jobs=0 must be at least 1"),
        ("--validation syn/U.csv", "['task', 'target'"),
        ("-o s.npz", "must end in .csv"),
        ("-o syn/train.csv", "exists"),
        ("-o syn/U.csv --resume", "'n_latent', 'k'"),
    ],
)
def test_bad_searches_are_refused_on_one_line(vstg, syn, options, message):
    code, out, err = vstg(f"{SEARCH} {options}")
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert not Path("s.csv").exists()


def test_tasks_of_the_validation_set_must_agree(vstg, syn):
    test = pd.read_csv("syn/test.csv")
    test[test["task"] != "task2"].to_csv("v.csv", index=False)
    code, _, err = vstg(f"{SEARCH} --validation v.csv")
    assert code == 2
    assert "task 'task2' is only in one table" in err


def look(done, total=40, best_error=1.25):
    best = {"n_latent": 5, "k": 1, "gamma1": 2**-4, "gamma2": 0.3}
    return SearchProgress(done, total, best, best_error, seconds=10.0)


def test_progress_tells_share_time_and_best():
    text = progress_text(look(10))
    assert text.startswith("[#####...............] 10/40 fits, 30 s left, best 1.25")
    assert text.endswith("--n-latent 5 --k 1 --gamma1 2^-4 --gamma2 0.3")
    nothing = SearchProgress(1, 3, None, np.inf, seconds=100.0)
    assert progress_text(nothing).endswith("1/3 fits, 3 min 20 s left")


def test_line_is_drawn_over_itself_and_within_the_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr(search, "PAUSE", 0.0)
    stream = StringIO()
    line = ProgressLine(stream)
    line(look(10, best_error=123456.0))
    line(SearchProgress(11, 40, None, np.inf, seconds=1.0))
    line.close()
    first, second = stream.getvalue().rstrip("\n").split("\r")[1:]
    assert len(first) == len(second) == 59  # the longer line is wiped
    assert stream.getvalue().endswith("\n")


def test_line_is_not_drawn_too_often_but_always_at_the_end():
    stream = StringIO()
    line = ProgressLine(stream)
    for done in (1, 2, 3, 40):
        line(look(done))
    assert stream.getvalue().count("\r") == 2
    assert "40/40" in stream.getvalue()


def test_ctrl_c_reaches_a_running_search(vstg, syn):
    # The paper's whole grid, which takes far longer than we wait.
    line = f"search syn/train.csv {COLUMNS} --progress --jobs 2 -o s.csv"
    with subprocess.Popen(
        [sys.executable, "-m", "vstg", *line.split()],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever runs the tests in the background passes a deaf ear on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        assert process.stderr is not None
        process.stderr.read(1)  # the first chain is done
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "interrupted; s.csv contains what is finished" in err
    assert "Traceback" not in err
    assert len(rows()) >= 14


def test_resume_refuses_other_data_and_options(vstg, syn):
    assert vstg(SEARCH)[0] == 0
    before = rows()
    code, out, err = vstg(f"{SEARCH} --resume --folds 4 --seed 1")
    assert (code, out) == (2, "")
    assert "folds was 3 and is 4, seed was 0 and is 1" in err
    sizes = "--n-features 10 --n-tasks 4 --n-latent 2 --n-train 30 --n-test 40"
    assert vstg(f"generate 2 -o other {sizes}")[0] == 0
    other = SEARCH.replace("syn/train", "other/train")
    code, out, err = vstg(f"{other} --resume")
    assert (code, out) == (2, "")
    assert "the data are others" in err
    pd.testing.assert_frame_equal(rows(), before)
    Path("s.csv.options.json").unlink()
    code, _, err = vstg(f"{SEARCH} --resume")
    assert code == 2
    assert "--force continues all the same" in err
    assert vstg(f"{SEARCH} --resume --force")[0] == 0
