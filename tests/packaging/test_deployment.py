"""Dockerfile and proxies: what can be checked without Docker."""

import os
import re
import shlex
import shutil
import subprocess
import tomllib
import zipfile
from fnmatch import fnmatch
from pathlib import Path

import pytest
import yaml
from building import build

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "Dockerfile").read_text("utf-8")
STEPS = [
    tuple(line.split(maxsplit=1))
    for line in re.sub(r"\\\n\s*", "", TEXT).splitlines()
    if line and not line.startswith("#")
]


def steps(word: str) -> list[str]:
    """What follows a word of the Dockerfile, each time."""
    return [rest for name, rest in STEPS if name == word]


def copied() -> list[str]:
    """The paths that the image takes from the project."""
    own = [rest.split() for rest in steps("COPY") if not rest.startswith("--from")]
    return [source for words in own for source in words[:-1]]


def test_the_dockerfile_copies_files_that_exist():
    assert len(copied()) >= 8
    assert [name for name in copied() if not (ROOT / name).exists()] == []


def test_dockerignore_lets_exactly_these_through():
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert lines[1] == "*"
    allowed = {line.removeprefix("!") for line in lines if line.startswith("!")}
    assert allowed == set(copied())
    ignored = [line for line in lines[2:] if not line.startswith(("!", "#"))]
    assert any(fnmatch("vstg/kernels/__pycache__", line) for line in ignored)


def test_the_image_runs_as_a_user_that_the_dockerfile_makes():
    user = steps("USER")[-1]
    assert user not in ("root", "0")
    assert any(
        f"useradd --create-home --uid 1000 {user}" in run for run in steps("RUN")
    )
    last = [name for name, _ in STEPS].index("USER")
    after = [rest for name, rest in STEPS[last:] if name == "RUN"]
    assert after == ["vstg compile"]  # so that the user may read and renew the cache


def test_the_base_is_a_python_that_the_project_supports():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    least = tuple(map(int, re.findall(r"\d+", project["requires-python"])))
    bases = [re.match(r"python:(\d+)\.(\d+)-slim", rest) for rest in steps("FROM")]
    assert all(base and tuple(map(int, base.groups())) >= least for base in bases)


def test_the_healthcheck_asks_the_port_that_is_exposed():
    (health,) = steps("HEALTHCHECK")
    (port,) = steps("EXPOSE")
    assert f"http://127.0.0.1:{port}/_stcore/health" in health
    assert "STREAMLIT_SERVER_PORT" not in TEXT and shlex.split(port) == ["8501"]


def test_what_the_image_copies_builds_the_same_wheel(wheel, tmp_path):
    context = tmp_path / "context"
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for name in copied():
        target = context / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, target, ignore=ignored)
        else:
            shutil.copy(ROOT / name, target)
    made = build("wheel", context, tmp_path / "wheel")
    names = [set(zipfile.ZipFile(path).namelist()) for path in (made, wheel)]
    assert names[0] == names[1]


@pytest.mark.slow
def test_kernels_compiled_in_the_image_are_there_when_it_runs(installed, tmp_path):
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "HOME": str(tmp_path)}

    def compiled() -> set[Path]:
        command = [installed / "vstg", "compile"]
        subprocess.run(command, env=env, cwd=tmp_path, check=True, timeout=600)
        return set(tmp_path.rglob("*.nbc"))

    first = compiled()
    assert len(first) >= 10
    assert compiled() == first  # nothing was compiled again


def test_proxies_pass_websockets_on_and_ask_for_a_password():
    nginx = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
    for line in ("proxy_http_version 1.1;", "proxy_set_header Upgrade $http_upgrade;",
                 "proxy_set_header Connection $connection_upgrade;",
                 "proxy_set_header Host $http_host;",
                 "auth_basic_user_file"):  # fmt: skip
        assert line in nginx
    assert nginx.count("{") == nginx.count("}")
    assert nginx.index("ssl_reject_handshake on;") < nginx.index("server_name")
    caddy = (ROOT / "deploy" / "Caddyfile").read_text("utf-8")
    assert "basic_auth" in caddy and "reverse_proxy vstg:8501" in caddy


def test_compose_serves_nothing_but_the_proxy():
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))
    services = compose["services"]
    assert "ports" not in services["vstg"] and services["caddy"]["ports"]
    assert (ROOT / "deploy" / services["vstg"]["build"]).resolve() == ROOT
    assert services["vstg"]["volumes"] == ["runs:/data"]
    assert steps("VOLUME") == ["/data"]
