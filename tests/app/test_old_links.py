"""Links that people have still open what they named, whatever was renamed since.

``old_links.jsonl`` was written by the code of November 2026: queries of Explore with
the data, settings and view that they opened. It is not to be edited.
"""

import json
from dataclasses import asdict
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from pages.explore import words as explore_words
from pages.shared.fits import live
from pages.shared.state.choices import SolverChoice, choices
from pages.shared.state.links import check_link, renamed
from pages.shared.state.parameters import PARAMS
from vstg.objective import Settings

NEWER = {"cut", "refit", "exact", "curves", "paper"}  # than the links
LINES = Path(__file__).with_name("old_links.jsonl").read_text("utf-8").splitlines()
LINKS = [json.loads(line) for line in LINES]
DRAWN = [link for link in LINKS if link["data"] != "own"]
QUICK = [
    link for link in DRAWN
    if "25" in link["data"]["size"]
    and (link["solver"], link["starts"]) == ("fast", 1)
]  # fmt: skip
OPENED = [link for link in QUICK if "tab" in link] + [
    link for link in QUICK if "zero" in link["query"]
][::3]


def of_query(query):
    """What a link asks for, in the names that are shown today."""
    asked = dict(parse_qsl(query, keep_blank_values=True))
    return {**asked, **renamed(asked)}


def read(query):
    """What a link asks for, without a page."""
    asked = of_query(query)
    asked = {key: text for key, text in asked.items() if key in PARAMS}
    return {key: PARAMS[key].allowed.read(text) for key, text in asked.items()}


@pytest.fixture(scope="module", autouse=True)
def compiled():
    live.warm_up()


def test_there_are_links_of_every_parameter():
    asked = {key for link in LINKS for key in of_query(link["query"])}
    assert asked == {*PARAMS, "tab"} - NEWER


@pytest.mark.parametrize("link", DRAWN, ids=lambda link: link["query"])
def test_old_link_asks_for_the_same(link):
    assert not check_link(of_query(link["query"]))
    chosen = choices(read(link["query"]))
    assert asdict(chosen.data) == link["data"]
    assert chosen.settings == Settings(**link["settings"])
    assert chosen.effort == SolverChoice(link["solver"], link["starts"])
    view = {key: v for key, v in asdict(chosen.view).items() if key not in NEWER}
    assert view == link["view"]


@pytest.mark.parametrize("link", OPENED, ids=lambda link: link["query"])
def test_old_link_opens_the_page_as_it_was(open_app, link):
    app = open_app(**dict(parse_qsl(link["query"], keep_blank_values=True)))
    assert not app.warning
    asked = [key for key in read(link["query"]) if key in app.session_state]
    chosen = choices({key: app.session_state[key] for key in asked})
    assert asdict(chosen.data) == link["data"]
    assert chosen.settings == Settings(**link["settings"])
    assert chosen.view.zero == link["view"]["zero"]
    if "tab" in link:
        assert app.session_state["tab"] == explore_words.TABS[link["tab"]]
