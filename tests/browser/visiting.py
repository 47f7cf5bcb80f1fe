"""What a visitor does beside clicking: waits, takes files away, needs to perceive."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import TimeoutError as TooLong

from scripts.dashboard_server import READY

PATIENCE = 120_000  # milliseconds: a busy machine is slow, a broken page stays so
PRESSES = 6


def rest(page):
    """Wait until the server has answered and every part of the page is in its place.

    A part whose script is still on the way moves what stands below it once it comes,
    and a click that was meant for that goes astray.
    """
    page.wait_for_selector(READY)
    page.wait_for_function("!document.querySelector('[data-testid=stSkeleton]')")


def saved(page, button):
    """The file that a button gives, pressed again where a press was lost.

    Streamlit makes a file when it is asked for; a page that is made anew at that
    moment takes away what was asked for, and the visitor presses again.
    """
    for _ in range(PRESSES):
        try:
            with page.expect_download(timeout=PATIENCE / PRESSES) as waiting:
                page.locator(button).first.click()
        except TooLong:
            continue
        return waiting.value.path()
    msg = f"{button} gave no file"
    raise AssertionError(msg)


# What axe-core is asked: the success criteria of WCAG 2.1 AA.
AXE = """axe.run(document, {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'], resultTypes: ['violations'],
}).then(found => found.violations.flatMap(rule => rule.nodes.map(
  node => [rule.id, rule.impact, node.target.join(' '), node.failureSummary])))"""
# Colours follow the theme part by part: the page, its words, then transitions end.
SETTLED = """scheme => {
  const isLight = (element, kind) => getComputedStyle(element)[kind]
    .match(/[0-9.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) > 380;
  const app = document.querySelector('.stApp'), light = scheme === 'light';
  const words = [...app.querySelectorAll('[data-testid=stMarkdownContainer] p')];
  return isLight(app, 'backgroundColor') === light
    && words.some(word => isLight(word, 'color') !== light)
    && !document.getAnimations().some(one => one instanceof CSSTransition);
}"""
PAINTED = """new Promise(done => requestAnimationFrame(
  () => requestAnimationFrame(() => done())))"""


def barriers(page, schemes=("light", "dark")):
    """What axe-core finds in both themes, serious or worse."""
    page.evaluate(AXE_SCRIPT)
    found = []
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(SETTLED, arg=scheme)
        page.evaluate(PAINTED)
        found += [
            (page.url, scheme, *one)
            for one in page.evaluate(AXE)
            if one[1] in ("serious", "critical")
        ]
    return found
