"""The process that reads files: it waits with its libraries loaded and forks.

``python child.py SOCKET`` is started once by a server. For each file it forks, so that
no file meets a process that another file has been through. A fork sets its own limits
before it looks at the file, and ends after it. When the server ends, however it ends,
the socket closes, and everything here ends too. Without an argument, for systems that
do not fork, one task is read from standard input.
"""

import gc
import importlib
import os
import select
import signal
import socket
import struct
import sys
from contextlib import suppress
from typing import Any

# Loaded one by one while there is nothing to do; a fork loads what is still missing.
WARM = (
    "pandas",
    "vstg.bounded.messages",
    "vstg.bounded.text",
    "vstg.tables.readers",
    "pyarrow.parquet",
    "openpyxl",
    "scipy.io",
    "vstg.prediction.bounded_load",
    "vstg.jobs.store.run_files",
)
REHEARSAL = "vstg.tables.readers:rehearse"
LENGTH = 8  # bytes of the number before a message
STATUS = struct.Struct("!q")
# How a fork ends that cannot answer; the second when the server would read no more.
OUT_OF_MEMORY, HUNG_UP = 3, 4


def main() -> None:
    """Serve until the server is gone; never returns."""
    if len(sys.argv) == 1:
        _work_alone()
    os.setsid()  # Ctrl-C in the server's terminal is for the server
    Forks(socket.socket(fileno=int(sys.argv[1]))).serve()


class Forks:
    """One fork for each file, and one that waits for the next."""

    def __init__(self, control: socket.socket) -> None:
        self.control = control
        self.ended, waker = socket.socketpair()
        waker.setblocking(False)
        self.waker = waker
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(waker.fileno())
        self.waiting = list(WARM)
        self.spare: tuple[int, socket.socket] | None = None
        self.status: dict[int, int] = {}  # where to write how a fork ended

    def serve(self) -> None:
        """Hand out work, tell how it ended, load libraries in between."""
        while True:
            timeout = 0 if self.waiting else None
            ready, _, _ = select.select([self.control, self.ended], [], [], timeout)
            if self.ended in ready:
                self.ended.recv(4096)
                self.tell()
            if self.control in ready:
                self.hand_out()
            elif not ready:
                with suppress(ImportError):  # a library that is not installed
                    importlib.import_module(self.waiting.pop(0))
                if not self.waiting:
                    gc.freeze()  # forks share what is there already
                    self.spare = self.fork()

    def hand_out(self) -> None:
        """Give a file to the fork that waits; the next one is made when it is done."""
        try:
            flag, handles, _, _ = socket.recv_fds(self.control, 1, 2)
        except OSError:
            flag = b""
        if not flag:
            os.killpg(0, signal.SIGKILL)  # the server is gone: so are all forks
        work, status = handles
        number, line = self.spare or self.fork()
        self.status[number] = status
        with line, suppress(OSError):  # a fork that has been ended
            socket.send_fds(line, [flag], [work])
        os.close(work)
        self.spare = None

    def fork(self) -> tuple[int, socket.socket]:
        """A new fork, which waits at the other end of a socket for its file."""
        here, there = socket.socketpair()
        number = os.fork()
        if number == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for mine in (here, self.control, self.ended, self.waker):
                mine.close()
            for status in self.status.values():
                os.close(status)
            if not self.waiting:
                # What a reader writes to is copied now, not while a user waits.
                perform(REHEARSAL, [], {})
            _, handles, _, _ = socket.recv_fds(there, 1, 1)
            if not handles:
                os._exit(0)
            _work(socket.socket(fileno=handles[0]))
        there.close()
        return number, here

    def tell(self) -> None:
        """Tell the server how forks ended."""
        with suppress(ChildProcessError):
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                number, code = found
                if self.spare is not None and self.spare[0] == number:
                    self.spare = None
                status = self.status.pop(number, None)
                if status is not None:
                    with suppress(BrokenPipeError):  # the server had its answer
                        os.write(status, STATUS.pack(os.waitstatus_to_exitcode(code)))
                    os.close(status)
        if self.spare is None and not self.waiting:
            self.spare = self.fork()


def _work(stream: socket.socket) -> None:
    """Do one piece of work, answer, and end at once: taking threads down may abort."""
    code = 1
    try:
        from vstg.bounded.messages import unpack

        gc.disable()  # it would touch, and so copy, all that is shared
        silence = os.open(os.devnull, os.O_WRONLY)
        for channel in (1, 2):  # warnings of libraries are not for the server's log
            os.dup2(silence, channel)
        task = unpack(receive(stream))
        limit(**task["bounds"])
        pieces = perform(task["function"], task["arguments"], task["options"])
        send(stream, pieces)
        stream.close()
        code = 0
    except MemoryError:
        code = OUT_OF_MEMORY
    except (OSError, EOFError):
        code = HUNG_UP
    finally:
        os._exit(code)


def _work_alone() -> None:
    """One task from standard input, without limits of the system."""
    from vstg.bounded.messages import unpack

    task = unpack(sys.stdin.buffer.read())
    for piece in perform(task["function"], task["arguments"], task["options"]):
        sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()
    os._exit(0)


def perform(function: str, arguments: list[Any], options: dict[str, Any]) -> list[Any]:
    """Call a function by name; its value, or the sentence of its refusal, packed."""
    from vstg.bounded.messages import pack
    from vstg.bounded.text import clean_text

    module, _, name = function.partition(":")
    try:
        found = getattr(importlib.import_module(module), name)
        return pack({"value": found(*arguments, **options)})
    except MemoryError:
        raise
    except Exception as error:
        lines = [line for line in str(error).splitlines() if line.strip()]
        words = clean_text(lines[0] if lines else "", 2000)
        # A refusal is a ValueError with a sentence; anything else was not foreseen.
        kind = "refused" if isinstance(error, ValueError) and words else "failed"
        return pack({kind: words, "type": type(error).__name__})


def send(stream: socket.socket, pieces: list[bytes | memoryview]) -> None:
    """Send a message with its length before it.

    Not an empty piece: whoever has all of a message may answer and hang up, and then
    even sending nothing fails.
    """
    stream.sendall(sum(map(len, pieces)).to_bytes(LENGTH, "big"))
    for piece in filter(len, pieces):
        stream.sendall(piece)


def receive(stream: socket.socket, most: int | None = None) -> bytearray:
    """Return a message; EOFError if it breaks off, OverflowError if it is too long."""
    size = int.from_bytes(_exactly(stream, LENGTH), "big")
    if most is not None and size > most:
        raise OverflowError
    return _exactly(stream, size)


def _exactly(stream: socket.socket, size: int) -> bytearray:
    content = bytearray(size)
    view = memoryview(content)
    while len(view):
        n_read = stream.recv_into(view)
        if not n_read:
            raise EOFError
        view = view[n_read:]
    return content


def limit(cpu: int, seconds: int, memory: int | None) -> None:
    """Let the system end this process when it takes more time or memory."""
    import resource

    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    wanted = [
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),  # it writes no file
    ]
    if memory is not None:
        wanted.append((resource.RLIMIT_AS, _address_space() + memory))
    for which, most in wanted:
        with suppress(ValueError, OSError):  # not every system has each
            resource.setrlimit(which, (most, most))
    for name in (signal.SIGALRM, signal.SIGXCPU, signal.SIGXFSZ):
        signal.signal(name, signal.SIG_DFL)
    signal.alarm(seconds)


def _address_space() -> int:
    """Bytes that this process has already; the libraries alone take some."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 2**31


if __name__ == "__main__":
    main()
