"""Tasks, features and rows as a user names them, turned into positions."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vstg.data.values import DataError, Index


def row_index(raw: npt.ArrayLike, n_samples: int) -> Index:
    """Return positions from positions or from a mask as long as the task."""
    rows = np.asarray(raw)
    if rows.dtype != bool:
        return rows.astype(np.intp)
    if len(rows) != n_samples:
        msg = f"a mask of {len(rows)} rows does not fit a task of {n_samples} rows"
        raise DataError(msg)
    return np.flatnonzero(rows)


def check_rows(index: Index, task: str) -> None:
    """Refuse to leave a task without rows."""
    if len(index) == 0:
        msg = (
            f"task {task!r}, there are no rows: "
            "leave the task out or give it observations"
        )
        raise DataError(msg)


def positions(
    wanted: Sequence[str | int] | None, names: Sequence[str], *, kind: str
) -> list[int]:
    """Return the positions of names or numbers; all of them for None."""
    if wanted is None:
        return list(range(len(names)))
    place = {name: i for i, name in enumerate(names)}
    unknown = [
        item
        for item in wanted
        if (item not in place if isinstance(item, str) else not 0 <= item < len(names))
    ]
    if unknown:
        msg = f"{kind}s {unknown} are not in the data; there are {list(names)}"
        raise DataError(msg)
    return [place[item] if isinstance(item, str) else int(item) for item in wanted]
