"""docs/extending.md leads where it says: every addition works in a copy."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CHECKS = Path(__file__).with_name("in_the_copy.py")
NAMES = re.findall(r"^def (test_\w+)", CHECKS.read_text("utf-8"), re.M)


@pytest.fixture(scope="module")
def outcome(extended):
    """What pytest says in the copy, which nothing outside of it can change."""
    shutil.copy(CHECKS, extended / "checks.py")
    shutil.copy(ROOT / "tests" / "stopping.py", extended)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "checks.py", "-v", "--tb=short",
         "-c", os.devnull, "--rootdir", str(extended), "-p", "no:cacheprovider"],
        cwd=extended,
        env={**os.environ, "PYTHONPATH": str(extended)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )  # fmt: skip
    return done.stdout + done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_what_the_page_adds_works(outcome, name):
    results = re.findall(rf"::{name}(?:\[\w+\])? (\w+)", outcome)
    assert results and set(results) == {"PASSED"}, outcome


def test_the_new_files_of_the_page_keep_the_style_of_the_project(extended):
    files = [extended / "vstg" / "log_cosh.py",
             *extended.rglob("elastic_net.py"), *extended.rglob("shrinkage.py"),
             *extended.rglob("shuffles.py"), *extended.rglob("noise/*.py"),
             extended / "pages" / "8_Noise.py"]  # fmt: skip
    assert len(files) == 9
    config = ["--config", str(ROOT / "pyproject.toml"), "--no-cache",
              "--config", f'src=["{extended}"]']  # fmt: skip
    ruff = [sys.executable, "-m", "ruff"]
    for words in (["check"], ["format", "--check"]):
        done = subprocess.run(
            [*ruff, *words, *config, *map(str, files)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
