"""The benchmark of long work runs at its smallest size; nothing is judged here."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize("part", ["store", "cluster"])
def test_benchmark_of_long_work_runs(part):
    command = [sys.executable, "benchmarks/bench_jobs.py", "--quick", "--only", part]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert "median" in done.stdout or "overhead" in done.stdout
