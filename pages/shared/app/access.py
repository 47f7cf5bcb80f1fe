"""What a visitor may do: the server's options, and whether a visitor is local."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

LOCAL = ("127.0.0.1", "localhost", "::1")
# Headers that only a proxy adds, in lower case. A name that begins with x-forwarded-
# counts too.
PASSED_ON = frozenset(
    ("forwarded", "via", "x-real-ip", "x-client-ip", "x-cluster-client-ip",
     "x-original-host", "x-original-url", "true-client-ip", "cf-connecting-ip",
     "cf-ray", "fastly-client-ip", "fly-client-ip", "x-envoy-external-address")
)  # fmt: skip


@st.cache_resource(show_spinner=False)
def flags() -> dict[str, Any]:
    """Read the options of ``vstg app``: ``streamlit run app.py -- --store FILE``."""
    parser = ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--store")
    parser.add_argument("--scheduler")
    parser.add_argument("--login", action="store_true")
    parser.add_argument("--admit", action="append", default=[])
    return vars(parser.parse_known_args(sys.argv[1:])[0])


def is_passed_on(names: Iterable[str]) -> bool:
    """Whether a header says that a proxy forwarded the request."""
    lower = {name.lower() for name in names}
    return bool(lower & PASSED_ON) or any(
        name.startswith("x-forwarded-") for name in lower
    )


def is_local() -> bool:
    """Whether the visitor is at the server itself: only then may paths be read.

    Behind a proxy the server's address is local and the visitor is not, so the name
    by which the visitor asked counts too, and no proxy may have passed it on.
    """
    headers = st.context.headers
    if is_passed_on(headers):
        return False
    host = urlsplit(f"//{headers.get('Host') or 'localhost'}").hostname
    return st.get_option("server.address") in LOCAL and host in LOCAL
