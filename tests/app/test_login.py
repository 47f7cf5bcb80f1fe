"""``vstg app --login``: no page shows or does anything before a visitor is let in."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared import words as common
from pages.shared.app import login
from pages.shared.app.access import flags
from pages.shared.app.frame import other_pages
from pages.shared.runs import manager, visits
from pages.shared.runs.manager import run_manager
from pages.shared.ui.markdown import plain

APP = Path(__file__).parents[2] / "app.py"
PAGES = [APP, *other_pages()]
SHARED = {"redirect_uri": "http://localhost:8501/oauth2callback",
          "cookie_secret": "0123456789abcdef" * 2}  # fmt: skip
PROVIDER = {
    "client_id": "vstg",
    "client_secret": "hush",
    "server_metadata_url": "https://id.example.org/.well-known/openid-configuration",
}
AUTH = {**SHARED, **PROVIDER}
ANN = {"is_logged_in": True, "email": "Ann@Example.org", "email_verified": True}


@pytest.fixture
def opened(monkeypatch):
    """Open a page of a dashboard that was started with these words."""
    flags.clear()

    def run(*words, page=APP, auth=AUTH, user=None):
        monkeypatch.setattr(sys, "argv", [str(APP), *words])
        app = AppTest.from_file(str(page), default_timeout=60)
        app.secrets["auth"] = auth
        app.user = user or {}
        return app.run()

    yield run
    monkeypatch.undo()
    flags.clear()


def labels(app):
    return [button.label for button in app.button]


def shown(app):
    kinds = (app.title, app.header, app.markdown, app.caption, app.error, app.warning)
    return [element.value for kind in kinds for element in kind]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_a_stranger_sees_a_button_and_starts_nothing(opened, monkeypatch, page):
    def touched(*_):
        pytest.fail("the page went on")

    run_manager.clear()
    monkeypatch.setattr(manager, "Manager", touched)
    monkeypatch.setattr(visits, "stay", touched)
    app = opened("--login", page=page)
    assert not app.exception
    assert labels(app) == [common.LOG_IN]
    assert shown(app) == [common.TITLE, common.LOGIN_ASK]
    assert not app.sidebar.children


def test_without_the_option_nobody_is_asked(opened):
    app = opened(auth={})
    assert not app.exception
    assert common.LOG_IN not in labels(app) and common.LOG_OUT not in labels(app)


def test_who_is_logged_in_sees_the_page_a_name_and_the_way_out(opened):
    app = opened("--login", user=ANN | {"email": "a*b*@example.org"})
    assert not app.exception
    assert common.LOG_OUT in labels(app) and len(app.slider) > 3
    # Written sign by sign: a name of a stranger is no Markdown.
    assert plain("a*b*@example.org") in shown(app)


@pytest.mark.parametrize(
    ("user", "words"),
    [
        (ANN, ["--admit=@other.org"]),
        (ANN | {"email": "ann@sub.example.org"}, ["--admit=@example.org"]),
        (ANN | {"email": "@example.org.evil.org"}, ["--admit=@example.org"]),
        (ANN | {"email_verified": False}, ["--admit=@example.org"]),
        ({"is_logged_in": True, "name": "ann@example.org"}, ["--admit=@example.org"]),
        ({"is_logged_in": True, "sub": "1"}, ["--login", "--admit=ann@example.org"]),
    ],
)
def test_who_is_not_on_the_list_stays_outside(opened, user, words):
    app = opened(*words, user=user)
    assert not app.exception
    assert labels(app) == [common.LOG_OUT] and not app.slider
    assert "no access to the dashboard" in app.error[0].value


@pytest.mark.parametrize("who", ["ann@example.org", "@example.ORG"])
def test_an_address_or_its_domain_lets_in(opened, who):
    app = opened("--admit=bob@other.org", f"--admit={who}", user=ANN)
    assert not app.exception and not app.error and app.slider


def test_every_provider_has_a_button(opened):
    auth = {**SHARED, "google": PROVIDER, "uni": PROVIDER}
    app = opened("--login", auth=auth)
    assert labels(app) == ["Log in with google", "Log in with uni"]


@pytest.mark.parametrize(
    ("auth", "words"),
    [
        ({}, "no readable .streamlit/secrets.toml"),
        ("google", "no readable .streamlit/secrets.toml"),
        (SHARED, "lacks client_id and client_secret and server_metadata_url"),
        (AUTH | {"client_id": ""}, "lacks client_id"),
        (PROVIDER, "lacks redirect_uri and cookie_secret"),
        ({**SHARED, "uni": {"client_id": "x"}}, "lacks client_secret and server"),
        (AUTH | {"cookie_secret": "x" * 31}, "fewer than 32 characters"),
    ],
)
def test_what_is_missing_is_said_and_nobody_comes_in(opened, auth, words):
    app = opened("--login", auth=auth, user=ANN)
    assert not app.exception
    assert words in app.error[0].value
    assert not app.button and not app.slider


def test_missing_packages_are_named(opened, monkeypatch):
    def without(name):
        return None if name == "authlib" else find_spec(name)

    monkeypatch.setattr(login, "find_spec", without)
    app = opened("--login", user=ANN)
    assert "authlib" in app.error[0].value and "vstg[login]" in app.error[0].value
    assert not app.slider
