"""The paper's two figures: Figure 1 to play with, Figure 2 from our fits."""

from typing import Any

import streamlit as st

from pages.reproduce import words
from pages.reproduce.opening import explore_values
from pages.reproduce.source import Shown
from pages.shared.lessons.content import STYLE, content
from pages.shared.lessons.toy import toy_picture, toy_values
from pages.shared.state.links import to_query
from pages.shared.ui.display import QUIET
from vstg.notation import setting_text
from vstg.plots.runs.reproduction import coefficients_figure
from vstg.reproduction import BENCHMARKS
from vstg.reproduction.figures import FIGURE_2, Panel, has_piece, named, panel
from vstg.reproduction.results import Results

LESSON = "factors"
MAX_UNSEARCHED = 10  # repetitions to choose from where no results have any


def figure_1() -> None:
    """The clickable example of lesson 2, which opens with the paper's figure."""
    lesson = content().lesson(LESSON)
    assert lesson is not None
    st.html(STYLE)
    st.markdown(words.FIGURE_1)
    with st.container(key="figure_1"):
        toy_picture(lesson.words)
    st.page_link(
        "pages/1_Learn.py", label=words.FIGURE_1_LESSON.format(title=lesson.title),
        query_params={"lesson": LESSON, **toy_values()}, icon=":material/school:",
    )  # fmt: skip
    command("fig1")


@st.cache_resource(max_entries=64, show_spinner=False)
def _panel(
    stamp: tuple[str, ...],
    data: str,
    column: str,
    repetition: int,
    _results: Results | None,
) -> Panel:
    return panel(_results, data, column, repetition)


def fingerprint(results: Results | None, data: str, column: str, number: int) -> tuple:
    """What determines a panel: the effort and the setting."""
    if results is None or not has_piece(results, data, column, number):
        return ("", "")
    setting = setting_text(results.setting(data, column, number))
    kept = (data, column, number) in results.coefficients
    return str(results.about.get("effort")), setting, str(kept)


def figure_2(shown: Shown | None) -> None:
    """Eight panels for the chosen k and repetition."""
    measured = None if shown is None else shown.measured
    results = None if measured is None else measured.results
    st.markdown(words.FIGURE_2)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        chosen = st.segmented_control(
            words.FIGURE_2_K, list(words.FIGURE_2_KS), default="paper", required=True,
            key="fig2_k", format_func=words.FIGURE_2_KS.__getitem__,
            bind="query-params",
        )  # fmt: skip
        numbers = list(range(MAX_UNSEARCHED))
        if results is not None:
            numbers = sorted({int(n) for n in results.outcomes["repetition"]})
        repetition = numbers[0]
        if len(numbers) > 1:
            repetition = st.select_slider(
                words.REPETITION, numbers, key="fig2_repetition", width=320
            )
    panels = [
        _panel(
            fingerprint(results, data, column, repetition),
            data, column, repetition, results,
        )
        for data, usual in FIGURE_2.items()
        for column in [usual if chosen == "paper" else chosen]
    ]  # fmt: skip
    with st.container(key="figure_2"):
        st.plotly_chart(
            figure_2_of(panels), key="fig2", config=QUIET, theme=None,
            alt=words.FIGURE_2_ALT,
        )  # fmt: skip
    captions(panels)
    command("fig2")


def figure_2_of(panels: list[Panel]) -> Any:
    """The panels with the paper's titles."""
    labels = {p.data: BENCHMARKS[p.data].label for p in panels}
    true = {words.TRUE.format(data=labels[p.data]): named(p.true) for p in panels}
    found = {
        words.ESTIMATED.format(data=labels[p.data], k=p.k): named(p.estimated)
        for p in panels
    }
    return coefficients_figure(true, found)


def captions(panels: list[Panel]) -> None:
    """The settings of each panel, a link to Explore, and whether they were searched."""
    for place, p in zip(st.columns(len(panels)), panels, strict=True):
        label = words.FIGURE_2_OPEN.format(data=BENCHMARKS[p.data].label)
        query = to_query(explore_values(p.data, p.repetition, p.setting))
        with place:
            st.page_link(
                "app.py", label=label, query_params=query,
                icon=":material/arrow_forward:",
            )  # fmt: skip
            st.caption(
                words.FIGURE_2_SETTINGS.format(
                    setting=setting_text(p.setting), ree=p.relative_error
                )
            )
    guessed = [BENCHMARKS[p.data].label for p in panels if not p.searched]
    if guessed:
        st.caption(words.FIGURE_2_UNSEARCHED.format(data=", ".join(guessed)))


def command(exhibit: str) -> None:
    """The command that makes the figure without a browser."""
    with st.expander(words.FIGURE_COMMAND, key="reproduce_commands"):
        st.code(f"vstg reproduce {exhibit} -o results/{exhibit}", language="bash")
