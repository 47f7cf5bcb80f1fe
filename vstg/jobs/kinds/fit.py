"""Single fits with fixed settings, pinned to be compared."""

from dataclasses import dataclass
from threading import Event

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
from vstg.solvers import solve_problem


@dataclass(frozen=True, kw_only=True)
class FitRequest(FittingRequest):
    """One fit with fixed settings, kept to be compared."""

    setting: Setting

    kind = "fit"


class FitKind(Kind[FitRequest]):
    """One fit."""

    request = FitRequest
    label = "pinned fit"

    def run(self, store: Store, run: Run, stop: Event) -> None:
        """Fit, and keep U and V."""
        request: FitRequest = run.request
        problem = Problem.of(store.data(run.data), **request.fitting)
        result = solve_problem(problem, vstg_settings(request.setting))
        save_blob(store, run.id, "fit", pack_arrays({"U": result.U, "V": result.V}))
        store.change(run.id, best=as_json({"setting": request.setting}))

    def read(self, store: Store, run: Run) -> None:
        """Its factors."""
        for content in read_blobs(store, run.id).values():
            unpack_arrays(content)

    def check(self, request: FitRequest) -> None:
        """Reject unknown losses and settings."""
        get_loss(request.loss)
        check_setting(request.setting, needed=VSTG_SETTING)

    def describe(self, request: FitRequest) -> str:
        """The setting."""
        return setting_text(request.setting)
