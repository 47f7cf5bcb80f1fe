"""What belongs to one visitor: own data, and the fit that was looked at last.

All of it is in the session: nobody else sees it, and it is gone when the visitor is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.shared.data.sources import OWN_KEY, YOURS, DataChoice, Loaded, Source
from pages.shared.state.parameters import to_query
from vstg.data import Dataset
from vstg.solvers.result import VSTGResult
from vstg.tables import Prepared, Table

RECORD_KEY, FIT_KEY, STATE_KEY = "own_record", "last_fit", "explore_state"


@dataclass(frozen=True, eq=False)
class Own:
    """The visitor's data: a prepared table, or a data set of the library."""

    name: str
    loaded: Loaded
    imports: str
    statements: str
    table: Table | None = None
    prepared: Prepared | None = None
    uploaded: bool = False  # nobody else has it

    def source(self) -> Source:
        """The same as a source of the Explore page."""
        train = self.loaded.train
        extra = ""
        if self.loaded.loss != "squared":
            extra += f",\n                    loss={self.loaded.loss!r}"
        if self.loaded.fit_intercept:
            extra += ", fit_intercept=True"
        if self.loaded.allow_constant:
            extra += ", allow_constant=True"
        return Source(
            load=lambda _: self.loaded,
            shape=lambda _: (train.n_features, train.n_tasks),
            python=lambda _: (self.imports, self.statements),
            effort=effort(self.loaded),
            solver=extra,
        )


def effort(data: Loaded) -> float:
    """The logistic loss goes through all rows at every step, the squared does not."""
    if data.loss == "squared":
        return 1.0
    train = data.train
    rows = train.n_rows * train.n_features
    return max(1.0, 4.0 * rows / (train.n_tasks * train.n_features**2))


def own_of_table(table: Table, prepared: Prepared, *, uploaded: bool = True) -> Own:
    """A table of the visitor, or a sample that everybody has, prepared."""
    assert prepared.test is not None
    options = "".join(f", {key}={value!r}" for key, value in table.options.items())
    statements = (
        f"table = read_table({table.name!r}{options})\n"
        f"recipe = {prepared.recipe.python()}\n"
        "prepared = prepare(table, recipe)\n"
        "train, test = prepared.train, prepared.test"
    )
    loaded = Loaded(
        prepared.train,
        prepared.test,
        loss=prepared.loss,
        fit_intercept=True,
        allow_constant=True,
    )
    imports = "from vstg.tables import Recipe, prepare, read_table"
    return Own(table.name, loaded, imports, statements, table, prepared, uploaded)


def own_of_real(real: Dataset, call: str) -> Own:
    """A data set of the library; ``call`` is how Python gets it."""
    loaded = Loaded(
        real.train,
        real.test,
        loss=real.loss,
        fit_intercept=True,
        allow_constant=real.allow_constant,
    )
    name = call.partition("(")[0]
    imports = f"from vstg.datasets import {name}"
    statements = f"real = {call}\ntrain, test = real.train, real.test"
    return Own(real.name, loaded, imports, statements)


def put(data: Own) -> None:
    """Make these the visitor's data; what was fitted on others is forgotten."""
    from pages.shared.fits import background, live

    background.slot().clear()
    live.own_memory.clear()
    st.session_state[OWN_KEY] = data.source()
    st.session_state[RECORD_KEY] = data


def get() -> Own | None:
    """The visitor's data, if there are any."""
    return st.session_state.get(RECORD_KEY)


def forget() -> None:
    """Drop the visitor's data and everything made of them, private runs too."""
    from pages.shared.fits import background, live
    from pages.shared.runs import visits

    visits.forget_mine()
    background.slot().clear()
    live.own_memory.clear()
    for key in (OWN_KEY, RECORD_KEY, FIT_KEY, STATE_KEY):
        st.session_state.pop(key, None)


@dataclass(frozen=True, eq=False)
class LastFit:
    """What the Explore page showed last."""

    name: str
    result: VSTGResult
    data: Loaded
    prepared: Prepared | None


def remember_fit(
    choice: DataChoice, values: Mapping[str, Any], result: VSTGResult, data: Loaded
) -> None:
    """Keep the fit for the Predict page and the controls for the way back."""
    record = get() if choice.private else None
    name = choice.source if record is None else record.name
    prepared = None if record is None else record.prepared
    st.session_state[FIT_KEY] = LastFit(name, result, data, prepared)
    st.session_state[STATE_KEY] = to_query(dict(values))


def last_fit() -> LastFit | None:
    """What was fitted last, if anything."""
    return st.session_state.get(FIT_KEY)


def explore_query() -> dict[str, str]:
    """The controls of the Explore page as its last visit left them."""
    return dict(st.session_state.get(STATE_KEY, {}))


def yours_query() -> dict[str, str]:
    """The Explore page with the visitor's own data and otherwise as it was."""
    return {**explore_query(), "data": YOURS}
