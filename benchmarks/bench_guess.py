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
from vstg.tables import read_table, suggest_recipe


def outcome(guess: str | None, right: tuple[str, ...]) -> str:
    """Whether a guess is right, asked or wrong."""
    if guess is None:
        return "asked" if right else "right"
    return "right" if guess in right else "wrong"


def guessed(known: ThirdParty) -> tuple[str | None, str | None]:
    """The task and the target that are suggested, None where the page asks."""
    recipe = suggest_recipe(read_table(known.content(), name=known.file_name))
    return recipe.task, next(iter(recipe.targets), None)


def main() -> None:
    """Print every guess and the counts."""
    counts: dict[str, Counter[str]] = {"task": Counter(), "target": Counter()}
    for known in TABLES:
        pairs = dict(zip(counts, guessed(known), strict=True))
        right = {"task": known.tasks, "target": known.targets}
        said = []
        for role, guess in pairs.items():
            how = outcome(guess, right[role])
            counts[role][how] += 1
            said.append(f"{role} {guess or '?'} ({how})")
        print(f"{known.name:24s}", *said, sep="  ")
    for role, counted in counts.items():
        shown = ", ".join(
            f"{counted[how]} {how}" for how in ("right", "asked", "wrong")
        )
        print(f"{role} of {len(TABLES)} tables: {shown}")


if __name__ == "__main__":
    main()
