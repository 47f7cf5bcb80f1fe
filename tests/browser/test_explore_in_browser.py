"""The landing page as a visitor has it: painted, moved, shared, clicked, taken away."""

import csv
import io
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from visiting import rest, saved

from scripts.dashboard_server import PICTURE

CANVAS = "document.querySelector('.st-key-scheme canvas')"
CHANGED = f"(before) => {CANVAS}.dataset.drawn !== before"
BOX = "(e) => { const r = e.getBoundingClientRect(); return [r.top, r.bottom]; }"


def drawn(page):
    return page.evaluate(f"{CANVAS}.dataset.drawn")


def press(page, key, arrow="ArrowRight"):
    """Move a slider by one step and wait for the picture that belongs to it."""
    before = drawn(page)
    page.locator(f".st-key-{key} input[type=range]").focus()
    page.keyboard.press(arrow)
    page.wait_for_function(CHANGED, arg=before)
    rest(page)


def click_cell(page, row, column):
    """Click the cell of W that stands in a row and a column of the picture."""
    canvas = page.locator(".st-key-scheme canvas")
    for _ in range(5):  # the picture may find another size while the pointer moves
        x, y, w, h = json.loads(canvas.get_attribute("data-w"))
        place = {"x": x + w * (column + 0.5) / 20, "y": y + h * (row + 0.5) / 25}
        canvas.click(position=place)
        if canvas.get_attribute("data-cell") == f"{row},{column}":
            return
    pytest.fail("no click met the cell")


def formula_with(page, words):
    page.wait_for_function(
        "(words) => document.querySelector('.vstg-formula').innerText.includes(words)",
        arg=words,
    )
    return page.inner_text(".vstg-formula")


def test_first_paint_shows_everything_on_one_screen(server, open_page):
    page = open_page(server)
    for place in (
        ".vstg-head",
        ".st-key-scheme canvas",
        ".vstg-panel",
        ".vstg-formula",
    ):
        top, bottom = page.locator(place).first.evaluate(BOX)
        assert top >= 0
        assert bottom <= 900
    assert "6 of 14" in page.inner_text(".vstg-head")
    assert page.get_attribute(".st-key-scheme canvas", "aria-label")
    # Nothing was asked of other machines.
    hosts = page.evaluate(
        "performance.getEntriesByType('resource').map(r => new URL(r.name).host)"
    )
    assert set(hosts) <= {server.removeprefix("http://"), ""}
    symbols_explain_themselves(page)
    by_keyboard(page)


def symbols_explain_themselves(page):
    """A symbol that has the pointer, the finger or the keyboard says what it means."""
    symbol = page.locator(".vstg-story .vstg-term", has_text="patterns")
    tip = "e => getComputedStyle(e, '::after').content"
    assert symbol.evaluate(tip) == "none"
    symbol.focus()
    assert "column of U" in symbol.evaluate(tip)
    x, _, _, _ = json.loads(page.get_attribute(".st-key-scheme canvas", "data-w"))
    page.locator(".st-key-scheme canvas").click(position={"x": x + 10, "y": 12})
    assert "The coefficients" in page.inner_text(".scheme-tip")


def by_keyboard(page):
    """The first stop leads past the controls; a table has what the picture shows."""
    first = "document.querySelector('[data-testid=stApp]').querySelector('a, button')"
    assert page.evaluate(f"{first}.className") == "vstg-skip"
    page.locator(".vstg-skip").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.testid") == "stMain"
    page.get_by_text("U, V and W as tables").click()
    page.wait_for_selector("table caption:has-text('W = U·V')", state="attached")
    row = page.locator("tr", has=page.locator("th", has_text="holiday")).last
    assert row.locator("td").count() == 24
    assert row.locator("td", has_text="17.").count() > 0


def test_slider_draws_another_W_and_keeps_the_height(server, open_page):
    page = open_page(f"{server}/?K=5")  # a plain fit, which every control changes
    height = page.locator(".st-key-explore").evaluate("e => e.scrollHeight")
    head = page.inner_text(".vstg-head")
    press(page, "g1")
    assert page.inner_text(".vstg-head") != head
    assert "g1=0" in page.url
    stage = page.locator(".st-key-stage").evaluate("e => e.clientHeight")
    press(page, "K")
    assert page.locator(".st-key-stage").evaluate("e => e.clientHeight") == stage
    assert height > 600


