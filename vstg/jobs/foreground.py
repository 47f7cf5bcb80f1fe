"""A search in this process whose cells go to a store, as the command line runs it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

from vstg.data import MultiTaskData
from vstg.jobs import runs as status
from vstg.jobs.cells import StoredCells
from vstg.jobs.place import runner_at
from vstg.jobs.requests import SearchRequest
from vstg.jobs.store import Store
from vstg.jobs.work import write_best
from vstg.jobs.worker import describe, watched


@contextmanager
def recorded(
    path: str | Path | None,
    request: SearchRequest,
    data: MultiTaskData,
    validation: MultiTaskData | None = None,
    name: str = "",
) -> Iterator[dict[str, Any]]:
    """Options for :func:`vstg.model_selection.search_grid` that keep its cells.

    The run is in the history from the beginning, and can be cancelled from there.
    Without a path nothing is kept.
    """
    with runner_at(request.scheduler) as runner:
        if path is None:
            yield {"runner": runner}
            return
        with Store(path) as store:
            if validation is not None:
                store.add_data(validation)
            number = store.add_run(
                request, data, data_name=name, name=name, run_status=status.RUNNING
            )
            try:
                with watched(Path(path), number) as stop:
                    cells = StoredCells(store, store.run(number))
                    yield {"runner": runner, "storage": cells, "stop": stop}
            except BaseException as error:
                words = describe(error) if isinstance(error, Exception) else ""
                store.finish(number, status.FAILED, words)
                raise
            finish(store, number, stop)


def finish(store: Store, number: int, stop: Event) -> None:
    """Write whether all cells were judged, and which setting is best."""
    run = store.run(number)
    write_best(store, run)
    complete = not stop.is_set() and run.done == run.total
    store.finish(number, status.DONE if complete else status.CANCELLED)
