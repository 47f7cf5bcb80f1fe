"""``vstg compile``: the kernels, before anybody waits for them."""

import time
from argparse import Namespace

from vstg.commands.command import Command


def run(args: Namespace) -> None:
    """Compile the numerical kernels into numba's cache."""
    start = time.perf_counter()
    from vstg import kernels

    kernels.compile_all()
    print(f"Kernels ready after {time.perf_counter() - start:.1f} s.")


COMMAND = Command("compile the numerical kernels once", run)
