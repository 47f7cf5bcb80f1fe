"""Make each action of a visitor one step in the browser's history."""

from pathlib import Path

import streamlit as st

join_entries = st.components.v2.component(
    "vstg_history",
    html="<span></span>",
    js=Path(__file__).with_name("address.js").read_text("utf-8"),
    isolate_styles=False,
)


def one_step_back() -> None:
    """Join what a page writes into its address; see address.js for why."""
    with st.container(key="history_steps"):
        join_entries(key="history_join")
