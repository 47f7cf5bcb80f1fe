"""The whole way of a login, with a provider on this machine."""

import pytest
from provider import CLIENT, provider
from visiting import rest

from scripts.dashboard_server import DASHBOARD, PICTURE, serve

SECRETS = """\
[auth]
redirect_uri = "http://127.0.0.1:{{port}}/oauth2callback"
cookie_secret = "0123456789abcdef0123456789abcdef"
client_id = "{client}"
client_secret = "hush"
server_metadata_url = "{url}/.well-known/openid-configuration"
"""
ADMITTING = (*DASHBOARD[:-1], "--admit", "@example.org", DASHBOARD[-1])


@pytest.fixture(scope="module")
def identities():
    with provider() as running:
        yield running


@pytest.fixture(scope="module")
def guarded(identities, tmp_path_factory):
    """A dashboard that asks this provider."""
    secrets = tmp_path_factory.mktemp("login") / "secrets.toml"
    secrets.write_text(SECRETS.format(client=CLIENT, url=identities.url))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STREAMLIT_SECRETS_FILES", str(secrets))
        with serve(ADMITTING) as address:
            yield address


def button(page, name):
    return page.get_by_role("button", name=name)


def account(page):
    return page.locator(".st-key-account").filter(has_text="ann@")


def test_in_by_the_provider_and_out_again(guarded, identities, visit):
    identities.email = "ann@example.org"
    page = visit(f"{guarded}/Tune")
    assert page.get_by_test_id("stPageLink").count() == 0
    button(page, "Log in").click()
    page.wait_for_selector(PICTURE)
    rest(page)
    account(page).wait_for()
    assert account(page).get_by_role("link").count() == 0  # shown sign by sign

    other = page.context.new_page()  # the same browser is known on every page
    other.goto(f"{guarded}/History")
    account(other).wait_for()
    other.close()

    button(page, "Log out").click()
    button(page, "Log in").wait_for()
    assert page.get_by_test_id("stPageLink").count() == 0


def test_whom_the_provider_knows_and_the_dashboard_does_not(guarded, identities, visit):
    identities.email = "eve@example.com"
    page = visit(guarded)
    button(page, "Log in").click()
    page.get_by_text("but this account has no access to the dashboard").wait_for()
    assert page.get_by_test_id("stPageLink").count() == 0


def test_a_cookie_of_ones_own_making_lets_nobody_in(guarded, tab):
    page = tab()
    claims = '{"is_logged_in": true, "email": "ann@example.org"}'
    page.context.add_cookies(
        [{"name": "_streamlit_user", "value": claims, "url": guarded}]
    )
    page.goto(guarded)
    button(page, "Log in").wait_for()
