"""Rank the columns that could be the task or the target."""

from collections.abc import Sequence

import numpy as np

from vstg.tables.guessing import names as named
from vstg.tables.guessing.columns import Columns, has_rows, same_levels, same_within
from vstg.tables.tasks import MAX_TASKS

SURE = 4.0  # points that a task column needs to be chosen
MARGIN = 0.75  # by which it must lead
LOOKED_AT = 12  # columns whose values are compared
FEW_CLASSES = 20


def rank_tasks(columns: Columns) -> list[tuple[str, float]]:
    """Return the columns that could name tasks, with points, the best first."""
    likely = []
    for i, name in enumerate(columns.names):
        found = columns.table.kinds[name]
        if (
            name in columns.fractions
            or name in columns.flags
            or name in columns.times
            or not 2 <= found.n_levels <= min(MAX_TASKS, columns.n_rows / 2)
            or found.kind in ("date", "empty")
        ):
            continue
        points = _entity_points(columns, name) + 1.5 * columns.is_text(name)
        points += (1.0 if points <= 1.5 else 0.5) * (i == 0)
        points -= 0.5 * (found.n_levels == 2 and not columns.is_text(name))
        likely.append((name, points))
    likely.sort(key=lambda pair: -pair[1])
    texts_there = [n for n in columns.names if columns.is_text(n)]
    ranked = []
    for name, points in likely[:LOOKED_AT]:
        only = texts_there == [name]
        ranked.append((name, points + only + _structure(columns, name)))
    ranked.sort(key=lambda pair: -pair[1])
    return [*ranked, *likely[LOOKED_AT:]]


def _entity_points(columns: Columns, name: str) -> float:
    """Points of the name; a "class" of many levels is one of pupils, and no label."""
    if _is_many_classes(columns, name):
        return 3.0
    return named.entity_points(name)


def _is_many_classes(columns: Columns, name: str) -> bool:
    called = named.words_of(name) in ("class", "classes")
    return called and columns.n_levels(name) > FEW_CLASSES


def _structure(columns: Columns, name: str) -> float:
    """Give points for values that are arranged like those of a panel.

    With the time they name each row once; rows of a level are side by side; levels
    have as many rows as each other.
    """
    codes = columns.codes(name)
    counts = np.bincount(codes[codes >= 0])
    points = 1.0 if np.ptp(counts) <= 1 else 0.0
    runs = 1 + int((codes[1:] != codes[:-1]).sum())
    points += 1.0 if runs == len(counts) else 0.0
    times = columns.times[:LOOKED_AT]
    if times:
        when = columns.codes(times[0])
        for other in times[1:]:
            when = columns.pairs(when, columns.codes(other))
        if when.max(initial=0) < columns.n_rows / 2:  # a time says which row by itself
            both = columns.pairs(codes, when)
            points += 3.0 if both.max(initial=0) >= 0.98 * columns.n_rows - 1 else 0.0
    return points


def sure_task(columns: Columns, ranked: Sequence[tuple[str, float]]) -> str | None:
    """Return the best candidate if it leads clearly and its levels have enough rows."""
    usable = [pair for pair in ranked[:LOOKED_AT] if has_rows(columns, pair[0])]
    if not usable or usable[0] != ranked[0] or usable[0][1] < SURE:
        return None
    best, points = usable[0]
    for name, others in usable[1:]:
        if others > points - MARGIN and not same_levels(columns, best, name):
            return None
    return best


def rank_targets(columns: Columns, task: str | None) -> list[tuple[str, float]]:
    """Return the columns that could be the target, with points, the best first."""
    ranked = _target_points(columns, task)
    if task is not None:  # what never changes within a task is no target of it
        ranked.sort(key=lambda pair: -pair[1])
        first = [
            (n, p - 3.0 * same_within(columns, task, n)) for n, p in ranked[:LOOKED_AT]
        ]
        places = {name: i for i, name in enumerate(columns.names)}
        ranked = sorted([*first, *ranked[LOOKED_AT:]], key=lambda pair: places[pair[0]])
    ends = _ends(columns, [pair[0] for pair in ranked if pair[1] > -2])
    ranked = [(name, points + (name in ends)) for name, points in ranked]
    hinted = {name for name, hint in named.hints(columns.names).items() if hint > 0}
    return sorted(ranked, key=lambda p: (-p[1], p[0] not in hinted, p[0] not in ends))


def _ends(columns: Columns, own: Sequence[str]) -> set[str]:
    """The places where targets stand: the first, unless it is a label, and the last.

    Labels in the first column say more often what a row belongs to.
    """
    label = own and columns.table.kinds[own[0]].kind == "category"
    return {*own[-1:], *([] if label else own[:1])}


def _target_points(columns: Columns, task: str | None) -> list[tuple[str, float]]:
    """Give each column points for its name and values, in the table's order."""
    known = set(columns.names)
    hints = named.hints(columns.names)
    places = named.coordinates(columns.names)
    found = []
    for name in columns.names:
        kind = columns.table.kinds[name]
        if name == task or kind.kind not in ("number", "category"):
            continue
        if kind.n_levels < 2 or (kind.kind == "category" and kind.n_levels > 30):
            continue
        points = named.target_points(name) + hints[name]
        points *= not (name in places or _is_many_classes(columns, name))
        said = points > 0  # then two values are an outcome, and else a property
        points -= 4.0 * (name in columns.times or named.is_identifier(name))
        points -= 2.0 * (
            named.entity_points(name) > 2 and name not in columns.fractions
        )
        points -= 4.0 * (named.is_row_number(name) and kind.n_levels > FEW_CLASSES)
        points -= 2.0 * any(base in known for base in named.base_names(name))
        points -= 1.0 * (name in columns.flags and not said)
        points -= 1.0 * ((kind.n_levels < 5 or kind.kind == "category") and not said)
        points += 0.5 * any(f"{p}{name}" in known for p in ("l", "log", "ln", "log_"))
        found.append((name, points))
    return found


def sure_target(ranked: Sequence[tuple[str, float]], task: str | None) -> str | None:
    """Return the best candidate if its name alone suggests it, and one more sign.

    That is its place, the first or the last, or, where tasks are clear, a logarithm of
    it in the table. In the middle, an output or a revenue is as often a variable.
    """
    if not ranked or ranked[0][1] < (2.5 if task else 3.0):
        return None
    best, points = ranked[0]
    said = named.TARGET.fullmatch(named.words_of(best)) is not None
    lead = MARGIN if said else 2 * MARGIN  # one of two likely names may be a variable
    rivals = [p for n, p in ranked[1:] if named.target_points(n) and points - p < lead]
    return None if rivals else best
