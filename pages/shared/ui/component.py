"""A part of a page with its own script and style."""

from pathlib import Path
from typing import Any

import streamlit as st


def component(folder: Path, name: str) -> Any:
    """The component of ``name.js`` and ``name.css`` in a folder."""
    return st.components.v2.component(
        f"vstg_learn_{name}",
        html=f'<div class="learn-{name}"></div>',
        css=(folder / f"{name}.css").read_text("utf-8"),
        js=(folder / f"{name}.js").read_text("utf-8"),
        isolate_styles=False,
    )
