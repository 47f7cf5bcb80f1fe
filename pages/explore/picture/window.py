"""Which part of a large fit the picture shows. No Streamlit here.

Small fits are shown whole. Of a large one the picture has a page of the variables,
the most important first, and a column a group of tasks or a page of the tasks.
"""

from dataclasses import dataclass

import numpy as np

from pages.explore import words
from pages.explore.results.findings import Findings, Index
from pages.shared.state.choices import ViewChoice
from vstg.notation import number_text
from vstg.plots import group_letter
from vstg.plots.matrices.excerpt import MAX_CELLS, Excerpt, cell_count, columns_that_fit


@dataclass(frozen=True, eq=False)
class Column:
    """A column of the summary: a task, or all tasks of a group."""

    name: str
    tasks: Index
    group: int


@dataclass(frozen=True, eq=False)
class Seen:
    """What the picture shows of a fit that is too large for it.

    ``n_pages`` are the pages of variables and of columns; ``grouped`` says that a
    column is a group.
    """

    variables: Index
    columns: tuple[Column, ...]
    n_pages: tuple[int, int]
    n_found: tuple[int, int]
    first: tuple[int, int]
    grouped: bool

    @property
    def part(self) -> Excerpt:
        """The same for the figures."""
        names = tuple(column.name for column in self.columns)
        return Excerpt(self.variables, names, tuple(c.tasks for c in self.columns))

    def letters(self) -> dict[str, str]:
        """The group that each column of several tasks stands for, by its name."""
        return {c.name: group_letter(c.group) for c in self.columns if len(c.tasks) > 1}

    def column_of(self, task: int) -> str | None:
        """The name of the column that a task is in."""
        return next((c.name for c in self.columns if task in c.tasks), None)


def copies(found: Findings, view: ViewChoice) -> int:
    """How many factorisations stand in the picture."""
    return 2 if view.truth and found.truth is not None else 1


def is_large(found: Findings, view: ViewChoice) -> bool:
    """Whether the picture cannot hold the whole fit."""
    n_bases = found.estimate.U.shape[1]
    cells = cell_count(*found.estimate.shape, n_bases, copies(found, view))
    return cells > MAX_CELLS


def page(count: int, size: int, asked: int) -> tuple[int, int, int]:
    """First and last position of a page, and how many pages there are."""
    n_pages = max(1, -(-count // size))
    start = (min(max(asked, 1), n_pages) - 1) * size
    return start, min(start + size, count), n_pages


def ranked(found: Findings, text: str) -> Index:
    """The variables whose name contains a text, the most important first."""
    order = found.variable_order
    if not text:
        return order
    needle, names = text.casefold(), found.estimate.U.index
    kept = [i for i in order if needle in str(names[i]).casefold()]
    return np.array(kept, dtype=np.intp)


def all_columns(found: Findings, view: ViewChoice, width: int) -> list[Column]:
    """Every column that could be shown, the groups with most tasks first."""
    group_of_task = found.group_of_task
    numbers = {group_letter(n): n for n in range(len(found.proper_groups))}
    n_tasks = len(group_of_task)
    ordered = found.task_order if view.by_group else np.arange(n_tasks)
    if view.group in numbers:
        tasks = ordered[group_of_task[ordered] == numbers[view.group]]
    elif not view.by_group or n_tasks <= width:
        tasks = ordered
    else:
        return group_columns(found)
    names = found.estimate.V.columns
    return [Column(str(names[j]), np.array([j]), int(group_of_task[j])) for j in tasks]


def group_columns(found: Findings) -> list[Column]:
    """A column a group; tasks without a basis come last."""
    columns = []
    for n, group in enumerate(found.proper_groups):
        many = len(group.tasks) > 1
        name = f"{group_letter(n)} · {len(group.tasks)}" if many else None
        tasks = np.array(group.tasks, dtype=np.intp)
        columns.append(Column(name or group.task_names[0], tasks, n))
    columns.sort(key=lambda column: -len(column.tasks))
    for group in found.groups:
        if group.empty:
            tasks = np.array(group.tasks, dtype=np.intp)
            columns.append(Column(words.NO_GROUP.format(n=len(tasks)), tasks, -1))
    return columns


def see(found: Findings, view: ViewChoice) -> Seen | None:
    """The part that the view asks for; None where the whole is shown."""
    if not is_large(found, view):
        return None
    order = ranked(found, view.find)
    start, stop, v_pages = page(len(order), view.top, view.vpage)
    rows = order[start:stop] if view.by_size else np.sort(order[start:stop])
    n_bases = found.estimate.U.shape[1]
    width = columns_that_fit(max(len(rows), 1), n_bases, copies(found, view))
    columns = all_columns(found, view, width)
    left, right, t_pages = page(len(columns), width, view.tpage)
    shown = tuple(columns[left:right])
    return Seen(
        rows,
        shown,
        (v_pages, t_pages),
        (len(order), len(columns)),
        (start, left),
        grouped=any(len(column.tasks) > 1 for column in columns),
    )


def in_words(found: Findings, view: ViewChoice, seen: Seen) -> str:
    """What the picture shows and what it leaves out."""
    n_variables, n_tasks = found.estimate.shape
    parts = [words.SUMMARY.format(variables=n_variables, tasks=n_tasks)]
    first, left = seen.first
    of = words.FOUND.format(count=seen.n_found[0]) if view.find else ""
    last = first + len(seen.variables)
    parts.append(words.ROWS.format(first=min(first + 1, last), last=last, of=of))
    rest = np.ones(n_variables, dtype=bool)
    rest[seen.variables] = False
    sizes = found.importance.row_max[rest]
    if len(sizes):
        largest = number_text(float(sizes.max()))
        kept = int((sizes > 0).sum())
        text = words.REST.format(count=len(sizes), kept=kept, largest=largest)
        parts.append(text)
    right = left + len(seen.columns)
    kind = words.GROUPS if seen.grouped else words.TASKS
    parts.append(kind.format(first=left + 1, last=right, count=seen.n_found[1]))
    if seen.grouped:
        parts.append(words.MEANS)
    hidden = n_tasks - sum(len(column.tasks) for column in seen.columns)
    if hidden:
        parts.append(words.HIDDEN.format(count=hidden))
    return " ".join(parts)
