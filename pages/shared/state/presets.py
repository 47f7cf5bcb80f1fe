"""Worked examples: settings that make one idea visible."""

from dataclasses import dataclass, field
from typing import Any

from pages.shared.state.parameters import OPENING

# A preset sets the data and the model and leaves the view alone.
RESETS = (
    "data", "size", "seed", "n", "noise", "K", "k", "g1", "g2", "tie", "mu", "solver",
    "starts", "cut", "refit", "zero",
)  # fmt: skip


@dataclass(frozen=True)
class Preset:
    """Some settings with a name and what they show."""

    label: str
    help: str
    values: dict[str, Any] = field(default_factory=dict)
    resets: tuple[str, ...] = RESETS


PRESETS: dict[str, Preset] = {
    "fig2": Preset(
        "Syn1 as in Fig. 2",
        "Disjoint groups: five blocks of four variables and four tasks; five variables "
        "are in none. The fit finds all of it.",
        OPENING,
    ),
    "overlap": Preset(
        "Overlapping groups",
        "Syn2: neighbouring groups share a basis. Look at the task groups below.",
        {"data": "Syn2", "g1": -2, "g2": -1},
    ),
    "ksupport": Preset(
        "k-support at work",
        "Syn4, k = 2: bases share variables, and tasks may mix two of them.",
        {"data": "Syn4", "k": 2, "g1": -3, "g2": -2},
    ),
    "too_sparse": Preset(
        "Too much γ₂",
        "Rows of U vanish that should not: relevant variables are missed.",
        {"g1": -3, "g2": 3},
    ),
    "too_loose": Preset(
        "Too little",
        "Hardly any penalty: nothing is exactly zero, and the test error rises.",
        {"g1": -9, "g2": -9},
    ),
    "too_few": Preset(
        "K too small",
        "Two bases for five groups: blocks melt into each other.",
        {"K": 2},
    ),
}
