"""The colours of all figures.

Signs and magnitudes have no colours here: heat maps ask for the template's diverging
or sequential scale, so that the page's theme decides (see :func:`report_template`).
The colours below are legible on a white and on a nearly black page, and distinct with
every common colour blindness; where a colour carries meaning, a word or a shape carries
it too.
"""

from collections.abc import Sequence

import plotly.graph_objects as go

TEAL, ORANGE, PURPLE, BLUE = "#2a9187", "#d9762b", "#8f72c0", "#4a8fd0"
PINK, OLIVE, BROWN, GREY = "#cf5f8b", "#93932f", "#a3714a", "#7f8a93"

# Chosen together: whichever kind of cone is missing, two of them differ by at least 15
# in CIELAB (20 for the common kinds), and each has 3:1 on both pages.
GROUPS = (
    TEAL, "#dc7400", "#8778ff", "#c8141e", "#96875a", "#7d23ff", "#9687c3", "#ab1cba",
)  # fmt: skip
RIGHT, WRONG, MISSED, FAINT = TEAL, ORANGE, PINK, "rgba(127, 138, 147, 0.35)"
EVEN = 0.179  # luminance on which black and white are read equally well
FOCUS = "#e0a800"
PATTERN = "#8c969e"

# Buttons and sliders drawn by plotly, whose default is white on every page.
PRESSED = {
    "showactive": False, "bordercolor": GREY, "borderwidth": 1,
    "bgcolor": "rgba(127,138,147,0.14)",
}  # fmt: skip
SLID = {
    "bgcolor": "rgba(127,138,147,0.3)", "bordercolor": "rgba(0,0,0,0)",
    "activebgcolor": GREY,
}  # fmt: skip

DIVERGING = (
    "#543005", "#8c510a", "#bf812d", "#dfc27d", "#f6e8c3",
    "#c7eae5", "#80cdc1", "#35978f", "#01665e", "#003c30",
)  # fmt: skip
SEQUENTIAL = (
    "#e3f2f0", "#c5e4e0", "#a3d3cd", "#7fc0b8", "#5baca3",
    "#3b978e", "#22827a", "#0f6b6b", "#0a5455", "#063d3f",
)  # fmt: skip


def group_colour(number: int) -> str:
    """The colour of a group of tasks; the palette starts again after eight."""
    return GROUPS[number % len(GROUPS)]


def group_style(number: int) -> str:
    """CSS: the colour of a group, and that of a letter on it."""
    colour = group_colour(number)
    return f"background:{colour};color:{ink_on(colour)}"


def ink_on(colour: str) -> str:
    """Black or white, whichever is read better on a colour given as ``#rrggbb``."""
    return "#ffffff" if luminance(colour) < EVEN else "#000000"


def luminance(colour: str) -> float:
    """Relative luminance of a colour, as WCAG defines it."""
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    light = [
        s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares
    ]
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]


def group_letter(number: int) -> str:
    """A, B, …, Z, AA, AB, …: the name of a group of tasks."""
    letters = ""
    number += 1
    while number > 0:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def as_scale(colours: Sequence[str]) -> list[list[float | str]]:
    """A plotly colour scale with the colours at equal distances."""
    last = len(colours) - 1
    return [[i / last, colour] for i, colour in enumerate(colours)]


def report_template() -> go.layout.Template:
    """The light look for figures outside the dashboard."""
    scale = {
        "diverging": as_scale(DIVERGING),
        "sequential": as_scale(SEQUENTIAL),
        "sequentialminus": as_scale(SEQUENTIAL[::-1]),
    }
    axis = {"gridcolor": "#e3eae9", "zerolinecolor": "#c9d6d4"}
    layout = go.Layout(
        colorscale=scale,
        colorway=list(GROUPS),
        paper_bgcolor="#ffffff",
        plot_bgcolor="#ffffff",
        font={"family": "system-ui, sans-serif", "color": "#16262b", "size": 12},
        xaxis=axis,
        yaxis=axis,
    )
    return go.layout.Template(layout=layout)
