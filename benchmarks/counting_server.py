"""The dashboard, which logs every fit that begins or ends; for bench_live.py.

python benchmarks/counting_server.py FILE --server.port 8599
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from pages.shared.app import server
from pages.shared.fits import live


def noted(solve: Callable[..., Any], path: Path) -> Callable[..., Any]:
    """The same function with logging; a fit that is abandoned has no second line."""

    def note(word: str) -> None:
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{word}\n")

    def solved(*args: Any, **options: Any) -> Any:
        note("begun")
        result = solve(*args, **options)
        note("ended")
        return result

    return solved


if __name__ == "__main__":
    file, *arguments = sys.argv[1:]
    live.solve = noted(live.solve, Path(file))
    server.main(arguments)
