"""Many visitors at once: ``python scripts/load_test.py --users 30 --seconds 180``.

Every visitor is a session of its own (``scripts/visitor.py``), with pauses to think; a
browser beside them shows what a person sees. Printed are the times from an action to
the finished page, errors, refusals, and what the server took. Ends with 1 if a page
failed or had what was not its visitor's.
"""

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from scripts.dashboard_server import free_port, wait_until_healthy  # noqa: E402
from scripts.key_presses import browse  # noqa: E402
from scripts.visitor import SEARCH_PATIENCE, Seen, Visitor  # noqa: E402

THINKING = (1.0, 4.0)  # seconds between two actions of a visitor
SESSION_SECONDS = 15  # how long a server keeps a session whose connection broke
SETTLE_SECONDS = 30  # after the last visitor has left


@dataclass
class Used:
    """What the server took."""

    megabytes: list[float]
    server_share: float = 0.0
    crowd_share: float = 0.0


def memory_megabytes(process: int) -> float:
    """Resident memory of the server's process."""
    text = Path(f"/proc/{process}/status").read_text("utf-8")
    return int(re.findall(r"VmRSS:\s+(\d+)", text)[0]) / 1024


def processor_seconds(process: int) -> float:
    """What a process has used of the processors so far, without its workers."""
    text = Path(f"/proc/{process}/stat").read_text("utf-8")
    user, system = text.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


async def watch_memory(process: int, megabytes: list[float]) -> None:
    """Note the memory every second."""
    while True:
        megabytes.append(memory_megabytes(process))
        await asyncio.sleep(1)


async def crowd(
    address: str,
    users: int,
    seconds: float,
    browsers: int = 0,
    thinking: tuple[float, float] = THINKING,
) -> Seen:
    """All visitors at once, and what they met."""
    # Each visitor may wait for an upload, and none of them for another's.
    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(users))
    seen, until = Seen(), time.monotonic() + seconds
    visitors = [Visitor(number, address, seen, thinking) for number in range(users)]
    await asyncio.gather(
        *(visitor.visit(until) for visitor in visitors),
        *(browse(address, seen, thinking, until) for _ in range(browsers)),
    )
    return seen


async def watched_crowd(
    address: str, process: int, users: int, seconds: float, browsers: int
) -> tuple[Seen, Used]:
    """A crowd, and what the server took until some time after it had left."""
    used = Used([memory_megabytes(process)])
    watching = asyncio.create_task(watch_memory(process, used.megabytes))
    began, own = time.monotonic(), time.process_time()
    server = processor_seconds(process)
    seen = await crowd(address, users, seconds, browsers)
    took = time.monotonic() - began
    used.server_share = (processor_seconds(process) - server) / took
    used.crowd_share = (time.process_time() - own) / took
    await asyncio.sleep(SESSION_SECONDS + SETTLE_SECONDS)
    watching.cancel()
    return seen, used


@contextmanager
def server_with_store() -> Iterator[tuple[str, int]]:
    """A dashboard with a store of its own; gives its address and its process."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    seconds = {"STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": str(SESSION_SECONDS)}
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "runs.sqlite")
        server = subprocess.Popen(
            [sys.executable, "-m", "vstg", "app", f"--port={port}", f"--store={store}"],
            cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=os.environ | seconds,
        )  # fmt: skip
        try:
            wait_until_healthy(f"{address}/_stcore/health", server)
            yield address, server.pid
        finally:
            server.terminate()
            server.wait(timeout=60)


def times_line(name: str, values: list[float]) -> str:
    """How often an action was done, and how long it took."""
    ordered = sorted(values)
    last = len(ordered) - 1
    points = [ordered[round(share * last)] for share in (0.5, 0.95, 0.99, 1.0)]
    return f"{name:<18}{len(ordered):>7}" + "".join(f"{p:>9.2f}" for p in points)


def report(seen: Seen, used: Used) -> None:
    """Print what was measured."""
    heads = "".join(f"{head:>9}" for head in ("median", "95 %", "99 %", "longest"))
    print(f"{'action':<18}{'times':>7}{heads}  seconds")
    for name, values in seen.seconds.items():
        print(times_line(name, values))
    print(f"pages {seen.pages}, of them with the visitor's own mark {seen.own_pages}")
    print(f"messages {seen.messages}, with another's mark {len(seen.mixed)}")
    print(
        f"errors {len(seen.errors)}, searches rejected {seen.refused}, "
        f"cancelled after {SEARCH_PATIENCE:.0f} s {seen.cancelled}"
    )
    print(
        f"memory of the server: before {used.megabytes[0]:.0f} MB, "
        f"at most {max(used.megabytes):.0f} MB, "
        f"after they left {used.megabytes[-1]:.0f} MB"
    )
    print(
        f"share of one processor: server {used.server_share:.0%}, "
        f"the visitors' program {used.crowd_share:.0%}"
    )
    for line in [*seen.mixed, *seen.errors][:20]:
        print(" ", line)


def main() -> int:
    """Serve, send the crowd, report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--users", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--browsers", type=int, default=1, help="real browsers as well")
    parser.add_argument("--again", type=int, default=1, help="crowds one after another")
    args = parser.parse_args()
    low, high = THINKING
    print(
        f"{args.users} visitors and {args.browsers} in a browser, "
        f"who think {low:g} to {high:g} s before every action"
    )
    bad = 0
    with server_with_store() as (address, process):
        for _ in range(args.again):
            seen, used = asyncio.run(
                watched_crowd(address, process, args.users, args.seconds, args.browsers)
            )
            report(seen, used)
            bad += len(seen.mixed) + len(seen.errors)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
