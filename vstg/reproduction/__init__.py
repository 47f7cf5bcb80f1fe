"""The paper's exhibits: what it printed, how it was measured, and the same anew.

``vstg reproduce`` and the Reproduce page run these experiments as jobs.
"""

from vstg.reproduction.exhibits import EXHIBITS, Exhibit, get_exhibit
from vstg.reproduction.experiment import Outcome, run_piece
from vstg.reproduction.protocol import EFFORTS, Effort, get_effort
from vstg.reproduction.sets import DATA_SETS, DataSet, Experiment, get_data_set

__all__ = [
    "DATA_SETS",
    "EFFORTS",
    "EXHIBITS",
    "DataSet",
    "Effort",
    "Exhibit",
    "Experiment",
    "Outcome",
    "get_data_set",
    "get_effort",
    "get_exhibit",
    "run_piece",
]
