"""Many visitors at once: ``python scripts/load_test.py --users 30 --seconds 180``.

Every visitor is a session of its own (``scripts/visitor.py``) that pauses to think; a
browser among them shows what a person sees. It prints the seconds from an action to
the finished page, errors, rejected searches, and what the servers used, and exits with
1 if a page failed or showed another visitor's data. With ``--servers 2`` two dashboards
share one store behind nginx, which has to be installed.
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
from contextlib import ExitStack, contextmanager
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


def memory_megabytes(servers: list[int]) -> float:
    """Resident memory of the servers' processes."""
    texts = [Path(f"/proc/{one}/status").read_text("utf-8") for one in servers]
    return sum(int(re.findall(r"VmRSS:\s+(\d+)", text)[0]) for text in texts) / 1024


def processor_seconds(servers: list[int]) -> float:
    """What processes have used of the processors so far, without their workers."""
    ticks = 0
    for one in servers:
        text = Path(f"/proc/{one}/stat").read_text("utf-8")
        ticks += sum(int(part) for part in text.rpartition(")")[2].split()[11:13])
    return ticks / os.sysconf("SC_CLK_TCK")


async def watch_memory(servers: list[int], megabytes: list[float]) -> None:
    """Note the memory every second."""
    while True:
        megabytes.append(memory_megabytes(servers))
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
    address: str, servers: list[int], users: int, seconds: float, browsers: int
) -> tuple[Seen, Used]:
    """A crowd, and what the server took until some time after it had left."""
    used = Used([memory_megabytes(servers)])
    watching = asyncio.create_task(watch_memory(servers, used.megabytes))
    began, own = time.monotonic(), time.process_time()
    before = processor_seconds(servers)
    seen = await crowd(address, users, seconds, browsers)
    took = time.monotonic() - began
    used.server_share = (processor_seconds(servers) - before) / took
    used.crowd_share = (time.process_time() - own) / took
    await asyncio.sleep(SESSION_SECONDS + SETTLE_SECONDS)
    watching.cancel()
    return seen, used


@contextmanager
def process(command: list[str], health: str) -> Iterator[int]:
    """A program that answers at an address; gives the number of its process."""
    seconds = {"STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": str(SESSION_SECONDS)}
    running = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=os.environ | seconds,
    )  # fmt: skip
    try:
        wait_until_healthy(f"{health}/_stcore/health", running)
        yield running.pid
    finally:
        running.terminate()
        running.wait(timeout=60)


@contextmanager
def dashboard(store: Path) -> Iterator[tuple[str, int]]:
    """A dashboard on a store; gives its address and its process."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    app = [sys.executable, "-m", "vstg", "app", f"--port={port}", f"--store={store}"]
    with process(app, address) as number:
        yield address, number


@contextmanager
def proxy(addresses: list[str], folder: Path) -> Iterator[str]:
    """nginx with deploy/nginx-several.conf before two dashboards; gives its address."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    site = (ROOT / "deploy" / "nginx-several.conf").read_text("utf-8")
    changes = {"127.0.0.1:8501": addresses[0], "127.0.0.1:8502": addresses[1]}
    for old, new in changes.items():
        site = site.replace(f"server {old}", f"server {new.removeprefix('http://')}")
    site = site.replace("listen 80", f"listen 127.0.0.1:{port}")
    user = "user root; " if os.geteuid() == 0 else ""
    main = (
        f"{user}daemon off; pid {folder}/pid; error_log {folder}/error.log;\n"
        "worker_rlimit_nofile 8192; events { worker_connections 2048; }\n"
        f"http {{ access_log off; client_body_temp_path {folder}/body;\n{site}}}\n"
    )
    (folder / "nginx.conf").write_text(main, "utf-8")
    with process(["nginx", "-c", str(folder / "nginx.conf")], address):
        yield address


@contextmanager
def servers_with_store(count: int = 1) -> Iterator[tuple[str, list[int]]]:
    """Dashboards on one new store; gives their common address and their processes."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        store = folder / "runs.sqlite"
        started = [stack.enter_context(dashboard(store)) for _ in range(count)]
        addresses, numbers = [list(each) for each in zip(*started, strict=True)]
        if count > 1:
            addresses = [stack.enter_context(proxy(addresses, folder))]
        yield addresses[0], numbers


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
    parser.add_argument("--servers", type=int, choices=(1, 2), default=1)
    parser.add_argument("--again", type=int, default=1, help="crowds one after another")
    args = parser.parse_args()
    low, high = THINKING
    print(
        f"{args.users} visitors and {args.browsers} in a browser, "
        f"who think {low:g} to {high:g} s before every action; servers: {args.servers}"
    )
    bad = 0
    with servers_with_store(args.servers) as (address, servers):
        for _ in range(args.again):
            seen, used = asyncio.run(
                watched_crowd(address, servers, args.users, args.seconds, args.browsers)
            )
            report(seen, used)
            bad += len(seen.mixed) + len(seen.errors)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
