"""Time reading a table in the bounded process against reading it in this one.

``python benchmarks/bench_reading.py`` alternates both ways of reading the same CSV
tables and prints the medians and their ratio. Only the first is used on files from
outside: the second shows what the protection costs.
"""

import statistics
import time
from collections.abc import Callable

import numpy as np
import pandas as pd

from vstg.bounded import warm_up
from vstg.tables import DEFAULT_LIMITS, read_table
from vstg.tables.readers import read_content

SHAPES = ((60, 6), (1_000, 20), (20_000, 20), (100, 5_000))
REPEATS = 9
PAUSE = 1.0  # seconds between files, in which the next process gets ready
GUESSED = dict.fromkeys(("delimiter", "encoding", "decimal", "missing"))


def csv(n_rows: int, n_columns: int) -> bytes:
    """A table of numbers with a task column."""
    values = np.random.default_rng(0).normal(size=(n_rows, n_columns - 1))
    frame = pd.DataFrame(values).add_prefix("x").round(6)
    frame.insert(0, "task", np.arange(n_rows) % 3)
    return frame.to_csv(index=False).encode()


def seconds(work: Callable[[], object]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def compare(content: bytes) -> tuple[float, float]:
    """Medians of seconds in this process and in the bounded one, taken in turns."""

    def here() -> None:
        # The bounded process also finds out what every column holds.
        _ = read_content(content, "t.csv", DEFAULT_LIMITS, **GUESSED).kinds

    def bounded() -> None:
        read_table(content, name="t.csv")

    here(), bounded()
    inside, outside = [], []
    for _ in range(REPEATS):
        time.sleep(PAUSE)
        outside.append(seconds(bounded))
        inside.append(seconds(here))
    return statistics.median(inside), statistics.median(outside)


def main() -> None:
    """Print one row per table."""
    warm_up()
    print("rows  columns  in this process  bounded  ratio")
    for n_rows, n_columns in SHAPES:
        inside, outside = compare(csv(n_rows, n_columns))
        print(
            f"{n_rows:>6} {n_columns:>6} {1000 * inside:>10.1f} ms "
            f"{1000 * outside:>9.1f} ms {outside / inside:>6.2f}"
        )


if __name__ == "__main__":
    main()
