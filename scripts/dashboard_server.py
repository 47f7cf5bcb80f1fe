"""Start the dashboard on a free port, for tests, benchmarks and screenshots."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from scripts.find_chromium import on_the_machine

ROOT = Path(__file__).parents[1]
DASHBOARD = ("-m", "vstg", "app", "--port")
# What a browser waits for: the server has answered; Explore has drawn its picture.
READY = "[data-testid=stApp][data-test-script-state=notRunning]"
PICTURE = ".st-key-scheme canvas[data-drawn]"
END_SECONDS = 120  # it ends its workers first
START_SECONDS = 600  # it imports before it answers, which takes long on a busy machine


@contextmanager
def serve(program: Sequence[str] = DASHBOARD) -> Iterator[str]:
    """A fresh server; gives its address and ends with the block.

    ``program`` is what Python runs, up to the option that takes the port.
    """
    port = free_port()
    server = subprocess.Popen(
        [sys.executable, *program, str(port)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until_healthy(f"{address}/_stcore/health", server)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=END_SECONDS)


def free_port() -> int:
    """A port that nobody uses at this moment."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def wait_until_healthy(url: str, server: subprocess.Popen) -> None:
    """Return when the server answers; RuntimeError when it does not."""
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            with urllib.request.urlopen(url, timeout=1):  # nosec B310
                return
        except OSError as error:
            if server.poll() is not None or time.monotonic() > deadline:
                msg = "the dashboard's server did not start"
                raise RuntimeError(msg) from error
            time.sleep(0.1)


def browser_path() -> str | None:
    """The browser that `make` found, or the first that runs."""
    return os.environ.get("CHROMIUM") or on_the_machine()
