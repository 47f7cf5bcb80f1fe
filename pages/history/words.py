"""A run of History in words: what it was asked, how it stands, what it found."""

from html import escape

from pages.shared import phrases
from pages.shared.runs.manager import when
from pages.shared.runs.progress import progress_words
from vstg.jobs import Run, Store
from vstg.jobs.kinds.search import n_settings
from vstg.model_selection.methods import METHODS
from vstg.notation import duration, measure_text, number_text, setting_text


def best_words(run: Run) -> tuple[str, str]:
    """The result in a number and in words."""
    best = run.best
    if best is None:
        return "–", ""
    if "n_sure" in best:
        return str(best["n_sure"]), phrases.SURE_VARIABLES
    if "error" not in best:  # a fit, whose setting stands in what was asked
        return "–", ""
    words = setting_text(best["setting"]) if "setting" in best else ""
    loss = getattr(run.request, "loss", "squared")
    measure = measure_text("rmse" if loss == "squared" else "error_rate")
    return f"{measure} {number_text(best['error'])}", words or best.get("method", "")


def asked_words(run: Run) -> str:
    """What a run was asked to do, in a few words."""
    request = run.request
    match run.kind:
        case "search":
            count = n_settings(request.method, request.grid)
            judged = (
                "validation set" if request.validation else f"{request.folds} folds"
            )
            words = [METHODS[request.method].label, f"{count:,} settings", judged]
            return ", ".join([*words, "halving"] if request.halving else words)
        case "stability":
            return f"{request.n_resamples} resamples, {setting_text(request.setting)}"
        case "comparison":
            labels = ", ".join(METHODS[name].label for name in request.methods)
            return f"{labels}; {len(request.splits)} repetitions"
        case "reproduction":
            return f"{request.exhibit}: {', '.join(request.sets)}"
    return setting_text(request.setting)


def run_html(store: Store, run: Run) -> str:
    """Name, what was asked, and how it stands."""
    state = phrases.STATUS[run.status]
    if run.active:
        state = f"{state}: {progress_words(store, run)}"
    note = f"<br><span>{escape(run.note)}</span>" if run.note else ""
    trouble = f" · {escape(run.message)}" if run.message else ""
    trouble += f" · {phrases.PRIVATE}" if run.owner else ""
    return (
        f'<div class="vstg-run"><b>{escape(run.name) or run.id}</b> '
        f"<span>{phrases.KIND[run.kind]}</span><br>"
        f"<span>{escape(asked_words(run))}</span><br>"
        f'<span class="{run.status}">{escape(state)}{trouble}</span>{note}</div>'
    )


def numbers_html(run: Run) -> str:
    """Best, duration and date."""
    best, words = best_words(run)
    return (
        f'<div class="vstg-run"><b>{escape(best)}</b> '
        f"<span>{escape(words)}</span><br>"
        f"<span>{duration(run.seconds)} · {when(run)} · "
        f"{escape(run.data_name)}</span></div>"
    )
