"""Cells are reused only by the code that made them."""

import ast
from pathlib import Path

import vstg
from vstg.jobs.store import code

ROOT = Path(vstg.__file__).parent
# What a fold is fitted through, and what does not change a number.
START = ("model_selection/evaluation.py", "model_selection/stability.py")
HARMLESS = {
    "model_selection/search.py",  # which chains there are, not what is in them
    "model_selection/runners.py",
    "model_selection/result.py",
    "model_selection/certainty.py",  # summarises resamples that are finished
    "data/multitask.py",  # holds what it is given: the fingerprint says what that is
    "data/values.py",
    "data/dataset.py",
    "data/fingerprint.py",
    "data/tables.py",
    "data/builders.py",
    "notation.py",  # how numbers are written
    "data/targets.py",  # rejects targets, and changes none
}


def hashed():
    return {
        path.relative_to(ROOT).as_posix()
        for pattern in code.NUMERICAL
        for path in ROOT.glob(pattern)
    }


def imports(path):
    """The names that a file imports from vstg: pairs of module and name."""
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("vstg."):
            for alias in node.names:
                yield node.module, alias.name


def home(module, name):
    """The file in which an imported name is made; packages only hand names on."""
    base = module.removeprefix("vstg.").replace(".", "/")
    for file in (f"{base}/{name}.py", f"{base}.py"):
        if (ROOT / file).exists():
            return file
    package = f"{base}/__init__.py"
    found = [home(*one) for one in imports(package) if one[1] == name]
    return found[0] if found else package


def test_every_pattern_names_files():
    for pattern in code.NUMERICAL:
        assert list(ROOT.glob(pattern)), f"{pattern}: moved? then change the list"


def test_all_that_decides_on_a_cell_is_in_its_key():
    seen, waiting = set(), set(START)
    while waiting:
        path = waiting.pop()
        seen.add(path)
        waiting |= {home(*one) for one in imports(path)} - seen
    assert len(seen) > 20
    assert seen - hashed() <= HARMLESS, sorted(seen - hashed() - HARMLESS)


def test_a_changed_file_is_another_version(monkeypatch, tmp_path):
    (tmp_path / "kernels").mkdir()
    kernel = tmp_path / "kernels" / "one.py"
    monkeypatch.setattr(code.vstg, "__file__", str(tmp_path / "__init__.py"))
    versions = []
    for text in ("a = 1", "a = 2", "a = 1"):
        kernel.write_text(text)
        versions.append(code.code_version.__wrapped__())
    assert versions[0] == versions[2] != versions[1]
