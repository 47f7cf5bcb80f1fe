"""Take the pictures for the README: ``python scripts/screenshots.py [name …]``."""

import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Browser, sync_playwright  # noqa: E402

from scripts.dashboard_server import browser_path, serve  # noqa: E402

TARGET = ROOT / "docs" / "screenshots"
READY = "[data-testid=stApp][data-test-script-state=notRunning]"
PICTURE = ".st-key-scheme canvas[data-drawn]"
CHART = ".st-key-learn .js-plotly-plot .main-svg"
TOY = ".toy-W button"


@dataclass(frozen=True)
class Shot:
    """A picture: file, query, size of the window, theme."""

    name: str
    query: str
    width: int = 1440
    height: int = 900
    theme: str = "light"
    picture: str = PICTURE


SHOTS = (
    Shot("explore", "?data=Syn1"),
    Shot("explore-dark", "?data=Syn4&k=2&g1=-2&g2=0", theme="dark"),
    Shot("explore-groups", "?data=Syn2&g1=0&g2=-3&zero=zero+is+%3C+10%25", height=1500),
    Shot("explore-phone", "?data=Syn3&g2=-2", width=390, height=1700),
    Shot("learn", "Learn?lesson=algorithm", picture=CHART),
    Shot("learn-factors-dark", "Learn?lesson=factors", theme="dark", picture=TOY),
    Shot("learn-prox", "Learn?lesson=prox", picture=CHART),
    Shot(
        "learn-class",
        "Learn?lesson=why-share&class=1&only=noise",
        picture=CHART,
    ),
    Shot(
        "learn-phone", "Learn?lesson=not-convex", width=390, height=1500, picture=CHART
    ),
)


def take(browser: Browser, address: str, shot: Shot) -> Path:
    """Open the page, let it come to rest, write the file."""
    page = browser.new_page(
        viewport={"width": shot.width, "height": shot.height},
        color_scheme=shot.theme,
    )
    page.set_default_timeout(60_000)
    page.add_init_script("localStorage.setItem('vstg-tour', '1')")  # no first visit
    page.goto(f"{address}/{shot.query}")
    page.wait_for_selector(shot.picture)
    page.wait_for_selector(READY)
    page.evaluate("document.fonts.ready")
    page.wait_for_load_state("networkidle")
    if shot.picture == PICTURE:
        page.wait_for_selector(".st-key-draw_again button", state="attached")
    page.wait_for_function("!document.querySelector('[data-testid=stSkeleton]')")
    path = TARGET / f"{shot.name}.png"
    page.screenshot(path=path)
    page.close()
    return path


def main() -> None:
    """Take all pictures."""
    TARGET.mkdir(parents=True, exist_ok=True)
    with serve() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path(), args=["--no-sandbox"]
        )
        wanted = sys.argv[1:]
        for shot in (s for s in SHOTS if not wanted or s.name in wanted):
            path = take(browser, address, shot)
            print(path.relative_to(ROOT), f"{path.stat().st_size / 1024:.0f} kB")
        browser.close()


if __name__ == "__main__":
    main()
