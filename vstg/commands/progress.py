"""A line on the terminal that tells how far a search is."""

import math
import shutil
import sys
from collections.abc import Mapping
from time import perf_counter
from typing import TYPE_CHECKING, Any, TextIO

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
        text += f", best {progress.best_error:.4f}: {setting_text(progress.best)}"
    return text


def setting_text(setting: Mapping[str, Any]) -> str:
    """A setting as options of ``vstg fit``: --k 1 --gamma1 2^-4 and so on."""
    return " ".join(
        f"--{name.replace('_', '-')} {number_text(value)}"
        for name, value in setting.items()
        if value is not None
    )


def number_text(value: float) -> str:
    """A number that the command line reads back unchanged; powers of two as such."""
    mantissa, exponent = math.frexp(value)
    if mantissa == 0.5 and exponent < 1:
        return f"2^{exponent - 1}"
    return repr(int(value) if float(value).is_integer() else float(value))


def duration(seconds: float) -> str:
    """Seconds as people say them."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 100:
        return f"{minutes} min {rest:02d} s"
    return f"{minutes // 60} h {minutes % 60:02d} min"
