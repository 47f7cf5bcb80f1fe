"""Time the first picture: from opening the address to Explore drawn, and at rest.

    python benchmarks/bench_first.py            # three fresh servers of each kind
    python benchmarks/bench_first.py --quick    # one: a smoke test

The first visitor of a fresh server and two later ones, each with an empty browser,
open the dashboard and a page with one sentence: every page has to wait for Streamlit
itself, whose scripts must be sent and started. The ratios show what Explore adds: until
its picture is there, and until the server has nothing left to do, curves included.
"""

import argparse
import statistics
import sys
import tempfile
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import Browser, sync_playwright

from scripts.dashboard_server import DASHBOARD, PICTURE, READY, browser_path, serve

BARE = 'import streamlit as st\nst.write("bare")\n'
KINDS = {"bare": ".stMarkdown", "Explore": PICTURE}
LATER = 2  # visitors after the first


def visit(browser: Browser, address: str, sign: str) -> tuple[float, float]:
    """Seconds until a new visitor sees the sign, and until the page is at rest."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.set_default_timeout(120_000)
    began = perf_counter()
    page.goto(address)
    page.wait_for_selector(sign)
    seen = perf_counter() - began
    page.wait_for_selector(READY)
    rested = perf_counter() - began
    context.close()
    return seen, rested


Times = list[tuple[float, float]]


def measure(rounds: int) -> dict[str, tuple[Times, Times]]:
    """The times of first and of later visitors by kind of page."""
    found: dict[str, tuple[Times, Times]] = {k: ([], []) for k in KINDS}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        script = Path(folder) / "bare.py"
        script.write_text(BARE, "utf-8")
        bare = ("-m", "streamlit", "run", str(script), "--server.headless=true",
                "--browser.gatherUsageStats=false", "--server.port")  # fmt: skip
        browser = playwright.chromium.launch(
            executable_path=browser_path(), args=["--no-sandbox"]
        )
        for _ in range(rounds):
            for kind, program in (("bare", bare), ("Explore", DASHBOARD)):
                with serve(program) as address:
                    first, later = found[kind]
                    first.append(visit(browser, address, KINDS[kind]))
                    later += [
                        visit(browser, address, KINDS[kind]) for _ in range(LATER)
                    ]
        browser.close()
    return found


def main() -> int:
    """Print the times and what Explore adds to Streamlit's own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a smoke test")
    rounds = 1 if parser.parse_args().quick else 3
    found = measure(rounds)
    for which, what in enumerate(("picture", "rest")):
        print(f"address opened to {what}, seconds, median")
        for place, who in enumerate(("first visitor of a server", "later visitor")):
            bare, explore = (
                statistics.median(times[which] for times in found[kind][place])
                for kind in KINDS
            )
            print(
                f"  {who:26} Explore {explore:5.2f}, bare page {bare:5.2f}, "
                f"ratio {explore / bare:4.2f}"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
