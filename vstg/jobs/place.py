"""Where the fits of a run are made."""

from collections.abc import Iterator
from contextlib import contextmanager

from vstg.model_selection.runners import Runner


@contextmanager
def runner_at(scheduler: str | None) -> Iterator[Runner | None]:
    """Threads here (None), or the workers of a cluster."""
    if scheduler is None:
        yield None
        return
    # Only now: dask.distributed is an optional extra.
    from vstg.jobs.cluster import cluster_runner

    with cluster_runner(scheduler) as runner:
        yield runner
