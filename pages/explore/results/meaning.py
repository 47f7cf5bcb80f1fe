"""What a fit means: its groups in sentences, its effects in the user's units."""

from html import escape

import pandas as pd
import streamlit as st

from pages.explore import words
from pages.explore.results.findings import Findings
from pages.shared.data.catalogue import DataChoice, OwnData
from pages.shared.ui.display import MAX_ROWS, say_cut
from pages.shared.ui.downloads import download
from pages.shared.ui.markdown import plain
from vstg.data import Dataset
from vstg.inspection import Meaning
from vstg.inspection.meaning import NO_DIFFERENCE
from vstg.losses import measure_of
from vstg.plots import group_letter

MOST_CELLS = 2**20  # of W: a larger one is not made whole
MAX_SENTENCES = 12


def explained(found: Findings, data: Dataset, choice: DataChoice) -> Meaning | None:
    """What the fit says; None for a very large one."""
    U, V = found.estimate.U.to_numpy(), found.estimate.V.to_numpy()
    if len(U) * V.shape[1] > MOST_CELLS:
        return None
    names: dict[str, str] = {}
    scale = data.scale
    if isinstance(choice, OwnData) and choice.prepared is not None:
        recipe, label = choice.prepared.recipe, choice.prepared.labels
        scale = choice.prepared.transform.origins[1]
        names["task"] = recipe.task or "task"
        if recipe.layout == "long":
            target = recipe.targets[0]
            names["target"] = target if label is None else f"{target} = {label[1]}"
    return Meaning.of(
        U, V, data.train, scale=scale, threshold=found.threshold,
        labels=data.is_classification, **names,
    )  # fmt: skip


def lines(meaning: Meaning) -> list[tuple[str, str]]:
    """A letter and a sentence per group, and what tells it from the largest other."""
    proper = [group for group in meaning.groups if not group.empty]
    found = []
    for number, group in enumerate(proper[:MAX_SENTENCES]):
        text = meaning.sentence(group)
        others = [(n, g) for n, g in enumerate(proper) if g is not group]
        if others:
            n, other = max(others, key=lambda pair: len(pair[1].tasks))
            difference = meaning.difference(group, other)
            if difference != NO_DIFFERENCE:
                unlike = words.UNLIKE.format(
                    letter=group_letter(n), difference=difference
                )
                text = f"{text} {unlike}"
        found.append((group_letter(number), text))
    idle = [group for group in meaning.groups if group.empty]
    return [*found, *(("∅", meaning.sentence(group)) for group in idle)]


def basis_names(meaning: Meaning) -> str:
    """The bases by their variables."""
    bases = [r for r in range(meaning.U.shape[1]) if meaning.U[:, r].any()]
    return " · ".join(f"b{r + 1}: {meaning.basis_name(r)}" for r in bases)


def effects_table(meaning: Meaning) -> pd.DataFrame:
    """The effects with the letters of the groups."""
    table = meaning.frame()
    letters = [group_letter(int(number) - 1) for number in table["group"]]
    return table.assign(group=letters).set_index(["group", "variable"])


def effects_note(data: Dataset) -> str:
    """What the numbers of the table mean."""
    more = words.EFFECTS_OF_LOGS.get(measure_of(data.loss), "")
    return f"{words.EFFECTS_NOTE} {more}".strip()


def show(found: Findings, data: Dataset, choice: DataChoice) -> None:
    """Sentences, names of bases, and the effects."""
    meaning = explained(found, data, choice)
    if meaning is None or not found.proper_groups:
        return
    items = "".join(
        f"<li><b>{escape(letter)}</b> {escape(text)}</li>"
        for letter, text in lines(meaning)
    )
    style = "list-style:none;padding-left:0"
    st.html(f'<ul class="vstg-meaning" style="{style}">{items}</ul>')
    if len(found.proper_groups) > 1:
        st.caption(words.UNLIKE_NOTE)
    st.caption(words.BASES_ARE.format(names=plain(basis_names(meaning))))
    effects = st.expander(words.EFFECTS, key="effects_open", on_change="rerun")
    if not effects.open:
        return
    with effects:
        st.caption(effects_note(data))
        table = effects_table(meaning)
        st.dataframe(table.head(MAX_ROWS), key="effects")
        say_cut(min(MAX_ROWS, len(table)), len(table))
        download(lambda: effects_table(meaning), "effects", "effects_csv")
