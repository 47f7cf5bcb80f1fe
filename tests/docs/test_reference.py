"""The Python reference is made from the docstrings without a warning."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.reference import modules

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """The folder that ``make docs`` would write."""
    folder = tmp_path_factory.mktemp("reference")
    done = subprocess.run(
        [sys.executable, "-m", "scripts.reference", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_every_module_has_a_page_with_its_public_names(reference):
    assert len(modules()) > 15
    for name in modules():
        page = (reference / "vstg" / f"{name}.html").read_text("utf-8")
        for member in getattr(importlib.import_module(f"vstg.{name}"), "__all__", ()):
            assert f'id="{member}"' in page or f'href="{name}/{member}.html"' in page, (
                f"{member} is not on the page of vstg.{name}"
            )


def test_every_link_inside_the_reference_leads_somewhere(reference):
    dead = []
    for page in reference.rglob("*.html"):
        for link in re.findall(r'href="([^"#]+\.html)', page.read_text("utf-8")):
            if not link.startswith("http") and not (page.parent / link).is_file():
                dead.append(f"{page.name}: {link}")
    assert not dead
