"""What a table may look like, where there is none yet: two examples to fill in."""

from typing import Any

import pandas as pd
import streamlit as st

from pages.data import words
from pages.shared.ui.downloads import to_csv

LONG = pd.DataFrame(
    {"task": ["shop 1", "shop 1", "shop 2"], "target": [12.5, 10.0, 8.25],
     "x1": [0.3, 1.2, 0.7], "x2": [1, 0, 1]}
).set_index("task")  # fmt: skip
WIDE = pd.DataFrame(
    {"x1": [0.3, 1.2, 0.7], "x2": [1, 0, 1], "task 1": [5, 7, 6], "task 2": [3, 4, 9]}
).set_index("x1")


def templates() -> None:
    """Both layouts side by side, each with its file."""
    st.html(f'<span class="vstg-label">{words.TEMPLATES}</span>')
    examples = (
        ("long", LONG, words.LONG_TEMPLATE, words.LONG_EXAMPLE),
        ("wide", WIDE, words.WIDE_TEMPLATE, words.WIDE_EXAMPLE),
    )
    places = st.columns(2, gap="large")
    for place, (name, frame, label, explained) in zip(places, examples, strict=True):
        with place:
            st.caption(explained)
            shown = frame.reset_index()
            numbers: dict[Any, Any] = dict.fromkeys(
                shown.select_dtypes("number"), "{:g}"
            )
            st.table(shown.style.format(numbers), hide_index=True)
            st.download_button(
                label, to_csv(frame), f"template_{name}.csv", "text/csv",
                key=f"template_{name}", on_click="ignore",
                icon=":material/download:",
            )  # fmt: skip
