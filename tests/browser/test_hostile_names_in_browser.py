"""A table of hostile names through every page: all is shown, nothing runs or loads."""

import sys
from pathlib import Path
from urllib.parse import quote

import pytest
from visiting import rest

from scripts.dashboard_server import PICTURE

sys.path.insert(0, str(Path(__file__).parents[1] / "security"))
from hostile import NAMES, table

FILE_NAME = "<img src=x onerror=window.hacked=1>.csv"
# An element that a name made: ours have neither these handlers nor these addresses.
INJECTED = (
    "[onerror], [onload], #injected, a[href^='javascript:' i], img[src='x'], "
    "[src^='http://evil.invalid'], [href^='http://evil.invalid']"
)


@pytest.fixture
def visitor(tab, server):
    """A page, and what it asked of others than the server."""
    page = tab()
    page.add_init_script("localStorage.setItem('vstg-tour', '1')")
    abroad = []
    page.on(
        "request",
        lambda r: None if r.url.startswith((server, "data:", "blob:")) else (
            abroad.append(r.url)
        ),
    )  # fmt: skip
    return page, abroad


def assert_harmless(page, abroad):
    rest(page)
    assert page.evaluate("window.hacked") is None
    assert page.locator(INJECTED).count() == 0
    assert abroad == []


def upload(page, key):
    content = {"name": FILE_NAME, "mimeType": "text/csv", "buffer": table().encode()}
    page.set_input_files(f".st-key-{key} input[type=file]", content)


def test_hostile_columns_tasks_and_file_names_are_only_names(visitor, server):
    page, abroad = visitor
    page.goto(f"{server}/Data")
    page.wait_for_selector(".st-key-data_from")
    upload(page, "upload")
    page.wait_for_selector(".st-key-use button:enabled")
    assert FILE_NAME in page.inner_text(".stMain")
    assert_harmless(page, abroad)
    page.locator(".st-key-use button").click()
    page.wait_for_selector(PICTURE)
    assert NAMES[0] in page.inner_text(".vstg-panel")
    assert_harmless(page, abroad)
    for tab in ("Variables", "Per task", "Share and export", "Task groups"):
        page.get_by_role("tab", name=tab).click()
        assert_harmless(page, abroad)
    page.get_by_role("link", name="Predict").click()
    page.wait_for_selector(".st-key-rows")
    assert FILE_NAME in page.inner_text(".stMain")
    upload(page, "rows")
    page.wait_for_selector(".st-key-predictions_csv button")
    assert_harmless(page, abroad)
    page.get_by_role("radio", name="Type one row").click()
    page.wait_for_selector(".st-key-typed_task")
    assert_harmless(page, abroad)


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    "page_name",
    [
        "",
        "Learn",
        "Tune",
        *(pytest.param(n, marks=SLOW) for n in ("Compare", "Predict")),
    ],
)
def test_a_hostile_link_is_only_a_link(visitor, server, page_name):
    page, abroad = visitor
    keys = ("data", "K", "lesson", "run", "task", "runs")
    words = (quote(NAMES[place]) for place in (0, 3, 7, 0, 3, 7))
    query = "&".join(map("=".join, zip(keys, words, strict=True)))
    page.goto(f"{server}/{page_name}?{query}")
    page.wait_for_selector(".vstg-title")
    assert_harmless(page, abroad)
