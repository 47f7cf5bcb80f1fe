"""Beside the matrices: the groups of tasks and the variables in words."""

from html import escape

import streamlit as st

from pages.explore import words
from pages.explore.results.findings import Findings
from pages.shared.fits.certainty import SelectionStability
from vstg.inspection import TaskGroup
from vstg.plots import group_letter
from vstg.plots.palette import group_style

MAX_GROUPS, MAX_TASKS, MAX_VARIABLES = 30, 24, 120


def listed(names: list[str], limit: int) -> str:
    """Names in a row, cut where the panel would overflow."""
    shown = ", ".join(escape(name) for name in names[:limit])
    rest = len(names) - limit
    return shown if rest <= 0 else f"{shown} {words.MORE.format(count=rest)}"


def percent(share: float) -> str:
    """A share as a small number behind a name."""
    return f" <small>{share:.0%}</small>"


def group_line(number: int, group: TaskGroup, sure: SelectionStability | None) -> str:
    """A group: letter, tasks, bases."""
    if group.empty:
        chip, note = '<span class="faint">∅</span>', words.NO_BASIS
    else:
        chip = (
            f'<span class="chip" style="{group_style(number)}">'
            f"{group_letter(number)}</span>"
        )
        note = ", ".join(f"b{r + 1}" for r in group.bases)  # as in the picture
    if sure is not None:
        note += f" · {sure.of_group(group.tasks):.0%}"
    tasks = listed(list(group.task_names), MAX_TASKS)
    return (
        f'<li>{chip}<span>{tasks} <span class="faint whole">· {note}</span></span></li>'
    )


def groups_html(found: Findings) -> str:
    """All groups as a list, tasks without a basis last."""
    groups = [*found.proper_groups, *(g for g in found.groups if g.empty)]
    shown = enumerate(groups[:MAX_GROUPS])
    lines = [group_line(n, group, found.sure) for n, group in shown]
    if len(groups) > MAX_GROUPS:
        more = words.MORE.format(count=len(groups) - MAX_GROUPS)
        lines.append(f"<li><span></span><span>{more}</span></li>")
    return f"<h3>{words.PANEL_GROUPS}</h3><ul tabindex='0'>{''.join(lines)}</ul>"


def chip(name: str, status: str, share: float | None = None) -> str:
    """A variable with its sign; a name too long for the panel is in the hint."""
    sign, text = words.STATUS[status]
    hint = f"{name}: {text}"
    more = "" if share is None else percent(share)
    return f'<span class="{status}" title="{hint}">{sign} {name}{more}</span>'


def variables_html(found: Findings) -> str:
    """The variables as chips with their status, and what the signs mean.

    Of very many the most important are shown.
    """
    names = found.estimate.U.index
    shown = list(range(len(names)))
    if len(names) > MAX_VARIABLES:
        shown = found.variable_order[:MAX_VARIABLES].tolist()
    shares = None if found.sure is None else found.sure.variables
    chips = [
        chip(
            escape(str(names[i])),
            found.status[i],
            None if shares is None else float(shares[i]),
        )
        for i in shown
    ]
    if len(names) > MAX_VARIABLES:
        chips.append(words.MORE.format(count=len(names) - MAX_VARIABLES))
    used = dict.fromkeys(found.status)
    legend = " · ".join(
        f'<span class="whole">{sign} {text}</span>'
        for status, (sign, text) in words.STATUS.items()
        if status in used
    )
    if found.sure is not None:
        legend += f" · {words.SURE.format(count=found.sure.n_halves)}"
    return (
        f"<h3>{words.PANEL_VARIABLES}</h3><div class='vstg-vars' tabindex='0' "
        f"role='group' aria-label='{words.PANEL_VARIABLES}'>{''.join(chips)}</div>"
        f"<p class='vstg-legend'>{legend}</p>"
    )


def panel_html(found: Findings) -> str:
    """The whole panel."""
    empty = (
        "" if found.n_selected else f"<p class='vstg-nothing'>{words.NOTHING_LEFT}</p>"
    )
    content = empty + groups_html(found) + variables_html(found)
    return f'<div class="vstg-panel">{content}</div>'


def panel(found: Findings) -> None:
    """Show it at the height of the picture; lists that are longer scroll."""
    st.html(panel_html(found))
