"""Every benchmark runs; what it measures is not judged here."""

import runpy
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
    "equal_accuracy.py": "Versions",
    "bench_scale.py": "Largest ratio",
    "bench_intervals.py": "covered",
    "bench_transfer.py": "known bases",
    "profile_fit.py": "%  descent.descend",
}


SCRIPTS = [
    path
    for folder in ("benchmarks", "scripts")
    for path in sorted((ROOT / folder).glob("*.py"))
    if "__main__" in path.read_text("utf-8")
]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_what_a_script_imports_is_there(script, monkeypatch):
    monkeypatch.syspath_prepend(script.parent)
    assert runpy.run_path(str(script))


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_benchmark_runs(name):
    command = [sys.executable, str(ROOT / "benchmarks" / name), "--quick"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert SMALL[name] in done.stdout
