"""The queue: worker processes, limits, and who owns which run."""

from vstg.jobs.queue.attempt import do_run
from vstg.jobs.queue.manager import Manager

__all__ = ["Manager", "do_run"]
