"""MATLAB files (level 5, as ``save -v7`` and ``-v6`` write them), read by SciPy.

Only arrays of numbers and cells of them are kept. SciPy runs nothing that is in a file.
"""

import math
import warnings
from io import BytesIO
from typing import Any

import numpy as np
import numpy.typing as npt

from vstg.bounded import clean_name
from vstg.tables.limits import Limits, TableError

Value = npt.NDArray[Any] | list[Any] | None  # None: something that is no number

NOT_HDF5 = "it is not read; in MATLAB, save('file.mat', 'X', 'Y', '-v7')"
MAX_DEPTH = 3  # of cells in cells
ITEM = 8  # bytes of a double, as which most numbers are kept


def read_matlab(content: bytes, name: str, limits: Limits) -> dict[str, Value]:
    """Return the variables of a MATLAB file."""
    from scipy.io import loadmat, whosmat

    if content[126:128] not in (b"IM", b"MI") or len(content) < 136:
        msg = (
            f"{name} is not a MATLAB file of level 5: in MATLAB, "
            "save('file.mat', 'X', 'Y', '-v7')"
        )
        raise TableError(msg)
    if content[124:126] in (b"\0\2", b"\2\0"):
        msg = f"{name} is a MATLAB file of version 7.3 (HDF5): {NOT_HDF5}"
        raise TableError(msg)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about functions and objects, left out
            for _, shape, _ in whosmat(BytesIO(content)):
                limits.check_expanded(ITEM * math.prod(shape), len(content), name)
            found = loadmat(BytesIO(content))
    except (TableError, MemoryError):
        raise
    except Exception as error:  # what a damaged file provokes is not documented
        msg = f"{name} is damaged (its bytes do not fit the format): save it with -v7"
        raise TableError(msg) from error
    return {
        clean_name(title): _value(value, name, depth=0)
        for title, value in found.items()
        if not title.startswith("__")
    }


def _value(value: Any, name: str, depth: int) -> Value:
    """Return an array of numbers, a list of the values of cells, or None."""
    if not isinstance(value, np.ndarray):
        return None
    if value.dtype == object:
        if depth >= MAX_DEPTH:
            msg = f"{name} is damaged (it has cells in cells in cells): give plain ones"
            raise TableError(msg)
        return [_value(item, name, depth + 1) for item in value.ravel(order="F")]
    return value if value.dtype.kind in "biuf" else None
