"""Choose a run from a list, or by a link, and open its setting in Explore."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import streamlit as st

from pages.shared import words
from pages.shared.data import own
from pages.shared.data.catalogue import (
    DataChoice,
    OwnData,
    SyntheticData,
    own_data,
    own_of_run,
    shops,
)
from pages.shared.fits import live
from pages.shared.fits.discoveries import adopt
from pages.shared.runs.manager import run_label, run_manager
from pages.shared.state import exact, keys, links
from pages.shared.state.choices import (
    SolverChoice,
    choices,
    control_values,
    data_choice,
    data_values,
    not_shown,
    synthetic_of,
)
from pages.shared.state.links import to_query
from pages.shared.state.parameters import DATA_KEYS, SYN, YOURS
from pages.shared.ui.markdown import plain
from vstg.data import Dataset
from vstg.jobs import FitRequest, Run, Store, StoreError
from vstg.objective import Settings


def follow(key: str, known: Collection[int], default: int) -> None:
    """Before the list of runs is drawn: the one that it shows."""
    asked = links.numbers("run")
    if links.is_new("run", key) and asked and asked[0] in known:
        st.session_state[key] = asked[0]
    if st.session_state.get(key) not in known:
        st.session_state[key] = default


def choose_run(key: str, runs: Mapping[int, Run], default: int) -> Run:
    """The list of runs: the one of a new link, the chosen one, or the default."""
    follow(key, runs, default)
    # Said again, or the browser goes on showing the label of the state that was.
    st.session_state[key] = st.session_state[key]
    number = st.selectbox(
        words.CHOOSE_RUN, list(runs), key=key,
        format_func=lambda n: run_label(runs[n]), label_visibility="collapsed",
        persist_state="session",
    )  # fmt: skip
    links.write("run", key, str(number))
    return runs[number]


def explore_values(
    source: Mapping[str, Any], setting: Mapping[str, Any]
) -> dict[str, Any]:
    """The controls of Explore with these data and this setting."""
    return data_values(source) | control_values(Settings.from_mapping(setting))


def explore_query(
    source: Mapping[str, Any], setting: Mapping[str, Any]
) -> dict[str, str]:
    """The address of Explore with these data and this setting."""
    return to_query(explore_values(source, setting))


def data_controls_of(run: Run) -> dict[str, Any] | None:
    """The controls that give exactly the data of a run; None if none do.

    What a run says of its origin may be missing (one of the command line), or wrong
    (one of a file from elsewhere): the data themselves decide.
    """
    mine = own_data()
    if mine is not None and mine.dataset.train.fingerprint == run.data:
        return {keys.DATA: YOURS}
    if shops().dataset.train.fingerprint == run.data:
        return control_values(shops())
    drawn = drawn_data(run)
    return None if drawn is None else control_values(drawn)


def drawn_data(run: Run) -> SyntheticData | None:
    """The synthetic data of a run; None if it has other data.

    A run that does not say may still be of the data that are chosen now.
    """
    chosen = {key: st.session_state.get(key) for key in DATA_KEYS}
    for source in (run.source_values, {keys.DATA: SYN[0], **set_values(chosen)}):
        drawn = synthetic_of(source)
        if drawn is not None and live.load(drawn).train.fingerprint == run.data:
            return drawn
    return None


def set_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Those that are not missing."""
    return {key: value for key, value in values.items() if value is not None}


def borrowed_data(run: Run) -> dict[str, Any] | None:
    """The data of a run from the store, as the visitor's own; None if it has none.

    The store keeps training rows only, so that these are the test rows as well:
    :func:`where_from` says so on Explore.
    """
    try:
        train = run_manager().store.data(run.data)
    except StoreError:
        return None
    before = own_data()
    dataset = Dataset(
        run.data_name or words.NO_NAME, train, train, allow_constant=True,
        loss=run.request.loss, fit_intercept=run.request.fit_intercept,
    )  # fmt: skip
    own.put(own_of_run(dataset, run.id, "" if before is None else before.name))
    return {keys.DATA: YOURS}


