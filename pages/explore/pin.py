"""Keep a fit of Explore as a run, to be compared later."""

import streamlit as st

from pages.shared import phrases
from pages.shared.fits import live
from pages.shared.runs import visits
from pages.shared.runs.manager import act, run_manager, say_errors
from pages.shared.state.choices import Choices
from pages.shared.state.mapping import data_name
from vstg.jobs import FitRequest


def keep(choices: Choices) -> None:
    """Action of the button."""
    model = choices.model
    setting = {
        "n_latent": model.n_latent,
        "k": model.k,
        "gamma1": model.gamma1,
        "gamma2": model.gamma2,
    }
    if model.mu is not None:
        setting["mu"] = model.mu
    loaded = live.load(choices.data)
    request = FitRequest(
        setting=setting, loss=loaded.loss, fit_intercept=loaded.fit_intercept
    )
    name = data_name(choices.data)

    def submit() -> int:
        return run_manager().submit(
            request,
            loaded.train,
            name=f"{phrases.KIND['fit']}, {name}",
            **visits.about(choices.data),
        )

    if act(submit) is not None:
        st.toast(phrases.PINNED)


def pin_button(choices: Choices) -> None:
    """One press keeps the settings shown; the store is opened only then."""
    st.button(
        phrases.PIN, key="pin", on_click=keep, args=(choices,), help=phrases.PIN_HELP,
        icon=":material/keep:",
    )  # fmt: skip
    say_errors()
