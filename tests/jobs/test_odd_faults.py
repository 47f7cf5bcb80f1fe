"""Clocks that jump, files that are cut or scribbled over: nothing done is lost."""

import gzip
import json
import zlib
from threading import Event

import pytest
from searches import N_CELLS

from vstg.jobs import Store, StoreError, stored_result
from vstg.jobs.queue import do_run
from vstg.jobs.store import run as runs
from vstg.jobs.store import store as store_module
from vstg.jobs.store.run_files import export_runs, import_runs


@pytest.fixture
def searched(store, syn, request_of):
    run = store.claim(store.add_run(request_of(), syn.train, name="kept"))
    do_run(store, run, Event())
    store.finish(run.id, "done")
    return store.run(run.id)


@pytest.fixture
def clock(monkeypatch):
    """Clocks that stand still until they are set."""
    now = {"wall": 1.8e9, "since start": 100.0}
    for module in (runs, store_module):
        monkeypatch.setattr(module, "time", lambda: now["wall"])
    monkeypatch.setattr(runs, "monotonic", lambda: now["since start"])
    return now


@pytest.mark.parametrize("jump", [-1e6, -10.0, 3600.0, 1e6])
def test_a_clock_that_jumps_interrupts_nothing(store, syn, request_of, clock, jump):
    number = store.add_run(request_of(), syn.train)
    run = store.claim(number)
    assert store.mark_lost("lost") == []
    clock["wall"] += jump
    clock["since start"] += 5.0
    assert store.mark_lost("lost") == []
    assert store.run(number).seconds >= 0.0
    store.beat(number)
    do_run(store, run, Event())
    clock["wall"] -= 2 * jump
    left = store.run(number).seconds_left
    assert left is None or left >= 0.0
    store.finish(number, "done")
    assert store.run(number).status == "done"
    assert store.run(number).seconds >= 0.0
    assert store.purge() == 0


def test_a_resumed_run_expects_the_pace_of_all_its_fits(store, syn, request_of, clock):
    number = store.add_run(request_of(), syn.train)
    store.claim(number)
    with store.transaction() as connection:
        # 60 of 100 fits took 60 s before; now 40 s went into starting and one fit.
        connection.execute(
            "UPDATE runs SET total = 100, done = 61, fitted = 1, seconds = 60"
        )
    clock["wall"] += 40.0
    assert store.run(number).seconds_left == pytest.approx(100 / 61 * 39)


def test_a_run_that_falls_silent_is_interrupted_however_clocks_differ(
    store, syn, request_of, clock
):
    number = store.add_run(request_of(), syn.train)
    store.claim(number)
    with store.transaction() as connection:  # as a machine far ahead of us writes it
        connection.execute("UPDATE runs SET worker = 'elsewhere:7', heartbeat = 9e9")
    assert store.mark_lost("lost") == []
    clock["since start"] += 14.0
    assert store.mark_lost("lost") == []
    with store.transaction() as connection:
        connection.execute("UPDATE runs SET heartbeat = 9e9 + 3")
    clock["since start"] += 14.0
    assert store.mark_lost("lost") == []
    clock["since start"] += 16.0
    assert store.mark_lost("lost") == [number]
    assert store.run(number).status == "interrupted"


def test_a_store_cut_or_scribbled_over_is_refused_in_words_or_whole(
    store, path, searched, rng
):
    store.query("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()
    whole = path.read_bytes()
    for turn in range(40):
        content = bytearray(whole)
        if turn % 2:
            del content[int(rng.integers(1, len(whole))) :]
        else:
            for place in rng.integers(0, len(whole), size=20):
                content[place] = rng.integers(256)
        path.write_bytes(content)
        for beside in ("-wal", "-shm"):
            path.with_name(path.name + beside).unlink(missing_ok=True)
        try:
            with Store(path) as damaged:
                for run in damaged.runs():
                    stored_result(damaged, run)
        except (StoreError, ValueError) as error:
            assert str(error)
    path.write_bytes(whole)
    with Store(path) as again:
        assert len(stored_result(again, again.run(searched.id)).frame) == N_CELLS


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        ("status", "<b>done</b>", "status"),
        ("name", 7, "name"),
        ("created", 1e300, "created"),
        ("done", -1, "done"),
        ("kind", "magic", "unknown"),
        ("best", '{"setting": {"n_latent": "x"}}', "n_latent"),
        ("best", '{"error": NaN}', "error"),
        ("source", '{"preparation": "no"}', "preparation"),
        ("request", '{"grid": 5}', "grid"),
        ("request", '{"folds": 1e9}', "folds"),
        ("request", '{"validation": "nowhere"}', "data"),
    ],
)
def test_an_odd_value_in_a_file_of_runs_is_refused(
    store, searched, place, value, words
):
    found = json.loads(gzip.decompress(export_runs(store, [searched.id])))
    found["runs"][0][place] = value
    with pytest.raises(ValueError, match=words):
        import_runs(store, gzip.compress(json.dumps(found).encode()))
    assert [run.id for run in store.runs()] == [searched.id]


