"""Many visitors at once: ``python scripts/load_test.py --users 30 --seconds 180``.

Every visitor is a browser context of its own, uploads a table whose columns and tasks
bear the visitor's mark, and goes to and fro between Data, Explore, Tune and History.
Whatever a page shows must bear no mark of another visitor. Printed are the errors, the
times from an action to a page at rest, and the server's memory before, during and
after the visit. Ends with 1 if a page failed or showed what was not its visitor's.
"""

import argparse
import asyncio
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from playwright.async_api import Browser, Page, async_playwright  # noqa: E402
from playwright.async_api import Error as BrowserError  # noqa: E402

from scripts.dashboard_server import (  # noqa: E402
    PICTURE,
    READY,
    browser_path,
    free_port,
    wait_until_healthy,
)

SIGNS = {
    "Explore": PICTURE,
    "Tune": ".st-key-tune_start",
    "History": ".st-key-history",
    "Data": ".st-key-in_use",
}
MARK = re.compile(r"visitor\d{3}x")
PATIENCE_MS = 240_000
SESSION_SECONDS = 15  # how long a server keeps a session whose connection broke
SETTLE_SECONDS = 30  # after the last visitor has left


@dataclass
class Seen:
    """What all visitors met."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    mixed: list[str] = field(default_factory=list)
    looks: int = 0
    own_seen: int = 0


def table(mark: str, rng: random.Random) -> bytes:
    """A table of three tasks and six variables with the visitor's mark in each name."""
    columns = [f"{mark}_v{i}" for i in range(6)]
    lines = [",".join(["task", *columns, "target"])]
    for number in range(60):
        values = [rng.gauss(0, 1) for _ in columns]
        target = values[0] - 2 * values[1] + rng.gauss(0, 0.3)
        row = [f"{mark}_t{number % 3}", *(f"{v:.4f}" for v in (*values, target))]
        lines.append(",".join(row))
    return ("\n".join(lines) + "\n").encode()


async def at_rest(page: Page) -> None:
    """Wait until the script has ended and nothing is a placeholder."""
    await page.wait_for_selector(READY)
    await page.wait_for_function(
        "!document.querySelector('[data-testid=stSkeleton]')", timeout=PATIENCE_MS
    )


class Visitor:
    """One browser context and what it does."""

    def __init__(self, number: int, page: Page, address: str, seen: Seen) -> None:
        self.mark, self.page = f"visitor{number:03d}x", page
        self.address, self.seen = address, seen
        self.rng = random.Random(number)  # nosec B311

    async def timed(self, name: str, action, *, own: bool) -> None:
        """Do something, wait, note the time, and look at the page."""
        began = time.monotonic()
        await action
        await at_rest(self.page)
        self.seen.seconds.setdefault(name, []).append(time.monotonic() - began)
        await self.look(name, own=own)

    async def look(self, name: str, *, own: bool) -> None:
        """The page shows no failure and nobody else's mark."""
        text = await self.page.inner_text("body")
        labels = await self.page.evaluate(
            "[...document.querySelectorAll('[aria-label],[title],input')]"
            ".map((e) => [e.ariaLabel, e.title, e.value].join(' ')).join(' ')"
        )
        marks = set(MARK.findall(f"{text} {labels}"))
        self.seen.looks += 1
        self.seen.own_seen += self.mark in marks
        if others := marks - {self.mark}:
            self.seen.mixed.append(f"{self.mark} saw {sorted(others)} on {name}")
        if own and self.mark not in marks:
            self.seen.errors.append(f"{self.mark} did not see its own on {name}")
        if await self.page.locator("[data-testid=stException]").count():
            self.seen.errors.append(f"{self.mark}: exception on {name}")

    async def bring_data(self) -> None:
        """Upload the table and go on to Explore."""
        page = self.page
        await self.timed("open Data", page.goto(f"{self.address}/Data"), own=False)
        file = {
            "name": f"{self.mark}.csv",
            "mimeType": "text/csv",
            "buffer": table(self.mark, self.rng),
        }
        await page.set_input_files(".st-key-upload input[type=file]", file)
        began = time.monotonic()
        await page.wait_for_selector(".st-key-use button:enabled")
        await at_rest(page)
        self.seen.seconds.setdefault("upload", []).append(time.monotonic() - began)
        await self.look("upload", own=True)
        await self.timed("fit own data", self.use(), own=True)

    async def use(self) -> None:
        await self.page.locator(".st-key-use button").click()
        await self.page.wait_for_selector(PICTURE)

    async def go(self, name: str) -> None:
        await self.page.get_by_role("link", name=name, exact=True).click()
        await self.page.wait_for_selector(SIGNS[name])  # the page before is gone

    async def slide(self) -> None:
        key = self.rng.choice(["K", "g1", "g2"])
        await self.page.locator(f".st-key-{key} input[type=range]").focus()
        await self.page.keyboard.press(self.rng.choice(["ArrowLeft", "ArrowRight"]))
        await self.page.wait_for_timeout(150)  # before the page knows of the key

    async def stay(self, until: float) -> None:
        """Wander between the pages until the time is over."""
        await self.bring_data()
        while time.monotonic() < until:
            for _ in range(3):
                await self.timed("move a slider", self.slide(), own=True)
                await self.page.wait_for_timeout(self.rng.randint(200, 1500))
            for name in ("Tune", "History", "Data"):
                await self.timed(f"go to {name}", self.go(name), own=name == "Data")
            await self.timed("back to Explore", self.go("Explore"), own=True)


