"""Write the Python reference from the docstrings.

    python scripts/reference.py [FOLDER]      # or: make docs

A name that cannot be imported or an annotation that cannot be read is an error.
"""

import sys
import warnings
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pdoc
import pdoc.render

import vstg

ROOT = Path(__file__).parents[1]
# Compiled loops are not called by users; `vstg --help` explains the command line.
INTERNAL = {"kernels", "commands", "__main__"}


def modules() -> list[str]:
    """Everything right below the package that users may import."""
    names = sorted(module.name for module in iter_modules(vstg.__path__))
    return [name for name in names if name not in INTERNAL]


def announce(names: list[str]) -> None:
    """Let the package's own page list them; names made on demand are made now."""
    for name in vstg.__all__:
        setattr(vstg, name, getattr(vstg, name))
    for name in names:
        import_module(f"vstg.{name}")
    vstg.__all__ = list(dict.fromkeys([*vstg.__all__, *names]))


def write(folder: Path) -> Path:
    """One page a module and an index; returns the index."""
    announce(modules())
    pdoc.render.configure(
        docformat="numpy", footer_text="vstg", math=True, show_source=False
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pdoc.pdoc("vstg", output_directory=folder)
    return folder / "index.html"


if __name__ == "__main__":
    print(write(Path(sys.argv[1]) if sys.argv[1:] else ROOT / "build" / "reference"))
