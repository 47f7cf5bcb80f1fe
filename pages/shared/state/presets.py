"""Worked examples: settings that make one idea visible."""

from dataclasses import dataclass, field
from typing import Any

from pages.shared.state.parameters import OPENING, STORY

# A preset sets the data and the model and leaves the view alone.
RESETS = (
    "data", "size", "seed", "n", "noise", "K", "k", "g1", "g2", "tie", "mu", "solver",
    "starts", "cut", "refit", "exact", "zero",
)  # fmt: skip


@dataclass(frozen=True)
class Preset:
    """Some settings with a name and what they show."""

    label: str
    help: str
    values: dict[str, Any] = field(default_factory=dict)
    resets: tuple[str, ...] = RESETS


PRESETS: dict[str, Preset] = {
    "shops": Preset(
        "Shops",
        "A story without a paper: what moves the weekly sales of 24 shops, and which "
        "shops are alike? Six variables count, and there are four kinds of shops.",
        STORY,
    ),
    "fig2": Preset(
        "Syn1 as in Fig. 2",
        "Disjoint groups: five blocks of four variables and four tasks; five variables "
        "are in none. The fit finds all of it.",
        OPENING,
    ),
    "overlap": Preset(
        "Overlapping groups",
        "Syn2, k = 2: every task combines two bases, and neighbouring groups share "
        "one. With k = 1 the overlap moves from V into U.",
        {**OPENING, "data": "Syn2", "k": 2, "g1": -1, "g2": -5, "starts": 5},
    ),
    "ksupport": Preset(
        "k-support at work",
        "Syn4, k = 2: bases share variables, and every task combines two of them, as "
        "in truth. With k = 1 every task uses one.",
        {**OPENING, "data": "Syn4", "k": 2, "g1": -3, "g2": -2, "starts": 5},
    ),
    "too_sparse": Preset(
        "Too much γ₂",
        "Rows of U vanish that should not: half of the relevant variables are missed.",
        {**OPENING, "g1": -3, "g2": 3},
    ),
    "too_loose": Preset(
        "Too little",
        "Hardly any penalty, and no cut: every variable is kept, tasks use nearly all "
        "bases, no group is right, and the test error rises.",
        {"g1": -9, "g2": -9},
    ),
    "too_few": Preset(
        "K too small",
        "Two bases for five groups: groups merge, and variables are missed.",
        {**OPENING, "K": 2},
    ),
}