def test_a_file_of_runs_names_no_cluster_and_no_folder_here(store, searched):
    found = json.loads(gzip.decompress(export_runs(store, [searched.id])))
    request = json.loads(found["runs"][0]["request"])
    request["scheduler"] = "tcp://evil.invalid:8786"
    found["runs"][0]["request"] = json.dumps(request)
    (number,) = import_runs(store, gzip.compress(json.dumps(found).encode()))
    assert store.run(number).request.scheduler is None


def packed(**values):
    """A file of runs with these values in place of its own."""
    found = {"format": "vstg-runs", "version": 1, "data": {}, "runs": []} | values
    return gzip.compress(json.dumps(found).encode())


@pytest.mark.parametrize("version", [float("nan"), float("inf"), "1", None, 1.0, -1])
def test_a_version_that_is_no_number_is_refused(store, version):
    with pytest.raises(ValueError, match="it was not written by vstg"):
        import_runs(store, packed(version=version))
    with pytest.raises(ValueError, match="newer vstg"):
        import_runs(store, packed(version=2))


def bomb(before, again, after, megabytes=150):
    """A small file that unpacks to so much of the same."""
    packer = zlib.compressobj(9, wbits=31)
    block = again * (2**20 // len(again))
    parts = [packer.compress(before)]
    parts += [packer.compress(block) for _ in range(megabytes)]
    return b"".join([*parts, packer.compress(after), packer.flush()])


@pytest.mark.parametrize(
    ("before", "again", "after"),
    [
        (b"[", b"[],", b"[]]"),
        (b'{"format":"vstg-runs","version":1,"data":{},"runs":[', b"[],", b"[]]}"),
        (b'{"format":"vstg-runs","version":1,"x":[', b"[],", b'[]],"runs":[]}'),
        (b'{"format":"vstg-runs","version":1,"x":', b"[", b""),
    ],
)
def test_a_small_file_that_unpacks_to_much_is_refused_cheaply(
    store, before, again, after
):
    content = bomb(before, again, after)
    assert len(content) < 200_000
    resource = pytest.importorskip("resource")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ValueError, match=r"no runs that can be read|file of runs"):
        import_runs(store, content)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - most
    assert grown < 50_000  # kB, in the server
    assert store.runs() == []


def test_text_from_outside_is_valid_bounded_and_without_zeros(store, searched):
    found = json.loads(gzip.decompress(export_runs(store, [searched.id])))
    found["runs"][0] |= {"name": "a\0b" + "c" * 5000, "note": "n\0"}
    (number,) = import_runs(store, gzip.compress(json.dumps(found).encode()))
    run = store.run(number)
    assert run.name.startswith("a\ufffdbc") and len(run.name) == 500
    assert run.note == "n\ufffd"
    store.change(number, name="x\ud800y", note="\udfff" * 3)
    run = store.run(number)
    assert (run.name, run.note) == ("x\ufffdy", "\ufffd" * 3)


@pytest.mark.parametrize("place", ["best", "name", "source", "request"])
def test_a_lone_surrogate_in_a_file_of_runs_is_refused(store, searched, place):
    found = json.loads(gzip.decompress(export_runs(store, [searched.id])))
    inner = {
        "best": '{"method": "\\ud800"}',
        "name": "\ud800",
        "source": '{"data": "\\ud800"}',
        "request": '{"method": "\\ud800"}',
    }
    found["runs"][0][place] = inner[place]
    with pytest.raises(ValueError, match="no runs that can be read"):
        import_runs(store, gzip.compress(json.dumps(found).encode()))
    assert [run.id for run in store.runs()] == [searched.id]
