"""Every benchmark runs at its smallest size; what it measures is not judged here."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# bench_live and others that need a browser are exercised by the tests of the pages.
SMALL = [
    "bench_fit.py",
    "bench_search.py",
    "bench_algorithm1.py",
    "bench_coarse.py",
    "bench_peers.py",
    "bench_scale.py",
]


@pytest.mark.parametrize("name", SMALL)
def test_benchmark_runs(name):
    command = [sys.executable, str(ROOT / "benchmarks" / name), "--quick"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert "ratio" in done.stdout or "median" in done.stdout
