"""What a running server refuses: other names, other sites, files that are not pages."""

import http.client
from urllib.parse import urlsplit

import pytest

ORIGIN = "http://evil.invalid"
UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


@pytest.fixture
def ask(server):
    """The status and body of an answer to a request made by hand."""
    place = urlsplit(server)

    def asked(path, method="GET", **headers):
        connection = http.client.HTTPConnection(place.hostname, place.port, timeout=60)
        connection.putrequest(method, path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        answer = connection.getresponse()
        body = b"" if answer.status == 101 else answer.read()
        connection.close()
        return answer.status, body

    return asked


def test_another_site_cannot_open_the_socket_nor_another_name(ask, server):
    upgrade = {name.replace("-", "_"): value for name, value in UPGRADE.items()}
    assert ask("/_stcore/stream", **upgrade, Origin=server)[0] == 101
    assert ask("/_stcore/stream", **upgrade, Origin=ORIGIN)[0] == 403
    status, _ = ask("/_stcore/stream", **upgrade, Host="evil.invalid", Origin=ORIGIN)
    assert status in (400, 403)


def test_a_file_is_not_uploaded_without_the_mark_of_the_page(ask):
    status, _ = ask(
        "/_stcore/upload_file/a/b", "PUT", Origin=ORIGIN, Content_Length="0"
    )
    assert status in (400, 403)


@pytest.mark.parametrize(
    "path",
    [
        "/../pyproject.toml",
        "/%2e%2e/pyproject.toml",
        "/..%2fpyproject.toml",
        "/static/../../pyproject.toml",
        "/static/%2e%2e/%2e%2e/%2e%2e/%2e%2e/pyproject.toml",
        "/app/static/../pyproject.toml",
        "/media/../pyproject.toml",
        "/component/vstg_scheme/../../pyproject.toml",
        "//etc/passwd",
        "/.streamlit/config.toml",
    ],
)
def test_no_file_of_the_server_is_handed_out(ask, path):
    _, body = ask(path)
    assert b"[project]" not in body
    assert b"root:" not in body
    assert b"enableXsrfProtection" not in body
