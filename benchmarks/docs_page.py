"""Measured tables within docs/scaling.md, between marks that name their benchmark."""

from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"


def write(name: str, text: str) -> None:
    """Put ``text`` between the marks of a benchmark."""
    begins, ends = f"<!-- {name} begins -->", f"<!-- {name} ends -->"
    page = DOCS / "scaling.md"
    before, rest = page.read_text().split(begins)
    after = rest.split(ends)[1]
    page.write_text(f"{before}{begins}\n\n{text}\n\n{ends}{after}")
