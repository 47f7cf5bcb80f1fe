"""Rules that every file keeps: nothing from a user is unpickled, run or drawn raw."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILES = [ROOT / "app.py", *sorted((ROOT / "vstg").rglob("*.py"))]
FILES += sorted((ROOT / "pages").rglob("*.py"))
FORBIDDEN_MODULES = {"pickle", "cPickle", "dill", "shelve", "marshal", "cloudpickle"}
FORBIDDEN_CALLS = {"eval", "exec", "__import__", "joblib.load", "pd.read_pickle"}
FORBIDDEN_OPTIONS = {"shell", "unsafe_allow_html", "unsafe_allow_javascript"}
# The last is HTML that Python made, with every name in it escaped.
SET_BY_SCRIPTS = {
    "place.innerHTML =",
    'place.innerHTML = "";',
    'card.innerHTML = "<small></small><p></p>";',
    "place.innerHTML = data.html;",
    "root.innerHTML = CONTROLS;",
    "place.innerHTML = PARTS;",
    "tables.innerHTML = data.html;",
}


def calls(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield node, ast.unparse(node.func)


def offences(path):
    """What a file does that no file may do."""
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name.partition(".")[0] for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [(node.module or "").partition(".")[0]]
        yield from (f"imports {name}" for name in set(names) & FORBIDDEN_MODULES)
    for node, name in calls(tree):
        options = {word.arg: ast.unparse(word.value) for word in node.keywords}
        if name in FORBIDDEN_CALLS:
            yield f"calls {name}"
        if name == "np.load" and "allow_pickle" not in options:
            yield "loads arrays without saying that pickles are refused"
        if options.get("allow_pickle", "False") != "False":
            yield "allows pickles"
        yield from (f"gives {word}" for word in FORBIDDEN_OPTIONS & set(options))


def test_nothing_is_unpickled_run_in_a_shell_or_drawn_raw():
    found = [f"{path.name} {what}" for path in FILES for what in offences(path)]
    assert len(FILES) > 100
    assert not found


def test_scripts_set_html_only_from_constants_and_from_python():
    for path in sorted((ROOT / "pages").rglob("*.js")):
        text = path.read_text("utf-8")
        for word in ("eval(", "insertAdjacentHTML", "outerHTML", "document.write"):
            assert word not in text, path.name
        lines = {line.strip() for line in text.splitlines() if "innerHTML" in line}
        assert lines <= SET_BY_SCRIPTS, path.name
