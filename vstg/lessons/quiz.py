"""Numerical questions whose numbers are drawn from seeds, as a file for Moodle.

Every kind of question is a category with many draws. A Moodle quiz that takes one
random question from each category gives every student other numbers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from xml.etree import ElementTree  # nosec B405: it only writes

import numpy as np

from vstg.data import Array
from vstg.penalties import L1, L1Inf, k_support_norm

TOLERANCE = 0.01
Rng = np.random.Generator


@dataclass(frozen=True)
class DrawnQuestion:
    """A question, its answer, and how the answer is found."""

    text: str
    answer: float
    why: str


def row(values: Array) -> str:
    """(1.2, −0.5) with a plain minus sign, as students will type it."""
    return "(" + ", ".join(f"{v:g}" for v in values) + ")"


def drawn(rng: Rng, count: int, low: float = 0.2, high: float = 3.0) -> Array:
    """Numbers with one decimal and random signs, none of them zero."""
    values = rng.uniform(low, high, count) * rng.choice([-1, 1], count)
    return np.asarray(values.round(1))


def product(rng: Rng) -> DrawnQuestion:
    """An entry of W = U V (lesson 2)."""
    u, v = (rng.integers(-3, 4, 3).astype(float) for _ in range(2))
    text = (
        f"Row i of U is {row(u)} and column j of V is {row(v)}. "
        "What is the entry of W = UV in row i and column j?"
    )
    return DrawnQuestion(
        text, float(u @ v), "It is the sum of the products, basis by basis."
    )


def soft(rng: Rng) -> DrawnQuestion:
    """The prox of l1 (lesson 4)."""
    a, g = float(drawn(rng, 1)[0]), float(rng.choice([0.25, 0.5, 0.75, 1.0]))
    text = f"What is the prox of {g:g}·|p| at a = {a:g}?"
    why = "The size of a falls by the strength, and to zero if it is smaller."
    return DrawnQuestion(text, float(L1(g).prox(np.array([[a]]), 1.0)[0, 0]), why)


def clipped(rng: Rng) -> DrawnQuestion:
    """The prox of the l∞ norm of a row (lesson 4)."""
    a, g = drawn(rng, 2), float(rng.choice([0.5, 1.0, 1.5]))
    p = L1Inf(g).prox(a[None], 1.0)[0]
    text = (
        f"A row of U is a = {row(a)}. What is the first entry of the prox of "
        f"{g:g}·max(|p1|, |p2|) at a? Two decimals are enough."
    )
    why = "The largest sizes fall together, by the strength in total."
    return DrawnQuestion(text, float(p[0]), why)


def penalty(rng: Rng) -> DrawnQuestion:
    """The penalties of U (lesson 5)."""
    U = np.stack([drawn(rng, 2), drawn(rng, 2), np.zeros(2)])
    g1, g2 = (float(rng.choice([0.5, 1.0, 2.0])) for _ in range(2))
    value = g1 * np.abs(U).sum() + g2 * np.abs(U).max(axis=1).sum()
    text = (
        f"U has the rows {row(U[0])}, {row(U[1])} and {row(U[2])}. With strengths "
        f"γ1 = {g1:g} and γ2 = {g2:g}, what is γ1·‖U‖1 + γ2·‖U‖1,∞?"
    )
    why = "The first norm adds all sizes, the second the largest size of every row."
    return DrawnQuestion(text, float(value), why)


def k_support(rng: Rng) -> DrawnQuestion:
    """The k-support norm at its two ends (lesson 3)."""
    w, k = drawn(rng, 3), int(rng.choice([1, 3]))
    text = f"What is the k-support norm of w = {row(w)} for k = {k}? Two decimals."
    why = "For k = 1 it is the l1 norm, for k = 3, the number of entries, the l2 norm."
    return DrawnQuestion(text, float(k_support_norm(w, k)), why)


def rescaled(rng: Rng) -> DrawnQuestion:
    """The best scale of (sU, V/s) (lesson 5)."""
    u, v = (float(x) for x in rng.uniform(1, 6, 2).round(1))
    text = (
        f"The penalties of U are {u:g} and that of V is {v:g}. Which s > 0 makes the "
        "penalties of (sU, V/s) smallest? Two decimals."
    )
    why = "s·u + v/s² has the derivative u − 2v/s³, which is zero at s³ = 2v/u."
    return DrawnQuestion(text, float((2 * v / u) ** (1 / 3)), why)


KINDS: dict[str, Callable[[Rng], DrawnQuestion]] = {
    "An entry of W": product,
    "Prox of l1": soft,
    "Prox of the maximum": clipped,
    "Penalties of U": penalty,
    "k-support norm": k_support,
    "Best scale": rescaled,
}


def questions(kind: str, count: int, seed: int = 0) -> list[DrawnQuestion]:
    """The first ``count`` draws of one kind; draw i depends on the seed and i only."""
    number = list(KINDS).index(kind)
    return [KINDS[kind](np.random.default_rng([seed, number, i])) for i in range(count)]


def moodle_xml(count: int, seed: int = 0) -> bytes:
    """All kinds as categories of numerical questions, in Moodle's XML format."""
    quiz = ElementTree.Element("quiz")
    for kind in KINDS:
        head = ElementTree.SubElement(quiz, "question", type="category")
        _text(ElementTree.SubElement(head, "category"), f"$course$/top/VSTG/{kind}")
        for place, drawn_question in enumerate(questions(kind, count, seed), start=1):
            _numerical(quiz, f"{kind} {place}", drawn_question)
    ElementTree.indent(quiz)
    return bytes(ElementTree.tostring(quiz, encoding="utf-8", xml_declaration=True))


def _numerical(quiz: ElementTree.Element, name: str, drawn: DrawnQuestion) -> None:
    entry = ElementTree.SubElement(quiz, "question", type="numerical")
    _text(ElementTree.SubElement(entry, "name"), name)
    _text(
        ElementTree.SubElement(entry, "questiontext", format="plain_text"), drawn.text
    )
    _text(ElementTree.SubElement(entry, "generalfeedback", format="plain_text"),
          f"{drawn.answer + 0.0:.4g}. {drawn.why}")  # fmt: skip
    answer = ElementTree.SubElement(entry, "answer", fraction="100")
    _text(answer, f"{drawn.answer + 0.0:.10g}")
    ElementTree.SubElement(answer, "tolerance").text = f"{TOLERANCE}"


def _text(parent: ElementTree.Element, words: str) -> None:
    ElementTree.SubElement(parent, "text").text = words
