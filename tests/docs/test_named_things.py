"""What the documentation names is there: files, headings, options, variables."""

import re
from pathlib import Path

import pytest

from vstg.__main__ import COMMANDS, make_parser

ROOT = Path(__file__).parents[2]
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted(ROOT.glob("*/README.md")),
]
FOLDERS = ("vstg", "pages", "tests", "scripts", "benchmarks", "examples", "docs",
           "deploy", "results", "sample_data")  # fmt: skip
OWN_PATH = re.compile(rf"(?<![\w/.-])((?:{'|'.join(FOLDERS)})/[\w/.-]*\w)")
EXTENDING = ROOT / "docs" / "extending.md"  # names files that its readers write
CODE_WITH_VARIABLES = ("vstg", "pages", "scripts")


def name(path):
    return path.relative_to(ROOT).as_posix()


def anchors(path):
    """The headings of a page as links name them."""
    titles = re.findall(r"^#+ (.+)$", path.read_text("utf-8"), re.M)
    plain = (re.sub(r"[^\w\- ]", "", title.lower()) for title in titles)
    return {title.strip().replace(" ", "-") for title in plain}


@pytest.mark.parametrize("path", [p for p in PAGES if p != EXTENDING], ids=name)
def test_every_file_that_is_named_is_there(path):
    named = set(OWN_PATH.findall(path.read_text("utf-8")))
    assert [one for one in sorted(named) if not (ROOT / one).exists()] == []


def test_a_file_that_is_not_there_would_be_seen():
    text = "see `vstg/no_such.py`, tests/app/ and ~/vstg/bin/vstg."
    assert OWN_PATH.findall(text) == ["vstg/no_such.py", "tests/app"]


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_every_link_leads_to_a_heading(path):
    text = path.read_text("utf-8")
    for place, anchor in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", text):
        target = (path.parent / place) if place else path
        assert anchor in anchors(target), f"{place}#{anchor}"


def options(command):
    """The options of a command, as its help lists them."""
    parser = make_parser()
    choices = parser._subparsers._group_actions[0].choices
    parsers = [choices[command]]
    for one in parsers:
        for action in one._actions:
            if isinstance(action.choices, dict):
                parsers.extend(action.choices.values())
    return {word for one in parsers for word in one._option_string_actions}


def commands_of(text):
    """Every ``vstg word …`` up to the end of its line, joined where it goes on."""
    joined = re.sub(r"\\\n\s*", "", text)
    return re.findall(rf"\bvstg ({'|'.join(COMMANDS)})\b([^\n`|)]*)", joined)


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_every_option_of_a_command_is_one(path):
    for command, rest in commands_of(path.read_text("utf-8")):
        words = set(re.findall(r"(?<!\S)--?[a-z][\w-]*", rest.partition("#")[0]))
        assert words <= options(command), f"vstg {command}{rest}"


def test_an_option_that_is_none_would_be_seen():
    ((command, rest),) = commands_of("run `vstg fit a.csv --no-such thing`, then")
    assert (command, rest) == ("fit", " a.csv --no-such thing")
    assert "--no-such" not in options(command)
    assert {"--login", "--store"} <= options("app")
    assert "--check" in options("data")


def scripts_with_options():
    found = {}
    for path in PAGES:
        text = re.sub(r"\\\n\s*", "", path.read_text("utf-8"))
        for script, rest in re.findall(
            r"python ((?:scripts|benchmarks|examples)/\w+\.py)([^\n`|)]*)", text
        ):
            words = set(re.findall(r"(?<!\S)--[a-z][\w-]*", rest.partition("#")[0]))
            found.setdefault(script, set()).update(words)
    return {script: words for script, words in found.items() if words}


@pytest.mark.parametrize(("script", "words"), sorted(scripts_with_options().items()))
def test_every_option_of_a_script_is_one(script, words):
    source = (ROOT / script).read_text("utf-8")
    assert words <= set(re.findall(r'"(--[a-z][\w-]*)"', source))


def test_every_variable_of_the_environment_is_documented():
    used = set()
    for folder in CODE_WITH_VARIABLES:
        for path in (ROOT / folder).rglob("*.py"):
            used |= set(re.findall(r'"(VSTG_[A-Z_]*[A-Z])"', path.read_text("utf-8")))
    told = {
        word
        for path in PAGES
        for word in re.findall(r"VSTG_[A-Z_]*[A-Z]", path.read_text("utf-8"))
    }
    assert {"VSTG_STORE", "VSTG_NICE", "VSTG_DATA_DIR"} <= used
    assert used - told == set()
