"""The tables of the page as frames: what is shown is what is downloaded."""

import pandas as pd
from pandas.api.types import is_numeric_dtype

from pages.shared.findings import Findings
from pages.shared.sources import Loaded
from vstg.plots import group_letter

# What makes a spreadsheet compute a cell; the wide ones are typed in East Asia.
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def groups_table(found: Findings) -> pd.DataFrame:
    """One row a group."""
    rows = [
        {
            "group": "–" if group.empty else group_letter(number),
            "n_tasks": len(group.tasks),
            "tasks": ", ".join(group.task_names),
            "bases": ", ".join(f"b{r + 1}" for r in group.bases),
            "n_variables": len(group.variables or ()),
            "variables": ", ".join(group.variable_names),
        }
        for number, group in enumerate(found.groups)
    ]
    return pd.DataFrame(rows).set_index("group")


def variables_table(found: Findings) -> pd.DataFrame:
    """One row a variable, the most important first."""
    users: dict[int, list[str]] = {}
    for number, group in enumerate(found.proper_groups):
        for i in group.variables or ():
            users.setdefault(i, []).append(group_letter(number))
    order = found.variable_order
    names = found.estimate.U.index
    U = found.estimate.U.to_numpy()
    return pd.DataFrame(
        {
            "max": found.importance.row_max[order],
            "l1": found.importance.row_l1[order],
            "n_bases": (U != 0).sum(axis=1)[order],
            "status": [found.status[i] for i in order],
            "groups": [" ".join(users.get(int(i), [])) for i in order],
        },
        index=pd.Index([names[i] for i in order], name="variable"),
    )


def tasks_table(found: Findings, data: Loaded) -> pd.DataFrame:
    """One row a task, in the order of the data."""
    letters = [
        "–" if number < 0 else group_letter(int(number))
        for number in found.group_of_task
    ]
    frame = pd.DataFrame(
        {
            "n_train": data.train.n_samples,
            "n_test": data.test.n_samples,
            "train": found.errors.train_by_task,
            "test": found.errors.test_by_task,
            "group": letters,
        },
        index=pd.Index(data.train.task_names, name="task"),
    )
    return frame


def to_csv(frame: pd.DataFrame) -> bytes:
    """The table as CSV; no cell is taken for a formula by a spreadsheet."""
    safe = frame.rename(index=_plain, columns=_plain)
    safe.index.names = [_plain(name) for name in safe.index.names]
    for place, kind in enumerate(frame.dtypes):
        if not is_numeric_dtype(kind):
            safe.isetitem(place, frame.iloc[:, place].map(_plain))
    return safe.to_csv().encode("utf-8")


def _plain(value: object) -> object:
    """A text that begins like a formula gets a quote before it; numbers never do."""
    if not isinstance(value, str) or not value.lstrip(" ").startswith(FORMULA_SIGNS):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value
