"""Who works on runs, how many at a time, and for whom."""

from vstg.jobs.queue.attempt import do_run
from vstg.jobs.queue.manager import Manager

__all__ = ["Manager", "do_run"]
