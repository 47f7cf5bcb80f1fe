"""``vstg reproduce``: tables, figures and recovery, one module each."""

from vstg.commands.reproduce.tables import COMMAND

__all__ = ["COMMAND"]
