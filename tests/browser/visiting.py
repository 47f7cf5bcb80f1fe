"""What a visitor does at the browser beside clicking: waits, and takes files away."""

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
