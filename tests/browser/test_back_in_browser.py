"""One action is one step in the browser's history, whatever it wrote into the link."""

from urllib.parse import parse_qsl, urlsplit

import pytest
from visiting import barriers, rest

from scripts.dashboard_server import PICTURE


@pytest.fixture
def open_watched(open_page):
    """Opens Explore and waits for the script that joins the entries of an action."""

    def opened(address):
        page = open_page(address)
        page.wait_for_function("window.vstgHistory")
        rest(page)
        return page

    return opened


def entries(page):
    return page.evaluate("history.length")


def asked(url):
    """What an address asks for, in any order."""
    return dict(parse_qsl(urlsplit(url).query))


def wait_for_link(page, *parts):
    """Until the link has all of these and the page is at rest."""
    page.wait_for_function(
        "parts => parts.every(part => location.search.includes(part))", arg=list(parts)
    )
    rest(page)


def test_preset_and_cell_are_one_step_each(with_runs, open_watched):
    page = open_watched(f"{with_runs}/?cut=20")
    begin, bare = entries(page), page.url
    page.get_by_role("button", name="Overlapping groups").click()
    wait_for_link(page, "data=Syn2", "starts=5", "k=2")
    assert entries(page) == begin + 1
    preset = page.url
    page.locator(".st-key-scheme canvas").click(position={"x": 300, "y": 150})
    wait_for_link(page, "var=", "task=")
    assert entries(page) == begin + 2
    page.go_back()
    page.wait_for_url(preset)
    rest(page)
    page.go_back()
    page.wait_for_url(bare)
    page.wait_for_function(
        "document.querySelector('.st-key-g1')?.innerText.includes('2^-1')"
    )


def test_page_that_writes_its_link_lets_go_at_once(with_runs, open_watched):
    page = open_watched(with_runs)
    begin, bare = entries(page), page.url
    page.get_by_role("link", name="Tune").click()
    wait_for_link(page, "run=2")
    page.wait_for_selector(".st-key-maps .js-plotly-plot")
    assert entries(page) == begin + 1
    page.go_back()
    page.wait_for_selector(PICTURE)
    assert asked(page.url) == asked(bare)


def chosen(page):
    """The data set that is pressed, and the rows of a task."""
    data = page.inner_text(".st-key-data button[aria-checked=true]")
    return data, page.locator(".st-key-n input[type=range]").input_value()


def test_data_go_along_to_another_page_and_back(with_runs, open_watched):
    page = open_watched(f"{with_runs}/?data=Syn2&n=20&K=4")
    page.get_by_role("link", name="Tune").click()
    wait_for_link(page, "run=2", "data=Syn2", "n=20")
    assert chosen(page) == ("Syn2", "20")
    assert "K=4" not in page.url
    page.go_back()
    page.wait_for_selector(PICTURE)
    wait_for_link(page, "data=Syn2", "n=20", "K=4")
    assert chosen(page) == ("Syn2", "20")
    assert page.locator(".st-key-K input[type=range]").input_value() == "4"


def test_no_page_has_a_barrier_in_either_theme(with_runs, open_watched):
    page = open_watched(with_runs)
    found = barriers(page)
    for name, sign in (
        ("Learn", "[data-cell], .st-key-learn .js-plotly-plot .main-svg"),
        ("Data", ".st-key-data_page, [data-testid=stFileUploader]"),
        ("Tune", ".st-key-maps .js-plotly-plot .main-svg"),
        ("Compare", "h1:has-text('Compare')"),
        ("Predict", "h1:has-text('Predict')"),
        ("History", ".vstg-run"),
        ("Reproduce", ".vstg-paper button"),
    ):
        page.get_by_role("link", name=name, exact=True).first.click()
        page.wait_for_selector(sign)
        rest(page)
        found += barriers(page)
    assert not found
