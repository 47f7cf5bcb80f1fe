"""``vstg store``: checked, copied, shrunk and emptied, also while it is in use."""

import sqlite3
import subprocess
import sys
from threading import Event

import numpy as np
import pytest

from vstg.__main__ import main
from vstg.data import MultiTaskData
from vstg.jobs import FitRequest, Store, StoreError, do_run, is_store_file
from vstg.jobs.store.maintenance import size_of_content

SETTING = {"n_latent": 2, "k": 1, "gamma1": 0.1, "gamma2": 0.1}
DAY = 86_400


def noise(seed, n=12):
    rng = np.random.default_rng(seed)
    return MultiTaskData([rng.normal(size=(n, 10))] * 2, list(rng.normal(size=(2, n))))


def fitted(store, data, name=""):
    number = store.add_run(FitRequest(setting=SETTING), data, name=name)
    do_run(store, store.claim(number), Event())
    store.finish(number, "done")
    return number


def test_a_sound_store_has_no_faults(store, path, capsys):
    fitted(store, noise(0))
    assert main(["store", "check", "--store", str(path)]) == 0
    assert "1 runs" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("UPDATE runs SET request = '{'", "run 1: "),
        ("UPDATE runs SET status = 'odd'", "status is 'odd'"),
        ("UPDATE pieces SET content = x'00'", "run 1: stored arrays cannot be read"),
        ("UPDATE data SET content = x'00'", "data "),
    ],
)
def test_check_names_what_is_damaged(store, path, capsys, damage, words):
    fitted(store, noise(0))
    with store.transaction() as connection:
        connection.execute(damage)
    assert main(["store", "check", "--store", str(path)]) == 2
    said = capsys.readouterr()
    assert words in said.out
    assert "faults, listed above" in said.err


def test_commands_make_no_store_where_there_is_none(tmp_path, capsys):
    path = tmp_path / "none.sqlite"
    for action in ("check", "compact", "purge"):
        assert main(["store", action, "--store", str(path)]) == 2
        assert f"there is no run store {path}" in capsys.readouterr().err
    assert not path.exists()


def test_a_backup_of_a_store_in_use_is_complete_and_harms_nothing(
    store, path, tmp_path
):
    """Another process copies and closes: what only the log has must survive that."""
    first = fitted(store, noise(0), "before")
    copy = tmp_path / "copy.sqlite"
    line = [sys.executable, "-m", "vstg", "store", "backup", "--store", str(path)]
    subprocess.run([*line, "-o", str(copy)], check=True, capture_output=True)
    log = path.with_name(f"{path.name}-wal")
    assert log.stat().st_size > 0
    second = fitted(store, noise(1), "after")
    store.close()
    with Store(copy) as copied:
        assert [run.id for run in copied.runs()] == [first]
    with Store(path) as again:
        assert [run.id for run in again.runs()] == [second, first]
    assert main([*line[3:], "-o", str(copy)]) == 2  # a copy is never overwritten


def test_the_file_shrinks_when_runs_are_removed(store, path):
    fitted(store, noise(0))
    store.query("PRAGMA wal_checkpoint(TRUNCATE)")
    small = path.stat().st_size
    number = fitted(store, noise(1, 20_000))
    store.query("PRAGMA wal_checkpoint(TRUNCATE)")
    assert path.stat().st_size > small + 1_000_000
    store.delete([number])
    assert store.purge(older_than=-1) == 1
    assert path.stat().st_size <= small + 20_000


def test_compact_shrinks_the_file_of_an_earlier_version(store, path, capsys):
    number = fitted(store, noise(1, 20_000))
    store.connection.execute("PRAGMA journal_mode = DELETE")
    store.connection.execute("PRAGMA auto_vacuum = NONE")
    store.connection.execute("VACUUM")  # as it was made until now
    store.delete([number])
    store.purge(older_than=-1)
    store.add_data(noise(2, 5_000))  # left over by a page that ended too early
    store.close()
    large = path.stat().st_size
    assert large > 1_000_000
    assert main(["store", "compact", "--store", str(path)]) == 0
    assert path.stat().st_size < 150_000
    with Store(path) as again:
        assert again.query("PRAGMA auto_vacuum")[0][0] == 2


def test_purge_by_age_takes_the_old_and_spares_what_works(store, path, capsys):
    numbers = [fitted(store, noise(seed)) for seed in range(3)]
    working = store.add_run(FitRequest(setting=SETTING), noise(3))
    with store.transaction() as connection:
        connection.execute("UPDATE runs SET created = created - ?", (10 * DAY,))
        connection.execute(
            "UPDATE runs SET created = created + ? WHERE id = ?",
            (5 * DAY, numbers[2]),
        )
    line = ["store", "purge", "--store", str(path), "--older-than"]
    assert main([*line, "11"]) == 0
    assert len(store.runs()) == 4
    assert main([*line, "7"]) == 0
    assert [run.id for run in store.runs()] == [working, numbers[2]]
    assert main([*line, "-1"]) == 2
    assert "must be at least 0" in capsys.readouterr().err


def test_purge_by_size_takes_the_oldest_first(store, path):
    numbers = [fitted(store, noise(seed, 20_000)) for seed in range(3)]
    size = size_of_content(store) / 1e6
    assert main(
        ["store", "purge", "--store", str(path), "--to-size", str(size * 0.5)]
    ) == 0  # fmt: skip
    assert [run.id for run in store.runs()] == numbers[2:]
    assert size_of_content(store) <= size * 0.5e6


def test_the_files_of_a_store_are_known_by_whatever_name(store, path, tmp_path):
    store.add_data(noise(0))
    linked, named = tmp_path / "link.csv", tmp_path / "again.csv"
    linked.symlink_to(path)
    named.hardlink_to(path)
    inside = path.parent / ".." / path.parent.name / path.name
    beside = [path.with_name(path.name + end) for end in ("-wal", "-shm")]
    for one in (path, linked, named, inside, *beside, str(path)):
        assert is_store_file(one)
    other = tmp_path / "table.csv"
    other.write_text("a,b\n")
    for one in (other, tmp_path / "nothing", tmp_path, "\0", ""):
        assert not is_store_file(one)


def test_a_store_moved_away_is_said_and_none_appears_in_its_place(
    store, path, tmp_path
):
    number = fitted(store, noise(0))
    away = tmp_path.with_name(f"{tmp_path.name}-away")
    tmp_path.rename(away)
    try:
        for use in (store.runs, lambda: store.change(number, name="x")):
            with pytest.raises(StoreError, match="moved, deleted or replaced"):
                use()
        with pytest.raises(StoreError, match="there is no run store"):
            Store(path, create=False)  # as workers open it
        assert not tmp_path.exists()
    finally:
        away.rename(tmp_path)
    store.change(number, name="back")
    assert store.run(number).name == "back"


def test_a_store_replaced_by_another_file_is_said(store, path, tmp_path):
    fitted(store, noise(0))
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()
    other.replace(path)
    with pytest.raises(StoreError, match="moved, deleted or replaced"):
        store.runs()
