"""Ask a bounded process to do something with a file from outside."""

import atexit
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from vstg.bounded.child import HUNG_UP, OUT_OF_MEMORY, STATUS, receive, send
from vstg.bounded.messages import MessageError, pack, unpack

MEGABYTE = 2**20
GRACE = 5  # seconds more than the process itself has
# How many files are read at the same time; others wait for their turn.
PLACES = threading.BoundedSemaphore(max(2, os.cpu_count() or 1))
TOO_LONG = (-14, -24)  # ended by SIGALRM, SIGXCPU
KILLED = -9  # by the system, when memory ran out
CAN_FORK = hasattr(os, "fork") and hasattr(socket, "send_fds")
# -P: the folder of the script is not searched for modules.
COMMAND = (sys.executable, "-P", str(Path(__file__).with_name("child.py")))


class BoundedError(ValueError):
    """A file was refused, or reading it took too much; the message is a sentence."""


@dataclass(frozen=True)
class Bounds:
    """What one piece of work may take.

    Attributes
    ----------
    cpu, seconds : int
        Of processor time, and by the clock.
    memory : int or None
        Bytes beyond what the libraries take; None for all that there is.
    output : int
        Bytes of the answer.
    """

    cpu: int = 60
    seconds: int = 120
    memory: int | None = 2**30
    output: int = 2**29


DEFAULT = Bounds()


def run_bounded(
    function: Callable[..., Any] | str,
    *arguments: Any,
    name: str = "the file",
    bounds: Bounds = DEFAULT,
    error: type[Exception] = BoundedError,
    **options: Any,
) -> Any:
    """Call a function in a bounded process and return its value.

    Parameters
    ----------
    function : callable or str
        Of a module that can be imported, or "module:name". It refuses a file by a
        ValueError with a sentence.
    arguments, options
        None, numbers, texts, bytes, arrays of numbers, lists and dictionaries of
        these; the function's value must be of these too (a tuple comes back a list).
    name : str
        How to call the file in messages.
    bounds : Bounds
        What it may take.
    error : type
        Raised with one sentence when the function refuses, or when it takes too much.
    """
    if not isinstance(function, str):
        function = f"{function.__module__}:{function.__qualname__}"
    task = {"function": function, "arguments": arguments, "options": options}
    attempt = _forked if CAN_FORK else _spawned
    with PLACES:
        content, code = attempt(task, bounds)
    try:
        if content is None:
            raise error(_why(name, code, bounds))
        answer = unpack(content)
        if "value" in answer:
            return answer["value"]
        if "refused" in answer:
            raise error(str(answer["refused"]))
        kind = str(answer["type"])
    except (MessageError, KeyError, TypeError) as trouble:
        kind = type(trouble).__name__
    msg = f"{name} cannot be read ({kind}): it is damaged, or of another format"
    raise error(msg)


def _why(name: str, code: int, bounds: Bounds) -> str:
    """A sentence about work that did not come to its end."""
    if code in TOO_LONG:
        what = f"takes longer than {bounds.cpu} s to read"
    elif code in (OUT_OF_MEMORY, KILLED):
        most = "there is"
        if bounds.memory is not None:
            most = f"the {bounds.memory // MEGABYTE} MB that are allowed"
        what = f"takes more memory to read than {most}"
    elif code == HUNG_UP:
        what = f"unfolds to more than {bounds.output // MEGABYTE} MB"
    else:
        return f"{name} ended the process that read it: it is damaged; save it again"
    return f"{name} {what}: give a smaller or a simpler file"


class _Helper:
    """The process that forks, and the socket over which it gets its work."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.process: subprocess.Popen | None = None
        self.control: socket.socket | None = None
        self.owner = 0

    def start(self) -> socket.socket:
        """Start it unless it runs; a fork of this process gets one of its own."""
        with self.lock:
            if (
                self.process is None
                or self.control is None
                or self.owner != os.getpid()
                or self.process.poll() is not None
            ):
                self._begin()
            assert self.control is not None
            return self.control

    def _begin(self) -> None:
        here, there = socket.socketpair()
        with there:
            self.process = subprocess.Popen(
                [*COMMAND, str(there.fileno())],
                pass_fds=[there.fileno()],
                stdin=subprocess.DEVNULL,
                env=_environment(),
            )
        self.control, self.owner = here, os.getpid()

    def give(self, handles: list[int]) -> None:
        """Send work; a second time when the process has just ended."""
        try:
            socket.send_fds(self.start(), [b"w"], handles)
        except OSError:
            if self.process is not None:
                self.process.wait(timeout=GRACE)
            socket.send_fds(self.start(), [b"w"], handles)

    def stop(self) -> None:
        """End it and its forks."""
        with self.lock:
            if self.control is not None:
                self.control.close()
            if self.process is not None and self.owner == os.getpid():
                with suppress(subprocess.TimeoutExpired):
                    self.process.wait(timeout=GRACE)
            self.process = self.control = None


HELPER = _Helper()
atexit.register(HELPER.stop)


def warm_up() -> None:
    """Start the process that reads files, so that the first file need not wait."""
    if CAN_FORK:
        HELPER.start()


def _forked(task: dict[str, Any], bounds: Bounds) -> tuple[bytearray | None, int]:
    """The answer of a fork, or None and how it ended."""
    limits = asdict(bounds)
    most = limits.pop("output")
    pieces = pack({**task, "bounds": limits})
    here, there = socket.socketpair()
    status, ended = os.pipe()
    with here, open(status, "rb") as ending:
        try:
            HELPER.give([there.fileno(), ended])
        finally:
            there.close()
            os.close(ended)
        here.settimeout(bounds.seconds + GRACE)
        try:
            send(here, pieces)
            return receive(here, most), 0
        except OverflowError:
            return None, HUNG_UP
        except TimeoutError:
            return None, TOO_LONG[0]
        except (OSError, EOFError):  # it ended without an answer
            told = ending.read()
    return None, STATUS.unpack(told)[0] if told else 1


def _spawned(task: dict[str, Any], bounds: Bounds) -> tuple[bytearray | None, int]:
    """The answer of a new process, where none can fork: bounded by the clock alone."""
    try:
        done = subprocess.run(
            COMMAND,
            input=b"".join(pack(task)),
            stdout=subprocess.PIPE,
            timeout=bounds.seconds,
            env=_environment(),
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None, TOO_LONG[0]
    if len(done.stdout) > bounds.output:
        return None, HUNG_UP
    return bytearray(done.stdout) if done.returncode == 0 else None, done.returncode


def _environment() -> dict[str, str]:
    """For the new process: this package found, and no threads, which no fork keeps."""
    root = str(Path(__file__).parents[2])
    paths = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
    single = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return {**os.environ, "PYTHONPATH": paths, **single}