def test_slider_held_down_ends_at_what_the_controls_say(server, open_page):
    end = open_page(f"{server}/?seed=31&g2=-2")
    page = open_page(f"{server}/?seed=31&g2=-10")
    page.locator(".st-key-g2 input[type=range]").focus()
    for _ in range(8):
        page.keyboard.press("ArrowRight")
    page.wait_for_function(f"(end) => {CANVAS}.dataset.drawn === end", arg=drawn(end))
    rest(page)
    assert drawn(page) == drawn(end)  # and nothing older came after it
    assert "g2=-2" in page.url
    errors = (".vstg-head", "els => els[0].innerText.split('\\n').slice(0, 6)")
    assert page.eval_on_selector_all(*errors) == end.eval_on_selector_all(*errors)


def test_link_opens_the_same_page_on_a_fresh_server(server, fresh_server, open_page):
    page = open_page(f"{server}/?data=Syn2&K=4")
    press(page, "k")
    press(page, "noise", "ArrowLeft")
    click_cell(page, 3, 2)
    page.wait_for_function("() => location.search.includes('task=')")
    rest(page)
    text, picture = page.inner_text(".vstg-formula"), drawn(page)
    query = page.evaluate("location.search")
    with fresh_server() as address:
        again = open_page(f"{address}/{query}")
        assert drawn(again) == picture
        assert again.inner_text(".vstg-formula") == text


def test_bad_link_says_what_it_used(server, open_page):
    page = open_page(f"{server}/?K=999&k=9")
    assert "K = 999" in page.inner_text("[data-testid=stAlert]")
    assert "k = K = 5" in page.inner_text("[data-testid=stSidebar]")


def test_back_restores_the_state_before(server, open_page):
    page = open_page(f"{server}/?K=4")
    first = drawn(page)
    page.get_by_role("button", name="Too little").click()
    page.wait_for_function(CHANGED, arg=first)
    rest(page)
    second = page.url
    page.goto("about:blank")
    page.go_back()
    page.wait_for_selector(PICTURE)
    assert page.url == second
    rest(page)
    assert "2^-9" in page.inner_text(".st-key-g2")
    # Within the page, a step back takes back what was set last, and the picture too.
    before = drawn(page)
    page.go_back()
    page.wait_for_function(CHANGED, arg=before)
    rest(page)
    assert "g2" not in page.evaluate("location.search")
    assert "2^-4" in page.inner_text(".st-key-g2")


def test_cell_click_shows_the_sum(server, open_page):
    page = open_page(f"{server}/?by_group=false")
    click_cell(page, 4, 6)
    text = formula_with(page, "x4, task6")
    assert re.search(r"u2 [\d.-]+ × v2 [\d.-]+ = [\d.-]+", text)
    page.locator(".st-key-scheme canvas").focus()
    page.keyboard.press("ArrowDown")
    formula_with(page, "x5, task6")
    assert "var=x5" in page.url


def downloaded(page, key):
    return saved(page, f".st-key-{key} button").read_bytes()


def test_downloads(server, open_page, chromium, tmp_path):
    page = open_page(f"{server}/?tab=Share+and+take+away")
    for name, size in {"U": (26, 6), "V": (6, 21), "W": (26, 21)}.items():
        content = downloaded(page, f"{name}_csv").decode()
        rows = list(csv.reader(io.StringIO(content)))
        assert (len(rows), len(rows[0])) == size
    for kind, start in {"svg": b"<svg", "pdf": b"%PDF", "png": b"\x89PNG"}.items():
        assert downloaded(page, f"figure_{kind}").startswith(start)
    model = downloaded(page, "model_file")
    assert zipfile.ZipFile(io.BytesIO(model)).testzip() is None
    report = tmp_path / "report.html"
    report.write_bytes(downloaded(page, "report_file"))
    assert_opens_offline(chromium, report)


def assert_opens_offline(chromium, path):
    context = chromium.new_context(offline=True)
    page = context.new_page()
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(path.as_uri())
    page.wait_for_selector("#figure-1 .main-svg")
    context.close()
    assert {url.partition(":")[0] for url in requests} <= {"file", "data", "blob"}


