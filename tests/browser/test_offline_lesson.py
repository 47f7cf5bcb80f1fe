"""Exported files from disk: no network, every slider by keyboard, on a phone too."""

import pytest

from pages.learn.export import INDEX, exported, names
from pages.shared.lessons.content import content

SHOWN = "[...document.querySelectorAll('[data-label]')].findIndex(f => !f.hidden)"
WIDTHS = ((1280, "light"), (390, "dark"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """All files, as the command writes them."""
    place = tmp_path_factory.mktemp("lessons")
    for name, text in exported().items():
        (place / name).write_bytes(text)
    return place


@pytest.fixture(params=WIDTHS, ids=["desktop", "phone"])
def page(request, chromium):
    """A tab without a network; errors of scripts and requests fail the test."""
    width, scheme = request.param
    context = chromium.new_context(
        viewport={"width": width, "height": 844}, color_scheme=scheme
    )
    context.set_offline(True)
    page, wrong = context.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("requestfailed", lambda request: wrong.append(request.url))
    yield page
    context.close()
    assert not wrong


def fits(page):
    wide = page.evaluate("document.documentElement.scrollWidth")
    return wide <= page.viewport_size["width"]


def test_exported_lessons_play_by_keyboard_without_a_network(page, folder):
    page.goto(f"file://{folder / INDEX}")
    assert page.locator("li a").count() == len(names())
    for lesson in content().lessons:
        page.goto(f"file://{folder / lesson.slug}.html")
        if lesson.predict:
            page.focus("summary")
            page.keyboard.press("Enter")
        assert fits(page), lesson.slug
        if lesson.slug == "factors":
            turn_an_entry(page)
            continue
        page.focus("input[type=range]")
        page.keyboard.press("ArrowRight")
        assert page.evaluate(SHOWN) == 1
        said = page.inner_text("output")
        assert page.get_attribute("input[type=range]", "aria-valuetext")
        shown = page.locator("figure:not([hidden]) svg title").first.text_content()
        assert said.endswith(shown)  # the picture's own text is what is said
        page.focus("[data-step='-1']")
        page.keyboard.press("Enter")
        assert page.evaluate(SHOWN) == 0
        assert page.inner_text("output") != said


def turn_an_entry(page):
    """u11 from +1 to -1 turns the sign of w11."""
    page.focus("[data-cell='W,0,0']")
    page.keyboard.press("Enter")
    assert page.inner_text("[data-cell='W,0,0']") == "1"
    page.focus("[data-cell='U,0,0']")
    page.keyboard.press("Enter")
    assert page.inner_text("[data-cell='W,0,0']") == "−1"
    assert "= −1" in page.inner_text("output")


def test_small_explore_looks_its_fits_up(page, folder):
    page.goto(f"file://{folder}/explore.html")
    before = page.inner_text("#said")
    assert fits(page)
    page.focus("#g1")
    page.keyboard.press("End")
    said = page.inner_text("#said")
    assert said != before
    assert page.get_attribute("#g1", "aria-valuetext") == "2"
    assert "columns" in page.get_attribute("#W", "aria-label")
    page.focus("#cut")
    page.keyboard.press("Space")
    assert page.is_checked("#cut")
