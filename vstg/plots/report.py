"""A report as one HTML file that opens without a network."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

import pandas as pd
import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from vstg.plots.palette import report_template

MAX_ROWS = 500

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #16262b; background: #fff;
  max-width: 70rem; margin: 2rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.7rem; letter-spacing: -0.01em; }
h2 { font-size: 1.2rem; margin-top: 2.2rem; }
table { border-collapse: collapse; font-size: 0.85rem; display: block;
  overflow-x: auto; }
th, td { text-align: left; padding: 0.25rem 0.7rem; border-bottom: 1px solid #c9d6d4; }
td { font-variant-numeric: tabular-nums; min-width: 3.5rem; }
pre { background: #eef4f3; padding: 1rem; overflow-x: auto; }
figure { margin: 0; } figcaption, .note { font-size: 0.85rem; color: #4a5d62; }
li { margin: 0.3rem 0; }
@media (prefers-color-scheme: dark) {
  body { color: #dbe6e6; background: #10191c; }
  th, td { border-color: #34464b; } pre { background: #1b282c; }
  figcaption, .note { color: #9fb3b6; }
  figure > div { background: #fff; border-radius: 6px; }
}
"""


@dataclass(frozen=True, eq=False)
class Section:
    """A heading with any of: a sentence, a list, a table, figures, a listing."""

    title: str
    text: str = ""
    items: Sequence[str] = ()
    table: pd.DataFrame | None = None
    figures: Mapping[str, go.Figure] = field(default_factory=dict)
    listing: str = ""


def report_html(title: str, sections: Sequence[Section]) -> str:
    """The report, with plotly's script inside so that its figures are interactive."""
    number = 0
    parts = []
    for section in sections:
        parts.append(f"<h2>{escape(section.title)}</h2>")
        if section.text:
            parts.append(f"<p>{escape(section.text)}</p>")
        if section.items:
            lines = "".join(f"<li>{escape(item)}</li>" for item in section.items)
            parts.append(f"<ul>{lines}</ul>")
        for caption, figure in section.figures.items():
            number += 1
            parts.append(_figure(caption, figure, number))
        if section.table is not None:
            parts.append(_table(section.table))
        if section.listing:
            parts.append(f"<pre><code>{escape(section.listing)}</code></pre>")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style>"
        f"<script>{get_plotlyjs()}</script></head>"
        f"<body><h1>{escape(title)}</h1>{''.join(parts)}</body></html>"
    )


def _table(table: pd.DataFrame) -> str:
    shown = table.head(MAX_ROWS)
    html = shown.to_html(border=0, float_format=lambda value: f"{value:.4g}")
    rest = len(table) - len(shown)
    return html if rest <= 0 else f'{html}<p class="note">and {rest} more rows</p>'


def _figure(caption: str, figure: go.Figure, number: int) -> str:
    light = go.Figure(figure).update_layout(template=report_template())
    body = light.to_html(
        full_html=False,
        include_plotlyjs=False,
        auto_play=False,
        div_id=f"figure-{number}",
        config={"displaylogo": False, "responsive": True},
    )
    return f"<figure>{body}<figcaption>{escape(caption)}</figcaption></figure>"
