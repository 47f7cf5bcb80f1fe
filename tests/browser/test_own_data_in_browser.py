"""Own data as a visitor brings them: upload, roles, fit, groups, predict, download."""

import csv
import io
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import expect
from visiting import rest, saved

from benchmarks.third_party import TABLES
from scripts.dashboard_server import PICTURE

ROOT = Path(__file__).parents[2]
FILES = ROOT.parent / "shared" / "data"


@pytest.fixture
def open_data(visit, server):
    """The Data page by its own address."""
    return partial(visit, f"{server}/Data", picture=".st-key-data_from")


def choose(page, key, option):
    """Choose from a list by typing."""
    page.locator(f".st-key-{key} input").click()
    page.keyboard.type(option)
    page.keyboard.press("Enter")
    rest(page)


def use(page):
    page.locator(".st-key-use button").click()
    page.wait_for_selector(PICTURE)
    rest(page)


def test_own_data_go_with_their_visitor_and_with_nobody_else(
    open_data, open_page, server
):
    page = open_data()
    page.set_input_files(
        ".st-key-upload input[type=file]", ROOT / "sample_data" / "wards.csv"
    )
    page.wait_for_selector(".st-key-use button")
    choose(page, "map_missing", "fill in the median")
    expect(page.locator(".stMain")).to_contain_text("30 tasks, 13 variables, 1,445")
    use(page)
    # The button stands far down; the next page begins at its top all the same.
    assert page.locator(".stMain").evaluate("main => main.scrollTop") == 0
    assert "data=Yours" in page.url
    assert "converged" in page.inner_text(".vstg-head")
    assert "of 13" in page.inner_text(".vstg-head")
    assert "cardiology A" in page.inner_text(".vstg-panel")
    predicts_its_table(page)
    keeps_its_controls(page)
    for name, ready in (("Tune", "tune_start"), ("Compare", "compare_start")):
        page.get_by_role("link", name=name).click()
        page.wait_for_selector(f".st-key-{ready}")
        rest(page)
        assert page.inner_text(".st-key-data button[aria-checked=true]") == "Yours"
    other = open_page(f"{server}/?data=Yours")
    assert "Yours" not in other.inner_text(".st-key-data")
    assert "cardiology" not in other.inner_text(".stMain")


def predicts_its_table(page):
    """The raw table gets predictions that are as good as the fit."""
    page.get_by_role("link", name="Predict").click()
    page.wait_for_selector(".st-key-rows")
    page.set_input_files(
        ".st-key-rows input[type=file]", ROOT / "sample_data" / "wards.csv"
    )
    page.wait_for_selector(".st-key-predictions_csv button")
    rest(page)
    text = saved(page, ".st-key-predictions_csv button").read_text("utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 1941
    errors = [float(r["prediction"]) - float(r["hours_to_discharge"]) for r in rows]
    assert (sum(e * e for e in errors) / len(errors)) ** 0.5 < 9


def keeps_its_controls(page):
    """Explore has them on the way round too."""
    page.get_by_role("link", name="Explore", exact=True).click()
    page.wait_for_selector(PICTURE)
    rest(page)
    slider = page.locator(".st-key-K input[type=range]")
    bases = f"K={int(slider.input_value()) - 1}"
    slider.focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(f"**{bases}**")
    rest(page)
    page.get_by_role("link", name="Data").click()
    page.wait_for_selector(".st-key-in_use")
    page.get_by_role("link", name="Explore", exact=True).click()
    page.wait_for_selector(PICTURE)
    assert bases in page.url
    assert "data=Yours" in page.url


CLICKS = {  # before "Use these data": what the guess asks for
    "munnell": ("target",), "corn": ("target",), "grunfeld": ("target",),
    "ezunem": ("target",), "stocks.csv": (),
}  # fmt: skip


def test_five_tables_of_others_go_the_whole_way(open_data, tmp_path):
    """Upload, guess, fit, predict the raw table, take the report: in one visit."""
    page = open_data()
    for name, asked in CLICKS.items():
        known = next(known for known in TABLES if known.name == name)
        path = tmp_path / known.file_name
        path.write_bytes(known.content())
        page.set_input_files(".st-key-upload input[type=file]", path)
        page.get_by_text(known.file_name).first.wait_for()
        for role in asked:
            page.locator(f".st-key-{role}_perhaps_0 button").click()
        page.locator(".st-key-use button").click()
        page.wait_for_selector(PICTURE)
        rest(page)
        assert "data=Yours" in page.url
        page.get_by_role("tab", name="Share and export").click()
        expect(page.locator(".st-key-report_file button").first).to_be_visible()
        rest(page)
        report = saved(page, ".st-key-report_file button").read_text("utf-8")
        assert known.file_name in report
        assert "ridge per task" in report
        page.get_by_role("link", name="Predict").click()
        page.set_input_files(".st-key-rows input[type=file]", path)
        page.wait_for_selector(".st-key-predictions_csv button")
        rest(page)
        text = saved(page, ".st-key-predictions_csv button").read_text("utf-8")
        rows = list(csv.DictReader(io.StringIO(text)))
        assert len(rows) == len(known.frame)
        assert sum(row["prediction"] != "" for row in rows) > 0.5 * len(rows)
        page.get_by_role("link", name="Data").click()
        page.wait_for_selector(".st-key-data_from")
        rest(page)


@pytest.mark.skipif(not FILES.is_dir(), reason="the real files are not in ../shared")
@pytest.mark.parametrize(
    ("name", "words"), [("School", "of 28"), ("Parkinson", "of 19")]
)
def test_real_data_from_a_folder_go_through_the_dashboard(open_data, name, words):
    page = open_data()
    page.get_by_role("radio", name="A known data set").click()
    page.wait_for_selector(".st-key-known")
    choose(page, "known", name)
    page.wait_for_selector(".st-key-known_folder input")
    page.locator(".st-key-known_folder input").fill(str(FILES))
    page.keyboard.press("Enter")
    rest(page)
    page.locator(".st-key-known_load button").click()
    page.wait_for_selector(PICTURE)
    rest(page)
    assert words in page.inner_text(".vstg-head")
    assert "converged" in page.inner_text(".vstg-head")
