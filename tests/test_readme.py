"""The README's Python runs as printed, and what it names is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.S)
OWN = ("vstg", "pages", "docs", "results", "scripts", "benchmarks", "examples")
PATHS = set(re.findall(rf"`((?:{'|'.join(OWN)})/[\w./]*)`", TEXT))


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.split("\n")[0])
def test_python_of_the_readme_runs(block, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "README.md", "exec"), {})


def test_readme_shows_python():
    assert len(BLOCKS) >= 2


def test_every_path_is_there():
    assert len(PATHS) >= 40
    assert [path for path in sorted(PATHS) if not (ROOT / path).exists()] == []


def test_every_folder_of_the_library_has_a_row():
    folders = {path.parent.name for path in (ROOT / "vstg").glob("*/__init__.py")}
    assert [name for name in sorted(folders) if f"`vstg/{name}/`" not in TEXT] == []


def test_names_of_the_questions_are_where_the_readme_says():
    named = re.findall(r"`(\w+)` in\s+`([\w/.]+\.py)`", TEXT)
    assert len(named) >= 3
    for name, path in named:
        assert re.search(rf"(class|def) {name}\b", (ROOT / path).read_text("utf-8"))
