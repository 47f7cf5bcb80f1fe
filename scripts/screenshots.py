"""Take the pictures for the README: ``python scripts/screenshots.py [name …]``."""

import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from threading import Event

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Browser, sync_playwright  # noqa: E402

from scripts.dashboard_server import PICTURE, READY, browser_path, serve  # noqa: E402
from vstg.datasets import make_syn  # noqa: E402
from vstg.jobs import ComparisonRequest, SearchRequest, Store  # noqa: E402
from vstg.jobs.queue import do_run  # noqa: E402

TARGET = ROOT / "docs" / "screenshots"
CHART = ".st-key-learn .js-plotly-plot .main-svg"
TOY = ".toy-W button"
PLANE = ".learn-plane svg[data-point]"
MAPS = ".st-key-maps .js-plotly-plot .main-svg"
BOXES = ".st-key-boxes .js-plotly-plot .main-svg"
TABLE = ".vstg-paper button"
STRENGTHS = [2.0**e for e in (-10, -7, -4, -1, 2)]


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
    Shot("explore", ""),
    Shot("explore-dark", "?data=Syn4&k=2&g1=-2&g2=0", theme="dark"),
    Shot("explore-groups", "?data=Syn2&g1=0&g2=-3&zero=zero+is+%3C+10%25", height=1500),
    Shot("explore-phone", "?data=Syn3&g2=-2", width=390, height=1700),
    Shot("learn", "Learn?lesson=algorithm", picture=CHART),
    Shot("learn-factors-dark", "Learn?lesson=factors", theme="dark", picture=TOY),
    Shot("learn-prox", "Learn?lesson=prox", picture=PLANE),
    Shot(
        "learn-class",
        "Learn?lesson=why-share&class=1&only=noise",
        picture=CHART,
    ),
    Shot(
        "learn-phone", "Learn?lesson=not-convex", width=390, height=1500, picture=CHART
    ),
    Shot("tune", "Tune?run=1", picture=MAPS),
    Shot("compare", "Compare?run=2", height=1000, picture=BOXES),
    Shot("reproduce", "Reproduce", height=1000, picture=TABLE),
)


def fill(path: Path) -> None:
    """A store with what Tune and Compare show: a search and a comparison of Syn1."""
    drawn = [make_syn(1, random_state=seed) for seed in range(8)]
    grid = {"n_latent": [3, 5, 9], "k": [1], "gamma1": STRENGTHS, "gamma2": STRENGTHS}
    source = {"data": "Syn1", "seed": 0}
    with Store(path) as store:
        search = SearchRequest(grid=grid, folds=5)
        compared = ComparisonRequest(
            methods=["ridge", "lasso", "vstg"],
            grids={
                "ridge": {"gamma1": STRENGTHS},
                "lasso": {"gamma1": STRENGTHS},
                "vstg": {**grid, "n_latent": [5], "gamma2": STRENGTHS[2:4]},
            },
            splits=[[store.add_data(one.train), store.add_data(one.test)]
                    for one in drawn],
            folds=5,
        )  # fmt: skip
        for request, name in (
            (search, "VSTG-MTL, Syn1"),
            (compared, "Syn1, 3 methods"),
        ):
            number = store.add_run(
                request, drawn[0].train, name=name, data_name="Syn1", source=source
            )
            do_run(store, store.claim(number), Event())
            store.finish(number, "done")


def take(browser: Browser, address: str, shot: Shot) -> Path:
    """Open the page, wait until it is complete, write the file."""
    page = browser.new_page(
        viewport={"width": shot.width, "height": shot.height},
        color_scheme=shot.theme,
    )
    page.set_default_timeout(180_000)
    page.add_init_script("localStorage.setItem('vstg-tour', '1')")  # no first visit
    page.goto(f"{address}/{shot.query}")
    page.wait_for_selector(shot.picture)
    page.wait_for_selector(READY)
    page.evaluate("document.fonts.ready")
    page.wait_for_load_state("networkidle")
    if shot.picture == PICTURE:
        page.wait_for_selector(".st-key-find_settings button", state="attached")
    page.wait_for_function("!document.querySelector('[data-testid=stSkeleton]')")
    path = TARGET / f"{shot.name}.png"
    page.screenshot(path=path)
    page.close()
    return path


def main() -> None:
    """Take all pictures."""
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["VSTG_STORE"] = str(Path(folder) / "runs.sqlite")
        fill(Path(os.environ["VSTG_STORE"]))
        shoot(sys.argv[1:])


def shoot(wanted: list[str]) -> None:
    """Take the pictures that are wanted; all, if none is named."""
    with serve() as address, sync_playwright() as playwright:
        # Without hinting, letters are where the layout puts them, as on a screen.
        browser = playwright.chromium.launch(
            executable_path=browser_path(),
            args=["--no-sandbox", "--font-render-hinting=none"],
        )
        for shot in (s for s in SHOTS if not wanted or s.name in wanted):
            path = take(browser, address, shot)
            print(path.relative_to(ROOT), f"{path.stat().st_size / 1024:.0f} kB")
        browser.close()


if __name__ == "__main__":
    main()
