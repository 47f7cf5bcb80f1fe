"""A lesson from disk: the network is off, the keyboard plays, on a phone too."""

from pages.learn.offline import offline
from pages.shared.lessons.content import content

SHOWN = "[...document.querySelectorAll('[data-say]')].findIndex(f => !f.hidden)"


def test_exported_lesson_plays_by_keyboard_without_a_network(chromium, tmp_path):
    lesson = content().lesson("theorem")
    file = tmp_path / "lesson.html"
    file.write_bytes(offline(lesson, lesson.defaults))
    for width in (1280, 390):
        context = chromium.new_context(viewport={"width": width, "height": 844})
        context.set_offline(True)
        page = context.new_page()
        page.goto(f"file://{file}")
        page.focus("input[type=range]")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        assert page.evaluate(SHOWN) == 2
        said = page.inner_text("output")
        assert said == "Along = K"
        assert page.get_attribute("input[type=range]", "aria-valuetext") == said
        page.focus("[data-step='-1']")
        page.keyboard.press("Enter")
        assert page.evaluate(SHOWN) == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        context.close()
