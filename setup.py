"""What pyproject.toml cannot say: the dashboard goes into the wheel.

Streamlit wants app.py and pages/ side by side, and a checkout has them at its top. The
wheel has them, with the samples, the results and the settings, in ``vstg/_dashboard``.
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
FOLDERS = ("pages", "sample_data", "results")
FILES = ("app.py", ".streamlit/config.toml")


class BuildWithDashboard(build_py):
    """Copy the dashboard beside the modules; an editable install uses the checkout."""

    def run(self) -> None:
        """Build the modules, then the copy."""
        super().run()
        if self.editable_mode:
            return
        target = Path(self.build_lib) / "vstg" / "_dashboard"
        shutil.rmtree(target, ignore_errors=True)  # of an earlier build
        for name in FOLDERS:
            if not (ROOT / name).is_dir():  # results need not have been measured
                continue
            ignored = shutil.ignore_patterns("__pycache__", "*.pyc")
            shutil.copytree(ROOT / name, target / name, ignore=ignored)
        for name in FILES:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target / name)


setup(cmdclass={"build_py": BuildWithDashboard})
