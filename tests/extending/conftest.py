"""A copy of the project in which docs/extending.md has been followed to the letter."""

import re
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "extending.md"
BLOCK = re.compile(r"^```(python|toml|diff)\n(?:# |--- )(\S+)\n(.*?)^```$", re.M | re.S)


def insert(text: str, change: str) -> str:
    """Apply a block of unchanged (`` ``) and new (``+``) lines at its one place."""
    lines = change.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if line.startswith(" "))
    after = "".join(line[1:] for line in lines)
    assert text.count(before) == 1, f"no single place for:\n{change}"
    return text.replace(before, after)


def follow(page: str, project: Path) -> int:
    """Make the files and changes of a page; return how many there were."""
    blocks = BLOCK.findall(page)
    for kind, name, content in blocks:
        path = project / name
        path.parent.mkdir(exist_ok=True)
        if kind == "diff":
            path.write_text(insert(path.read_text("utf-8"), content), "utf-8")
        elif path.exists():
            path.write_text(path.read_text("utf-8") + "\n" + content, "utf-8")
        else:
            path.write_text(content, "utf-8")
    return len(blocks)


@pytest.fixture(scope="session")
def extended(tmp_path_factory) -> Path:
    """The extended copy. Compiled kernels come with it and stay valid."""
    project = tmp_path_factory.mktemp("extended")
    for name in ("vstg", "pages", "sample_data", ".streamlit"):
        ignored = shutil.ignore_patterns("*.pyc", "*.tmp*")
        shutil.copytree(ROOT / name, project / name, ignore=ignored)
    shutil.copy(ROOT / "app.py", project)
    assert follow(PAGE.read_text("utf-8"), project) == PAGE.read_text().count("```") / 2
    return project
