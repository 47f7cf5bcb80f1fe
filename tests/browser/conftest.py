"""A server and a browser for all tests of a session, and a tab for each visit."""

from functools import partial
from pathlib import Path
from threading import Event

import pytest
from playwright.sync_api import sync_playwright
from visiting import PATIENCE, rest

from scripts.dashboard_server import PICTURE, READY, browser_path, serve
from vstg.datasets import make_syn
from vstg.jobs import SearchRequest, Store
from vstg.jobs.queue import do_run

SMALL = {"n_latent": [2], "k": [1], "gamma1": [2**-10, 1.0], "gamma2": [2**-10, 1.0]}


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
def with_runs(tmp_path_factory):
    """A server whose store has two searches that are done."""
    path = tmp_path_factory.mktemp("searched") / "runs.sqlite"
    with Store(path) as store:
        for seed in range(2):
            data = make_syn(1, random_state=seed).train
            number = store.add_run(SearchRequest(grid=SMALL, folds=2), data)
            do_run(store, store.claim(number), Event())
            store.finish(number, "done")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VSTG_STORE", str(path))
        with serve() as address:
            yield address


@pytest.fixture(scope="session")
def chromium():
    """The browser that `make test` found, or the first that runs."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path(), args=["--no-sandbox"]
        )
        yield browser
        browser.close()


@pytest.fixture
def tab(chromium):
    """Open a tab of a visitor of its own; errors of scripts fail the test.

    ``page.sent`` has what the tab has said to the server.
    """
    contexts, errors = [], []

    def opened(**options):
        size = {"width": 1440, "height": 900}
        context = chromium.new_context(**{"viewport": size, **options})
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.sent = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "websocket", lambda ws: ws.on("framesent", lambda f: page.sent.append(f))
        )
        return page

    yield opened
    for context in contexts:
        context.close()
    # plotly rejects the promise of a film that another button interrupts, with nothing.
    assert not [error for error in errors if error != "undefined"]


@pytest.fixture
def visit(tab):
    """Open an address and wait until the page is at rest."""

    def opened(url, picture=READY, **options):
        page = tab(**options)
        page.goto(url)
        page.wait_for_selector(picture)
        rest(page)
        return page

    return opened


@pytest.fixture
def open_page(visit):
    """Open an address of Explore and wait for its picture."""
    return partial(visit, picture=PICTURE)
