"""Every benchmark runs at its smallest size; what it measures is not judged here."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# bench_live and others that need a browser are exercised by the tests of the pages.
SMALL = {  # what it prints
    "bench_fit.py": "median",
    "bench_search.py": "ratio",
    "bench_algorithm1.py": "median",
    "bench_coarse.py": "ratio",
    "bench_discovery.py": "discover",
    "bench_restarts.py": "starts",
    "bench_peers.py": "times as long",
    "bench_scale.py": "Largest ratio",
    "bench_transfer.py": "known bases",
    "profile_fit.py": "%  descent.descend",
}


# Ten seconds or more even at their smallest size.
LONG = (
    "bench_coarse.py", "bench_discovery.py", "bench_peers.py", "bench_restarts.py",
)  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.slow) if n in LONG else n for n in SMALL],
)
def test_benchmark_runs(name):
    command = [sys.executable, str(ROOT / "benchmarks" / name), "--quick"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert SMALL[name] in done.stdout
