"""The Reproduce page as a visitor has it: a cell pressed, a repetition in Explore."""

import pytest
from reproduced import made_up, write
from visiting import rest

from scripts.dashboard_server import PICTURE, serve

CELL = '.vstg-paper [data-cell="{}"]'


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A server with made-up results and a store of its own."""
    place = tmp_path_factory.mktemp("reproduced")
    write(made_up(repetitions=6), place / "results" / "table1")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VSTG_RESULTS", str(place / "results"))
        patch.setenv("VSTG_STORE", str(place / "runs.sqlite"))
        with serve() as url:
            yield url


@pytest.fixture
def open_exhibit(visit, address):
    """Open the page with its first chart."""

    def opened(query="", **options):
        chart = ".js-plotly-plot .main-svg"
        return visit(f"{address}/Reproduce{query}", picture=chart, **options)

    return opened


def test_a_cell_opens_its_repetitions_and_one_of_them_opens_in_explore(open_exhibit):
    page = open_exhibit()
    page.locator(CELL.format("syn3|ree|vstg_k3")).click()
    page.wait_for_selector(CELL.format("syn3|ree|vstg_k3") + '[aria-pressed="true"]')
    page.get_by_text("Repetitions of VSTG-MTL k=3 on Syn3").wait_for()
    rest(page)
    heading = page.get_by_text("Repetitions of VSTG-MTL k=3 on Syn3")
    # What a press opens comes into sight by itself.
    page.wait_for_function(
        "e => e.getBoundingClientRect().top < innerHeight", arg=heading.element_handle()
    )
    assert "cell=syn3" in page.url
    page.locator(".st-key-reproduce_open button").click()
    page.wait_for_selector(PICTURE)
    rest(page)
    assert "/Reproduce" not in page.url
    assert page.locator(".st-key-k input[type=range]").input_value() == "3"
    pressed = page.locator('.st-key-data button[aria-checked="true"]')
    assert "Syn3" in pressed.inner_text()


def test_on_a_dark_phone_tables_scroll_and_the_page_does_not(open_exhibit):
    size = {"width": 390, "height": 844}
    page = open_exhibit(viewport=size, color_scheme="dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    table = page.locator(".vstg-paper")
    assert table.evaluate("e => e.scrollWidth > e.clientWidth")
