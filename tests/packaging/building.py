"""What pip asks of the project, without a network."""

import subprocess
import sys
from pathlib import Path

HOOK = "import sys, setuptools.build_meta as hook; hook.build_{}(sys.argv[1])"


def build(kind: str, source: Path, target: Path) -> Path:
    """Make an ``sdist`` or a ``wheel`` of a source folder; return the file."""
    target.mkdir(exist_ok=True)
    subprocess.run(
        [sys.executable, "-c", HOOK.format(kind), str(target)],
        cwd=source,
        check=True,
        capture_output=True,
        timeout=120,
    )
    (made,) = target.iterdir()
    return made
