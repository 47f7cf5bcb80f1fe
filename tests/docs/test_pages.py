"""The pages of docs/: their code runs, their output is real, their links lead on."""

import re
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from doc_blocks import matches, run_page

from pages.shared.lessons.content import content
from pages.shared.state.links import check_link
from pages.shared.state.parameters import PARAMS

ROOT = Path(__file__).parents[2]
TUTORIALS = sorted((ROOT / "docs").glob("tutorial-*.md"))
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
PROSE = re.compile(r"^```.*?^```$", re.M | re.S)


def name(path):
    return path.name


def test_output_that_differs_is_seen():
    assert matches("one\ntwo 2.5 s\nthree\n", "one\ntwo … s\nthree")
    assert matches("one\ntwo\nthree\n", "one\n…\nthree")
    assert not matches("one\ntwo\n", "one\nthree\n")
    assert not matches("one\ntwo\n", "one")


@pytest.mark.parametrize("path", TUTORIALS, ids=name)
def test_tutorial_prints_what_it_shows(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_page(path) >= 4


def test_the_cases_of_bad_input_are_counted_right():
    texts = [p.read_text("utf-8") for p in sorted((ROOT / "tests/fuzz").glob("*.py"))]
    drawn = {
        word: sum(int(n) for text in texts for n in re.findall(rf"{word}=(\d+)", text))
        for word in ("few", "many")
    }
    page = (ROOT / "docs" / "reliability.md").read_text("utf-8")
    assert f"# {drawn['few']} cases, in every `make test`" in page
    assert f"# {drawn['many']:,} cases" in page
    listed = re.findall(r"^\|[^|]*\| (\d+) \|", page.partition("## Bad input")[2], re.M)
    assert sum(map(int, listed)) == drawn["many"]


def test_there_is_a_tutorial_for_every_kind_of_user():
    users = {path.stem.partition("-")[2] for path in TUTORIALS}
    assert users == {"analyst", "researcher", "teacher"}


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_every_link_leads_to_a_file_of_the_project(path):
    text = PROSE.sub("", path.read_text("utf-8"))
    links = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    assert [link for link in links if not (path.parent / link).exists()] == []


def test_every_picture_is_shown_somewhere():
    texts = "".join(path.read_text("utf-8") for path in PAGES)
    pictures = sorted((ROOT / "docs").rglob("*.[ps][nv]g"))
    assert len(pictures) >= 5
    assert [p.name for p in pictures if f"screenshots/{p.name}" not in texts
            and f"({p.name})" not in texts
            and f"(docs/{p.name})" not in texts] == []  # fmt: skip


def test_every_page_of_the_docs_is_linked_from_another():
    texts = {path: path.read_text("utf-8") for path in PAGES}
    lonely = [
        path.name
        for path in PAGES
        if path.parent.name == "docs"
        and not any(path.name in text for other, text in texts.items() if other != path)
    ]
    assert lonely == []


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_links_into_the_dashboard_open_what_they_name(path):
    for url in re.findall(r"<(http://127\.0\.0\.1:8501/[^>]*)>", path.read_text()):
        parts = urlsplit(url)
        query = dict(parse_qsl(parts.query))
        page = parts.path.strip("/")
        assert not page or list((ROOT / "pages").glob(f"[0-9]_{page}.py")), url
        if page == "Learn":
            lesson = content().lesson(query["lesson"])
            assert lesson is not None, url
            short = {c.key.partition("_")[2] for c in lesson.controls}
            assert set(query.get("only", "").split(",")) - {""} <= short, url
        else:
            assert set(query) <= set(PARAMS) and check_link(query) == [], url
