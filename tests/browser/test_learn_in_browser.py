"""The lessons as a class has them: they play, answer the pointer, and lead on."""

import json

import numpy as np
import pytest

from pages.shared.learn.content import content
from vstg.penalties import L1

READY = "[data-testid=stApp][data-test-script-state=notRunning]"
CHART = ".st-key-learn .js-plotly-plot .main-svg"
GRAPH = "document.querySelector('.st-key-learn .js-plotly-plot')"
PLACE = f"{GRAPH}._fullLayout.sliders[0].active"
BUTTONS = {"back": 0, "play": 1, "pause": 2, "step": 3}
PLAYED = ("why-share", "algorithm", "not-convex", "choosing")


@pytest.fixture
def open_lesson(chromium, server):
    """Open a lesson; errors of scripts fail the test."""
    contexts, errors = [], []

    def opened(query, picture=CHART, **options):
        size = {"width": 1440, "height": 900}
        context = chromium.new_context(**{"viewport": size, **options})
        context.set_default_timeout(60_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.sent = []
        page.on(
            "websocket", lambda ws: ws.on("framesent", lambda f: page.sent.append(f))
        )
        page.goto(f"{server}/Learn?lesson={query}")
        page.wait_for_selector(picture)
        page.wait_for_selector(READY)
        return page

    yield opened
    for context in contexts:
        context.close()
    # plotly rejects the promise of a film that another button interrupts, with nothing.
    assert not [error for error in errors if error != "undefined"]


def press(page, name):
    page.locator(".st-key-learn .updatemenu-button").nth(BUTTONS[name]).click()


def wait_for_place(page, place):
    page.wait_for_function(f"{PLACE} === {place}")


def matrices(page):
    """All values of the heat maps now shown."""
    return page.evaluate(
        f"JSON.stringify({GRAPH}._fullData.filter(t => t.type === 'heatmap')"
        ".map(t => t.z))"
    )


def title_of(slug):
    return content().lesson(slug).title


def go_to(page, slug):
    """Choose a lesson from the list and wait for it."""
    page.click(f".st-key-learn_go_{slug} button")
    page.wait_for_selector(f"h1:text-is('{title_of(slug)}')")
    page.wait_for_selector(READY)


def play(page):
    """Step, step, back, play and pause; nothing may be asked of the server."""
    page.wait_for_selector(".st-key-learn .updatemenu-button")
    start = page.evaluate(PLACE)
    before, sent = matrices(page), len(page.sent)
    press(page, "step")
    wait_for_place(page, start + 1)
    after = matrices(page)
    press(page, "step")
    wait_for_place(page, start + 2)
    press(page, "back")
    wait_for_place(page, start + 1)
    assert matrices(page) == after != before
    press(page, "play")
    page.wait_for_function(f"{PLACE} >= {start + 3}")
    press(page, "pause")
    assert len(page.sent) == sent


def test_lessons_play_without_the_server(open_lesson):
    page = open_lesson(PLAYED[0])
    play(page)
    for slug in PLAYED[1:]:
        go_to(page, slug)
        play(page)


def test_words_and_objective_move_with_the_matrices(open_lesson):
    page = open_lesson("algorithm")
    heading = f"{GRAPH}._fullLayout.title.text"
    dot = f"{GRAPH}._fullData[4].y[0]"
    assert "Start" in page.evaluate(heading)
    first = page.evaluate(dot)
    press(page, "step")
    wait_for_place(page, 1)
    assert "U-step, ADMM 1" in page.evaluate(heading)
    assert page.evaluate(dot) > first  # the copies do not agree yet
    assert f"{page.evaluate(dot):.3f}" in page.evaluate(heading)
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function("document.documentElement.scrollWidth <= 390")
    page.wait_for_function(
        f"{GRAPH}.querySelector('.main-svg').getBoundingClientRect().width <= 390"
    )


def test_click_on_an_entry_changes_the_product_and_the_link(open_lesson):
    page = open_lesson("factors", picture=".toy-U button")
    entry = page.locator('[data-cell="W,0,0"]')
    assert entry.inner_text() == "1"
    page.click('[data-cell="U,0,0"]')
    page.wait_for_function(
        "document.querySelector('[data-cell=\"W,0,0\"]').innerText === '−1'"
    )
    page.wait_for_function("location.search.includes('U=m')")
    page.click('[data-cell="W,0,0"]')
    page.wait_for_function(
        "document.querySelector('.vstg-formula').innerText.startsWith('w11')"
    )
    page.reload()
    page.wait_for_selector('[data-cell="U,0,0"].neg')


def test_dragged_point_goes_where_the_library_says(open_lesson):
    page = open_lesson("prox", picture=".learn-plane svg[data-point]")
    plane = page.locator(".learn-plane svg")
    box = plane.bounding_box()
    sent = len(page.sent)
    page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + box["height"] * 0.4)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.2, box["y"] + box["height"] * 0.7)
    page.mouse.up()
    *a, p1, p2 = json.loads(plane.get_attribute("data-point"))
    assert a == pytest.approx([-1.8, -1.2], abs=0.11)
    expected = L1(0.75).prox(np.array([a]), 1.0)[0]
    assert [p1, p2] == pytest.approx(expected, abs=1e-4)
    page.keyboard.press("Tab")
    plane.focus()
    page.keyboard.press("ArrowUp")
    moved = json.loads(plane.get_attribute("data-point"))
    assert moved[1] == pytest.approx(a[1] + 0.1, abs=1e-6)
    assert len(page.sent) == sent


