"""Work in a bounded process comes to an answer or to a sentence, and leaves nothing."""

import os
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil
import pytest

from vstg.bounded import BoundedError, Bounds, run, run_bounded
from vstg.bounded.child import receive, send

ROOT = Path(__file__).parents[2]
LITTLE = Bounds(cpu=1, seconds=1, memory=2**27, output=2**16)


def test_values_come_back():
    assert run_bounded("math:sqrt", 2.0) == np.sqrt(2.0)
    assert run_bounded("builtins:sorted", ["b", "ä", "a"], reverse=True)[0] == "ä"
    assert run_bounded(os.path.basename, "a/b") == "b"


@pytest.mark.parametrize(
    ("function", "arguments", "words"),
    [
        ("time:sleep", [1000], "x.csv takes longer than 1 s"),
        ("signal:pause", [], "x.csv takes longer than 1 s"),
        ("math:factorial", [3_000_000], "x.csv takes longer than 1 s"),
        ("builtins:bytes", [2**31], "x.csv takes more memory to read than the 128 MB"),
        ("numpy:ones", [2**30], "x.csv takes more memory"),
        ("builtins:bytes", [2**17], "x.csv unfolds to more than 0 MB"),
        ("os:abort", [], "x.csv ended the process that read it"),
        ("os:_exit", [0], "x.csv ended the process that read it"),
        ("ctypes:string_at", [1], "x.csv ended the process that read it"),
        ("json:loads", ["{"], "Expecting property name"),
        ("builtins:len", [3], r"x.csv cannot be read \(TypeError\)"),
        ("builtins:object", [], "object cannot be sent"),
        ("nothing:nowhere", [], r"x.csv cannot be read \(ModuleNotFoundError\)"),
        ("builtins:chr", [0xD800], "surrogates not allowed"),
    ],
)
def test_what_goes_wrong_is_one_sentence(function, arguments, words):
    with pytest.raises(BoundedError, match=words) as caught:
        run_bounded(function, *arguments, name="x.csv", bounds=LITTLE)
    assert "\n" not in str(caught.value)


def test_the_error_is_the_one_that_was_asked_for():
    with pytest.raises(LookupError, match="base 10"):
        run_bounded("builtins:int", "x", error=LookupError)


def test_no_file_meets_a_process_that_another_file_has_been_through():
    numbers = {run_bounded("os:getpid") for _ in range(4)}
    assert len(numbers) == 4
    assert os.getpid() not in numbers
    run_bounded("os:putenv", "HOSTILE", "1")
    assert run_bounded("os:getenv", "HOSTILE") is None


def test_it_writes_no_file(tmp_path):
    path = tmp_path / "x"
    path.touch()
    with pytest.raises(BoundedError):
        run_bounded("shutil:copyfile", __file__, str(path))
    assert path.read_bytes() == b""


def test_many_threads_are_served_at_once():
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda n: run_bounded("math:sqrt", n * n), range(24)))
    assert found == list(range(24))


def test_work_goes_on_after_the_process_was_killed():
    run_bounded("os:getpid")
    run.HELPER.process.send_signal(signal.SIGKILL)
    run.HELPER.process.wait()
    assert run_bounded("math:sqrt", 4.0) == 2.0


def test_without_forks_a_new_process_does_it(monkeypatch):
    monkeypatch.setattr(run, "CAN_FORK", False)
    assert run_bounded("math:sqrt", 4.0) == 2.0
    with pytest.raises(BoundedError, match="base 10"):
        run_bounded("builtins:int", "x")
    with pytest.raises(BoundedError, match="longer"):
        run_bounded("time:sleep", 100, bounds=Bounds(seconds=3))
    with pytest.raises(BoundedError, match="unfolds"):
        run_bounded("builtins:bytes", 2**17, bounds=replace(LITTLE, seconds=30))


SERVER = """
import sys, threading
from vstg.bounded import run, run_bounded
print(run_bounded("os:getpgid", 0), flush=True)
threading.Thread(target=run_bounded, args=("time:sleep", 60), daemon=True).start()
print(run_bounded("math:sqrt", 1.0), flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("end", ["killed", "returns"])
def test_nothing_outlives_the_server(end):
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with server:
        group = int(server.stdout.readline())
        server.stdout.readline()
        running = [one for one in psutil.process_iter() if group_of(one) == group]
        if end == "killed":
            server.kill()
        else:
            server.stdin.close()
    assert len(running) >= 2
    _, alive = psutil.wait_procs(running, timeout=30)
    assert not alive


def group_of(process):
    try:
        return os.getpgid(process.pid)
    except ProcessLookupError:
        return None


def test_an_answer_that_comes_before_the_last_empty_piece_is_not_lost():
    here, there = socket.socketpair()
    with here, ThreadPoolExecutor(1) as thread:

        def answered():
            with there:
                assert bytes(receive(there)) == b"file"
                send(there, [b"answer"])

        class Slow:  # sends the empty piece only after the other side has hung up
            def sendall(self, piece):
                if not len(piece):
                    answer.result()
                here.sendall(piece)

        answer = thread.submit(answered)
        send(Slow(), [b"file", b""])
        assert bytes(receive(here)) == b"answer"
