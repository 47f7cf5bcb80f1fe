"""Whatever a link says, its page opens, and says in words what it could not do."""

from pathlib import Path

import pytest
from cases import ODD, cases, text
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from pages.shared.state.choices import choices
from pages.shared.state.exact import MOST_BASES
from pages.shared.state.links import check_link, to_query
from pages.shared.state.parameters import PARAMS

ROOT = Path(__file__).parents[2]
PAGES = [
    "app.py",
    *(f"pages/{p.name}" for p in sorted((ROOT / "pages").glob("[0-9]*.py"))),
]
KEYS = [
    *PARAMS,
    "run",
    "runs",
    "lesson",
    "class",
    "only",
    "U",
    "V",
    "tab",
    "zz",
    "data",
]
KEYS += ["step_k", "why_noise", "prox_op", "table", "cell", "set"]
GOOD = [
    "Syn2",
    "1",
    "2",
    "true",
    "false",
    "-10",
    "13",
    "signed",
    "factors",
    "prox",
    "x1",
    "K=20 g1=0.3",
]
value = st.sampled_from([*GOOD, *ODD]) | text
queries = st.dictionaries(st.sampled_from(KEYS), value, max_size=5)


@cases(queries, few=150, many=3000)
def test_the_registry_reads_or_refuses_every_value(query):
    bad = {one.key for one in check_link(query)}
    read = {
        key: PARAMS[key].allowed.read(text)
        for key, text in query.items()
        if key in PARAMS and key not in bad
    }
    to_query(read)
    chosen = choices({**read, "data": "Syn1"})
    assert 1 <= chosen.settings.k <= chosen.settings.n_latent <= MOST_BASES


@cases(st.tuples(st.sampled_from(PAGES), queries), few=4, many=250)
def test_every_page_opens_with_every_link(case):
    page = opened(*case)
    assert not page.exception, (case, page.exception)


def opened(name, query):
    """The page as a link to it opens it."""
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    if name != "app.py":
        page.switch_page(name)
    for key, text_of in query.items():
        page.query_params[key] = text_of
    return page.run()


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("text_of", ["²", "9" * 5000])
def test_numbers_that_are_none_open_no_run(name, text_of):
    page = opened(name, dict.fromkeys(("run", "runs", "K", "seed"), text_of))
    assert not page.exception
