"""The wheel has the dashboard inside, and ``vstg app`` starts it from there."""

import asyncio
import os
import subprocess
import zipfile
from concurrent.futures import ThreadPoolExecutor

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import connect

from scripts.dashboard_server import free_port, wait_until_healthy

INSIDE = "vstg/_dashboard/"


def test_every_file_of_the_dashboard_is_in_the_wheel(sources, wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    folders = [sources / name for name in ("pages", "sample_data", "results")]
    wanted = [path for folder in folders for path in folder.rglob("*")]
    wanted += [sources / "app.py", sources / ".streamlit" / "config.toml"]
    files = {path.relative_to(sources).as_posix() for path in wanted if path.is_file()}
    assert {f"{INSIDE}{name}" for name in files} <= names
    assert len(files) > 60


def test_the_wheel_has_no_caches_and_nothing_beside_the_package(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {
        "vstg",
        f"{wheel.name.rsplit('-', 3)[0]}.dist-info",
    }
    assert [n for n in names if n.endswith((".pyc", ".nbi", ".nbc"))] == []


def run(program, *arguments, cwd):
    return subprocess.run(
        [program, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_installed_library_has_its_samples(installed, tmp_path):
    script = (
        "import vstg, vstg.datasets as d;"
        "print(vstg.__file__); print(*d.load_sample('wards').frame.columns)"
    )
    done = run(installed / "python", "-c", script, cwd=tmp_path)
    where, columns = done.stdout.splitlines()
    assert where.startswith(str(installed.parent))
    assert "hours_to_discharge" in columns


@pytest.fixture(scope="module")
def server(installed, tmp_path_factory):
    """``vstg app`` of the wheel, in a folder that knows nothing of the project."""
    port, folder = free_port(), tmp_path_factory.mktemp("somewhere")
    # Whether kernels compile is tested elsewhere; here they would only take time.
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1", "HOME": str(folder)}
    command = [installed / "vstg", "app", "--port", str(port), "--store", "own.sqlite"]
    with open(folder / "log", "w") as log:
        process = subprocess.Popen(command, cwd=folder, env=env, stdout=log, stderr=log)
    try:
        wait_until_healthy(f"http://127.0.0.1:{port}/_stcore/health", process)
        yield port, folder
    finally:
        process.terminate()
        process.wait(timeout=20)


async def visit(port, page):
    """Open a page as a browser does; return what the server says until it is set up."""
    request = BackMsg()
    request.rerun_script.page_name = page
    heard = []
    async with connect(f"ws://127.0.0.1:{port}/_stcore/stream", max_size=None) as ws:
        await ws.send(request.SerializeToString())
        while not (heard and heard[-1].WhichOneof("type") == "page_config_changed"):
            heard.append(ForwardMsg.FromString(await ws.recv()))
    return heard


@pytest.mark.parametrize(("page", "title"), [("Data", "Data"), ("", "Explore")])
def test_the_installed_dashboard_serves_its_pages(server, page, title):
    port, _ = server
    # In a thread: another test of this process may have left a loop in this one.
    with ThreadPoolExecutor(1) as apart:
        waiting = asyncio.wait_for(visit(port, page), timeout=60)
        heard = apart.submit(asyncio.run, waiting).result()
    assert heard[-1].page_config_changed.title == f"{title} · vstg"
    (session,) = [m.new_session for m in heard if m.WhichOneof("type") == "new_session"]
    assert session.custom_theme.light.primary_color == "#0f6b6b"  # the project's own


def test_the_installed_dashboard_says_where_it_listens_and_nothing_else(server):
    port, folder = server
    log = (folder / "log").read_text()
    assert f"http://127.0.0.1:{port}" in log
    assert "Warning" not in log and "WARNING" not in log and "Traceback" not in log
