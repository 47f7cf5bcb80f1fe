"""Who sits at the server itself, and may name files of it."""

from types import SimpleNamespace

import pytest

from pages.shared import known


@pytest.mark.parametrize(
    ("headers", "local"),
    [
        ({}, True),
        ({"Host": "localhost:8501"}, True),
        ({"Host": "127.0.0.1:8501"}, True),
        ({"Host": "[::1]:8501"}, True),
        ({"Host": "stats.example.org"}, False),
        ({"Host": "localhost", "X-Forwarded-For": "203.0.113.9"}, False),
    ],
)
def test_a_visitor_through_a_proxy_is_not_local(monkeypatch, headers, local):
    context = SimpleNamespace(headers=headers)
    monkeypatch.setattr(known.st, "context", context)
    monkeypatch.setattr(known.st, "get_option", lambda _: "127.0.0.1")
    assert known.is_local() == local
