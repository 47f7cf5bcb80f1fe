"""Names are shown, never obeyed: in Markdown, figures, tables and reports."""

import csv
import io
import re
from html.parser import HTMLParser

import pandas as pd
import pytest
from hostile import NAMES, TASKS, VARIABLES
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pages.shared.state.links import number_in
from pages.shared.ui.downloads import FORMULA_SIGNS, to_csv
from pages.shared.ui.markdown import WORD_JOINER, plain
from vstg.plots.diagnostics import importance_figure, task_error_figure
from vstg.plots.layout import label
from vstg.plots.report import Section, report_html
from vstg.plots.runs.comparing import matrices_figure, sureness_figure, wins_figure


class Text(HTMLParser):
    """The text of a document and the elements it has."""

    def __init__(self, html):
        super().__init__()
        self.text, self.elements = "", set()
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.elements.add(tag)

    def handle_data(self, data):
        self.text += data


def rendered(markdown):
    return Text(MarkdownIt("gfm-like", {"linkify": False}).render(markdown))


@given(st.text(max_size=60) | st.sampled_from(NAMES))
def test_plain_text_is_a_paragraph_that_reads_as_the_name(name):
    found = rendered(f"name {plain(name)}.")
    assert found.elements <= {"p"}
    shown = found.text.replace(WORD_JOINER, "").strip()
    wanted = " ".join(name.replace("\0", "\ufffd").split())
    assert shown.split() == f"name {wanted}.".split()


@pytest.mark.parametrize(
    "sign", [":red[x]", "https://evil.invalid", "www.evil.invalid", "eve@evil.invalid"]
)
def test_what_streamlit_adds_to_markdown_is_broken_up(sign):
    assert sign not in plain(sign)


@pytest.mark.parametrize("text", ["²", "٣", "-1", "1e3", "", None, "9" * 5000, " 1"])
def test_a_link_names_a_run_by_plain_digits_only(text):
    assert number_in(text) is None
    assert number_in("42") == 42


def texts_of(value):
    """Every text in a figure."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from texts_of(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from texts_of(part)


def figures():
    W = pd.DataFrame(1.0, VARIABLES, TASKS)
    sizes = pd.DataFrame({"max": 1.0, "l1": 2.0, "status": "right"}, VARIABLES)
    errors = pd.DataFrame({"train": 1.0, "test": 2.0}, TASKS)
    yield matrices_figure({NAMES[0]: W, NAMES[4]: W})
    yield importance_figure(sizes)
    yield task_error_figure(errors)
    yield wins_figure(pd.DataFrame({"a": 1.0, "b": 2.0}, TASKS), "a")
    shares = pd.DataFrame({"variable": VARIABLES, "frequency": 0.5, "low": 0.4,
                           "high": 0.6, "selected": True})  # fmt: skip
    yield sureness_figure(shares, 0.9)


@pytest.mark.parametrize("figure", list(figures()))
def test_figures_have_no_markup_of_names(figure):
    drawn = figure.to_plotly_json()
    found = set(texts_of(drawn["data"]))
    found |= {note["text"] for note in drawn["layout"].get("annotations", ())}
    marked = [t for t in found if re.search(r"<(?!extra>|/extra>|br>)", t)]
    assert not marked
    assert any(label(name) in found for name in NAMES)


def test_a_report_has_no_element_of_a_name():
    table = pd.DataFrame({"=1+1": list(VARIABLES)}, index=list(VARIABLES))
    W = pd.DataFrame(1.0, VARIABLES, TASKS)
    section = Section(
        NAMES[1],
        NAMES[0],
        items=NAMES,
        table=table,
        figures={NAMES[1]: matrices_figure({"": W})},
        listing=NAMES[4],
    )
    page = report_html(NAMES[1], [section])
    body = page[page.index("</head>") :]
    found = Text(body)
    assert not found.elements & {"img", "svg", "a"}
    assert "<script>window" not in body
    assert "<h1 id=injected>" not in body


@given(
    st.lists(st.text(max_size=8) | st.sampled_from(NAMES), min_size=1, max_size=5),
    st.sampled_from(FORMULA_SIGNS),
)
def test_no_cell_of_a_download_is_a_formula(cells, sign):
    cells = [*cells, f"{sign}SUM(1)"]
    frame = pd.DataFrame({f"{sign}x": cells, "n": -1.5}, index=cells)
    frame.index.name = "=name"
    text = to_csv(frame).decode("utf-8")
    for row in csv.reader(io.StringIO(text, newline="")):
        for cell in row:
            assert not cell.lstrip(" ").startswith(FORMULA_SIGNS) or is_number(cell)


def is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def test_numbers_and_honest_names_are_downloaded_as_they_are():
    frame = pd.DataFrame({"a": [-1.5, 2.0], "label": ["-1", "+1"]}, index=["x", "y z"])
    assert to_csv(frame).decode() == ",a,label\nx,-1.5,-1\ny z,2.0,+1\n"


def test_equal_column_names_are_kept_apart():
    frame = pd.DataFrame([["=a", "=b"]], columns=["c", "c"])
    assert to_csv(frame).decode() == ",c,c\n0,'=a,'=b\n"
