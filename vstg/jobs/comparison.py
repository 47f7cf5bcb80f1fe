"""Methods side by side: tuned on the training part, judged on the test part."""

import json
from dataclasses import dataclass
from threading import Event
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd

from vstg.comparison import Comparison, compare_methods
from vstg.data import Array, MultiTaskData
from vstg.data.designs import margins
from vstg.jobs.content import pack_arrays, unpack_arrays
from vstg.jobs.pieces import read_pieces
from vstg.jobs.requests import ComparisonRequest, as_json
from vstg.jobs.runs import Run
from vstg.jobs.store import Store
from vstg.losses import get_loss
from vstg.metrics import error_rate_by_task, rmse_by_task
from vstg.model_selection import TaskKFold, get_method, search_grid
from vstg.problem import Problem


def pieces(request: ComparisonRequest) -> list[tuple[str, str, str, str]]:
    """Name, method, training and test data of each part, splits outermost."""
    return [
        (f"{number}/{method}", method, train, test)
        for number, (train, test) in enumerate(request.splits)
        for method in request.methods
    ]


def judge(
    request: ComparisonRequest,
    method: str,
    train: MultiTaskData,
    test: MultiTaskData,
    stop: Event,
) -> bytes | None:
    """Search, fit with the best setting, judge; None if it was stopped."""
    began = perf_counter()
    found = search_grid(
        train,
        method,
        request.grids.get(method),
        TaskKFold(request.folds, random_state=request.seed),
        loss=request.loss,
        fit_intercept=request.fit_intercept,
        n_jobs=request.n_jobs,
        stop=stop,
    )
    if stop.is_set():
        return None
    loss = get_loss(request.loss)
    problem = Problem.of(
        train,
        loss,
        fit_intercept=request.fit_intercept,
    )
    fit = get_method(method).fit(problem, found.best, None, None)
    predicted = margins(test.X, fit.W, fit.intercept)
    by_task = error_rate_by_task if loss.is_classification else rmse_by_task
    return pack_arrays(
        {
            "W": fit.W,
            "by_task": by_task(test.y, predicted),
            "setting": np.array(as_json(found.best)),
            "seconds": np.array(perf_counter() - began),
            "cv_error": np.array(found.best_error),
        }
    )


@dataclass(frozen=True, eq=False)
class Judged:
    """One method on one split."""

    repetition: int
    method: str
    W: Array
    by_task: Array
    setting: dict[str, Any]
    seconds: float

    @property
    def error(self) -> float:
        """Mean over the tasks, the paper's measure."""
        return float(self.by_task.mean())


def read_judged(store: Store, run: Run) -> list[Judged]:
    """What a comparison has so far."""
    found = []
    for name, content in read_pieces(store, run.id).items():
        number, _, method = name.partition("/")
        arrays = unpack_arrays(content)
        found.append(
            Judged(
                int(number),
                method,
                arrays["W"],
                arrays["by_task"],
                json.loads(str(arrays["setting"])),
                float(arrays["seconds"]),
            )
        )
    return sorted(found, key=lambda judged: judged.repetition)


def errors_frame(judged: list[Judged]) -> pd.DataFrame:
    """One row a method and repetition: ``value`` and ``seconds``."""
    return pd.DataFrame(
        [
            {
                "method": get_method(j.method).label,
                "repetition": j.repetition,
                "value": j.error,
                "seconds": j.seconds,
            }
            for j in judged
        ]
    )


def tasks_frame(judged: list[Judged], names: tuple[str, ...]) -> pd.DataFrame:
    """Mean error by task (rows) and method (columns)."""
    columns: dict[str, list[Array]] = {}
    for j in judged:
        columns.setdefault(get_method(j.method).label, []).append(j.by_task)
    means = {label: np.mean(errors, axis=0) for label, errors in columns.items()}
    return pd.DataFrame(means, index=pd.Index(names, name="task"))


def compared(judged: list[Judged]) -> Comparison:
    """Means, spreads and signed-rank tests."""
    return compare_methods(errors_frame(judged))


def headline(store: Store, run: Run) -> dict[str, Any]:
    """The method of the least mean error."""
    means = errors_frame(read_judged(store, run)).groupby("method")["value"].mean()
    return {"error": float(means.min()), "method": str(means.idxmin())}
