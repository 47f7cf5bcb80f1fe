"""A line on the terminal that tells how far a search is."""

import shutil
import sys
from time import perf_counter
from typing import TYPE_CHECKING, TextIO

from vstg.notation import duration, setting_flags

if TYPE_CHECKING:
    from vstg.model_selection import SearchProgress

WIDTH = 20  # of the bar
PAUSE = 0.1  # seconds between two drawings


class ProgressLine:
    """A callback for :func:`vstg.model_selection.search_grid` that draws one line."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.drawn = -PAUSE
        self.length = 0

    def __call__(self, progress: "SearchProgress") -> None:
        """Draw, unless it was drawn a moment ago."""
        now = perf_counter()
        if now - self.drawn < PAUSE and progress.done < progress.total:
            return
        self.drawn = now
        columns = shutil.get_terminal_size().columns - 1
        line = progress_text(progress)[:columns]
        # Blanks wipe what a longer line has left.
        self.stream.write("\r" + line.ljust(self.length))
        self.stream.flush()
        self.length = len(line)

    def close(self) -> None:
        """Leave the line."""
        if self.length:
            self.stream.write("\n")
            self.stream.flush()


def progress_line(force: bool) -> ProgressLine | None:
    """A line on standard error if that is a terminal or it is asked for."""
    return ProgressLine(sys.stderr) if force or sys.stderr.isatty() else None


def progress_text(progress: "SearchProgress") -> str:
    """Bar, fits done, best so far and time left."""
    share = progress.done / progress.total if progress.total else 1.0
    bar = "#" * int(WIDTH * share)
    text = f"[{bar:.<{WIDTH}}] {progress.done}/{progress.total} fits"
    text += f", {duration(progress.seconds_left)} left"
    if progress.best is not None:
        text += f", best {progress.best_error:.4f}: {setting_flags(progress.best)}"
    return text
