"""Formulas of the reference are right, and unknown TeX is an error."""

import re

import pytest

from scripts.formulas import to_mathml


def bare(tex):
    """The formula without the marks of operators."""
    return re.sub(r' (stretchy|movablelimits|accent)="\w+"', "", to_mathml(tex))[12:-14]


@pytest.mark.parametrize(
    ("tex", "mathml"),
    [
        ("w_j", "<msub><mi>w</mi><mi>j</mi></msub>"),
        ("v^{*s}", "<msup><mi>v</mi><mrow><mo>∗</mo><mi>s</mi></mrow></msup>"),
        ("x^n_j", "<msubsup><mi>x</mi><mi>j</mi><mi>n</mi></msubsup>"),
        (r"\tfrac12", "<mfrac><mn>1</mn><mn>2</mn></mfrac>"),
        (r"27/4", "<mn>27</mn><mo>/</mo><mn>4</mn>"),
        (r"\|u|", "<mo>‖</mo><mi>u</mi><mo>|</mo>"),
        (r"\sum_j", "<munder><mo>∑</mo><mi>j</mi></munder>"),
        (r"\bar x - y", "<mover><mi>x</mi><mo>¯</mo></mover><mo>−</mo><mi>y</mi>"),
        (r"\sqrt\mu < 1", "<msqrt><mi>μ</mi></msqrt><mo>&lt;</mo><mn>1</mn>"),
        (r"\mathrm{diag}(c)", "<mtext>diag</mtext><mo>(</mo><mi>c</mi><mo>)</mo>"),
    ],
)
def test_a_formula_is_what_tex_would_show(tex, mathml):
    assert bare(tex) == mathml


@pytest.mark.parametrize("tex", [r"\oint x", "x_", r"\frac{1}"])
def test_what_cannot_be_read_is_an_error(tex):
    with pytest.raises(ValueError, match="formula"):
        to_mathml(tex)
