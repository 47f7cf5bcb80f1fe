"""A small Explore as one file: sliders over fits that were computed beforehand."""

import base64
import json
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from pages.learn import models
from pages.learn.papers import page
from pages.shared.lessons.content import content
from vstg.data import Array
from vstg.lessons.fit_grid import FitGrid, GridFit
from vstg.plots.palette import group_letter, group_style

PARTS = Path(__file__).with_name("parts")
LARGEST = 32767  # of a 16-bit number
OPENING = {"K": 4, "g1": 5, "g2": 2}  # places: K = 5, γ1 = 1/2, γ2 = 1/16


def small_explore() -> bytes:
    """Sliders for K, γ1 and γ2, the matrices, the groups, the variables, the error."""
    words = content().small_explore
    grid = models.grid()
    count = len(grid.exponents)
    last = {"K": len(grid.latents) - 1, "g1": count - 1, "g2": count - 1}
    sliders = "".join(
        f'<label>{escape(words[name])} = <b id="{name}-now"></b>'
        f'<input type="range" id="{name}" min="0" max="{last[name]}" '
        f'value="{OPENING[name]}"></label>'
        for name in OPENING
    )
    style = (PARTS / "small_explore.css").read_text("utf-8")
    script = (PARTS / "small_explore.js").read_text("utf-8")
    body = (
        f"<style>{style}</style><p>{escape(words['idea'])}</p>"
        f'<div class="sliders">{sliders}<label><input type="checkbox" id="cut"> '
        f"{escape(words['cut'])}</label></div>"
        f'<output id="said" aria-live="polite"></output>{_pictures(words, count)}'
        f'<p class="note">{escape(words["about"])}</p>'
        f"<script>const DATA = {json.dumps(payload(grid))};\n{script}</script>"
    )
    return page(words["title"], body)


def _pictures(words: dict[str, str], count: int) -> str:
    def canvas(name: str, title: str) -> str:
        drawn = f'<canvas id="{name}" role="img"></canvas>'
        return f'<div><div class="name">{escape(title)}</div>{drawn}</div>'

    return (
        f'<p class="note">{escape(words["colours"])}</p>'
        f'<div class="parts"><div class="product"><div></div>{canvas("V", words["V"])}'
        f"{canvas('U', words['U'])}{canvas('W', words['W'])}</div>"
        f"{canvas('true', words['truth'])}"
        f'<div class="found"><b id="kept"></b><p id="dropped"></p><b id="count"></b>'
        f'<ul id="groups"></ul></div><div><div class="name">{escape(words["errors"])}'
        f'</div><div id="errors" aria-hidden="true" style="--count:{count}"></div>'
        f'<p class="note" id="lowest"></p></div></div>'
    )


def payload(grid: FitGrid) -> dict[str, Any]:
    """What the script reads: factors as 16-bit numbers, each with its unit."""
    written = [_whole(fit.U) + _whole(fit.V) for fit in grid.fits]
    data = b"".join(u.tobytes() + v.tobytes() for u, _, v, _ in written)
    n_groups = max(max(fit.groups) for fit in grid.fits) + 1
    return {
        "n_variables": grid.syn.train.n_features,
        "n_tasks": grid.syn.train.n_tasks,
        "latents": grid.latents,
        "exponents": grid.exponents,
        "fits": [
            _described(fit, u_unit, v_unit)
            for fit, (_, u_unit, _, v_unit) in zip(grid.fits, written, strict=True)
        ],
        "factors": base64.b64encode(data).decode("ascii"),
        "truth": grid.syn.W.round(4).tolist(),
        "letters": [group_letter(g) for g in range(n_groups)],
        "styles": [group_style(g) for g in range(n_groups)],
        "words": content().small_explore,
    }


def _whole(A: Array) -> tuple[Any, float]:
    """Whole numbers and their unit; only an exact zero becomes zero."""
    unit = max(float(np.abs(A).max()), 1e-12) / LARGEST
    near = np.rint(A / unit)
    near = np.where((near == 0) & (A != 0), np.sign(A), near)
    return near.astype("<i2"), unit


def _described(fit: GridFit, u_unit: float, v_unit: float) -> dict[str, Any]:
    return {
        "u": float(f"{u_unit:.6g}"), "v": float(f"{v_unit:.6g}"),
        "groups": fit.groups,
        "train": round(fit.train_error, 4), "test": round(fit.test_error, 4),
    }  # fmt: skip
