"""What a file of runs may hold: it comes from elsewhere, and every page shows it.

A run that is taken in appears in everybody's history, so that one odd value in it
would break that page for all. Types and ranges are checked value by value.
"""

import json
import math
from dataclasses import asdict, fields, replace
from types import NoneType, UnionType
from typing import Any, get_args, get_origin

from vstg.jobs import runs as status
from vstg.jobs.requests import (
    ComparisonRequest,
    FitRequest,
    ReproductionRequest,
    Request,
    SearchRequest,
    StabilityRequest,
    as_json,
    read_request,
)
from vstg.losses import get_loss
from vstg.model_selection.grid import check_grid
from vstg.model_selection.methods import get_method
from vstg.reproduction import get_effort, get_exhibit
from vstg.tables import Preparation

TEXTS = {
    "kind": 40, "name": 500, "note": 10_000, "data": 100, "data_name": 500, "code": 100,
    "message": 10_000, "source": 2**24, "request": 2**24,
}  # fmt: skip
COUNTS = ("done", "total", "fitted")
STATUSES = (*status.ACTIVE, *status.RESUMABLE, status.DONE)
END_OF_TIME = 4e9  # seconds: the year 2096
MOST = 2**53
SETTING = {"n_latent": int, "k": int, "gamma1": float, "gamma2": float, "mu": float}
EXPLORED = ("n_latent", "k", "gamma1", "gamma2")


def check_imported(run: dict[str, Any], known_data: set[str]) -> dict[str, Any]:
    """The run with nothing in it that reaches beyond its file; ValueError if odd."""
    for name, longest in TEXTS.items():
        text = run[name]
        _need(isinstance(text, str) and len(text) <= longest, name, text)
    _need(run["status"] in STATUSES, "status", run["status"])
    for name in COUNTS:
        _need(_is(run[name], int) and 0 <= run[name] < MOST, name, run[name])
    for name in ("created", "seconds"):
        _need(_is(run[name], float) and 0 <= run[name] < END_OF_TIME, name, run[name])
    request = read_request(run["kind"], run["request"])
    check_request(request, known_data)
    _need(run["data"] in known_data, "data", run["data"])
    check_source(json.loads(run["source"]))
    if run["best"] is not None:
        check_best(json.loads(run["best"]))
    return {**run, "request": as_json(asdict(here(request)))}


def here(request: Request) -> Request:
    """The request on this machine: no cluster and no folder of somebody else's."""
    if isinstance(request, SearchRequest):
        return replace(request, scheduler=None)
    if isinstance(request, ReproductionRequest):
        return replace(request, scheduler=None, data_dir=None)
    return request


def check_request(request: Request, known_data: set[str]) -> None:
    """Refuse values of the wrong type, and names that mean nothing here."""
    for one in fields(request):
        value = getattr(request, one.name)
        _need(_is(value, one.type), one.name, value)
    if isinstance(request, ReproductionRequest):
        get_exhibit(request.exhibit), get_effort(request.effort)
        return
    get_loss(request.loss)
    match request:
        case SearchRequest():
            method = get_method(request.method)
            if request.grid:
                check_grid(method, request.grid)
            marks = {request.validation} - {None}
        case ComparisonRequest():
            for name, grid in request.grids.items():
                check_grid(get_method(name), grid)
            for name in request.methods:
                get_method(name)
            _need(all(len(pair) == 2 for pair in request.splits), "splits", "pairs")
            marks = {mark for pair in request.splits for mark in pair}
        case StabilityRequest() | FitRequest():
            check_setting(request.setting, needed=EXPLORED)
            marks = set()
    _need(marks <= known_data, "data", sorted(map(str, marks - known_data)))
    for name in ("folds", "repeats", "n_resamples", "n_jobs"):
        number = getattr(request, name, 1)
        _need(1 <= number <= 10_000, name, number)
    _need(abs(getattr(request, "seed", 0)) < MOST, "seed", "a smaller one")


def check_setting(setting: Any, needed: tuple[str, ...] = ()) -> None:
    """Refuse what is no setting of a method."""
    _need(isinstance(setting, dict), "setting", setting)
    for name, value in setting.items():
        _need(name in SETTING, "setting", name)
        good = value is None or (_is(value, SETTING[name]) and 0 <= value < MOST)
        _need(good, name, value)
    for name in needed:
        _need(setting.get(name) is not None, name, None)


def check_best(best: Any) -> None:
    """Refuse a headline that cannot be shown."""
    kinds = {"error": float, "n_sure": int, "method": str}
    _need(isinstance(best, dict), "best", best)
    for name, value in best.items():
        if name in ("setting", "one_se"):
            check_setting(value)
        else:
            _need(name in kinds and _is(value, kinds[name]), name, value)
    _need("setting" in best or "one_se" not in best, "best", "one_se alone")


def check_source(source: Any) -> None:
    """Refuse what is no origin of data."""
    _need(_is(source, dict[str, str | float | bool | None]), "source", source)
    text = source.get("preparation")
    if text is not None:
        _need(isinstance(text, str), "preparation", text)
        Preparation.from_json(text)


def _is(value: Any, kind: Any) -> bool:
    """Whether a value of JSON is of a type; numbers are finite, and no truth values.

    ``Any`` stands for what grids and settings hold: a number or nothing.
    """
    if kind is Any:
        return value is None or _is(value, float)
    if get_origin(kind) is UnionType:
        return any(_is(value, part) for part in get_args(kind))
    if get_origin(kind) is list:
        (part,) = get_args(kind)
        return isinstance(value, list) and all(_is(one, part) for one in value)
    if get_origin(kind) is dict:
        key, part = get_args(kind)
        return isinstance(value, dict) and all(
            _is(k, key) and _is(v, part) for k, v in value.items()
        )
    if kind is float:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        return number and abs(value) < 1e300 and math.isfinite(value)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, NoneType if kind is None else kind)


def _need(good: bool, name: str, value: Any) -> None:
    if not good:
        msg = f"its {name} cannot be {str(value)[:60]!r}"
        raise ValueError(msg)
