"""A report that a colleague understands: question, answer, how good, how to repeat it.

A download asks for it outside the page's own run, so nothing here, nor in what it
calls, may look at the session's state.
"""

from dataclasses import asdict

import pandas as pd

import vstg
from pages.explore import words
from pages.explore.picture.stage import scheme_data
from pages.explore.picture.window import in_words, see
from pages.explore.results import meaning, model_quality, tables
from pages.explore.results.details import MAX_LISTED, MAX_USERS
from pages.explore.results.findings import Findings
from pages.shared.data.catalogue import DataChoice, OwnData, SyntheticData
from pages.shared.fits import yardsticks
from pages.shared.state.choices import Choices
from vstg.data import Dataset
from vstg.inspection import Meaning
from vstg.jobs.kinds.discovery import FoundModel
from vstg.notation import SYMBOLS, number_text
from vstg.plots import (
    convergence_figure,
    history_frame,
    importance_figure,
    scheme_figure,
)
from vstg.plots.report import Section, report_html
from vstg.prediction.intervals import ConformalScores
from vstg.solvers.result import VSTGResult

MAX_NAMES = 20
LEVELS = (0.8, 0.9, 0.95)  # of prediction intervals


def report(
    choices: Choices,
    found: Findings,
    result: VSTGResult,
    data: Dataset,
    code: str,
    discovered: FoundModel | None = None,
    plain: yardsticks.Plain | None = None,
) -> bytes:
    """The report as one HTML file.

    ``code`` is the Python that repeats the fit; ``plain`` gives the plain models, which
    are fitted now by default.
    """
    said = meaning.explained(found, data, choices.data)
    sections = [
        Section(words.REPORT_QUESTION, question(choices.data, data)),
        answer(found, said, discovered),
        pictures(choices, found),
        *how_good(data, result, plain),
        *intervals(data, result),
        *effects(said, data),
        data_section(choices.data, data),
        Section(words.TABS["tasks"], table=tasks(found, data)),
        Section(words.REPORT_SETTINGS, table=summary(choices, found, result)),
        Section(
            words.TABS["convergence"],
            words.STOP_REASONS[result.stop_reason],
            figures={"": convergence_figure(history_frame(result.history))},
        ),
        Section(
            words.REPORT_REPEAT,
            words.REPORT_VERSION.format(version=vstg.__version__),
            listing=code,
        ),
    ]
    title = words.REPORT_TITLE.format(name=data.name)
    return report_html(title, sections).encode("utf-8")


def tasks(found: Findings, data: Dataset) -> pd.DataFrame:
    """The tasks under the names that people read."""
    names = {
        key: label.format(measure=found.errors.measure)
        for key, label in words.TASK_COLUMNS.items()
    }
    return tables.tasks_table(found, data).rename(columns=names)


def question(choice: DataChoice, data: Dataset) -> str:
    """What was asked."""
    target = words.REPORT_TARGET
    if isinstance(choice, OwnData) and choice.prepared is not None:
        target = ", ".join(choice.prepared.recipe.targets[:MAX_NAMES])
    return words.REPORT_ASKED.format(
        variables=data.train.n_features, tasks=data.train.n_tasks, target=target
    )


def answer(
    found: Findings, said: Meaning | None, discovered: FoundModel | None
) -> Section:
    """Variables and groups in sentences, and how sure they are."""
    names = [str(found.estimate.U.index[i]) for i in found.variable_order]
    kept = names[: found.n_selected]
    shown = ", ".join(kept[:MAX_NAMES])
    more = len(kept) - MAX_NAMES
    lines = [
        words.REPORT_KEPT.format(
            kept=len(kept), total=len(names),
            names=f"{shown} and {more} more" if more > 0 else shown or "–",
        )
    ]  # fmt: skip
    if said is not None and found.proper_groups:
        lines += [f"{letter}: {text}" for letter, text in meaning.lines(said)]
        if len(found.proper_groups) > 1:
            lines.append(words.UNLIKE_NOTE)
        lines.append(words.BASES_ARE.format(names=meaning.basis_names(said)))
    groups = tables.groups_table(found, MAX_LISTED)
    return Section(
        words.REPORT_ANSWER,
        certainty(found, discovered),
        items=lines,
        table=groups.rename(columns=words.GROUP_COLUMNS),
    )


def certainty(found: Findings, discovered: FoundModel | None) -> str:
    """How sure the answer is, where that was found out."""
    if discovered is not None:
        lines = discovered.summary.splitlines()
        # Indented lines list the groups, which have sentences of their own below.
        return " ".join(line for line in lines if not line.startswith(" "))
    if found.sure is None:
        return words.REPORT_UNSURE
    kept = found.sure.variables[found.importance.selected]
    pairs = [
        found.sure.of_group(g.tasks) for g in found.proper_groups if len(g.tasks) > 1
    ]
    text = words.REPORT_SURE.format(
        halves=found.sure.n_halves, least=f"{min(kept, default=0.0):.0%}"
    )
    if pairs:
        text += " " + words.REPORT_TOGETHER.format(least=f"{min(pairs):.0%}")
    return text


