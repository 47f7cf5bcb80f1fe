"""The one way in which the package compiles a function."""

from collections.abc import Callable

from numba import njit

# nogil: searches run on threads; cache: nobody waits for the compiler twice.
# The flags let sums be vectorised; NaN and infinity keep their meaning.
FAST = {"reassoc", "contract", "arcp", "nsz"}
kernel: Callable = njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST)
