"""What pages show in one way: titles, numbers, tables, figures, refusals."""

from collections.abc import Mapping
from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from pages.shared import words
from pages.shared.glossary import TERMS
from vstg.notation import number_text

CONFIG = {"displaylogo": False, "responsive": True}
QUIET = {"displayModeBar": False, "responsive": True}
MAX_ROWS = 1_000  # of a table on the page; files have all


def title(name: str, tagline: str) -> None:
    """Name and purpose in one line."""
    st.html(
        f'<div class="vstg-title"><h1>{escape(name)}</h1><p>{escape(tagline)}</p></div>'
    )


def tile(
    label: str, value: str, note: str, *, warn: bool = False, term: str = ""
) -> str:
    """One number with its name above and what to compare it with below.

    Hovering over the name shows the ``term`` of the glossary.
    """
    mark = ' class="warn"' if warn else ""
    return (
        f'<div><dt title="{escape(TERMS.get(term, ""))}">{escape(label)}</dt>'
        f"<dd>{value}</dd>"
        f'<dd{mark} title="{escape(note)}">{escape(note)}</dd></div>'
    )


def side_heading(text: str) -> None:
    """A small heading in the sidebar."""
    st.html(f'<h2 class="vstg-side">{text}</h2>')


def say_error(sentence: str) -> None:
    """A refusal, with names as they are: nothing in it is taken for Markdown."""
    with st.container(key="refusal", border=True):
        st.html(f'<p role="alert">{words.LEVELS["error"]} {escape(sentence)}</p>')


def say_cut(shown: int, total: int, text: str = words.FIRST_ROWS) -> None:
    """That a table goes on, where it does."""
    if shown < total:
        st.caption(text.format(shown=shown, total=total))


def table_html(
    frame: pd.DataFrame, caption: str, names: Mapping[str, str] | None = None
) -> str:
    """A small table that every reader can walk through, with its name.

    Streamlit's own tables are drawn on a canvas, by a script of a megabyte.
    """
    titles = [frame.index.name or "", *frame.columns]
    head = "".join(
        f'<th scope="col">{escape((names or {}).get(title, str(title)))}</th>'
        for title in titles
    )
    rows = (
        f'<tr><th scope="row">{escape(str(label))}</th>'
        f"{''.join(f'<td>{escape(cell_text(cell))}</td>' for cell in cells)}</tr>"
        for label, *cells in frame.itertuples()
    )
    return (
        '<div class="vstg-scroll" tabindex="0" role="region" '
        f'aria-label="{escape(caption)}"><table class="vstg-table">'
        f'<caption class="vstg-unseen">{escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def cell_text(value: object) -> str:
    """A number with four digits, a text as it is."""
    return number_text(value) if isinstance(value, float) else str(value)


def aligned(columns: Mapping[str, str], *keys: str) -> dict[str, Any]:
    """Names of columns, some with as many decimals in every row; shares as percent."""
    numbers = {
        key: st.column_config.NumberColumn(columns[key], format="%.4g") for key in keys
    }
    shares = {
        key: st.column_config.NumberColumn(
            columns[key], format="percent", help=TERMS[key]
        )
        for key in ("cohesion", "frequency")
        if key in columns
    }
    return {**columns, **numbers, **shares}
