"""The login: everybody may enter, unless ``vstg app --login`` asks for one.

Streamlit talks to the provider (OpenID Connect) and keeps its answer in a signed
cookie. Every page begins here, and ends here for whoever is not let in.
"""

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

import streamlit as st

from pages.shared import words
from pages.shared.app.access import flags
from pages.shared.ui.markdown import plain

PACKAGES = ("authlib", "httpx")
SHARED = ("redirect_uri", "cookie_secret")
OF_A_PROVIDER = ("client_id", "client_secret", "server_metadata_url")
SECRET_LENGTH = 32  # whoever guesses the cookie secret can be anybody


def is_on() -> bool:
    """Whether visitors have to log in."""
    return bool(flags()["login"] or flags()["admit"])


def guard() -> None:
    """Admit the visitors whom the operator allows; stop the page for all others."""
    if not is_on():
        return
    auth = settings()
    if trouble := missing(auth):
        st.error(words.LOGIN_BROKEN.format(trouble=trouble))
    elif not st.user.get("is_logged_in", False):
        ask(providers(auth))
    elif not is_admitted(st.user, flags()["admit"]):
        st.error(words.NOT_ADMITTED.format(who=plain(name())))
        st.button(words.LOG_OUT, on_click=st.logout)
    else:
        return
    st.stop()


def settings() -> Mapping[str, Any]:
    """``[auth]`` of ``secrets.toml``; empty if there is none that can be read."""
    found = st.secrets.get("auth") if st.secrets.load_if_toml_exists() else None
    return found if isinstance(found, Mapping) else {}


def providers(auth: Mapping[str, Any]) -> dict[str | None, Mapping[str, Any]]:
    """Sections of providers by name, or ``[auth]`` itself under None."""
    named: dict[str | None, Mapping[str, Any]] = {
        name: section
        for name, section in auth.items()
        if isinstance(section, Mapping) and name != "client_kwargs"
    }
    return {None: auth} if "client_id" in auth or not named else named


def missing(auth: Mapping[str, Any]) -> str | None:
    """Say what keeps visitors from logging in; None if nothing does."""
    absent = [package for package in PACKAGES if find_spec(package) is None]
    if absent:
        return words.LOGIN_PACKAGES.format(names=" and ".join(absent))
    if not auth:
        return words.LOGIN_SECRETS
    wanted = [("auth", auth, SHARED)] + [
        (f"auth.{name}" if name else "auth", section, OF_A_PROVIDER)
        for name, section in providers(auth).items()
    ]
    for title, section, keys in wanted:
        absent = [key for key in keys if not section.get(key)]
        if absent:
            names = " and ".join(absent)
            return words.LOGIN_KEYS.format(section=plain(f"[{title}]"), names=names)
    if len(str(auth["cookie_secret"])) < SECRET_LENGTH:
        return words.LOGIN_SHORT.format(least=SECRET_LENGTH)
    return None


def ask(known: Mapping[str | None, object]) -> None:
    """Show one button per provider, and nothing else."""
    st.title(words.TITLE)
    st.write(words.LOGIN_ASK)
    for provider in known:
        label = words.LOG_IN_WITH.format(name=plain(provider)) if provider else ""
        st.button(label or words.LOG_IN, on_click=st.login, args=(provider,))


def is_admitted(user: Mapping[str, Any], admitted: list[str]) -> bool:
    """Whether the address is listed, or its domain is (``@example.org``).

    A provider that says the address is not proved does not prove who somebody is.
    """
    if not admitted:
        return True
    address = str(user.get("email") or "").lower()
    domain = "@" + address.rpartition("@")[2]
    listed = {entry.lower() for entry in admitted}
    return user.get("email_verified") is not False and bool(
        "@" in address and {address, domain} & listed
    )


def name() -> str:
    """What the provider calls the visitor."""
    claims = ("email", "preferred_username", "name", "sub")
    return str(next((st.user[key] for key in claims if st.user.get(key)), ""))


def account() -> None:
    """Show in the sidebar who is logged in, and a button to log out."""
    if not is_on():
        return
    with st.sidebar.container(
        key="account", horizontal=True, vertical_alignment="center", gap="small"
    ):
        st.caption(plain(name()), width="content")
        st.button(words.LOG_OUT, on_click=st.logout, type="tertiary")
