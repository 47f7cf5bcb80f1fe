"""``vstg compile``: compile the kernels before anybody has to wait for them."""

import time
from argparse import Namespace

from vstg.commands.shared.command import Command


def run(args: Namespace) -> None:
    """Compile the numerical kernels into numba's cache."""
    start = time.perf_counter()
    from concurrent.futures import ProcessPoolExecutor

    from vstg.solvers import compiling

    with ProcessPoolExecutor(len(compiling.HALVES)) as pool:
        for half in [pool.submit(half) for half in compiling.HALVES]:
            half.result()
    compiling.compile_all()  # from the cache now: what one process lacked is seen here
    print(f"Kernels ready after {time.perf_counter() - start:.1f} s.")


COMMAND = Command("compile the numerical kernels once", run)