async def visit(
    number: int, browser: Browser, address: str, seen: Seen, until: float
) -> None:
    """One visitor from beginning to end; a failure is noted, not raised."""
    context = await browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(PATIENCE_MS)
    page = await context.new_page()
    await page.add_init_script("localStorage.setItem('vstg-tour', '1')")
    page.on("pageerror", lambda error: seen.errors.append(f"{number}: {error}"))
    try:
        await Visitor(number, page, address, seen).stay(until)
    except BrowserError as error:
        first = str(error).partition("\n")[0]
        seen.errors.append(f"visitor {number}: {first}")
    finally:
        await context.close()


def memory_megabytes(process: int) -> float:
    """Resident memory of the server's process."""
    text = Path(f"/proc/{process}/status").read_text("utf-8")
    return int(re.findall(r"VmRSS:\s+(\d+)", text)[0]) / 1024


async def watch_memory(process: int, peak: list[float]) -> None:
    """Note the memory every second."""
    while True:
        peak.append(memory_megabytes(process))
        await asyncio.sleep(1)


async def crowd(address: str, process: int, users: int, seconds: float) -> tuple:
    """All visitors at once; what they saw, and the memory meanwhile."""
    seen, memory = Seen(), [memory_megabytes(process)]
    watching = asyncio.create_task(watch_memory(process, memory))
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=browser_path(), args=["--no-sandbox"]
        )
        until = time.monotonic() + seconds
        visits = [visit(n, browser, address, seen, until) for n in range(users)]
        await asyncio.gather(*visits)
        await browser.close()
    await asyncio.sleep(SESSION_SECONDS + SETTLE_SECONDS)
    watching.cancel()
    return seen, memory


def start_server(store: str) -> tuple[subprocess.Popen, str]:
    """A dashboard with a store of its own."""
    port = free_port()
    server = subprocess.Popen(
        [sys.executable, "-m", "vstg", "app", "--port", str(port), "--store", store],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=os.environ | {
            "STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": str(SESSION_SECONDS)
        },
    )  # fmt: skip
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until_healthy(f"{address}/_stcore/health", server)
    except RuntimeError:
        server.kill()
        raise
    return server, address


def report(seen: Seen, memory: list[float]) -> None:
    """Print what was measured."""
    print(f"{'action':<18}{'times':>7}{'median':>9}{'95 %':>9}{'longest':>9}  seconds")
    for name, values in seen.seconds.items():
        ordered = sorted(values)
        high = ordered[min(int(0.95 * len(ordered)), len(ordered) - 1)]
        middle = ordered[len(ordered) // 2]
        print(
            f"{name:<18}{len(ordered):>7}{middle:>9.2f}{high:>9.2f}{ordered[-1]:>9.2f}"
        )
    print(f"pages looked at {seen.looks}, with the visitor's own mark {seen.own_seen}")
    print(f"pages with another's mark {len(seen.mixed)}, errors {len(seen.errors)}")
    print(
        f"memory of the server: before {memory[0]:.0f} MB, "
        f"at most {max(memory):.0f} MB, "
        f"after they left {memory[-1]:.0f} MB"
    )
    for line in [*seen.mixed, *seen.errors][:20]:
        print(" ", line)


def main() -> int:
    """Serve, send the crowd, report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--users", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--again", type=int, default=1, help="crowds one after another")
    args = parser.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        server, address = start_server(str(Path(folder) / "runs.sqlite"))
        try:
            for _ in range(args.again):
                seen, memory = asyncio.run(
                    crowd(address, server.pid, args.users, args.seconds)
                )
                report(seen, memory)
                bad += len(seen.mixed) + len(seen.errors)
        finally:
            server.terminate()
            server.wait(timeout=60)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
