"""A run of History as text: what was asked, how it stands, what it found."""

from html import escape

from pages.history import words
from pages.shared import words as common
from pages.shared.runs.manager import when
from pages.shared.runs.progress import progress_words
from vstg.jobs import Run, Store, get_kind
from vstg.notation import duration


def run_html(store: Store, run: Run) -> str:
    """Name, what was asked, and how it stands."""
    kind = get_kind(run.kind)
    state = common.RUN_STATUS[run.status]
    if run.active:
        state = f"{state}: {progress_words(store, run)}"
    note = f"<br><span>{escape(run.note)}</span>" if run.note else ""
    trouble = f" · {escape(run.message)}" if run.message else ""
    trouble += f" · {words.PRIVATE}" if run.owner else ""
    return (
        f'<div class="vstg-run"><b>{escape(run.name) or run.id}</b> '
        f"<span>{kind.label}</span><br>"
        f"<span>{escape(kind.describe(run.request))}</span><br>"
        f'<span class="{run.status}">{escape(state)}{trouble}</span>{note}</div>'
    )


def numbers_html(run: Run) -> str:
    """Best result, duration and date."""
    best, about = get_kind(run.kind).headline(run)
    return (
        f'<div class="vstg-run"><b>{escape(best)}</b> '
        f"<span>{escape(about)}</span><br>"
        f"<span>{duration(run.seconds)} · {when(run)} · "
        f"{escape(run.data_name)}</span></div>"
    )


def fault_of(store: Store, run: Run) -> str | None:
    """Why a run cannot be shown, if so: one run must not break the page for all."""
    try:
        run_html(store, run), numbers_html(run)
    except (ArithmeticError, LookupError, OSError, TypeError, ValueError) as error:
        return str(error) or type(error).__name__
    return run.fault
