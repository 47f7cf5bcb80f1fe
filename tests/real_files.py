"""Where the real data sets lie, which are not part of the project."""

import os
from pathlib import Path

import pytest

BESIDE = Path(__file__).parents[2] / "shared" / "data"
FILES = Path(os.environ.get("VSTG_DATA_DIR") or BESIDE)
needs_files = pytest.mark.skipif(
    not FILES.is_dir(), reason="VSTG_DATA_DIR names no folder with the real data sets"
)
