"""A table of the paper as a run: stopped, resumed, read."""

from threading import Event

from vstg.jobs import ReproductionRequest
from vstg.jobs.kinds.reproduction import (
    ReproductionKind,
    begin,
    find_run,
    results_of,
)
from vstg.jobs.store import Store

REQUEST = ReproductionRequest(
    exhibit="table1",
    effort="quick",
    sets=["syn1"],
    columns=["lasso", "mmtfl"],
    repetitions=2,
)


def test_a_stopped_table_goes_on_where_it_was(tmp_path):
    with Store(tmp_path / "runs.sqlite") as store:
        run, stop, seen = begin(store, REQUEST), Event(), []

        def note(piece, outcome):
            seen.append(piece.name)
            if len(seen) == 3:
                stop.set()

        ReproductionKind().run(store, run, stop, note)
        partly = results_of(store, store.run(run.id))
        assert partly is not None
        assert len(partly.outcomes) == 3
        store.finish(run.id, "cancelled")

        again = begin(store, REQUEST)
        assert again.id == run.id
        ReproductionKind().run(store, again, Event(), note)
        assert seen[3:] == ["syn1/mmtfl/1"]
        store.finish(run.id, "done")
        whole = results_of(store, store.run(run.id))
        assert whole is not None
        assert len(whole.outcomes) == 4
        assert store.run(run.id).share == 1.0
        assert whole.coefficients["syn1", "lasso", 0].shape == (25, 20)


def test_a_finished_table_is_found_whoever_computes_it(tmp_path):
    with Store(tmp_path / "runs.sqlite") as store:
        run = begin(store, REQUEST)
        store.finish(run.id, "done")
        elsewhere = ReproductionRequest(**{**vars(REQUEST), "n_jobs": 4})
        found = find_run(store, elsewhere)
        assert found is not None and found.id == run.id
        other = ReproductionRequest(**{**vars(REQUEST), "repetitions": 3})
        assert find_run(store, other) is None


def test_a_larger_table_takes_over_what_a_smaller_one_has(tmp_path):
    small = ReproductionRequest(**{**vars(REQUEST), "columns": ["lasso"]})
    with Store(tmp_path / "runs.sqlite") as store:
        run = begin(store, small)
        ReproductionKind().run(store, run, Event())
        store.finish(run.id, "done")
        seen = []
        larger = begin(store, REQUEST)
        assert larger.id != run.id
        ReproductionKind().run(
            store, larger, Event(), lambda piece, _: seen.append(piece)
        )
        assert {piece.column.name for piece in seen} == {"mmtfl"}
        whole = results_of(store, store.run(larger.id))
        assert whole is not None
        assert len(whole.outcomes) == 4
