"""A server and a browser for all tests of a file, started once."""

from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from scripts.dashboard_server import browser_path, serve

READY = "[data-testid=stApp][data-test-script-state=notRunning]"
PICTURE = ".st-key-scheme canvas[data-drawn]"
PATIENCE = 120_000  # milliseconds: a busy machine is slow, a broken page stays so


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def server():
    """One server for the session."""
    with serve() as address:
        yield address


@pytest.fixture(scope="session")
def fresh_server():
    """A function that starts another server, as after a restart."""
    return serve


@pytest.fixture(scope="session")
def chromium():
    """The browser that `make test` found, or the one on the path."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path(), args=["--no-sandbox"]
        )
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium):
    """Open an address and wait until the page is at rest; errors fail the test."""
    contexts, errors = [], []

    def opened(url, picture=READY, **options):
        size = {"width": 1440, "height": 900}
        context = chromium.new_context(**{"viewport": size, **options})
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(url)
        page.wait_for_selector(picture)
        page.wait_for_selector(READY)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not errors


@pytest.fixture
def open_page(visit):
    """Open an address of Explore and wait for its picture."""
    return partial(visit, picture=PICTURE)
