"""The shape of the code: what may import what, and how long a file may grow."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pages.shared.state import keys

ROOT = Path(__file__).parents[1]
LIBRARY = sorted((ROOT / "vstg").rglob("*.py"))
PAGES = sorted((ROOT / "pages").rglob("*.py"))
MAX_LINES = 400
LINT_IMPORTS = "from importlinter.cli import lint_imports_command as run; run()"


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imported_packages(source: str) -> set[str]:
    """The top-level packages that a source text imports, anywhere in it."""
    packages = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            packages |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            packages.add(node.module.partition(".")[0])
    return packages


def test_imports_follow_the_layers():
    done = subprocess.run(
        [sys.executable, "-c", LINT_IMPORTS, "--no-cache", "--no-logo"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_imported_packages_sees_every_form_of_import():
    source = "import a.b\nfrom c.d import e\ndef f():\n    import g as h\n"
    assert imported_packages(source) == {"a", "c", "g"}


def test_there_is_a_library_to_check():
    assert LIBRARY


@pytest.mark.parametrize("path", LIBRARY, ids=relative)
def test_library_knows_neither_streamlit_nor_the_pages(path):
    assert imported_packages(path.read_text("utf-8")).isdisjoint(
        {"streamlit", "pages", "app"}
    )


@pytest.mark.parametrize("path", LIBRARY, ids=relative)
def test_only_plots_imports_plotly(path):
    uses_plotly = "plotly" in imported_packages(path.read_text("utf-8"))
    assert not uses_plotly or relative(path).startswith("vstg/plots")


def test_what_pages_share_knows_none_of_them():
    folders = {path.name for path in (ROOT / "pages").iterdir() if path.is_dir()}
    one_page = re.compile(rf"\bpages\.({'|'.join(folders - {'shared'})})\b")
    assert one_page.search("from pages.tune.page import tune")
    for path in sorted((ROOT / "pages" / "shared").rglob("*.py")):
        if path.name != "server.py":  # loads the landing page before it is asked for
            assert not one_page.search(path.read_text("utf-8")), path.name


def pages_imported(source):
    """The folders of pages that a source text imports from."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            parts = node.module.split(".")
            if parts[0] == "pages" and len(parts) > 1:
                found.add(parts[1])
    return found


@pytest.mark.parametrize(
    "path", [p for p in PAGES if p.parent.name != "pages"], ids=relative
)
def test_pages_do_not_import_each_other(path):
    own = path.relative_to(ROOT / "pages").parts[0]
    if path.name == "server.py":  # loads the landing page before it is asked for
        return
    assert pages_imported(path.read_text("utf-8")) <= {own, "shared"}


LITERAL_KEY = re.compile(
    r"""session_state(?:\[|\.(?:get|pop|setdefault)\()\s*f?["']"""
    r"""|["']\s+(?:not\s+)?in\s+st\.session_state"""
)


def test_a_literal_key_would_be_seen():
    for text in ('st.session_state["x"]', 'session_state.get("x")', '"x" in '
                 "st.session_state", 'session_state.pop(f"{x}_y", None)'):  # fmt: skip
        assert LITERAL_KEY.search(text), text
    assert not LITERAL_KEY.search("st.session_state[keys.DATA]")


@pytest.mark.parametrize("path", PAGES, ids=relative)
def test_keys_of_the_session_are_declared_in_one_module(path):
    text = path.read_text("utf-8")
    assert not LITERAL_KEY.search(text)
    if path.name == "keys.py":
        return
    declared = {value for name, value in vars(keys).items() if name.isupper()}
    typed = set(re.findall(r"""\bkey=["'](\w+)["']""", text))
    assert typed & declared == set()


@pytest.mark.parametrize("path", [*LIBRARY, *PAGES], ids=relative)
def test_files_stay_short(path):
    assert len(path.read_text("utf-8").splitlines()) <= MAX_LINES


def test_no_two_public_classes_share_a_name():
    homes: dict[str, list[str]] = {}
    for path in [*LIBRARY, *PAGES]:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(relative(path))
    assert {name: paths for name, paths in homes.items() if len(paths) > 1} == {}
