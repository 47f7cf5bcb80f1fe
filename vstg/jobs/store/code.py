"""The version of the numerical code."""

import hashlib
from functools import cache
from pathlib import Path

import vstg

# What decides on the numbers of a cell; pages, figures and names do not.
NUMERICAL = (
    "kernels/*.py",
    "solvers/*.py",
    "baselines/*.py",
    "model_selection/certainty.py",
    "model_selection/evaluation.py",
    "model_selection/folds.py",
    "model_selection/grid.py",
    "model_selection/methods.py",
    "model_selection/stability.py",
    "data/designs.py",
    "data/selection.py",
    "data/weights.py",
    "inspection/alignment.py",
    "losses.py",
    "metrics.py",
    "objective.py",
    "penalties.py",
    "problem.py",
    "statistics/*.py",
)


@cache
def code_version() -> str:
    """Return a digest of the numerical code; cells of other code are not reused."""
    root = Path(vstg.__file__).parent
    total = hashlib.sha256()
    for pattern in NUMERICAL:
        for path in sorted(root.glob(pattern)):
            total.update(path.relative_to(root).as_posix().encode())
            total.update(path.read_bytes())
    return total.hexdigest()[:16]
