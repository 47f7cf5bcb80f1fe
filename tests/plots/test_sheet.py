"""The picture for a paper: the same cells in every format."""

import io
import re
import zlib
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from vstg.plots import SchemeData, factor_frames
from vstg.plots.matrices.scheme_sheet import CELL, cell_colours, mixed, scheme_sheet
from vstg.plots.palette import DIVERGING
from vstg.plots.svg.sheet import SHARP, Rectangle, Sheet, Words

U = np.array([[1.0, 0.0], [0.0, -2.0], [0.0, 0.0]])
V = np.array([[1.0, 0.5, 0.0], [0.0, 0.0, 3.0]])


@pytest.fixture
def data():
    frames = factor_frames(U, V, ["price (€)", "rain\\", "雨"], ["a", "b", "c<d"])
    return SchemeData(
        frames, None, [0, 0, 1], [1, 2, 0], ["selected"] * 2 + ["dropped"]
    )


def commands(pdf):
    return zlib.decompress(re.search(rb"stream\n(.*)\nendstream", pdf, re.S)[1]).decode(
        "cp1252"
    )


@pytest.mark.parametrize("paper", [False, True])
def test_every_format_has_every_cell(data, paper):
    sheet = scheme_sheet(data, paper=paper)
    cells = [m for m in sheet.marks if isinstance(m, Rectangle) and m.fill
             and m.width == m.height == CELL]  # fmt: skip
    assert len(cells) == np.count_nonzero(U) + np.count_nonzero(V) + 3
    svg = ElementTree.fromstring(sheet.to_svg("W & groups"))
    assert len(svg.findall("{*}rect[@fill]")) == len(
        [m for m in sheet.marks if isinstance(m, Rectangle)]
    )
    assert svg.findtext("{*}title") == "W & groups"
    written = [text.text for text in svg.findall("{*}text")]
    assert {"price (€)", "雨", "c<d", "A", "B"} <= set(written)
    picture = Image.open(io.BytesIO(sheet.to_png()))
    for cell in cells:
        middle = SHARP * (cell.x + CELL / 2), SHARP * (cell.y + CELL / 2)
        found = picture.getpixel(tuple(map(int, middle)))
        assert "#" + "".join(f"{part:02x}" for part in found) == cell.fill
    drawn = commands(sheet.to_pdf())
    assert drawn.count(" re f") == sum(
        bool(getattr(m, "fill", "")) for m in sheet.marks
    )
    assert "(price \\(€\\)) Tj" in drawn
    assert "(rain\\\\) Tj" in drawn


def test_the_table_of_a_pdf_says_where_its_objects_are(data):
    pdf = scheme_sheet(data).to_pdf()
    start = int(re.search(rb"startxref\n(\d+)\n%%EOF\n$", pdf)[1])
    assert pdf[start:].startswith(b"xref\n0 5\n")
    for number, at in enumerate(re.findall(rb"(\d{10}) 00000 n", pdf), 1):
        assert pdf[int(at) :].startswith(b"%d 0 obj\n" % number)


def test_greys_have_no_colour_and_signs_have_their_own():
    greys = cell_colours(np.array([[1.0, -0.4]]), 1.0, "signed", ("#dddddd", "#000000"))
    assert greys[0][0] == "#000000"
    assert all(c[1:3] == c[3:5] == c[5:7] for c in greys[0])
    ((most, least),) = cell_colours(np.array([[1.0, -1.0]]), 1.0, "signed")
    assert (least, most) == (DIVERGING[0], DIVERGING[-1])
    assert mixed(("#000000", "#ffffff"), 0.5) == "#808080"


def test_words_are_turned_and_anchored_alike():
    sheet = Sheet(60, 60, [Words(30, 30, "III", 10, "end", turned=True)])
    picture = Image.open(io.BytesIO(sheet.to_png())).convert("L")
    rows, columns = np.nonzero(np.asarray(picture) < 200)
    assert rows.min() >= 30 * SHARP - 2  # ends at its place, which is its top
    assert columns.max() <= 30 * SHARP + 2  # and stands to the left of its baseline
    x, y = map(
        float, re.search(r"0 1 -1 0 (\S+) (\S+) Tm", commands(sheet.to_pdf())).groups()
    )
    assert x == 30
    assert y < 30