def test_pictures_of_the_other_lessons_are_drawn(open_lesson):
    page = open_lesson("failures&l9_case=tiny+N")
    for slug, kind in (("failures", "heatmap"), ("theorem", "scatter")):
        go_to(page, slug)
        page.wait_for_function(f"{GRAPH}?._fullData?.[0]?.type === '{kind}'")
    go_to(page, "norms")
    page.wait_for_function(f"{GRAPH}?._fullData?.[0]?.type === 'contour'")
    page.click(".st-key-l3_view button:has-text('In space')")
    page.wait_for_function(f"{GRAPH}?._fullData?.[0]?.type === 'mesh3d'")
    with page.expect_download() as waiting:
        page.click(".st-key-handout button")
    text = waiting.value.path().read_text("utf-8")
    assert title_of("norms") in text
    assert "Plotly.newPlot" in text


def test_class_mode_is_large_and_quiet(open_lesson):
    size = "getComputedStyle(document.querySelector('.vstg-title h1')).fontSize"
    page = open_lesson("theorem&class=1&only=N")
    large = float(page.evaluate(size).removesuffix("px"))
    assert not page.locator("[data-testid=stSidebar]").is_visible()
    assert page.locator(".st-key-l8_N").is_visible()
    assert page.locator(".st-key-l8_T").count() == 0
    page.click(".st-key-class_off button")
    page.wait_for_selector(".st-key-l8_T")
    # The style leaves a moment after the controls have come.
    page.wait_for_function(f"1.3 * parseFloat({size}) < {large}")


def test_links_back_and_the_way_to_explore(open_lesson):
    page = open_lesson("norms")
    page.click(".st-key-learn_next button")
    page.wait_for_selector(f"h1:has-text('{title_of('prox')}')")
    page.wait_for_function("location.search === '?lesson=prox'")
    page.go_back()
    page.wait_for_selector(f"h1:has-text('{title_of('norms')}')")
    go_to(page, "why-share")
    page.locator(".st-key-learn a[data-testid=stPageLink-NavLink]").click()
    page.wait_for_selector(".st-key-scheme canvas[data-drawn]")
    page.wait_for_selector(READY)
    assert "n=10" in page.url
    page.wait_for_function(
        "document.querySelector('.st-key-n input[type=range]').value === '10'"
    )


def test_tour_points_at_the_widgets_and_never_comes_back(open_lesson, server):
    page = open_lesson("factors", picture=".toy-U button")
    page.goto(server)
    page.click("[data-tour=start]")
    seen = []
    for step in content().tour["steps"]:
        pointed = page.locator(".vstg-pointed")
        assert pointed.count() == 1
        assert pointed.evaluate("(e, target) => e.matches(target)", step["target"])
        seen.append(page.inner_text(".vstg-tour p"))
        page.click("[data-tour=next]")
    assert seen == [step["text"] for step in content().tour["steps"]]
    assert page.locator(".vstg-tour").count() == 0
    page.reload()
    page.wait_for_selector(".st-key-scheme canvas[data-drawn]")
    page.wait_for_selector(READY)
    assert page.locator(".vstg-tour").count() == 0
