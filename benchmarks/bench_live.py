"""Time a slider in a real browser: from the key press to the finished new picture.

    python benchmarks/bench_live.py            # Syn1-4, eight positions of γ1 each
    python benchmarks/bench_live.py --quick    # Syn1, three positions: a smoke test

Every position is visited twice. First the model is fitted; the second time the server
remembers the fit, so the same page is shown with a cached result. The ratio of the two
is what the solver adds to the waiting time; it must not exceed 1.3. The same press is
timed on a Streamlit page of one slider and one sentence, and where the frames of the
slider are in the browser already, with curves and without; then a curve is dragged
along, and the frames per second are counted. Then a slider is held down: how many fits
begin, and how many of them finish? Finally, the server's own part of the time is listed
by function.
"""

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import Page, sync_playwright

from pages.explore.panel import panel_html
from pages.explore.picture.focus import focus_cell, formula_html
from pages.explore.picture.stage import scheme_data
from pages.explore.results.findings import find
from pages.explore.results.headline import headline_html
from pages.shared.fits import live
from pages.shared.fits.curves import VARIABLE
from pages.shared.state.choices import choices
from scripts.dashboard_server import READY, browser_path, serve
from vstg.plots import scheme_payload
from vstg.problem import Problem

MAX_RATIO = 1.3
COUNTING = Path(__file__).with_name("counting_server.py")
FIRST = -7  # exponent of γ1 where the walk begins
# Runs in the page: the press and the picture have one clock, and waiting costs nothing.
STOPWATCH = """
([selector, watched]) => {
  const sign = document.querySelector(selector);
  window.took = null;
  const began = { at: null };
  addEventListener('keydown', () => { began.at = performance.now(); },
                   { capture: true, once: true });
  const watch = new MutationObserver(() => {
    watch.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => {
      window.took = performance.now() - began.at;
    }));
  });
  watch.observe(sign, watched);
}
"""
CANVAS = (
    ".st-key-scheme canvas",
    {"attributes": True, "attributeFilter": ["data-drawn"]},
)
SENTENCE = (".stMarkdown", {"subtree": True, "characterData": True, "childList": True})
PLAIN = """import streamlit as st
st.write(f"x is {st.slider('x', 0, 100, 50)}")
"""
HERE = "window.vstgFrames?.key === 'g1'"  # the frames of γ1 are in the browser
COUNT = """
() => {
  window.ticks = 0;
  const tick = () => { window.ticks++; requestAnimationFrame(tick); };
  tick();
}
"""


def press(page: Page, arrow: str, sign: tuple[str, dict] = CANVAS) -> float:
    """Milliseconds from one key press to the picture that belongs to it."""
    page.wait_for_selector(READY)
    page.wait_for_timeout(150)  # the page comes to rest: one press at a time is timed
    page.evaluate(STOPWATCH, list(sign))
    page.keyboard.press(arrow)
    page.wait_for_function("() => window.took !== null")
    return page.evaluate("window.took")


def ahead(steps: int) -> dict[str, float]:
    """Presses on a plain page and with frames, medians, and the rate of scrubbing."""
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder, new_page() as page:
        script = Path(folder) / "plain.py"
        script.write_text(PLAIN, "utf-8")
        plain = ("-m", "streamlit", "run", str(script), "--server.headless=true",
                 "--browser.gatherUsageStats=false", "--server.port")  # fmt: skip
        with serve(plain) as address:
            page.goto(address)
            page.wait_for_selector(".stMarkdown")
            page.locator("input[type=range]").focus()
            times = [press(page, "ArrowRight", SENTENCE) for _ in range(steps + 2)]
            found["plain page"] = statistics.median(times[2:])
        with serve() as address:
            for name, curves in (("curves on", "true"), ("curves off", "false")):
                page.goto(f"{address}/?g1={FIRST}&seed=1&curves={curves}")
                page.wait_for_selector(".st-key-scheme canvas[data-drawn]")
                page.wait_for_selector(READY)
                page.locator(".st-key-g1 input[type=range]").focus()
                page.wait_for_function(HERE)
                times = [press(page, "ArrowRight") for _ in range(steps)]
                found[name] = statistics.median(times)
                if curves == "true":
                    rate = scrub(page)
    return {**found, "frames per second": rate}


def scrub(page: Page) -> float:
    """Frames of the screen per second while a curve is dragged along."""
    page.wait_for_selector(READY)  # the picture comes before the curve is drawn anew
    page.wait_for_timeout(150)
    curve = page.locator(".vstg-curve[data-key=g1] .scrub")
    box = curve.bounding_box()
    assert box is not None
    page.evaluate(COUNT)
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 8, y)
    page.mouse.down()
    before, began = page.evaluate("window.ticks"), perf_counter()
    for step in range(180):
        share = abs((step % 60) - 30) / 30
        page.mouse.move(box["x"] + 8 + share * (box["width"] - 16), y)
    rate = (page.evaluate("window.ticks") - before) / (perf_counter() - began)
    page.mouse.up()
    return rate


