"""Find choices at the edge of the grid, beyond which better ones may be."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from vstg.notation import SYMBOLS, value_text

LEAST = {"n_latent": 1, "k": 1, "cut": 0.0}  # nothing lies below these
AXES = ("n_latent", "k", "gamma1", "gamma2", "mu", "cut")


@dataclass(frozen=True)
class Edge:
    """A parameter of a choice with the smallest or largest value of the grid."""

    name: str
    value: float
    largest: bool

    @property
    def symbol(self) -> str:
        """Of the parameter."""
        return SYMBOLS[self.name]

    @property
    def text(self) -> str:
        """Its value."""
        return value_text(self.name, self.value)


def edges(
    setting: Mapping[str, Any], tried: Mapping[str, Iterable[Any]], most_bases: int
) -> list[Edge]:
    """Where a choice lies on the edge of what was tried.

    Not where nothing lies beyond (K = min(D, T), k = K, no cut), nor along a parameter
    of which one value was tried: nobody searched there.
    """
    ends = LEAST | {"k_most": setting.get("n_latent"), "n_latent_most": most_bases}
    found = []
    for name in AXES:
        values = sorted({v for v in tried.get(name, ()) if v is not None})
        value = setting.get(name)
        if value is None or len(values) < 2:
            continue
        if value == values[0] and value != ends.get(name):
            found.append(Edge(name, value, largest=False))
        elif value == values[-1] and value != ends.get(f"{name}_most"):
            found.append(Edge(name, value, largest=True))
    return found
