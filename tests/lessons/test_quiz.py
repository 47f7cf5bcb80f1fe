"""The quiz file, read as Moodle reads it, and its answers computed in other ways."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from vstg.lessons.quiz import KINDS, TOLERANCE, moodle_xml, questions

COUNT = 25
NUMBER = r"(?<![\w.])-?\d+(?:\.\d+)?"


@pytest.fixture(scope="module")
def quiz():
    return ElementTree.fromstring(moodle_xml(COUNT))


def numbers(text):
    return [float(n) for n in re.findall(NUMBER, text)]


def product(text):
    values = numbers(text)
    return sum(a * b for a, b in zip(values[:3], values[3:6], strict=True))


def soft(text):
    strength, a = numbers(text)
    grid = np.linspace(-4, 4, 8001)
    return grid[np.argmin(strength * abs(grid) + (grid - a) ** 2 / 2)]


def clipped(text):
    a1, a2, strength = numbers(text)[:3]
    at = np.linspace(-3.1, 3.1, 1241)
    p1, p2 = np.meshgrid(at, at, indexing="ij")
    value = strength * np.maximum(abs(p1), abs(p2))
    value += ((p1 - a1) ** 2 + (p2 - a2) ** 2) / 2
    return at[np.unravel_index(value.argmin(), value.shape)[0]]


def penalty(text):
    rows = [numbers(part) for part in re.findall(r"\(([^)]*)\)", text)]
    g1, g2 = (float(n) for n in re.findall(r"γ\d = ([\d.]+)", text))
    return sum(g1 * sum(map(abs, r)) + g2 * max(map(abs, r)) for r in rows)


def k_support(text):
    *w, k = numbers(text)
    return sum(map(abs, w)) if k == 1 else np.linalg.norm(w)


def rescaled(text):
    u, v = numbers(text)[:2]
    found = minimize_scalar(
        lambda s: s * u + v / s**2, bounds=(0.1, 10), method="bounded"
    )
    return found.x


ORACLES = dict(
    zip(KINDS, (product, soft, clipped, penalty, k_support, rescaled), strict=True)
)


@pytest.mark.parametrize("kind", KINDS)
def test_answers_are_right_and_the_numbers_are_in_the_question(quiz, kind):
    entries = [
        q for q in quiz.iter("question")
        if q.get("type") == "numerical" and q.findtext("name/text").startswith(kind)
    ]  # fmt: skip
    assert len(entries) == COUNT
    texts = {q.findtext("questiontext/text") for q in entries}
    assert len(texts) > 0.7 * COUNT  # students get other numbers
    for entry in entries:
        answer = entry.find("answer")
        assert answer.get("fraction") == "100"
        assert float(answer.findtext("tolerance")) == TOLERANCE
        expected = ORACLES[kind](entry.findtext("questiontext/text"))
        assert float(answer.findtext("text")) == pytest.approx(expected, abs=0.006)


def test_each_kind_is_a_category_of_its_own(quiz):
    named = [q.findtext("category/text") for q in quiz.iter("question")]
    assert [n.rpartition("/")[2] for n in named if n] == list(KINDS)


def test_draws_depend_on_their_seed_and_place_only():
    kind = "Prox of the maximum"
    assert questions(kind, 3, seed=1) == questions(kind, 9, seed=1)[:3]
    assert questions(kind, 3, seed=1) != questions(kind, 3, seed=2)
