"""How much of the machine background work may take."""

import os
from contextlib import suppress

NICENESS = "15"  # a slider that moves is served first; VSTG_NICE changes it


def usable_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def default_threads() -> int:
    """All cores: a job gives way by its priority, not by idling."""
    return max(1, usable_cores())


def single_threaded_environment() -> dict[str, str]:
    """Keep BLAS and numba from starting threads of their own beside the job's."""
    names = ("OMP", "OPENBLAS", "MKL", "NUMBA", "VECLIB_MAXIMUM", "BLIS")
    return {f"{name}_NUM_THREADS": "1" for name in names}


def give_way() -> None:
    """Lower this process's priority, where the system has such a thing."""
    with suppress(OSError, AttributeError, ValueError):
        os.nice(int(os.environ.get("VSTG_NICE", NICENESS)))
