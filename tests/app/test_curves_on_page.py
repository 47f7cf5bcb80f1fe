"""The curves below the sliders of Explore."""

import re
from urllib.parse import unquote

import pytest

from pages.explore import words
from pages.shared.fits import curves, live
from pages.shared.state.choices import choices
from vstg.plots.sparkline import HEIGHT, MARGIN, curve_html


@pytest.fixture(autouse=True)
def with_curves(monkeypatch):
    """Here there are curves."""
    monkeypatch.delenv(curves.VARIABLE)


def labels(app):
    """What the curves on the page say, by symbol."""
    pieces = [html.value for html in app.get("html")]
    found = (
        re.search(r'<span class="vstg-curve" .*?aria-label="(.*?)"', p) for p in pieces
    )
    said = [match[1] for match in found if match]
    return {re.search(r"for (\S+) from", text)[1]: text for text in said}


def legend(app):
    pieces = [html.value for html in app.get("html")]
    return next((p for p in pieces if "error curves" in p or "held-out rows:" in p), "")


def test_every_slider_has_its_curve_after_the_picture(open_app, monkeypatch):
    live.warm_up()
    app = open_app(cut=20, refit="true")
    assert set(labels(app)) == {"K", "k", "γ₁", "γ₂", "μ", "cut"}
    assert "at 5, where it is now" in labels(app)["K"]
    assert "held-out rows:" in legend(app)
    # Moving a slider leaves its own curve: only the mark moves, and nothing is fitted.
    computed = []
    compute = curves.compute
    monkeypatch.setattr(
        curves, "compute", lambda *args: computed.append(args[1]) or compute(*args)
    )
    app.slider(key="g2").set_value(-2).run()
    assert "gamma2" not in computed
    assert set(computed) == {"n_latent", "k", "gamma1", "mu", "cut"}
    assert "at 2⁻², where it is now" in labels(app)["γ₂"]
    # Back again: everything is remembered.
    computed.clear()
    app.slider(key="g2").set_value(-4).run()
    assert computed == []
    # A visitor who does not want them has none; slow fits have a sentence.
    app.toggle(key="curves").set_value(False).run()
    assert labels(app) == {}
    assert legend(app) == ""
    monkeypatch.setattr(curves, "QUICK_FIT", 0.0)
    app.toggle(key="curves").set_value(True).run()
    assert labels(app) == {}
    assert words.CURVES_SLOW in legend(app)


def test_too_slow_after_all_is_said(open_app, monkeypatch):
    monkeypatch.setattr(curves, "MOST_SECONDS", -1.0)
    app = open_app(seed=4321)
    assert labels(app) == {}
    assert words.CURVES_SLOW in legend(app)
    assert not app.exception


def test_typed_value_is_a_point_of_its_curve():
    chosen = choices({"exact": "g1=0.3", "g1": -2})
    values = curves.values_of(chosen, "gamma1")
    assert chosen.settings.gamma1 == 0.3
    assert 0.3 in values
    assert len(values) == 15
    assert len(curves.values_of(chosen, "cut")) == 11


def heights(html):
    """The points of the line, out of the mask that draws it."""
    (path,) = re.findall(r'd="M([^"]*)"', unquote(html.split("mask-image:")[1]))
    return [tuple(map(float, point.split())) for point in path.split("L")]


@pytest.mark.parametrize("stale", [False, True])
def test_picture_marks_now_and_lowest(stale):
    html = curve_html(
        [1, 2, 3], [4.0, 1.0, 2.0], span=(1, 5), now=3, least=2, label="a <b>",
        stale=stale,
    )  # fmt: skip
    (x0, y0), (x1, y1), (x2, y2) = heights(html)
    assert (x0, x1, x2) == (0, 25, 50)
    assert (y0, y1) == (MARGIN, HEIGHT - MARGIN)  # low error, low on the page
    assert f'class="least" style="left:25.00%;top:{100 * y1 / HEIGHT:.2f}%"' in html
    assert 'class="now" style="left:50.00%;top:' in html
    assert y0 < y2 < y1
    assert 'aria-label="a &lt;b&gt;"' in html
    assert ("stale" in html) == stale


def test_flat_curve_looks_flat():
    html = curve_html([0, 1], [1.0, 1.0001], span=(0, 1), now=0, least=0, label="")
    (_, left), (_, right) = heights(html)
    assert abs(left - right) < 1


def test_a_server_may_have_them_switched_off(open_app, monkeypatch):
    monkeypatch.setenv(curves.VARIABLE, "off")
    app = open_app()
    assert not labels(app)
    assert any(words.CURVES_OFF in html.value for html in app.get("html"))
