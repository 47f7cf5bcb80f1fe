"""Read files from outside in a process with bounded time, memory and output."""

from vstg.bounded.messages import MessageError
from vstg.bounded.run import BoundedError, Bounds, run_bounded, warm_up
from vstg.bounded.text import clean_name, clean_text, clean_tree

__all__ = [
    "BoundedError",
    "Bounds",
    "MessageError",
    "clean_name",
    "clean_text",
    "clean_tree",
    "run_bounded",
    "warm_up",
]
