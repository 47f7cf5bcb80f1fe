"""Single fits with fixed settings, pinned for comparison."""

from dataclasses import dataclass
from threading import Event
from typing import Annotated

import msgspec

from vstg.jobs.kind import (
    VSTG_SETTING,
    FittingRequest,
    Kind,
    Setting,
    as_json,
    check_setting,
)
from vstg.jobs.store.blobs import pack_arrays, read_blobs, save_blob, unpack_arrays
from vstg.jobs.store.run import Run
from vstg.jobs.store.store import Store
from vstg.losses import get_loss
from vstg.model_selection.methods import vstg_settings
from vstg.notation import setting_text
from vstg.problem import Problem
from vstg.solvers import VSTGResult, solve_problem
from vstg.solvers.solve import get_solver


@dataclass(frozen=True, kw_only=True)
class FitRequest(FittingRequest):
    """One fit with fixed settings, kept for comparison.

    Solver and starts belong to it: eq. (6) has many local minima.
    """

    setting: Setting
    solver: str = "fast"
    n_init: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 1

    kind = "fit"


class FitKind(Kind[FitRequest]):
    """One fit."""

    request = FitRequest
    label = "pinned fit"

    def run(self, store: Store, run: Run, stop: Event) -> None:
        """Fit, and keep U and V."""
        request: FitRequest = run.request
        problem = Problem.of(store.data(run.data), **request.fitting)
        result = fit_as_asked(problem, request)
        save_blob(store, run.id, "fit", pack_arrays({"U": result.U, "V": result.V}))
        store.change(run.id, best=as_json({"setting": request.setting}))

    def read(self, store: Store, run: Run) -> None:
        """Its factors."""
        for content in read_blobs(store, run.id).values():
            unpack_arrays(content)

    def check(self, request: FitRequest) -> None:
        """Reject unknown losses, solvers and settings."""
        get_loss(request.loss)
        get_solver(request.solver)
        check_setting(request.setting, needed=VSTG_SETTING)

    def count(self, request: FitRequest) -> int:
        """One fit from each start."""
        return request.n_init

    def describe(self, request: FitRequest) -> str:
        """The setting, and how it was fitted if not as usual."""
        words = [setting_text(request.setting)]
        words += ["Algorithm 1"] if request.solver == "admm" else []
        words += [f"{request.n_init} starts"] if request.n_init > 1 else []
        return "; ".join(words)


def fit_as_asked(problem: Problem, request: FitRequest) -> VSTGResult:
    """The fit that a request stands for."""
    return solve_problem(
        problem,
        vstg_settings(request.setting),
        solver=request.solver,
        n_init=request.n_init,
    )
