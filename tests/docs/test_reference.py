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


def test_pages_show_formulas_and_load_nothing(reference):
    pages = {p.name: p.read_text("utf-8") for p in reference.rglob("*.html")}
    raw = re.compile(
        r":math:|<code>~[<v]|\.\. math|\\\(|\$\$|={5}|<script[^>]*src=.https?:"
    )
    assert {
        name: raw.findall(text) for name, text in pages.items() if raw.search(text)
    } == {}
    assert sum(text.count("<math") for text in pages.values()) > 100


def test_methods_of_estimators_are_shown_and_those_of_scikit_learn_are_not(reference):
    page = (reference / "vstg" / "estimators.html").read_text("utf-8")
    for name in ("fit", "predict", "save", "load", "to_json", "from_result"):
        assert f'id="VSTGRegressor.{name}"' in page
    assert "set_score_request" not in page


def test_every_link_inside_the_reference_leads_somewhere(reference):
    dead = []
    for page in reference.rglob("*.html"):
        for link in re.findall(r'href="([^"#]+\.html)', page.read_text("utf-8")):
            if not link.startswith("http") and not (page.parent / link).is_file():
                dead.append(f"{page.name}: {link}")
    assert not dead
