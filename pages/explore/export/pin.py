"""Keep a fit of Explore as a run, to be compared later."""

import streamlit as st

from pages.explore import words
from pages.shared.fits import live
from pages.shared.runs import visits
from pages.shared.runs.manager import act, run_manager, say_errors
from pages.shared.state.choices import Choices
from vstg.jobs import FitRequest, get_kind


def keep(choices: Choices) -> None:
    """Action of the button."""
    data = live.load(choices.data)
    request = FitRequest(
        setting=choices.settings.to_mapping(),
        solver=choices.effort.solver,
        n_init=choices.effort.n_init,
        loss=data.loss,
        fit_intercept=data.fit_intercept,
    )

    def submit() -> int:
        return run_manager().submit(
            request,
            data.train,
            name=f"{get_kind('fit').label}, {choices.data.name}",
            **visits.about(choices.data),
        )

    if act(submit) is not None:
        st.toast(words.PINNED)


def pin_button(choices: Choices) -> None:
    """One press keeps the settings shown; the store is opened only then."""
    st.button(
        words.PIN, key="pin", on_click=keep, args=(choices,), help=words.PIN_HELP,
        icon=":material/keep:",
    )  # fmt: skip
    say_errors()
