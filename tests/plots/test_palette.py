"""Colours of groups, seen with each kind of cone missing."""

import tomllib
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from vstg.plots.palette import DIVERGING, GROUPS, ORANGE, TEAL, ink_on, luminance

ROOT = Path(__file__).parents[2]
PAGES = {"light": "#ffffff", "dark": "#0c1417"}
# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
SEEN = {
    "all cones": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
LEAST = {"all cones": 35, "protanopia": 20, "deuteranopia": 20, "tritanopia": 15}
TO_XYZ = [
    [0.4124564, 0.3575761, 0.1804375],
    [0.2126729, 0.7151522, 0.0721750],
    [0.0193339, 0.1191920, 0.9503041],
]
WHITE = np.array([0.95047, 1.0, 1.08883])


def lab(colour, eyes):
    """CIELAB of a colour as some eyes see it."""
    rgb = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.asarray(SEEN[eyes]) @ linear, 0, 1)
    xyz = np.asarray(TO_XYZ) @ seen / WHITE
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(first, second, eyes):
    return float(np.linalg.norm(lab(first, eyes) - lab(second, eyes)))


def contrast(first, second):
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("eyes", SEEN)
def test_groups_stay_apart(eyes):
    closest = min(distance(a, b, eyes) for a, b in combinations(GROUPS, 2))
    assert closest >= LEAST[eyes]


def test_the_measure_finds_colours_that_merge():
    # The palette before: its first and fifth, and its third and fourth groups.
    assert distance(TEAL, "#cf5f8b", "deuteranopia") < 12
    assert distance("#8f72c0", "#4a8fd0", "deuteranopia") < 8
    assert distance(TEAL, ORANGE, "deuteranopia") > 35


@pytest.mark.parametrize("colour", GROUPS)
def test_groups_are_seen_and_their_letters_read(colour):
    assert all(contrast(colour, page) >= 3 for page in PAGES.values())
    assert contrast(colour, ink_on(colour)) >= 4.5


def scales():
    """The colours of signs: in reports, and on the page in both themes."""
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    themes = [config["theme"][name]["chartDivergingColors"] for name in PAGES]
    return [list(DIVERGING), *themes]


@pytest.mark.parametrize("eyes", SEEN)
def test_signs_stay_apart_also_where_values_are_small(eyes):
    for scale in scales():
        half = len(scale) // 2
        pairs = zip(scale[:half], scale[: half - 1 : -1], strict=True)
        assert min(distance(*pair, eyes) for pair in pairs) >= 8
