"""The lessons as a class has them: they play, answer the pointer, and lead on."""

import json

import numpy as np
import pytest
from visiting import rest, saved

from pages.shared.lessons.content import content
from scripts.dashboard_server import PICTURE
from vstg.penalties import L1

CHART = ".st-key-learn .js-plotly-plot .main-svg"
GRAPH = "document.querySelector('.st-key-learn .js-plotly-plot')"
PLACE = f"{GRAPH}.layout.meta.place"
PLAYER = ".learn-player"
SAID = f"document.querySelector('{PLAYER} p')?.textContent"
# What the eye sees and the ear hears agree: text, slider and picture at one place.
AGREE = """([place, before]) => {
  const root = document.querySelector('.learn-player');
  const graph = document.querySelector('.st-key-learn .js-plotly-plot');
  const said = root.querySelector('p').textContent;
  return graph.layout.meta.place === place && root.querySelector('input').value == place
    && said !== before && graph.closest('[role=figure]').ariaLabel === said;
}"""


@pytest.fixture
def open_lesson(visit, server):
    """Open a lesson by its name and wait for its picture."""

    def opened(query, picture=CHART, **options):
        return visit(f"{server}/Learn?lesson={query}", picture, **options)

    return opened


def press(page, name):
    page.click(f"{PLAYER} [data-do={name}]")


def ready(page, slug):
    page.wait_for_selector(f"{PLAYER}[data-ready='learn_{slug}']")


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
    rest(page)


def play(page):
    """Step, step, back, play and pause; nothing may be asked of the server."""
    page.wait_for_selector(f"{PLAYER}[data-ready]")
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
    press(page, "play")  # which is "pause" while it plays
    assert len(page.sent) == sent


def test_a_lesson_plays_without_the_server(open_lesson):
    page = open_lesson("algorithm")
    play(page)
    page.click(".st-key-l5_view button:has-text('Rescaling')")
    page.wait_for_function(f"{SAID}?.includes('s = 1.00')")
    before = json.loads(matrices(page))
    play(page)
    after = json.loads(matrices(page))
    assert [a == b for a, b in zip(before, after, strict=True)] == [False, False, True]


def test_words_and_objective_move_with_the_matrices(open_lesson):
    page = open_lesson("algorithm")
    ready(page, "algorithm")
    dot = f"{GRAPH}._fullData[5].y[0]"
    assert page.evaluate(SAID).startswith("Start")
    first = page.evaluate(dot)
    press(page, "step")
    wait_for_place(page, 1)
    page.wait_for_function(f"{SAID}.includes('U-step, ADMM 1')")
    assert page.evaluate(dot) > first  # the copies do not agree yet
    assert f"{page.evaluate(dot):.3f}" in page.evaluate(SAID)
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


def test_every_lesson_by_keyboard(open_lesson):
    page = open_lesson("why-share")
    for lesson in content().lessons:
        page.wait_for_selector(f"h1:text-is('{lesson.title}')")
        if lesson.predict:
            key(page, f".st-key-guess_{lesson.slug} [role=radio]", "Space")
        if lesson.slug == "factors":
            turn_an_entry(page)
        else:
            ready(page, lesson.slug)
            step_through(page)
        if lesson.slug == "prox":
            push_the_point(page)
        before = page.evaluate(SAID)
        for control in reversed(lesson.controls):
            if page.locator(f".st-key-{control.key}").count():
                change(page, control)
        if lesson.controls:  # with other settings the picture says something else
            page.wait_for_function(f"{SAID} !== {json.dumps(before)}")
        if lesson.slug == "norms":  # the balls that the pointer turns
            page.wait_for_function(f"{GRAPH}?._fullData?.[0]?.type === 'mesh3d'")
            page.wait_for_function(f"{SAID}.startsWith('Seen from 40°')")
            key(page, f"{PLAYER} input", "ArrowRight")
            page.wait_for_function(f"{SAID}.startsWith('Seen from 60°')")
        if lesson is not content().lessons[-1]:
            key(page, ".st-key-learn_next button", "Enter")


def key(page, selector, name):
    """Press a key on the first such element, which the tab key must reach."""
    element = page.locator(selector).first
    element.focus()
    assert element.evaluate("e => e === document.activeElement && e.tabIndex >= 0")
    page.keyboard.press(name)


def step_through(page):
    """The slider by arrows, the buttons by Enter; what is said follows."""
    slider, bar = f"{PLAYER} input", page.locator(f"{PLAYER} .bar")
    if not bar.is_visible():
        assert page.evaluate(SAID)
        return
    start, before = page.evaluate(PLACE), page.evaluate(SAID)
    key(page, slider, "ArrowRight")
    page.wait_for_function(AGREE, arg=[start + 1, before])
    before = page.evaluate(SAID)
    label = page.get_attribute(slider, "aria-valuetext")
    key(page, f"{PLAYER} [data-do=step]", "Enter")
    page.wait_for_function(AGREE, arg=[start + 2, ""])
    assert page.get_attribute(slider, "aria-valuetext") != label
    key(page, f"{PLAYER} [data-do=back]", "Enter")
    page.wait_for_function(AGREE, arg=[start + 1, ""])
    assert page.evaluate(SAID) == before
    key(page, slider, "Home")
    page.wait_for_function(AGREE, arg=[0, ""])
    assert page.get_attribute(f"{PLAYER} p", "aria-live") == "polite"


