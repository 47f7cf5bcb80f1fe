"""A server and a browser for all tests of a session, and a tab for each visit."""

import json
from collections import defaultdict
from functools import partial
from pathlib import Path
from threading import Event

import pytest
from playwright.sync_api import sync_playwright
from visiting import PATIENCE, rest

from pages.shared.data.catalogue import SyntheticData
from pages.shared.state.choices import control_values
from scripts.dashboard_server import PICTURE, READY, browser_path, serve
from vstg.jobs import SearchRequest, Store
from vstg.jobs.queue import do_run

SMALL = {"n_latent": [2], "k": [1], "gamma1": [2**-10, 1.0], "gamma2": [2**-10, 1.0]}

# A page that shimmers while it waits is painted 60 times a second, which took a third
# of the time of these tests.
OPTIONS = {"viewport": {"width": 1440, "height": 900}, "reduced_motion": "reduce"}


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
            drawn = SyntheticData("Syn1", "25 × 20", seed, 50, 1.0)
            number = store.add_run(
                SearchRequest(grid=SMALL, folds=2), drawn.load().train,
                source=control_values(drawn),
            )  # fmt: skip
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
            executable_path=browser_path(), args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


class Visitors:
    """Browser contexts, used again by later tests: their caches have the scripts.

    Reading Streamlit's scripts is most of the work of a first visit. Within a test
    every visitor has a context of its own, and it starts with nothing remembered.
    """

    def __init__(self, browser):
        self.browser = browser
        self.free = defaultdict(list)
        self.taken = []

    def take(self, **options):
        key = json.dumps(options, sort_keys=True)
        free = self.free[key]
        context = free.pop() if free else self.browser.new_context(**options)
        self.taken.append((key, context))
        return context

    def free_all(self):
        while self.taken:
            key, context = self.taken.pop()
            pages = context.pages
            if not pages:  # closed by its test
                continue
            forget(context)
            self.free[key].append(context)


def forget(context):
    """Delete what the sites of this context have stored, and close its tabs."""
    context.clear_cookies()
    kept = context.new_page()  # a context without a tab would lose its cache
    session = context.new_cdp_session(kept)
    for page in context.pages:
        origin = "/".join(page.url.split("/")[:3])
        if origin.startswith("http"):
            what = {"origin": origin, "storageTypes": "local_storage,indexeddb"}
            session.send("Storage.clearDataForOrigin", what)
        if page != kept:
            page.close()


@pytest.fixture(scope="session")
def visitors(chromium):
    """The contexts that all tests of this process share."""
    return Visitors(chromium)


@pytest.fixture
def tab(visitors):
    """Open a tab of a visitor of its own; errors of scripts fail the test.

    ``page.sent`` has what the tab has said to the server.
    """
    errors = []

    def opened(**options):
        context = visitors.take(**{**OPTIONS, **options})
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.sent = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "websocket", lambda ws: ws.on("framesent", lambda f: page.sent.append(f))
        )
        return page

    yield opened
    visitors.free_all()
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
