"""The files of deploy/ in a real nginx before real dashboards, where there is one."""

import asyncio
import base64
import http.client
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from scripts.dashboard_server import DASHBOARD, free_port, serve
from scripts.load_test import crowd, servers_with_store

CONF = Path(__file__).parents[2] / "deploy" / "nginx.conf"
NAME = "vstg.example.org"
MAIN = """\
{user}daemon off; pid {folder}/pid; error_log {folder}/error.log;
events {{}}
http {{ access_log off; include {folder}/site.conf; }}
"""
UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}
PASSWORD = {"Authorization": "Basic " + base64.b64encode(b"class:hush").decode()}

pytestmark = pytest.mark.skipif(
    not (shutil.which("nginx") and shutil.which("openssl")),
    reason="nginx and openssl are not installed",
)


def certificate(folder):
    """One that only the test trusts, and a file of passwords."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-keyout", folder / "vstg.key", "-out", folder / "vstg.crt",
         "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"],
        check=True, capture_output=True,
    )  # fmt: skip
    (folder / "vstg.htpasswd").write_text("class:{PLAIN}hush\n")


def settled(text, folder, port, behind):
    """The file as it stands, with another place, port and dashboard."""
    for old, new in (("/etc/nginx/", f"{folder}/"), ("listen 443", f"listen {port}"),
                     ("127.0.0.1:8501", behind)):  # fmt: skip
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.fixture(scope="module")
def proxy(tmp_path_factory):
    """The port of nginx before a dashboard, and the certificate."""
    folder = tmp_path_factory.mktemp("nginx")
    certificate(folder)
    port = free_port()
    user = "user root; " if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(MAIN.format(user=user, folder=folder))
    with serve((*DASHBOARD[:-1], "--allow-host", NAME, DASHBOARD[-1])) as address:
        site = settled(CONF.read_text("utf-8"), folder, port, address[7:])
        (folder / "site.conf").write_text(site)
        command = ["nginx", "-c", folder / "nginx.conf"]
        subprocess.run([*command, "-t"], check=True, capture_output=True)
        running = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        try:
            wait_for(port, running)
            yield port, folder / "vstg.crt"
        finally:
            running.terminate()
            running.wait(timeout=20)


def wait_for(port, running):
    """Until something listens there."""
    while running.poll() is None:
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    pytest.fail("nginx did not start")


def ask(proxy, path="/", name=NAME, **headers):
    """The status of an answer, as a browser would get it that knows the name."""
    port, trusted = proxy
    context = ssl.create_default_context(cafile=trusted)
    bare = socket.create_connection(("127.0.0.1", port), timeout=60)
    connection = http.client.HTTPConnection(name, port)
    connection.sock = context.wrap_socket(bare, server_hostname=name)
    connection.request("GET", path, headers=headers)
    status = connection.getresponse().status
    connection.close()
    return status


def test_nobody_comes_in_without_the_password(proxy):
    assert ask(proxy) == 401
    assert ask(proxy, "/_stcore/stream", **UPGRADE) == 401
    assert ask(proxy, **PASSWORD) == 200


def test_the_websocket_comes_through_under_the_name_and_from_its_own_pages(proxy):
    ours = {"Origin": f"https://{NAME}:{proxy[0]}"}
    stream = {**PASSWORD, **UPGRADE}
    assert ask(proxy, "/_stcore/stream", **stream, **ours) == 101
    other = {"Origin": "https://evil.invalid"}
    assert ask(proxy, "/_stcore/stream", **stream, **other) == 403


def test_another_name_gets_no_answer(proxy):
    with pytest.raises(ssl.SSLError):
        ask(proxy, name="evil.invalid", **PASSWORD)


@pytest.mark.slow  # three servers and nginx start one after another
def test_two_servers_share_a_store_and_each_browser_stays_with_one():
    with servers_with_store(2) as (address, servers):
        assert len(servers) == 2
        places = {cookie_of(address) for _ in range(40)}
        assert places == {"a", "b"}  # 40 equal draws have a chance of 2⁻³⁹
        for place in places:
            assert {cookie_of(address, place) for _ in range(5)} == {place}
        visits = crowd(address, users=2, seconds=0, thinking=(0, 0))
        with ThreadPoolExecutor(1) as thread:
            seen = thread.submit(asyncio.run, visits).result()
    assert seen.errors == []
    assert seen.mixed == []


def cookie_of(address, place=None):
    """To which server the proxy sends a browser with this cookie."""
    headers = {"Cookie": f"vstg_server={place}"} if place else {}
    request = urllib.request.Request(f"{address}/_stcore/health", headers=headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        texts = answer.headers.get_all("Set-Cookie")
    return re.findall(r"vstg_server=(\w+)", "; ".join(texts))[0]
