"""Find the settings in an own table, take the report away, open it from History."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect
from visiting import rest, saved

from scripts.dashboard_server import PICTURE

FOUND = ".st-key-found"


@pytest.fixture
def table(tmp_path):
    """Two kinds of shops: one lives on its price, the other on its staff."""
    rng = np.random.default_rng(0)
    lines = ["shop,price,rain,staff,size,sales"]
    for shop, at in (("a", 0), ("b", 0), ("c", 2), ("d", 2)):
        for x in rng.normal(size=(24, 4)).round(2):
            y = 2 * x[at] + 0.3 * rng.normal()
            lines.append(f"shop {shop},{','.join(map(str, x))},{y:.2f}")
    path = tmp_path / "small_shops.csv"
    path.write_text("\n".join(lines), "utf-8")
    return path


def choose(page, key, option):
    """Choose from a list by typing."""
    page.locator(f".st-key-{key} input").click()
    page.keyboard.type(option)
    page.keyboard.press("Enter")
    rest(page)


def test_settings_are_found_reported_and_opened_again(server, visit, table):
    page = visit(f"{server}/Data", picture=".st-key-data_from")
    page.set_input_files(".st-key-upload input[type=file]", table)
    page.wait_for_selector(".st-key-map_task")
    rest(page)
    choose(page, "map_task", "shop")
    choose(page, "map_target", "sales")
    page.locator(".st-key-use button").click()
    page.wait_for_selector(PICTURE)
    rest(page)
    for gone in ("seed", "n", "noise", "size", "presets", "truth"):
        assert page.locator(f".st-key-{gone}").count() == 0
    page.locator(".st-key-find_settings button").first.click()
    page.wait_for_selector(FOUND)
    rest(page)
    panel = page.inner_text(".vstg-panel")
    assert re.search(r"price\s*\d+%", panel)
    assert re.search(r"shop a, shop b\s*· b\d · \d+%", panel)
    found = page.inner_text(".vstg-head")
    page.get_by_role("tab", name="Share and export").click()
    expect(page.locator(".st-key-report_file button").first).to_be_visible()
    rest(page)
    assert "discover(train" in page.inner_text(".stMain")
    report = saved(page, ".st-key-report_file button").read_text("utf-8")
    assert "small_shops.csv" in report
    assert "discover(train" in report
    assert "N, σ" not in report  # of synthetic data alone

    page.get_by_role("link", name="History").click()
    opener = page.locator("[class*=st-key-open_] button").first
    opener.wait_for()
    assert "small_shops.csv" in page.inner_text(".stMain")
    opener.click()
    page.wait_for_selector(PICTURE)
    page.wait_for_selector(FOUND)
    rest(page)
    assert page.inner_text(".vstg-head") == found
    assert re.search(r"price\s*\d+%", page.inner_text(".vstg-panel"))
    page.get_by_role("link", name="Predict").click()
    page.get_by_text("A run in History").click()
    runs = page.locator(".st-key-predict_run input")
    expect(runs).to_have_value(re.compile("small_shops.csv"))