def pixel(page, row, column):
    """The colour in the middle of a cell of W, as (red, green, blue, opacity)."""
    return page.evaluate(
        """([row, column]) => {
            const canvas = document.querySelector('.st-key-scheme canvas');
            const [x, y, w, h] = JSON.parse(canvas.dataset.w);
            const ratio = canvas.width / canvas.clientWidth;
            const at = [x + w * (column + .5) / 20, y + h * (row + .5) / 25];
            const context = canvas.getContext('2d');
            return [...context.getImageData(at[0] * ratio, at[1] * ratio, 1, 1).data];
        }""",
        [row, column],
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_zeros_show_the_page_in_both_themes(server, open_page, scheme):
    page = open_page(f"{server}/?by_group=false&var=x1&task=task1", color_scheme=scheme)
    background = page.evaluate(
        "getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"
    )
    dark = sum(map(int, re.findall(r"\d+", background)[:3])) < 384
    assert dark == (scheme == "dark")
    assert pixel(page, 24, 0)[3] == 0  # an irrelevant variable: nothing is painted
    assert pixel(page, 0, 0)[3] == 255


def test_picture_follows_a_change_of_theme(server, open_page):
    page = open_page(f"{server}/?by_group=false", color_scheme="light")
    light = pixel(page, 0, 0)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(
        """(before) => {
            const canvas = document.querySelector('.st-key-scheme canvas');
            const [x, y, w, h] = JSON.parse(canvas.dataset.w);
            const ratio = canvas.width / canvas.clientWidth;
            const at = [x + w * .5 / 20, y + h * .5 / 25];
            const data = canvas.getContext('2d').getImageData(
                at[0] * ratio, at[1] * ratio, 1, 1).data;
            return data.join() !== before.join();
        }""",
        arg=light,
    )


def test_phone_width_needs_no_sideways_scrolling(server, open_page):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    page = open_page(f"{server}/?K=5", **phone)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    canvas = page.locator(".st-key-scheme canvas")
    assert canvas.bounding_box()["width"] > 300
    # The truth stands under the estimate, where there is room for it.
    assert canvas.bounding_box()["height"] >= 2 * 400
    page.set_viewport_size({"width": 720, "height": 450})  # a laptop at 200 %
    page.wait_for_function("document.documentElement.scrollWidth <= 720")
    assert canvas.bounding_box()["width"] > 300
    page.set_viewport_size(phone["viewport"])
    picture_stays_in_view(page)
    page.goto(f"{server}/Learn")
    page.wait_for_selector(".st-key-learn")
    rest(page)
    sidebar = page.locator("[data-testid=stSidebar]")
    if sidebar.get_attribute("data-collapsed") == "true":
        page.locator("[data-testid=stExpandSidebarButton]").click()
    page.locator(".st-key-learn_list button").nth(3).click()
    page.wait_for_selector(
        "[data-testid=stSidebar][data-collapsed=true]", state="attached"
    )


def picture_stays_in_view(page):
    """The controls are a sheet below it, and it comes up when a slider moves."""
    page.locator("[data-testid=stExpandSidebarButton]").click()
    press(page, "g1")
    sheet = page.locator("[data-testid=stSidebar]").bounding_box()
    _, y, _, h = json.loads(page.get_attribute(".st-key-scheme canvas", "data-w"))
    top = page.locator(".st-key-scheme canvas").bounding_box()["y"]
    assert top >= 0
    assert top + y + h <= sheet["y"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bench_live.py", "bench_first.py"])
def test_benchmark_runs(name):
    script = Path(__file__).parents[2] / "benchmarks" / name
    done = subprocess.run(
        [sys.executable, str(script), "--quick"],
        capture_output=True,
        text=True,
        check=False,
        timeout=170,
    )
    assert done.returncode == 0, done.stderr
    assert "ratio" in done.stdout


def test_slow_fit_shows_progress_and_ends(server, tab):
    page = tab()
    # So many starts that the fit cannot end before the page shows its progress.
    page.goto(f"{server}/?solver=Algorithm+1&starts=15&seed=5")
    page.get_by_role("button", name="Fit now").click()
    page.wait_for_selector("[data-testid=stProgress]")
    page.wait_for_selector(PICTURE)
