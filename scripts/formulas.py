"""Formulas of docstrings as MathML, which browsers show without a network.

Supports the part of TeX that the docstrings use; an unknown command is an error, so
that no formula reaches a page as raw TeX.
"""

import re
from html import escape

TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|\d+(?:\.\d+)?|[a-zA-Z]{3,}|\S")
LETTERS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "varepsilon": "ε",
    "eta": "η", "lambda": "λ", "theta": "θ", "mu": "μ", "pi": "π", "sigma": "σ",
    "varphi": "φ", "Sigma": "Σ", "Omega": "Ω", "Phi": "Φ", "nabla": "∇", "infty": "∞",
}  # fmt: skip
SIGNS = {
    "in": "∈", "times": "×", "ge": "≥", "le": "≤", "sim": "∼", "mid": "∣", "circ": "∘",
    "preceq": "⪯", "langle": "⟨", "rangle": "⟩", "\\|": "‖",
    # The usual signs: a hyphen is no minus, and Markdown would take the star.
    "-": "−", "*": "∗", "'": "′",
}  # fmt: skip
FUNCTIONS = ("log", "ln", "cos")
WITH_LIMITS = {"sum": "∑", "max": "max", "min": "min"}
ACCENTS = {"bar": "¯", "hat": "^", "tilde": "~"}
SPACES = {",": "0.17em", ";": "0.28em", "quad": "1em"}


def to_mathml(tex: str, *, display: bool = False) -> str:
    """One formula, within a line or on its own line."""
    how = ' display="block"' if display else ""
    return f"<math{how}>{Formula(tex).row()}</math>"


class Formula:
    """Reads TeX from left to right."""

    def __init__(self, tex: str) -> None:
        self.tex = tex
        self.tokens = TOKEN.findall(tex)[::-1]  # the next one last

    def row(self) -> str:
        """Everything up to the end or the closing brace."""
        parts = []
        while self.tokens and self.tokens[-1] != "}":
            parts.append(self.with_scripts())
        return "<mrow>" + "".join(parts) + "</mrow>"

    def with_scripts(self) -> str:
        """An atom with its subscript and superscript."""
        limits = self.tokens[-1].removeprefix("\\") in WITH_LIMITS
        atom = self.atom()
        scripts = {}
        while self.tokens and self.tokens[-1] in ("_", "^"):
            sign = self.tokens.pop()
            scripts[sign] = self.atom()
        if not scripts:
            return atom
        names = {"_": "munder" if limits else "msub", "^": "msup"}
        name = "msubsup" if len(scripts) == 2 else names[next(iter(scripts))]
        below_first = "".join(scripts[sign] for sign in "_^" if sign in scripts)
        return f"<{name}>{atom}{below_first}</{name}>"

    def atom(self) -> str:
        """A letter, number or sign, or what a command makes of its arguments."""
        if not self.tokens:
            msg = f"the formula {self.tex!r} ends too early"
            raise ValueError(msg)
        piece = self.tokens.pop()
        if piece == "{":
            inner = self.row()
            self.tokens.pop()
            return inner
        if piece.startswith("\\"):
            return self.command(piece[1:])
        if piece[0].isdigit():
            return f"<mn>{piece}</mn>"
        if piece[0].isalpha():
            return f"<mi>{piece}</mi>"
        return self.sign(piece)

    def command(self, name: str) -> str:
        """The MathML of a command and its arguments."""
        if name in LETTERS:
            return f"<mi>{LETTERS[name]}</mi>"
        if name in FUNCTIONS:
            return f"<mi>{name}</mi>"
        if name in WITH_LIMITS:
            return f'<mo movablelimits="true">{WITH_LIMITS[name]}</mo>'
        if name in ("frac", "tfrac"):
            return f"<mfrac>{self.argument()}{self.argument()}</mfrac>"
        if name == "sqrt":
            return f"<msqrt>{self.argument()}</msqrt>"
        if name in ("left", "right"):  # browsers choose the height of a fence
            return self.atom()
        if name in ACCENTS:
            over = f"{self.argument()}<mo>{ACCENTS[name]}</mo>"
            return f'<mover accent="true">{over}</mover>'
        if name in ("mathrm", "text"):
            return f"<mtext>{self.word()}</mtext>"
        if name in SPACES:
            return f'<mspace width="{SPACES[name]}"/>'
        if name in SIGNS or name == "|":
            return self.sign("\\|" if name == "|" else name)
        msg = f"\\{name} in the formula {self.tex!r} is unknown: add it to formulas.py"
        raise ValueError(msg)

    def argument(self) -> str:
        r"""One atom; of a number its first digit, as in \tfrac12."""
        if self.tokens and self.tokens[-1].isdigit():
            first, *rest = self.tokens.pop()
            self.tokens.extend(["".join(rest)] if rest else [])
            return f"<mn>{first}</mn>"
        return self.atom()

    def word(self) -> str:
        """The letters within a pair of braces."""
        self.tokens.pop()
        letters = ""
        while self.tokens[-1] != "}":
            letters += self.tokens.pop()
        self.tokens.pop()
        return letters

    @staticmethod
    def sign(name: str) -> str:
        """An operator or a fence, as high as its line."""
        return f'<mo stretchy="false">{escape(SIGNS.get(name, name))}</mo>'