def walk(page: Page, address: str, number: int, steps: int) -> tuple[list, list]:
    """Up with fits, down with remembered ones."""
    page.goto(f"{address}/?data=Syn{number}&g1={FIRST}&seed=1")
    page.wait_for_selector(".st-key-scheme canvas[data-drawn]")
    page.wait_for_selector(READY)
    page.locator(".st-key-g1 input[type=range]").focus()
    fitted = [press(page, "ArrowRight") for _ in range(steps)]
    remembered = [press(page, "ArrowLeft") for _ in range(steps)]
    return fitted, remembered


@contextmanager
def new_page() -> Iterator[Page]:
    """A page of a browser of its own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path(), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(60_000)
        yield page
        browser.close()


def measure(numbers: range, steps: int) -> tuple[list, list]:
    """All walks in one browser; the first, which warms it up, is not counted."""
    fitted, remembered = [], []
    with serve() as address, new_page() as page:
        page.goto(f"{address}/?data=Syn1&g1={FIRST}&seed=2")
        page.wait_for_selector(".st-key-scheme canvas[data-drawn]")
        page.locator(".st-key-g1 input[type=range]").focus()
        for _ in range(3):
            press(page, "ArrowRight")
        for number in numbers:
            up, down = walk(page, address, number, steps)
            fitted += up
            remembered += down
    return fitted, remembered


def held(presses: int) -> tuple[int, int]:
    """Fits begun and ended while a key is held on the slider of the rows.

    A press every 30 ms, as a keyboard repeats; every position has data of its own, so
    that no fit is remembered.
    """
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder) / "fits.txt"
        program = (str(COUNTING), str(notes), "--server.port")
        with serve(program) as address, new_page() as page:
            page.goto(f"{address}/?n=5")
            page.wait_for_selector(".st-key-scheme canvas[data-drawn]")
            page.wait_for_selector(READY)
            before = len(notes.read_text("utf-8").split())
            page.locator(".st-key-n input[type=range]").focus()
            for _ in range(presses):
                page.keyboard.press("ArrowRight")
                page.wait_for_timeout(30)
            page.wait_for_url(f"**n={5 + 5 * presses}**")
            page.wait_for_timeout(1000)
            page.wait_for_selector(READY)
            words = notes.read_text("utf-8").split()[before:]
    return words.count("begun"), words.count("ended")


def server_split(numbers: range, steps: int) -> dict[str, float]:
    """Median milliseconds of each part of the server's work on the same settings."""
    parts: dict[str, list[float]] = {"fit": [], "inspection": [], "figures": []}
    for number in numbers:
        for step in range(1, steps + 1):
            chosen = choices({"data": f"Syn{number}", "g1": FIRST + step, "seed": 1})
            data = chosen.data.load()
            problem = Problem.of(data.train, "squared", fit_intercept=False)
            live.solve(problem, chosen.settings, chosen.effort)
            marks = [perf_counter()]
            result = live.solve(problem, chosen.settings, chosen.effort)
            marks.append(perf_counter())
            found = find(result, data)
            marks.append(perf_counter())
            cell = focus_cell(found, None, None)
            scheme_payload(scheme_data(found, chosen.view, cell))
            headline_html(result, data, found)
            panel_html(found)
            formula_html(found, cell)
            marks.append(perf_counter())
            for name, before, after in zip(parts, marks, marks[1:], strict=False):
                parts[name].append(1e3 * (after - before))
    return {name: statistics.median(times) for name, times in parts.items()}


def main() -> int:
    """Print the comparison; 1 when the solver is what the visitor waits for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a smoke test")
    quick = parser.parse_args().quick
    numbers, steps = (range(1, 2), 3) if quick else (range(1, 5), 8)
    os.environ[VARIABLE] = "off"  # no frames: the server is what is timed
    fitted, remembered = measure(numbers, steps)
    del os.environ[VARIABLE]
    ratio = statistics.median(fitted) / statistics.median(remembered)
    print(f"key press to picture, median of {len(fitted)} presses each")
    print(f"  fitted      {statistics.median(fitted):6.0f} ms  (max {max(fitted):.0f})")
    print(
        f"  remembered  {statistics.median(remembered):6.0f} ms  "
        f"(max {max(remembered):.0f})"
    )
    print(f"  ratio       {ratio:6.2f}     (required: at most {MAX_RATIO})")
    seen = ahead(steps)
    print("the frames of the slider are in the browser, median")
    for name in ("plain page", "curves on", "curves off"):
        times = seen[name] / seen["plain page"]
        print(f"  {name:11} {seen[name]:6.0f} ms  {times:5.2f} times the plain page")
    remote = statistics.median(fitted) / seen["plain page"]
    print(f"  from the server alone {remote:5.2f} times the plain page")
    print(f"  scrubbing   {seen['frames per second']:6.0f} frames per second")
    presses = 5 if quick else 30
    begun, ended = held(presses)
    print(f"slider held for {presses} presses: {begun} fits begun, {ended} ended")
    print("server part, median")
    for name, milliseconds in server_split(numbers, steps).items():
        print(f"  {name:11} {milliseconds:6.1f} ms")
    return 0 if quick or ratio <= MAX_RATIO else 1


if __name__ == "__main__":
    sys.exit(main())
