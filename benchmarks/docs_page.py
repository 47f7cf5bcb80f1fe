"""Measured tables within pages of docs/, between marks that name their benchmark."""

from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"


def write(name: str, text: str, page: str = "scaling.md") -> None:
    """Put ``text`` between the marks of a benchmark."""
    begins, ends = f"<!-- {name} begins -->", f"<!-- {name} ends -->"
    path = DOCS / page
    before, rest = path.read_text().split(begins)
    after = rest.split(ends)[1]
    path.write_text(f"{before}{begins}\n\n{text}\n\n{ends}{after}")
