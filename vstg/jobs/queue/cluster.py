"""Where fits run: on threads here, or on a Dask cluster (``vstg[cluster]``)."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event
from typing import Any

from vstg.model_selection.runners import Plan, Rows, Runner, Work

CONNECT_SECONDS = 10
IN_FLIGHT = 4  # chains sent ahead for each thread, so that no worker runs dry


@dataclass(frozen=True, eq=False)
class ClusterRunner:
    """Walks chains on a cluster; data travel once, rows come back as chains end.

    A chain that a worker takes down with it is walked again by another one. It begins
    cold wherever it is walked, so that the rows are those of a local search.
    """

    client: Any

    def run(
        self, plan: Plan, work: Sequence[Work], stop: Event
    ) -> Iterator[tuple[int, Rows]]:
        """Place in ``work`` and rows of each piece as it ends."""
        from distributed import as_completed

        if not work:
            return
        scattered = self.client.scatter(plan, broadcast=True, hash=False)
        waiting = iter(enumerate(work))
        places: dict[Any, int] = {}
        completed = as_completed(loop=self.client.loop)

        def send() -> None:
            for place, item in waiting:
                future = self.client.submit(walk_there, scattered, item, pure=False)
                places[future] = place
                completed.add(future)
                return

        for _ in range(IN_FLIGHT * max(1, self._n_threads())):
            send()
        try:
            for future in completed:
                rows = future.result()
                place = places.pop(future)
                if not stop.is_set():
                    send()
                yield place, rows
                if stop.is_set():
                    break
        finally:
            self.client.cancel(list(places))

    def _n_threads(self) -> int:
        return sum(self.client.nthreads().values())


def walk_there(plan: Plan, work: Work) -> Rows:
    """One chain, on the worker that was chosen."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        return plan.walk(work, Event())


@contextmanager
def cluster_runner(scheduler: str) -> Iterator[ClusterRunner]:
    """Connect to a scheduler such as ``tcp://10.0.0.1:8786``; ValueError if not."""
    try:
        from distributed import Client
    except ImportError as error:
        msg = "a cluster needs dask.distributed: pip install 'vstg[cluster]'"
        raise ValueError(msg) from error
    try:
        client = Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        msg = f"no Dask scheduler answers at {scheduler}: {error}"
        raise ValueError(msg) from error
    try:
        if not client.nthreads():
            msg = f"the scheduler at {scheduler} has no workers yet: start some"
            raise ValueError(msg)
        yield ClusterRunner(client)
    finally:
        client.close()


@contextmanager
def runner_at(scheduler: str | None) -> Iterator[Runner | None]:
    """Threads here (None), or the workers of a cluster."""
    if scheduler is None:
        yield None
        return
    with cluster_runner(scheduler) as runner:
        yield runner