def turn_an_entry(page):
    said = "document.querySelector('.learn-toy > p[aria-live]').textContent"
    key(page, "[data-cell='W,0,0']", "Enter")
    page.wait_for_function(f"{said}.startsWith('w11') && {said}.includes('= 1.')")
    key(page, "[data-cell='U,0,1']", "ArrowLeft")
    page.keyboard.press("Enter")
    page.wait_for_function(f"{said}.startsWith('w11') && {said}.includes('= −1.')")


def push_the_point(page):
    plane = page.locator(".learn-plane svg")
    key(page, ".learn-plane svg", "ArrowLeft")
    assert plane.get_attribute("aria-valuenow") == "1.9"
    text = plane.get_attribute("aria-valuetext")
    assert text.startswith("prox(1.9, 1) = (1.15, 0.25)")
    assert page.inner_text(".learn-plane p") == text


def change(page, control):
    """Move a slider, or choose another option; the link follows."""
    place = f".st-key-{control.key}"
    if control.kind == "slider":
        end = "ArrowLeft" if control.default == control.high else "ArrowRight"
        key(page, f"{place} input[type=range]", end)
    else:
        key(page, f"{place} [role=radio][aria-checked=false]", "Space")
    page.wait_for_function(f"location.search.includes('{control.key}=')")


def test_notes_stay_in_the_browser_and_reach_only_the_plan(open_lesson, tmp_path):
    page = open_lesson("norms")
    field = ".learn-notes textarea"
    page.fill(field, "mind the <corner>")
    page.locator(field).blur()
    page.reload()
    page.wait_for_function(f"document.querySelector('{field}')?.value.includes('mind')")
    page.wait_for_function("document.querySelector('.learn-notes').sent")
    rest(page)  # and the server, which makes the plan, has them
    text = saved(page, ".st-key-plan_45 button").read_text("utf-8")
    assert "mind the &lt;corner&gt;" in text
    text = saved(page, ".st-key-handout button").read_text("utf-8")
    assert "mind" not in text
    file = saved(page, ".learn-notes button")
    go_to(page, "prox")
    page.wait_for_function(f"document.querySelector('{field}').value === ''")
    page.evaluate("localStorage.removeItem('vstg-notes')")
    bad = tmp_path / "other.json"
    bad.write_text('{"vstg-notes": {"no-lesson": "x"}}')
    page.set_input_files(".learn-notes input", bad)
    page.wait_for_selector(".learn-notes p:has-text('other.json')")
    page.set_input_files(".learn-notes input", file)
    page.wait_for_function("localStorage.getItem('vstg-notes')?.includes('mind')")
    go_to(page, "norms")
    page.wait_for_function(f"document.querySelector('{field}').value.includes('mind')")


def test_handout_opens_from_disk_without_a_network(open_lesson):
    page = open_lesson("algorithm")
    file = saved(page, ".st-key-handout button")
    page.context.set_offline(True)
    paper = page.context.new_page()
    for width in (1280, 390):
        paper.set_viewport_size({"width": width, "height": 844})
        paper.goto(f"file://{file.rename(file.with_suffix('.html'))}")
        assert paper.locator("svg").count() == 2
        assert paper.evaluate("document.documentElement.scrollWidth") <= width
        drawn = (
            "[...document.querySelectorAll('svg image')].every(i => i.getBBox().width)"
        )
        assert paper.evaluate(drawn)
        file = file.with_suffix(".html")
    page.context.set_offline(False)


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
    page.wait_for_selector(PICTURE)
    rest(page)
    assert "n=10" in page.url
    page.wait_for_function(
        "document.querySelector('.st-key-n input[type=range]').value === '10'"
    )


def test_tour_points_at_the_widgets_and_never_comes_back(open_lesson, server):
    page = open_lesson("factors", picture=".toy-U button")
    page.goto(server)
    page.wait_for_selector("[data-tour=start]")
    page.wait_for_selector(PICTURE)
    rest(page)  # a part that is drawn again loses its frame
    page.focus("[data-tour=start]")
    page.keyboard.press("Enter")
    steps = content().tour["steps"]
    for place, step in enumerate(steps):
        pointed = page.locator(".vstg-pointed")
        pointed.first.wait_for()
        assert pointed.count() == 1
        assert pointed.evaluate("(e, target) => e.matches(target)", step["target"])
        assert page.inner_text(".vstg-tour p") == step["text"]
        assert page.inner_text(".vstg-tour small").startswith(str(place + 1))
        assert content().tour["skip"] not in page.inner_text(".vstg-tour")
        if place == 1:  # and by keys there and back
            page.keyboard.press("ArrowLeft")
            assert page.inner_text(".vstg-tour p") == steps[0]["text"]
            page.keyboard.press("ArrowRight")
        page.click("[data-tour=next]")
    assert page.locator(".vstg-tour").count() == 0
    again = page.context.new_page()  # another visit with the same browser
    again.goto(server)
    again.wait_for_selector(PICTURE)
    rest(again)
    assert again.locator(".vstg-tour").count() == 0


def test_escape_ends_the_tour_on_a_phone(open_lesson, server):
    small = {"width": 390, "height": 844}
    page = open_lesson("factors", picture=".toy-U button", viewport=small)
    page.goto(server)
    page.wait_for_selector("[data-tour=start]")
    box = page.locator(".vstg-tour").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    page.wait_for_selector(PICTURE)
    page.click("[data-tour=start]")
    assert page.locator(".vstg-pointed").count() == 1
    page.keyboard.press("Escape")
    assert page.locator(".vstg-tour, .vstg-pointed").count() == 0
