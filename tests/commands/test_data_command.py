"""``vstg data``: the real data sets on the command line."""

import numpy as np
import pandas as pd
import pytest
from real_files import FILES, needs_files

from vstg.datasets import DATASETS, fetch_computer


@pytest.fixture
def survey(tmp_path):
    """A folder with a made-up survey of the known shape, as two tables."""
    rng = np.random.default_rng(0)
    design = pd.DataFrame(rng.choice([-1, 1], size=(20, 13)))
    ratings = pd.DataFrame(rng.integers(0, 11, size=(190, 20)))
    folder = tmp_path / "survey"
    folder.mkdir()
    design.to_csv(folder / "computer_design.csv", index=False)
    ratings.to_csv(folder / "computer_ratings.csv", index=False)
    return folder


def test_sets_are_listed_with_the_place_of_their_files(vstg, survey, tmp_path):
    code, out, err = vstg(f"data list --data-dir {survey} --data-home {tmp_path}/home")
    assert (code, err) == (0, "")
    lines = {line.split()[0]: line for line in out.splitlines()}
    assert set(lines) == {"name", *DATASETS}
    assert lines["computer"].endswith(str(survey))
    assert lines["school"].endswith("to be downloaded")


def test_a_folder_takes_the_place_of_the_network(vstg, survey, tmp_path):
    where = f"--data-dir {survey} --data-home {tmp_path}/home"
    code, out, err = vstg(f"data fetch computer {where} --repetition 2 -o {tmp_path}")
    assert (code, err) == (0, "")
    assert "190 tasks, 14 variables" in out
    table = pd.read_csv(tmp_path / "computer_train.csv")
    real = fetch_computer(data_dir=survey, random_state=2)
    pd.testing.assert_frame_equal(table, real.train.to_frame(), check_dtype=False)
    assert len(pd.read_csv(tmp_path / "computer_test.csv")) == 190 * 5
    assert not (tmp_path / "computer_validation.csv").exists()
    assert not (tmp_path / "home").exists()
    code, _, err = vstg(f"data fetch computer {where} -o {tmp_path}")
    assert code == 2
    assert "--force" in err


def test_files_that_are_not_the_known_ones_are_told(vstg, survey, tmp_path):
    where = f"--data-dir {survey} --data-home {tmp_path}/home"
    code, out, err = vstg(f"data list computer --check {where}")
    assert code == 2
    assert "counted: 190, 14" in out
    assert "the files of computer differ from the published ones" in err


@needs_files
def test_the_known_files_are_counted(vstg, tmp_path):
    where = f"--data-dir {FILES} --data-home {tmp_path}"
    code, out, _ = vstg(f"data list school parkinsons computer --check {where}")
    assert code == 0
    assert out.count("as known") == 3
    assert "15362 targets, 22 to 251 per task" in out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("data list moon", "no data set 'moon'; there are syn1, syn2"),
        ("data fetch school --data-dir nowhere", "'nowhere' is not a folder"),
        (f"data fetch school -o {__file__}", "is a file: give a folder"),
        ("data look", "invalid choice: 'look'"),
    ],
)
def test_bad_arguments_are_one_line(vstg, line, message):
    code, out, err = vstg(line)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_the_folder_for_tables_is_made(vstg):
    code, out, _ = vstg("data fetch syn1 -o new/tables")
    assert code == 0
    assert "new/tables/syn1_train.csv" in out
