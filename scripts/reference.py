"""Write the Python reference from the docstrings.

    python scripts/reference.py [FOLDER]      # or: make docs

A name that cannot be imported, an annotation or a formula that cannot be read is an
error. The pages load nothing from elsewhere.
"""

import re
import sys
import warnings
from importlib import import_module
from inspect import isclass
from pathlib import Path
from pkgutil import iter_modules
from textwrap import dedent

import pdoc
import pdoc.doc
import pdoc.docstrings
import pdoc.render

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import vstg  # noqa: E402
from scripts.formulas import to_mathml  # noqa: E402
from vstg.data import Array  # noqa: E402

# Compiled loops are not called by users; `vstg --help` explains the command line.
INTERNAL = {"kernels", "commands", "__main__"}
LISTED = re.compile(r"(Parameters|Attributes|Returns)\n-+\n(?:.+\n?)+")
ITEM = re.compile(r"^(\S.*?) : (.*(?:\n +.*)*)", re.M)
DISPLAYED = re.compile(r"^( *)\.\. math:: (.+(?:\n\1 +\S.*)*)", re.M)
INLINE = re.compile(r":math:`([^`]+)`")


def modules() -> list[str]:
    """Everything right below the package that users may import."""
    names = sorted(module.name for module in iter_modules(vstg.__path__))
    return [name for name in names if name not in INTERNAL]


def announce(names: list[str]) -> None:
    """Let the package's own page list them; names made on demand are made now."""
    for name in vstg.__all__:
        setattr(vstg, name, getattr(vstg, name))
    for name in names:
        module = import_module(f"vstg.{name}")
        for member in getattr(module, "__all__", ()):
            if isclass(getattr(module, member)):
                show_inherited(getattr(module, member))
    vstg.__all__ = list(dict.fromkeys([*vstg.__all__, *names]))


def show_inherited(cls: type) -> None:
    """List what a class has from bases without a page, and nothing of scikit-learn."""
    for base in cls.__mro__[1:]:
        if base.__module__.startswith("vstg."):
            for name, member in vars(base).items():
                if not name.startswith("_") and name not in vars(cls):
                    setattr(cls, name, member)
    for name in [n for n in vars(cls) if re.fullmatch("set_.*_request", n)]:
        delattr(cls, name)


def with_formulas(text: str) -> str:
    """The formulas of a docstring as MathML."""
    text = DISPLAYED.sub(lambda m: f"{m[1]}{to_mathml(m[2], display=True)}\n", text)
    # Within a span: Markdown takes a line that begins with <math> for a paragraph.
    return INLINE.sub(lambda m: f"<span>{to_mathml(m[1])}</span>", text)


def with_items(text: str) -> str:
    """``name : what it is`` without a type, which pdoc would put into brackets."""

    def item(match: re.Match[str]) -> str:
        first, *rest = match[2].split("\n")
        if rest and re.match(" *([A-Z]|:math:)", rest[0]):
            return match[0]  # a type, then sentences
        words = " ".join(part.strip() for part in (first, *rest))
        return f"{match[1]}\n    {words}"

    return LISTED.sub(lambda section: ITEM.sub(item, section[0]), text)


def teach_pdoc() -> None:
    """Formulas and items as above; arrays of numbers by the name they have here."""
    rst, shorten = pdoc.docstrings.rst, pdoc.doc._remove_collections_abc
    pdoc.docstrings.rst = lambda text, source: rst(
        with_formulas(with_items(dedent(text).replace(":`~", ":`"))), source
    )
    pdoc.doc._remove_collections_abc = lambda text: shorten(text).replace(
        pdoc.doc.formatannotation(Array), "Array"
    )


def write(folder: Path) -> Path:
    """One page per module and an index; returns the index."""
    announce(modules())
    teach_pdoc()
    pdoc.render.configure(docformat="numpy", footer_text="vstg", show_source=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pdoc.pdoc("vstg", output_directory=folder)
    return folder / "index.html"


if __name__ == "__main__":
    print(write(Path(sys.argv[1]) if sys.argv[1:] else ROOT / "build" / "reference"))
