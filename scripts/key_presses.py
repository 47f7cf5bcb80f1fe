"""What a person sees while a crowd is there: from a key press to the new picture."""

import asyncio
import random
import time

from playwright.async_api import Error as BrowserError
from playwright.async_api import Page, async_playwright

from scripts.dashboard_server import PICTURE, READY, browser_path
from scripts.protocol_client import PATIENCE
from scripts.visitor import Seen

FIRST, STEPS = -7, 8  # exponent of γ1 where the walk begins, and steps to either side
WATCH = """(place) => {
  window.drawn = new Promise((done) => new MutationObserver(() => done(true)).observe(
    document.querySelector(place), { attributes: true, attributeFilter: ['data-drawn'] }
  ));
}"""


async def press(page: Page, arrow: str) -> float:
    """Seconds from one key press to the picture that belongs to it."""
    await page.wait_for_selector(READY)
    await page.evaluate(WATCH, PICTURE)
    began = time.monotonic()
    await page.keyboard.press(arrow)
    async with asyncio.timeout(PATIENCE):
        await page.evaluate("window.drawn")
    return time.monotonic() - began


async def walk(
    page: Page, address: str, seen: Seen, thinking: tuple[float, float], until: float
) -> None:
    """Move the slider of γ1 up and down, on data that everybody has."""
    rng = random.Random(0)  # nosec B311
    page.set_default_timeout(PATIENCE * 1000)
    await page.add_init_script("localStorage.setItem('vstg-tour', '1')")
    await page.goto(f"{address}/?data=Syn1&g1={FIRST}")
    await page.wait_for_selector(PICTURE)
    await page.locator(".st-key-g1 input[type=range]").focus()
    arrows = ["ArrowRight"] * STEPS + ["ArrowLeft"] * STEPS
    while True:
        for arrow in arrows:
            await asyncio.sleep(rng.uniform(*thinking))
            seen.note("key to picture", await press(page, arrow))
        if time.monotonic() > until:
            return


async def browse(
    address: str, seen: Seen, thinking: tuple[float, float], until: float
) -> None:
    """One real browser among the crowd; a failure is recorded, not raised."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=browser_path(), args=["--no-sandbox"]
        )
        page = await browser.new_page(viewport={"width": 1280, "height": 900})
        page.on("pageerror", lambda error: seen.errors.append(f"browser: {error}"))
        try:
            await walk(page, address, seen, thinking, until)
        except (BrowserError, TimeoutError) as error:
            first = str(error).partition("\n")[0]
            seen.errors.append(f"browser: {type(error).__name__} {first}")
        finally:
            await browser.close()
