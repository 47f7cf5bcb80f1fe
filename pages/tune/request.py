"""Turn the controls of Tune into requests, with their size and expected time."""

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pages.shared import words as common
from pages.shared.app.access import flags, is_local
from pages.shared.data.catalogue import DataChoice
from pages.shared.runs import visits
from pages.shared.runs.grids import (
    CUTS,
    SHARES,
    grid_seconds,
    n_after,
    ready_grid,
    strengths,
    threads_words,
)
from pages.shared.runs.manager import run_manager
from pages.shared.ui.display import side_heading
from pages.tune import words
from vstg.data import Dataset
from vstg.jobs import SearchRequest, Store, default_threads
from vstg.model_selection import METHODS
from vstg.model_selection.grid import ALPHAS, check_grid, count_settings
from vstg.model_selection.methods import get_method
from vstg.model_selection.search import rungs
from vstg.notation import SYMBOLS, rough_duration

NUMBERS = (  # name, words, least, most, default
    ("folds", words.FOLDS, 2, 20, 10),
    ("repeats", words.REPEATS, 1, 10, 1),
    ("seed", words.FOLD_SEED, 0, 9999, 0),
)
WIDE_EXPONENTS = (-16, 8)  # beyond the paper's, for a choice on the edge of its grid


@dataclass(frozen=True)
class TuneChoice:
    """All controls of the search; one request per method."""

    methods: tuple[str, ...]
    n_latent: tuple[int, ...]
    k: tuple[int, ...]
    gamma1: tuple[float, ...]
    gamma2: tuple[float, ...]
    cut: tuple[float, ...]
    relax: tuple[float, ...]
    alpha: tuple[float, ...]
    validation: bool
    folds: int
    repeats: int
    seed: int
    halving: bool
    threads: int
    scheduler: str | None

    def grid(self, method: str) -> dict[str, list[Any]]:
        """The values for a method, K within what the data allow."""
        values = {
            "n_latent": self.n_latent,
            "k": tuple(k for k in self.k if k <= max(self.n_latent, default=0)),
            "gamma1": self.gamma1,
            "gamma2": self.gamma2,
            "cut": self.cut,
            "relax": self.relax,
            "alpha": self.alpha,
        }
        return {name: list(values[name]) for name in get_method(method).parameters}

    def n_settings(self, method: str) -> int:
        """Settings of a method; ValueError in words if its grid is not possible."""
        chosen, grid = get_method(method), self.grid(method)
        for name, values in grid.items():
            if not values:
                raise ValueError(words.NO_VALUE.format(symbol=SYMBOLS[name]))
        return count_settings(chosen, check_grid(chosen, grid))

    @property
    def n_parts(self) -> int:
        """How often a setting is evaluated."""
        return 1 if self.validation else self.folds * self.repeats

    @property
    def share(self) -> float:
        """The part of the fits that a halving makes: a third goes on each time."""
        if not self.halving or self.validation:
            return 1.0
        made, before = 0.0, 0
        for number, parts in enumerate(rungs(self.n_parts)):
            made += (parts - before) / 3**number
            before = parts
        return made / self.n_parts

    def n_fits(self) -> int:
        """Fits of all methods together; one serves all cuts."""
        fits = sum(self.n_settings(m) // n_after(self.grid(m)) for m in self.methods)
        return round(fits * self.n_parts * self.share)

    def seconds(self, choice: DataChoice) -> float:
        """Expected time on the threads of this machine."""
        total = sum(
            grid_seconds(choice.shape, method, self.grid(method))
            for method in self.methods
        )
        return choice.effort * total * self.n_parts * self.share / self.threads

    def request(self, method: str, validation: str | None) -> SearchRequest:
        """Make the request that the run store keeps."""
        return SearchRequest(
            method=method,
            grid=self.grid(method),
            folds=self.folds,
            repeats=self.repeats,
            seed=self.seed,
            validation=validation,
            halving=self.halving and validation is None,
            n_jobs=self.threads,
            scheduler=self.scheduler,
        )


def search_controls(limit: int) -> TuneChoice:
    """The widgets of the search, in the sidebar."""
    side_heading(words.SECTION_SEARCH)
    methods = st.multiselect(
        common.METHODS[0], list(METHODS), ["vstg"], key="tune_methods",
        format_func=lambda name: METHODS[name].label, help=common.METHODS[1],
        persist_state="session",
    )  # fmt: skip
    grid = st.segmented_control(
        words.GRID[0], list(common.GRIDS), default="coarse", key="tune_grid",
        format_func=common.GRIDS.__getitem__, help=words.GRID[1], required=True,
        persist_state="session", width="stretch",
    )  # fmt: skip
    values = own_grid(limit) if grid == "own" else ready_grid(grid, limit)
    if "vstg_refitted" in methods:
        values = values | refit_controls()
    evaluated_on = evaluation_controls()
    with st.expander(words.ADVANCED):
        threads = st.number_input(
            words.THREADS[0], 1, 64, default_threads(), key="tune_threads",
            help=words.THREADS[1], persist_state="session",
        )  # fmt: skip
        scheduler = scheduler_control()
    return TuneChoice(
        methods=tuple(methods),
        **values,
        **evaluated_on,
        threads=int(threads),
        scheduler=scheduler,
    )


def scheduler_control() -> str | None:
    """Where fits are made: any cluster for who sits at the server, else its own.

    A scheduler sends Python objects that this process takes in, so that a visitor from
    elsewhere who could name one could run code here.
    """
    given = flags()["scheduler"]
    if is_local():
        address = st.text_input(
            words.SCHEDULER[0], given or "", key="tune_scheduler",
            placeholder="tcp://…", help=words.SCHEDULER[1], persist_state="session",
        )  # fmt: skip
        return address.strip() or None
    if given is None:
        return None
    wanted = st.toggle(
        words.SCHEDULER[0], True, key="tune_cluster", help=words.SCHEDULER[1],
        persist_state="session",
    )  # fmt: skip
    return given if wanted else None


def own_grid(limit: int) -> dict[str, Any]:
    """Values picked one by one."""
    n_latent = st.pills(
        words.OWN_K[0], list(range(1, limit + 1)), selection_mode="multi",
        default=[n for n in (3, 5, 9) if n <= limit], key="tune_K",
        help=words.OWN_K[1], persist_state="session",
    )  # fmt: skip
    k = st.pills(
        words.OWN_MIX[0], list(range(1, 8)), selection_mode="multi", default=[1, 3],
        key="tune_k", help=words.OWN_MIX[1], persist_state="session",
    )  # fmt: skip
    spans = []
    for key, text in (("tune_g1", words.OWN_G1), ("tune_g2", words.OWN_G2)):
        spans.append(
            st.slider(
                text[0], *WIDE_EXPONENTS, (-6, 2), key=key, help=text[1],
                persist_state="session",
            )
        )  # fmt: skip
    step = st.segmented_control(
        words.OWN_STEP[0], [1, 2, 3, 4], default=2, key="tune_step", required=True,
        help=words.OWN_STEP[1], persist_state="session",
    )  # fmt: skip
    return {
        "n_latent": tuple(sorted(n_latent)),
        "k": tuple(sorted(k)),
        "gamma1": strengths(*spans[0], step),
        "gamma2": strengths(*spans[1], step),
        "cut": CUTS,
        "relax": SHARES,
        "alpha": ALPHAS,
    }


def refit_controls() -> dict[str, Any]:
    """What follows each fit of the refitted method."""
    cuts = st.pills(
        words.CUTS[0], [0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5], selection_mode="multi",
        default=list(CUTS), key="tune_cut", help=words.CUTS[1],
        format_func="{:.0%}".format, persist_state="session",
    )  # fmt: skip
    shares = st.pills(
        words.SHARES_KEPT[0], [0.0, 0.5, 1.0], selection_mode="multi",
        default=list(SHARES), key="tune_relax", help=words.SHARES_KEPT[1],
        format_func="{:.0%}".format, persist_state="session",
    )  # fmt: skip
    return {"cut": tuple(sorted(cuts)), "relax": tuple(sorted(shares))}


def evaluation_controls() -> dict[str, Any]:
    """Folds or a validation set, halving or full."""
    evaluated_on = st.segmented_control(
        words.EVALUATED_ON[0], list(words.EVALUATIONS), default="folds",
        key="tune_judged", format_func=words.EVALUATIONS.__getitem__,
        help=words.EVALUATED_ON[1], required=True,
        persist_state="session", width="stretch",
    )  # fmt: skip
    by_folds = evaluated_on == "folds"
    numbers = {}
    for place, (name, text, low, high, default) in zip(
        st.columns(3), NUMBERS, strict=True
    ):
        numbers[name] = int(
            place.number_input(
                text[0], low, high, default, key=f"tune_{name}", help=text[1],
                disabled=not by_folds, persist_state="session",
            )
        )  # fmt: skip
    halving = st.toggle(
        words.HALVING[0], False, key="tune_halving", help=words.HALVING[1],
        disabled=not by_folds, persist_state="session",
    )  # fmt: skip
    return {"validation": not by_folds, "halving": halving, **numbers}


def size_words(choice: TuneChoice, data: DataChoice) -> str:
    """How large the search is and how long it will take."""
    where = threads_words(choice.threads)
    if choice.scheduler:
        where = words.CLUSTER_WHERE.format(address=choice.scheduler)
    numbers = {
        "settings": f"{sum(choice.n_settings(m) for m in choice.methods):,}",
        "fits": f"{choice.n_fits():,}",
        "time": rough_duration(choice.seconds(data)),
        "where": where,
    }
    if choice.halving and not choice.validation:
        return words.SIZE_HALVING.format(**numbers)
    evaluated_on = "validation" if choice.validation else "folds"
    parts = words.SIZE_PARTS[evaluated_on].format(n=choice.n_parts)
    shared = any(n_after(choice.grid(method)) > 1 for method in choice.methods)
    text = words.SIZE_CUTS if shared else words.SIZE
    return text.format(**numbers, parts=parts)


def check_size(choice: TuneChoice, data: DataChoice) -> None:
    """Raise LimitError if a method has more fits than this server allows."""
    limits = run_manager().limits
    for method in choice.methods:
        limits.check_fits(choice.n_settings(method) * choice.n_parts)
    n_variables, n_tasks = data.shape
    limits.check_data(0, n_variables * n_tasks)


def submit(store: Store, choice: TuneChoice, data: DataChoice, loaded: Dataset) -> int:
    """Queue one run per method; return the first."""
    held = store.add_data(loaded.test) if choice.validation else None
    numbers = [
        run_manager().submit(
            replace(
                choice.request(method, held),
                loss=loaded.loss,
                fit_intercept=loaded.fit_intercept,
            ),
            loaded.train,
            name=f"{get_method(method).label}, {data.name}",
            **visits.about(data),
        )
        for method in choice.methods
    ]
    return numbers[0]
