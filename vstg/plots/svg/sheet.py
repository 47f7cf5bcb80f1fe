"""A sheet of rectangles and words, written as SVG, as PDF or as PNG.

The pictures of matrices need nothing else, so that no converter between the formats is
needed either: a PDF is a list of drawing commands in a small frame. Its words are in
Helvetica, which every reader has and which knows the letters of Western Europe; others
become question marks.
"""

import io
import zlib
from dataclasses import dataclass, field
from html import escape
from typing import Literal

from PIL import Image, ImageColor, ImageDraw, ImageFont

INK = "#16262b"
SHARP = 3  # pixels of a PNG per unit of the sheet


@dataclass(frozen=True)
class Rectangle:
    """Filled, or an outline where ``fill`` is empty."""

    x: float
    y: float
    width: float
    height: float
    fill: str = ""
    edge: str = ""


@dataclass(frozen=True)
class Words:
    """Words whose baseline begins, ends or is centred at a place."""

    x: float
    y: float
    text: str
    size: float = 10
    anchor: Literal["start", "middle", "end"] = "start"
    turned: bool = False  # read from below
    colour: str = INK


@dataclass
class Sheet:
    """What is on it, in the order of drawing."""

    width: float
    height: float
    marks: list[Rectangle | Words] = field(default_factory=list)

    def to_svg(self, alt: str) -> bytes:
        """One <svg> with ``alt`` as its description."""
        parts = "".join(_svg(mark) for mark in self.marks)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" '
            f'viewBox="0 0 {self.width:g} {self.height:g}" width="{self.width:g}" '
            f'height="{self.height:g}" font-family="Helvetica, Arial, sans-serif">'
            f"<title>{escape(alt)}</title>{parts}</svg>"
        ).encode()

    def to_png(self) -> bytes:
        """Pixels on white, three for each unit."""
        size = (round(SHARP * self.width), round(SHARP * self.height))
        image = Image.new("RGB", size, "white")
        pen = ImageDraw.Draw(image)
        for mark in self.marks:
            if isinstance(mark, Rectangle):
                left, top = SHARP * mark.x, SHARP * mark.y
                right, bottom = left + SHARP * mark.width, top + SHARP * mark.height
                pen.rectangle(
                    (left, top, max(left, right - 1), max(top, bottom - 1)),
                    mark.fill or None, mark.edge or None,
                )  # fmt: skip
            else:
                _paste(image, mark)
        file = io.BytesIO()
        image.save(file, "PNG", dpi=(72 * SHARP, 72 * SHARP))
        return file.getvalue()

    def to_pdf(self) -> bytes:
        """One page; its commands are compressed."""
        commands = "\n".join(_pdf(mark, self.height) for mark in self.marks)
        stream = zlib.compress(commands.encode("cp1252", "replace"))
        page = f"/MediaBox [0 0 {self.width:g} {self.height:g}]"
        font = "/Type /Font /Subtype /Type1 /BaseFont /Helvetica"
        objects = [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R {page} /Contents 4 0 R "
            f"/Resources << /Font << /F << {font} /Encoding /WinAnsiEncoding >> >> >> "
            ">>".encode(),
            f"<< /Length {len(stream)} /Filter /FlateDecode >>\nstream\n".encode()
            + stream
            + b"\nendstream",
        ]
        return _pdf_file(objects)


def _svg(mark: Rectangle | Words) -> str:
    if isinstance(mark, Rectangle):
        edge = f' stroke="{mark.edge}" stroke-width="0.6"' if mark.edge else ""
        return (
            f'<rect x="{mark.x:.2f}" y="{mark.y:.2f}" width="{mark.width:.2f}" '
            f'height="{mark.height:.2f}" fill="{mark.fill or "none"}"{edge}/>'
        )
    spin = f' transform="rotate(-90 {mark.x:.2f} {mark.y:.2f})"' if mark.turned else ""
    return (
        f'<text x="{mark.x:.2f}" y="{mark.y:.2f}" font-size="{mark.size:g}" '
        f'text-anchor="{mark.anchor}" fill="{mark.colour}"{spin}>'
        f"{escape(mark.text)}</text>"
    )


def _length(mark: Words) -> float:
    """How long the words are, in units of the sheet."""
    return float(ImageFont.load_default(10 * mark.size).getlength(mark.text)) / 10


def _paste(image: Image.Image, mark: Words) -> None:
    """Write on a slip of its own, turn it if need be, and lay it down."""
    font = ImageFont.load_default(SHARP * mark.size)
    length, rise = int(font.getlength(mark.text)) + 2, round(SHARP * mark.size)
    slip = Image.new("L", (length, 2 * rise), 0)
    ImageDraw.Draw(slip).text((0, rise), mark.text, 255, font, anchor="ls")
    back = {"start": 0.0, "middle": 0.5, "end": 1.0}[mark.anchor] * length
    x, y = SHARP * mark.x, SHARP * mark.y
    if mark.turned:
        slip = slip.transpose(Image.Transpose.ROTATE_90)
        place = (round(x - rise), round(y + back - length))
    else:
        place = (round(x - back), round(y - rise))
    image.paste(ImageColor.getrgb(mark.colour), (*place,), slip)


def _colour(text: str) -> str:
    return " ".join(f"{part / 255:.3f}" for part in ImageColor.getrgb(text)[:3])


def _pdf(mark: Rectangle | Words, height: float) -> str:
    """The commands of a mark; a PDF counts from below."""
    if isinstance(mark, Rectangle):
        low = height - mark.y - mark.height
        box = f"{mark.x:.2f} {low:.2f} {mark.width:.2f} {mark.height:.2f} re"
        fill = f"{_colour(mark.fill)} rg {box} f\n" if mark.fill else ""
        edge = f"0.6 w {_colour(mark.edge)} RG {box} S" if mark.edge else ""
        return fill + edge
    back = {"start": 0.0, "middle": 0.5, "end": 1.0}[mark.anchor] * _length(mark)
    turn, x, y = "1 0 0 1", mark.x - back, height - mark.y
    if mark.turned:
        turn, x, y = "0 1 -1 0", mark.x, height - mark.y - back
    said = mark.text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return (
        f"BT /F {mark.size:g} Tf {_colour(mark.colour)} rg {turn} {x:.2f} {y:.2f} Tm "
        f"({said}) Tj ET"
    )


def _pdf_file(objects: list[bytes]) -> bytes:
    """Objects with their numbers, and the table of where each begins."""
    file, starts = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        starts.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % start for start in starts)
    count = len(objects) + 1
    return file + (
        b"xref\n0 %d\n0000000000 65535 f \n%s" % (count, table)
        + b"trailer\n<< /Size %d /Root 1 0 R >>\n" % count
        + b"startxref\n%d\n%%%%EOF\n" % len(file)
    )
