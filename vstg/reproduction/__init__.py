"""The paper's tables and figures: printed values, protocol, and how to re-run them.

``vstg reproduce`` and the Reproduce page run these experiments as jobs.
"""

from vstg.reproduction.benchmarks import BENCHMARKS, Benchmark, get_benchmark
from vstg.reproduction.exhibits import EXHIBITS, Exhibit, get_exhibit
from vstg.reproduction.experiment import Outcome, run_piece
from vstg.reproduction.protocol import EFFORTS, Effort, get_effort

__all__ = [
    "BENCHMARKS",
    "EFFORTS",
    "EXHIBITS",
    "Benchmark",
    "Effort",
    "Exhibit",
    "Outcome",
    "get_benchmark",
    "get_effort",
    "get_exhibit",
    "run_piece",
]