def where_from(data: DataChoice) -> str:
    """What to know of data that were taken from the store of runs; else nothing."""
    if not isinstance(data, OwnData) or data.of_run is None:
        return ""
    text = words.OF_RUN.format(number=data.of_run)
    if data.instead_of:
        text = f"{text} {words.PUT_AWAY.format(name=plain(data.instead_of))}"
    return text


def open_in_explore(run: Run, setting: Mapping[str, Any]) -> None:
    """Leave this page for Explore, if it can have the data of the run."""
    data = data_controls_of(run) or borrowed_data(run)
    if data is None:
        name = plain(run.data_name or words.NO_NAME)
        st.session_state[keys.ERROR] = words.NOT_HERE.format(name=name)
        st.rerun()
    request, effort = run.request, SolverChoice()
    if isinstance(request, FitRequest):
        effort = SolverChoice(request.solver, request.n_init)
    values = exactly(data, Settings.from_mapping(setting), effort)
    leave_for(values, setting, fitted_otherwise(run, data))


def exactly(
    data: Mapping[str, Any], settings: Settings, effort: SolverChoice
) -> dict[str, Any]:
    """The controls of Explore with these data and settings, fitted in this way.

    More bases than the sliders allow for the data are given as typed ones are.
    """
    values = {**data, **control_values(effort), **control_values(settings)}
    if choices(values).settings.n_latent != settings.n_latent:
        typed = exact.read(values[keys.EXACT])[0]
        bases = {"n_latent": settings.n_latent, "k": settings.k}
        values[keys.EXACT] = exact.write(typed | bases)
    return values


def fitted_otherwise(run: Run, data: Mapping[str, Any]) -> list[str]:
    """Where Explore fits these data in another way than the run did."""
    here = live.load(data_choice(data))
    found = []
    for name, text in words.FITTED_WITH.items():
        asked, shown = getattr(run.request, name, None), getattr(here, name)
        if asked is not None and asked != shown:
            found.append(text.format(asked=asked, shown=shown))
    return found


def open_discovery(store: Store, run: Run) -> None:
    """Go to Explore, which shows the model found in the place of a fit."""
    assert run.best is not None
    data = data_controls_of(run) or borrowed_data(run)
    if data is not None:
        adopt(store, run, data)
    open_in_explore(run, run.best["setting"])


def leave_for(
    values: Mapping[str, Any], setting: Mapping[str, Any], lost: Sequence[str] = ()
) -> None:
    """Go to Explore with these controls, which stand for this setting.

    ``lost`` is what is known to be shown otherwise.
    """
    settings = Settings.from_mapping(setting)
    st.session_state[keys.LEAVE] = dict(values)
    st.session_state[keys.NOT_SHOWN] = [*lost, *not_shown(settings)], values
    st.rerun()


def leave_if_asked() -> None:
    """The first thing on a page: go on to Explore, if that was asked for.

    A page cannot write a parameter that one of its widgets is bound to, nor the state
    of a widget that is drawn. Before it is drawn it can write the latter, and Explore
    takes it over.
    """
    values = st.session_state.pop(keys.LEAVE, None)
    if values is None:
        return
    for key, value in values.items():
        st.session_state[key] = value
    query = to_query(values)
    free = {key: query[key] for key in query if key not in DATA_KEYS}
    st.switch_page("app.py", query_params=free)


def lost_on_the_way(values: Mapping[str, Any]) -> str:
    """What Explore cannot show of the setting that it was opened with, in words.

    Empty as soon as a control of the setting has been moved.
    """
    lost, opened = st.session_state.get(keys.NOT_SHOWN, ([], {}))
    if not lost or any(values.get(key) != value for key, value in opened.items()):
        return ""
    return words.NOT_SHOWN.format(settings="; ".join(lost))
