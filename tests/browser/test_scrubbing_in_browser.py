"""The picture follows a curve or a slider by frames that the browser has."""

import pytest

from pages.shared.fits import curves
from scripts.dashboard_server import PICTURE
from vstg.plots.sparkline import HEIGHT

DRAWN = "document.querySelector('.st-key-scheme canvas').dataset.drawn"
LOCAL = "window.vstgScrub.local"


@pytest.fixture
def with_curves(fresh_server, monkeypatch):
    """A server that computes curves and frames."""
    monkeypatch.delenv(curves.VARIABLE)
    with fresh_server() as address:
        yield address


def handle(page, key):
    return page.locator(f".vstg-curve[data-key={key}] .scrub")


def wait_for_frames(page, key):
    page.wait_for_function(f"window.vstgFrames?.key === '{key}'")


def test_picture_follows_curve_and_slider_without_the_server(with_curves, open_page):
    page = open_page(f"{with_curves}/?g1=-5&seed=1")
    handle(page, "g1").hover()
    wait_for_frames(page, "g1")
    box = handle(page, "g1").bounding_box()
    middle = box["y"] + HEIGHT / 2
    before, sent, shown = page.evaluate(DRAWN), len(page.sent), set()
    head = page.inner_text(".vstg-head")
    page.mouse.move(box["x"] + 8, middle)
    page.mouse.down()
    for step in range(10):  # the whole way: every position has its own picture
        page.mouse.move(box["x"] + 8 + (box["width"] - 16) * step / 9, middle)
        shown.add(page.evaluate(DRAWN))
    assert len(shown) >= 6
    assert "0 of 25" in page.inner_text(".vstg-head")
    assert len(page.sent) == sent, "the server was asked"
    page.mouse.move(box["x"] + box["width"] * 7.2 / 13, middle)
    local, drawn = page.evaluate(LOCAL), page.evaluate(DRAWN)
    page.mouse.up()
    # Let go: the slider is there, and the server's own picture is the same.
    page.wait_for_url(f"**g1={local['position']}**")
    page.wait_for_function(f"{LOCAL} === null")
    assert page.evaluate(DRAWN) == drawn != before
    assert page.inner_text(".vstg-head") != head
    keyboard(page)


def keyboard(page):
    """Arrows on a curve, Play, and eight presses of a slider: the last counts."""
    handle(page, "g2").focus()
    wait_for_frames(page, "g2")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    assert page.evaluate(LOCAL)["position"] == -2
    page.wait_for_url("**g2=-2**")
    page.wait_for_function(f"{LOCAL} === null")
    assert page.evaluate("document.activeElement.className") == "scrub"
    wait_for_frames(page, "g2")
    page.keyboard.press(" ")
    page.wait_for_function(f"{LOCAL}?.position >= 1")
    page.keyboard.press(" ")
    page.locator(".st-key-g1 input[type=range]").focus()
    wait_for_frames(page, "g1")
    first = int(page.locator(".st-key-g1 input[type=range]").input_value())
    for _ in range(8):
        page.keyboard.press("ArrowLeft")
    last = max(first - 8, -10)
    # Drawn by the frames, or by the server where that was faster.
    page.wait_for_function(f"({LOCAL}?.position ?? {last}) === {last}")
    newest = page.evaluate(DRAWN)
    page.wait_for_url(f"**g1={last}**")
    page.wait_for_function(f"{LOCAL} === null")
    assert page.evaluate(DRAWN) == newest
    assert page.locator(PICTURE).count() == 1
