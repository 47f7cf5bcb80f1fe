"""A way to stop work at a chosen place, without any clock."""

from threading import Event


class StopAfter(Event):
    """Set once it has been looked at a number of times."""

    def __init__(self, looks):
        super().__init__()
        self.looks = looks

    def is_set(self):
        self.looks -= 1
        return self.looks < 0
