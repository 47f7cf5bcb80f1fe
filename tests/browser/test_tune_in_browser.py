"""Long work as a visitor has it: started, watched, cancelled, resumed, opened."""

import re

import pytest
from visiting import rest

from scripts.dashboard_server import PICTURE, serve
from vstg.jobs import Store


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A server with a store of its own: address and path."""
    path = tmp_path_factory.mktemp("browser") / "runs.sqlite"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VSTG_STORE", str(path))
        patch.delenv("VSTG_NICE")  # a search gives way to the page that shows it
        with serve() as address:
            yield address, path


def start(page):
    """A search of the paper's grid, long enough to be watched."""
    page.locator(".st-key-tune_grid").get_by_role("radio", name="paper").click()
    page.get_by_text("41,160").first.wait_for()
    rest(page)
    page.locator(".st-key-tune_start button").click()
    page.wait_for_selector(".st-key-live_map .js-plotly-plot")


def progress(page):
    """Fits done, as the page says."""
    words = page.inner_text("[data-testid=stProgress]")
    return int(re.search(r"([\d,]+) of", words).group(1).replace(",", ""))


def cancel(page):
    page.locator("[class*=st-key-cancel_] button").click()
    page.get_by_role("button", name="Resume").wait_for()
    rest(page)


def test_start_progress_two_tabs_cancel_resume_open_in_explore(own, visit):
    address, path = own
    page = visit(f"{address}/Tune")
    start(page)
    before = progress(page)
    page.wait_for_function(
        "(n) => parseInt(document.querySelector('[data-testid=stProgress]').innerText"
        ".replaceAll(',', '')) > n",
        arg=before,
    )
    assert "left" in page.inner_text("[data-testid=stProgress]")
    # A second tab sees the same run; the first may close.
    second = visit(f"{address}/Tune?run=1")
    second.wait_for_selector(".st-key-live_map .js-plotly-plot")
    page.context.close()
    assert progress(second) >= before
    cancel(second)
    with Store(path) as store:
        kept = store.run(1).done
        assert 0 < kept < store.run(1).total
    assert "the finished ones are kept" in second.inner_text(".st-key-tune")
    # Resumed, it goes on from there; elsewhere nothing stops it.
    second.get_by_role("button", name="Resume").click()
    second.wait_for_selector("[class*=st-key-cancel_] button")
    second.get_by_role("link", name="History").click()
    second.wait_for_selector(".vstg-run .running")
    second.locator(".st-key-open_1 button").click()
    second.wait_for_selector("[class*=st-key-cancel_] button")
    with Store(path) as store:
        assert store.run(1).active
    cancel(second)
    with Store(path) as store:
        run = store.run(1)
        assert run.done >= kept
        best = run.best["setting"]
    second.locator(".st-key-open_best button").click()
    second.wait_for_selector(PICTURE)
    assert not second.url.startswith(f"{address}/Tune")
    rest(second)
    shown = second.locator(".st-key-K input[type=range]").input_value()
    assert int(shown) == best["n_latent"]


def test_click_on_a_cell_opens_exactly_these_settings(with_runs, visit):
    page = visit(f"{with_runs}/Tune?run=1")
    page.wait_for_selector(".st-key-maps .js-plotly-plot")
    rest(page)
    page.locator(".st-key-maps .nsewdrag").first.click(position={"x": 20, "y": 20})
    page.wait_for_selector(PICTURE)
    rest(page)
    assert "g1=-10" in page.url
    assert page.locator(".st-key-g1 input[type=range]").input_value() == "-10"


def test_comparison_fills_in_and_ends_with_a_table(own, visit):
    address, path = own
    page = visit(f"{address}/Compare")
    for label in ("VSTG-MTL", "VSTG-MTL"):  # as it is, and refitted
        page.locator(".st-key-compare_methods").get_by_label(
            re.compile(f"Remove {label}|{label}, .*close by backspace")
        ).first.click()
        rest(page)
    page.locator(".st-key-compare_start button").click()
    page.wait_for_selector(".st-key-boxes .js-plotly-plot")
    page.wait_for_selector(".st-key-wins .js-plotly-plot")
    assert re.search(r"\d\.\d{4} ± \d\.\d{4}", page.inner_text(".vstg-table >> nth=0"))
    with Store(path) as store:
        (run,) = store.runs(kind="comparison")
        assert run.done == 20


def test_phone_and_dark_page_have_everything(with_runs, visit):
    size = {"width": 390, "height": 844}
    page = visit(f"{with_runs}/Tune?run=1", viewport=size, color_scheme="dark")
    page.wait_for_selector(".st-key-maps .js-plotly-plot")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
