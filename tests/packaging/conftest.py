"""The wheel as users get it: built from the source archive, in a clean environment."""

import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from building import build

ROOT = Path(__file__).parents[2]
SOURCES = (
    *("app.py", "pages", "sample_data", "results", ".streamlit", "vstg"),
    *("setup.py", "pyproject.toml", "MANIFEST.in"),
    *("README.md", "LICENSE", "CHANGELOG.md"),
)


@pytest.fixture(scope="session")
def sources(tmp_path_factory) -> Path:
    """A copy of what is built, so that nothing is left in the checkout."""
    copy = tmp_path_factory.mktemp("build") / "copy"
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", "secrets.toml")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=ignored)
        else:
            copy.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, copy)
    return copy


@pytest.fixture(scope="session")
def sdist(sources) -> Path:
    """The source archive."""
    return build("sdist", sources, sources.parent / "sdist")


@pytest.fixture(scope="session")
def wheel(sdist) -> Path:
    """The wheel, built from the source archive alone."""
    unpacked = sdist.parents[1] / "unpacked"
    shutil.unpack_archive(sdist, unpacked)
    (source,) = unpacked.iterdir()
    return build("wheel", source, sdist.parents[1] / "wheel")


@pytest.fixture(scope="session")
def installed(wheel) -> Path:
    """An environment with nothing but the wheel; returns its folder of programs.

    The packages that vstg needs are lent by the environment of the tests. Its own vstg
    is not: that one is editable, and the files which make it so are not read from here.
    """
    folder = wheel.parents[1] / "clean"
    venv.create(folder, symlinks=True)
    programs = folder / "bin"
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(programs / "python"), "install",
         "-qq", "--no-deps", "--no-index", "--no-compile", str(wheel)],
        check=True,
        timeout=120,
    )  # fmt: skip
    (packages,) = folder.glob("lib/python*/site-packages")
    lent = "\n".join(path for path in sys.path if path.endswith("site-packages"))
    (packages / "lent.pth").write_text(lent)
    return programs
