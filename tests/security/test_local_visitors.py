"""Who sits at the server itself, and may name files of it."""

from types import SimpleNamespace

import pytest

from pages.shared.app import access


@pytest.mark.parametrize(
    ("headers", "local"),
    [
        ({}, True),
        ({"Host": "localhost:8501"}, True),
        ({"Host": "127.0.0.1:8501"}, True),
        ({"Host": "[::1]:8501"}, True),
        ({"Host": "stats.example.org"}, False),
        ({"Host": "localhost", "X-Forwarded-For": "203.0.113.9"}, False),
        ({"Host": "localhost", "X-Forwarded-Proto": "https"}, False),
        ({"Host": "localhost", "X-Real-IP": "203.0.113.9"}, False),
        ({"Host": "localhost", "x-real-ip": "203.0.113.9"}, False),
        ({"Host": "localhost", "CF-Connecting-IP": "203.0.113.9"}, False),
        ({"Host": "localhost", "Via": "1.1 proxy"}, False),
    ],
)
def test_a_visitor_through_a_proxy_is_not_local(monkeypatch, headers, local):
    context = SimpleNamespace(headers=headers)
    monkeypatch.setattr(access.st, "context", context)
    monkeypatch.setattr(access.st, "get_option", lambda _: "127.0.0.1")
    assert access.is_local() == local
