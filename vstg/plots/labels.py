"""Names in figures: plotly takes ``<a>``, ``<b>`` and the like for markup."""

from collections.abc import Iterable


def label(name: object) -> str:
    """A name as a figure shows it, sign by sign."""
    return str(name).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def labels(names: Iterable[object]) -> list[str]:
    """Names as a figure shows them."""
    return [label(name) for name in names]
