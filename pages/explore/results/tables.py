"""The tables of the page as frames: what is shown is what is downloaded."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from pages.explore import words
from pages.explore.results.findings import Findings, Index
from vstg.data import Dataset
from vstg.plots import group_letter

FEW_ROWS = 10  # training rows below which a task is marked, as in the report on Data


def listed(names: Sequence[str], total: int, mark: str = ", ") -> str:
    """Names in a row, and how many more there are."""
    rest = total - len(names)
    more = f" {words.MORE.format(count=rest)}" if rest else ""
    return f"{mark.join(names)}{more}"


def groups_table(found: Findings, limit: int | None = None) -> pd.DataFrame:
    """One row a group; with a limit, that many groups and names in each at most."""
    names = found.estimate.U.index
    rows = []
    for number, group in enumerate(found.groups[:limit]):
        variables = found.variables_of(group)
        shown = [str(names[i]) for i in variables[:limit]]
        rows.append(
            {
                "group": "–" if group.empty else group_letter(number),
                "n_tasks": len(group.tasks),
                "tasks": listed(group.task_names[:limit], len(group.tasks)),
                "bases": ", ".join(f"b{r + 1}" for r in group.bases),
                "n_variables": len(variables),
                "variables": listed(shown, len(variables)),
            }
        )
        if found.sure is not None:
            rows[-1]["cohesion"] = found.sure.of_group(group.tasks)
    return pd.DataFrame(rows).set_index("group")


def users_of(found: Findings, order: Index, limit: int | None) -> list[str]:
    """The letters of the groups that use each variable."""
    groups = found.proper_groups
    bases = np.zeros((len(groups), found.nonzero.shape[1]), dtype=bool)
    for number, group in enumerate(groups):
        bases[number, list(group.bases)] = True
    letters = [group_letter(number) for number in range(len(groups))]
    users = []
    for i in order:
        used = np.flatnonzero((bases & found.nonzero[i]).any(axis=1))
        users.append(listed([letters[n] for n in used[:limit]], len(used), " "))
    return users


def variables_table(
    found: Findings, rows: int | None = None, limit: int | None = None
) -> pd.DataFrame:
    """One row a variable, the most important first, and ``rows`` of them at most."""
    order = found.variable_order[:rows]
    names = found.estimate.U.index
    sure = {} if found.sure is None else {"frequency": found.sure.variables[order]}
    return pd.DataFrame(
        {
            "max": found.importance.row_max[order],
            "l1": found.importance.row_l1[order],
            "n_bases": found.nonzero[order].sum(axis=1),
            "status": [found.status[i] for i in order],
            "groups": users_of(found, order, limit),
            **sure,
        },
        index=pd.Index([names[i] for i in order], name="variable"),
    )


def tasks_table(found: Findings, data: Dataset) -> pd.DataFrame:
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
    few = data.train.n_samples < FEW_ROWS
    if few.any():
        frame["few"] = np.where(few, words.FEW_ROWS, "")
    return frame
