"""The numbers above the picture, as one strip of fixed height."""

import streamlit as st

from pages.explore import words
from pages.explore.results.findings import Findings
from pages.shared.ui.display import tile
from vstg.data import Dataset
from vstg.inspection import group_overlaps
from vstg.notation import duration, number_text
from vstg.solvers.result import VSTGResult


def headline_html(
    result: VSTGResult, data: Dataset, found: Findings, *, brief: bool = False
) -> str:
    """The strip as a description list; ``brief`` leaves out how it was computed."""
    tiles = [
        error_tile(data, found),
        *truth_tile(found),
        variables_tile(data, found),
        groups_tile(found),
    ]
    if not brief:
        tiles += [objective_tile(result), run_tile(result)]
    return f'<dl class="vstg-head">{"".join(tiles)}</dl>'


def error_tile(data: Dataset, found: Findings) -> str:
    """Test error beside training error and noise floor."""
    train = number_text(found.errors.train)
    note = words.TRAIN_ONLY.format(train=train)
    if data.truth is not None:
        floor = number_text(data.truth.noise)
        note = words.TRAIN_AND_FLOOR.format(train=train, floor=floor)
    label = words.HEAD["test"].format(measure=found.errors.measure)
    return tile(label, number_text(found.errors.test), note, term="test error")


def truth_tile(found: Findings) -> list[str]:
    """REE, where the truth is known."""
    if found.errors.ree is None:
        return []
    value = f"{found.errors.ree:.1%}"
    return [tile(words.HEAD["ree"], value, words.REE_NOTE, term="REE")]


def variables_tile(data: Dataset, found: Findings) -> str:
    """How many variables are kept, and whether rightly."""
    total = data.train.n_features
    if data.truth is None:
        note = words.VARIABLES_PLAIN.format(dropped=total - found.n_selected)
    else:
        note = words.VARIABLES_TRUE.format(
            right=found.count("right"),
            wrong=found.count("wrong"),
            missed=found.count("missed"),
        )
    value = f"{found.n_selected:,} <small>of {total:,}</small>"
    return tile(words.HEAD["variables"], value, note, term="variable")


def groups_tile(found: Findings) -> str:
    """How many groups, and how well they agree with the truth."""
    count = len(found.proper_groups)
    if found.true_groups is None or found.agreement is None:
        counts = group_overlaps(found.proper_groups)
        shared = int(((counts > 0).sum() - count) / 2)
        pairs = words.ONE_PAIR if shared == 1 else words.PAIRS
        note = words.GROUPS_PLAIN.format(shared=shared, pairs=pairs)
    else:
        note = words.GROUPS_TRUE.format(
            true=len(found.true_groups), agreement=f"{found.agreement.groups:.2f}"
        )
    return tile(words.HEAD["groups"], str(count), note, term="group")


def objective_tile(result: VSTGResult) -> str:
    """The value of eq. (6) and its parts."""
    loss = float((result.refit_history or result.history)["loss"][-1])
    note = words.TERMS_NOTE.format(
        loss=number_text(loss), penalty=number_text(result.objective - loss)
    )
    return tile(
        words.HEAD["objective"],
        number_text(result.objective),
        note,
        term="objective",
    )


def run_tile(result: VSTGResult) -> str:
    """How the run ended."""
    word = words.CONVERGED if result.converged else words.NOT_CONVERGED
    mark = "✓" if result.converged else "!"
    value = f"{duration(result.seconds)} <small>{mark} {word}</small>"
    note = words.RUN_NOTE.format(
        iterations=result.n_iter, milliseconds=f"{result.solver}"
    )
    return tile(words.HEAD["run"], value, note, warn=not result.converged)


def headline(
    result: VSTGResult, data: Dataset, found: Findings, *, brief: bool = False
) -> None:
    """Show the strip."""
    st.html(headline_html(result, data, found, brief=brief))
