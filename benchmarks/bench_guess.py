"""Count how often the first guess at a table's roles is right.

``python benchmarks/bench_guess.py`` reads tables of other packages
(:mod:`third_party`), guesses task and target of each, and prints the guess beside what
a person would say, then the counts. A guess is *right*, *asked* (nothing is chosen, and
the page asks) or *wrong*; where there is no right task, to ask is right.
"""

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.third_party import TABLES, ThirdParty
from vstg.tables import Suggestion, read_table, suggest

OFFERED = 5  # candidates that the Data page shows as buttons


def outcome(guess: str | None, right: tuple[str, ...]) -> str:
    """Whether a guess is right, asked or wrong."""
    if guess is None:
        return "asked" if right else "right"
    return "right" if guess in right else "wrong"


def guess(known: ThirdParty) -> Suggestion:
    """What is suggested for a table."""
    return suggest(read_table(known.content(), name=known.file_name))


def offered(found: Suggestion, known: ThirdParty) -> bool:
    """Whether a right target is guessed or among the first candidates."""
    named = found.recipe.targets or found.targets[:OFFERED]
    return bool(set(named) & set(known.targets))


def main() -> None:
    """Print every guess and the counts."""
    counts: dict[str, Counter[str]] = {"task": Counter(), "target": Counter()}
    n_offered = 0
    for known in TABLES:
        found = guess(known)
        n_offered += offered(found, known)
        pairs = {
            "task": (found.recipe.task, known.tasks),
            "target": (next(iter(found.recipe.targets), None), known.targets),
        }
        said = []
        for role, (chosen, right) in pairs.items():
            how = outcome(chosen, right)
            counts[role][how] += 1
            said.append(f"{role} {chosen or '?'} ({how})")
        print(f"{known.name:24s}", *said, sep="  ")
    for role, counted in counts.items():
        shown = ", ".join(
            f"{counted[how]} {how}" for how in ("right", "asked", "wrong")
        )
        print(f"{role} of {len(TABLES)} tables: {shown}")
    print(f"a right target is guessed or among the first {OFFERED}: {n_offered}")


if __name__ == "__main__":
    main()
