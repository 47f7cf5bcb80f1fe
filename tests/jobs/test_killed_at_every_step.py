"""Killed at any statement, a process leaves the store as it was or as it wanted it."""

import os
import signal
import subprocess
import sys
import textwrap

import pytest

from vstg.jobs import Store
from vstg.jobs.store.maintenance import compact, find_faults
from vstg.jobs.store.run_files import add_all, export_runs, read_file


@pytest.fixture
def number(store, syn, request_of):
    """A run that is over."""
    number = store.add_run(request_of(), syn.train, name="kept")
    store.finish(number, "cancelled")
    return number


def killed_at(path, work, step):
    """Whether SIGKILL met ``work`` at its statement number ``step``, in a child.

    Without a step too many: then the work was done.
    """
    child = os.fork()
    if child == 0:
        done = 1
        try:
            with Store(path) as store:
                count = iter(range(step))

                def trace(statement):
                    if next(count, None) is None:
                        os.kill(os.getpid(), signal.SIGKILL)

                store.connection.set_trace_callback(trace)
                work(store)
                store.connection.set_trace_callback(None)
            done = 0
        finally:
            os._exit(done)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(status) == 0
    return False


def state(path):
    """What a visitor could see: runs in sight and in the bin."""
    with Store(path) as store:
        assert find_faults(store) == []
        assert store.query("PRAGMA integrity_check")[0][0] == "ok"
        return [
            [run.name for run in store.runs(deleted=deleted)]
            for deleted in (False, True)
        ]


def test_upload(path, store, syn):
    fresh = syn.test
    steps = 0
    while killed_at(path, lambda s: s.add_data(fresh), steps):
        steps += 1
        with Store(path) as after:
            assert find_faults(after) == []
    assert steps >= 3
    assert store.data(fresh.fingerprint).fingerprint == fresh.fingerprint


def test_import_is_whole_or_not_at_all(path, store, number):
    store.change(number, name="imported")
    found = read_file(export_runs(store, [number, number]))
    store.change(number, name="kept")
    seen, steps = [], 0
    while killed_at(path, lambda s: add_all(s, found), steps):
        steps += 1
        in_sight, _ = state(path)
        seen.append(in_sight.count("imported"))
        if seen[-1]:  # the kill came after the transaction: start over
            store.remove([r for r in store.runs() if r.name == "imported"])
    assert steps >= 4
    whole = state(path)[0].count("imported")
    assert whole == 2
    assert set(seen) <= {0, whole}


@pytest.mark.parametrize("work", ["delete", "restore", "remove", "compact"])
def test_delete_undo_and_maintenance(path, store, number, work):
    works = {
        "delete": lambda s: s.delete([number]),
        "restore": lambda s: s.restore([number]),
        "remove": lambda s: s.remove([s.run(number)]),
        "compact": compact,
    }
    if work == "restore":
        store.delete([number])
    before = state(path)
    after = {
        "delete": [[], ["kept"]],
        "restore": [["kept"], []],
        "remove": [[], []],
        "compact": [["kept"], []],
    }[work]
    steps = 0
    while killed_at(path, works[work], steps):
        steps += 1
        now = state(path)
        assert now in (before, after)
        if now == after != before:
            break
    assert steps >= 2 or work == "compact"
    if state(path) != after:
        works[work](store)
    assert state(path) == after


def test_a_worker_out_of_memory_says_so_and_the_run_can_be_resumed(
    path, store, syn, request_of
):
    number = store.add_run(request_of(), syn.train)
    program = f"""
        import resource
        import vstg.jobs.kinds.search as search
        from vstg.jobs import Store
        from vstg.jobs.queue import do_run
        from vstg.jobs.queue.attempt import attempt

        search.search_grid = lambda *args, **options: bytearray(1 << 35)
        resource.setrlimit(resource.RLIMIT_AS, (1 << 34, 1 << 34))
        with Store({str(path)!r}) as store:
            run = store.claim({number})
            with attempt(store, run) as stop:
                do_run(store, run, stop)
    """
    subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], timeout=120, check=False
    )
    run = store.run(number)
    assert run.status == "failed"
    assert "memory" in run.message.lower()
    store.resume(number)
    assert store.run(number).status == "queued"


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
def test_another_user_reads_a_store_that_is_not_theirs(path, store, number, tmp_path):
    for folder in (tmp_path, *tmp_path.parents):
        if folder.owner() == "root" and str(folder) != "/":
            folder.chmod(folder.stat().st_mode | 0o055)
    path.chmod(0o644)
    store.close()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.setgid(65534)
            os.setuid(65534)
            with Store(path, create=False) as theirs:
                names = [run.name for run in theirs.runs()]
                try:
                    theirs.delete([number])
                except OSError as error:
                    said = str(error)
                read = theirs.read_only and names == ["kept"]
                code = 0 if read and "read-only" in said else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
