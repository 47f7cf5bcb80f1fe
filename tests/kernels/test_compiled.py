import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).with_name("uncompiled.py")


def test_no_fit_waits_for_the_compiler_once_all_is_compiled():
    done = subprocess.run(
        [sys.executable, str(SCRIPT)], capture_output=True, text=True, check=True
    )
    assert done.stdout == ""