def pictures(choices: Choices, found: Findings) -> Section:
    """The matrices and the importance of the variables."""
    picture = scheme_figure(scheme_data(found, choices.view, None), height=560)
    legend, seen = words.LEGENDS[choices.view.view], see(found, choices.view)
    if seen is not None:
        legend = f"{in_words(found, choices.view, seen)} {legend}"
    variables = tables.variables_table(found, limit=MAX_USERS)
    figures = {legend: picture, words.IMPORTANCE_ALT: importance_figure(variables)}
    table = variables.rename(columns=words.VARIABLE_COLUMNS)
    return Section(words.REPORT_PICTURES, figures=figures, table=table)


def how_good(
    data: Dataset, result: VSTGResult, plain: yardsticks.Plain | None
) -> list[Section]:
    """Beside plain models, over all and task by task."""
    if not yardsticks.is_quick(data):
        return []
    models = yardsticks.fitted(data) if plain is None else plain()
    found = yardsticks.beside(models, data, result)
    note = words.EXPLAINED[found.explained_name]
    return [
        Section(words.HOW_GOOD, f"{found.sentence()} {note}", table=found.frame()),
        Section(words.REPORT_BY_TASK, table=model_quality.by_task(found, data)),
    ]


def intervals(data: Dataset, result: VSTGResult) -> list[Section]:
    """How wide prediction intervals are, by the errors on the test rows."""
    if data.is_classification:
        return []
    scores = ConformalScores.on(result, data.test, yardsticks.ROWS)
    names = data.train.task_names
    table = pd.DataFrame(
        {f"{level:.0%}": scores.widths(level) for level in LEVELS},
        index=pd.Index(names, name="task"),
    ).assign(**{words.REPORT_OWN_WIDTH: scores.own(LEVELS[1])})
    table.insert(0, words.REPORT_CALIBRATION, [len(e) for e in scores.by_task])
    return [Section(words.REPORT_INTERVALS, words.REPORT_INTERVALS_NOTE, table=table)]


def effects(said: Meaning | None, data: Dataset) -> list[Section]:
    """What variables do to the target, in the units of the table."""
    if said is None:
        return []
    table = meaning.effects_table(said)
    return [Section(words.EFFECTS, meaning.effects_note(data), table=table)]


def data_section(choice: DataChoice, data: Dataset) -> Section:
    """The data, and what was left out of them or done to them."""
    lines = [data.description]
    if isinstance(choice, OwnData) and choice.prepared is not None:
        recipe = choice.prepared.recipe
        lines += [note.words for note in choice.prepared.notes]
        lines.append(
            words.REPORT_PREPARED.format(missing=recipe.missing, scaling=recipe.scaling)
        )
        if data.train.units:
            units = sorted(set(data.train.units))
            text = ", ".join(number_text(unit) for unit in units[:MAX_NAMES])
            lines.append(words.REPORT_UNITS.format(unit=text))
    if data.train.has_weights:
        lines.append(words.REPORT_WEIGHTS.format(weights=data.train.weights_in_words))
    if data.source and data.source != data.name:
        lines.append(data.source)
    return Section(words.REPORT_DATA, items=lines)


def data_rows(data: DataChoice) -> dict[str, str]:
    """What the report says of the data; only synthetic data have a seed and noise."""
    if isinstance(data, SyntheticData):
        return {"data": data.name, "N, σ": f"{data.n_train}, {data.noise:g}"}
    variables, tasks = data.shape
    return {"data": f"{data.name}: {variables:,} variables, {tasks:,} tasks"}


def summary(choices: Choices, found: Findings, result: VSTGResult) -> pd.DataFrame:
    """Settings and results, one per row."""
    settings, errors = choices.settings, found.errors
    measure = f"{errors.measure}, mean over tasks"
    rows = {
        **data_rows(choices.data),
        **{SYMBOLS[n]: f"{value:g}" for n, value in asdict(settings).items()},
        "solver, starts": f"{choices.effort.solver}, {choices.effort.n_init}",
        f"test {measure}": number_text(errors.test),
        f"test {errors.measure}, pooled": number_text(errors.test_pooled),
        f"train {measure}": number_text(errors.train),
        "variables kept": f"{found.n_selected} of {len(found.status)}",
        "groups": str(len(found.proper_groups)),
        "objective": f"{result.objective:.6g}",
        "iterations": f"{result.n_iter} ({result.stop_reason})",
    }
    if errors.ree is not None:
        rows["REE"] = f"{errors.ree:.4f}"
    return pd.DataFrame({"": list(rows.values())}, index=list(rows))
