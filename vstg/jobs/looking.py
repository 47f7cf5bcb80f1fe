"""Everything that pages read of a run, read once to see that it can be."""

import json
from math import isfinite
from typing import Any

import numpy as np

from vstg.jobs.cells import new_rows, stored_result
from vstg.jobs.comparison import compared, pieces, read_judged, tasks_frame
from vstg.jobs.content import unpack_arrays
from vstg.jobs.foreign import check_setting
from vstg.jobs.pieces import piece_names, read_pieces
from vstg.jobs.requests import ComparisonRequest
from vstg.jobs.resamples import read_frequencies
from vstg.jobs.runs import Run
from vstg.jobs.store import Store


def look_at(store: Store, run: Run) -> None:
    """Read the results of a run; raises one of many errors where that fails."""
    LOOKS.get(run.kind, look_at_pieces)(store, run)


def look_at_search(store: Store, run: Run) -> None:
    """Its table of numbers and what is chosen from it."""
    for _, row in new_rows(store, run.id)[0]:
        for name, value in row.items():
            if not (value is None or isinstance(value, bool) or isfinite(value)):
                msg = f"its cells cannot have {value} for {name}"
                raise ValueError(msg)
    result = stored_result(store, run)
    if not result.frame.empty:
        numbers = result.summary().to_numpy(dtype=float)
        if np.isinf(numbers).any():
            msg = "its table has infinite numbers"
            raise ValueError(msg)
        check_setting(result.best)
        check_setting(result.one_se)
    elif run.best is not None:
        msg = "it has a best setting and no cells"
        raise ValueError(msg)


def look_at_stability(store: Store, run: Run) -> None:
    """Frequencies of the shape of the data."""
    arrays = read_frequencies(store, run)
    if arrays is None:
        return
    n_features = store.data(run.data).n_features
    if len(arrays["variables"]) != n_features or arrays["kept"].shape != (n_features,):
        msg = "its resamples are not of its data"
        raise ValueError(msg)


def look_at_comparison(store: Store, run: Run) -> None:
    """Coefficients of the shape of the data, repetitions from the first on."""
    request = run.request
    assert isinstance(request, ComparisonRequest)
    names = piece_names(store, run.id)
    judged = read_judged(store, run)
    if names - {name for name, *_ in pieces(request)} or (
        judged and judged[0].repetition != 0
    ):
        msg = "its parts are not those of its methods and repetitions"
        raise ValueError(msg)
    data = store.data(run.data)
    for one in judged:
        check_setting(one.setting)
        shapes = one.W.shape, one.by_task.shape
        if shapes != ((data.n_features, data.n_tasks), (data.n_tasks,)):
            msg = "its coefficients are not of its data"
            raise ValueError(msg)
        if not (np.isfinite(one.W).all() and np.isfinite(one.by_task).all()):
            msg = "its coefficients are no numbers"
            raise ValueError(msg)
    if judged:
        compared(judged), tasks_frame(judged, data.task_names)


def look_at_pieces(store: Store, run: Run) -> None:
    """Arrays or JSON, whatever they mean."""
    for content in read_pieces(store, run.id).values():
        if content[:1] == b"{":
            json.loads(content)
        else:
            unpack_arrays(content)


LOOKS: dict[str, Any] = {
    "search": look_at_search,
    "stability": look_at_stability,
    "comparison": look_at_comparison,
}
