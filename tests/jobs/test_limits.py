"""Too much work is refused in words, before any of it is done."""

from dataclasses import fields

import pytest

from vstg.__main__ import main
from vstg.jobs import (
    ComparisonRequest,
    FitRequest,
    Manager,
    SearchRequest,
    StabilityRequest,
    get_kind,
)
from vstg.jobs.queue.limits import (
    LimitError,
    WorkLimits,
    limits_of,
    own_limits,
    server_limits,
)

PATIENCE = 120


def count_fits(request):
    return get_kind(request.kind).count(request)


@pytest.fixture
def waiting(store):
    """A manager whose one worker never comes, so that runs wait."""
    manager = Manager(store, WorkLimits(jobs=0, waiting=2))
    yield manager
    manager.close()


def test_fits_are_counted_as_they_are_made(request_of, store, syn, manager):
    request = request_of(folds=3, repeats=2)
    number = manager.submit(request, syn.train)
    assert manager.wait(number, PATIENCE)
    assert store.run(number).total == count_fits(request)
    grid = {"gamma1": [1.0, 2.0, 4.0]}
    pair = ["a", "b"]
    compared = ComparisonRequest(
        methods=["ridge", "lasso"], grids={"ridge": grid, "lasso": grid},
        splits=[pair] * 4,
    )  # fmt: skip
    assert count_fits(compared) == 2 * 3 * 5 * 4
    assert count_fits(StabilityRequest(setting={}, n_resamples=50)) == 50
    assert count_fits(FitRequest(setting={})) == 1
    assert count_fits(SearchRequest()) == 4_116 * 10  # without a grid: the paper's


def test_the_queue_has_an_end_and_goes_on_when_a_run_leaves(
    waiting, store, syn, request_of
):
    first = waiting.submit(request_of(), syn.train)
    waiting.submit(request_of(seed=1), syn.train)
    with pytest.raises(LimitError, match="2 runs are waiting already"):
        waiting.submit(request_of(seed=2), syn.train)
    assert len(store.runs()) == 2
    waiting.cancel(first)
    waiting.submit(request_of(seed=2), syn.train)
    with pytest.raises(LimitError, match="are waiting already"):
        waiting.resume(first)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (WorkLimits(fits=71), "the run has 72 fits, and the limit here is 71"),
        (WorkLimits(values=959), "960 values .* VSTG_MAX_VALUES"),
        (WorkLimits(coefficients=79), "80 coefficients .* VSTG_MAX_COEFFICIENTS"),
    ],
)
def test_a_run_that_is_too_large_leaves_no_trace(store, syn, request_of, limits, words):
    manager = Manager(store, limits)
    try:
        with pytest.raises(LimitError, match=words):
            manager.submit(request_of(), syn.train)
    finally:
        manager.close()
    assert store.runs() == []
    assert store.query("SELECT COUNT(*) AS n FROM data")[0]["n"] == 0


def test_a_run_of_another_server_goes_on_only_within_the_limits(store, syn, request_of):
    number = store.add_run(request_of(), syn.train)
    store.cancel(number)
    manager = Manager(store, WorkLimits(fits=71))
    try:
        with pytest.raises(LimitError, match="the run has 72 fits"):
            manager.resume(number)
    finally:
        manager.close()
    assert store.run(number).status == "cancelled"


def test_the_environment_sets_every_limit(monkeypatch):
    for number, one in enumerate(fields(WorkLimits), start=7):
        monkeypatch.setenv(f"VSTG_MAX_{one.name.upper()}", str(number))
        assert getattr(server_limits(), one.name) == number
        assert getattr(own_limits(), one.name) == number


@pytest.mark.parametrize("text", ["0", "-1", "many", "1e3", "²", "9" * 30])
def test_a_limit_that_is_none_is_refused(monkeypatch, text):
    monkeypatch.setenv("VSTG_MAX_FITS", text)
    with pytest.raises(LimitError, match=r"VSTG_MAX_FITS=.* is not a limit"):
        limits_of(WorkLimits())


def test_the_command_line_has_the_limits_that_are_set(
    tmp_path, monkeypatch, capsys, syn
):
    monkeypatch.chdir(tmp_path)
    syn.train.to_frame().to_csv("train.csv", index=False)
    line = (
        "search train.csv --task task --target target --n-latent 2 --k 1 --gamma1 1 2"
    )
    line += " --gamma2 1 --folds 2 -o search.csv"
    monkeypatch.setenv("VSTG_MAX_FITS", "3")
    assert main(line.split()) == 2
    assert "the run has 4 fits, and the limit here is 3" in capsys.readouterr().err
    assert not (tmp_path / "search.csv").exists()
    monkeypatch.setenv("VSTG_MAX_FITS", "4")
    assert main(line.split()) == 0
