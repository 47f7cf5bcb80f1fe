"""Visitors at once: each gets its own and nothing of another's, and this is noticed."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.shared.runs.manager import sentence
from scripts.load_test import crowd, servers_with_store
from scripts.visitor import START, Seen, Visitor, others
from vstg.jobs import Store
from vstg.jobs.queue.limits import LimitError, WorkLimits

USERS = 2
ACTIONS = {
    "open Data", "upload", "fit own data", "move a slider", "go to Tune",
    "choose the search", START, "go to History", "go to Data", "back to Explore",
}  # fmt: skip


@pytest.fixture
def visitor():
    """A visitor who has gone nowhere yet."""
    return Visitor(1, "http://127.0.0.1:1", Seen(), (0, 0))


def message_with(**element):
    """What a server sends to have one element drawn."""
    message = ForwardMsg()
    message.metadata.delta_path.extend([0, 0])
    for kind, fields in element.items():
        proto = getattr(message.delta.new_element, kind)
        for name, value in fields.items():
            setattr(proto, name, value)
    return message


def test_visitors_at_once_get_their_own_and_nothing_else():
    # In a thread of its own: the browser of other tests has its loop in this one.
    with servers_with_store() as (address, _), ThreadPoolExecutor(1) as thread:
        visits = crowd(address, users=USERS, seconds=0, thinking=(0, 0))
        seen = thread.submit(asyncio.run, visits).result()
    assert seen.errors == []
    assert seen.mixed == []
    assert set(seen.seconds) >= ACTIONS
    assert len(seen.seconds["back to Explore"]) == USERS
    to_their_end = len(seen.seconds.get("search to its end", []))
    assert to_their_end + seen.cancelled + seen.refused == USERS
    assert seen.own_pages >= 7 * USERS  # upload, fit, three moves, Data, Explore


def test_a_mark_of_another_is_found_wherever_it_stands():
    frame = b"\x00visitor001x_v1\xff...visitor002x.csv\x00visitor017x_t0"
    assert others(frame, "visitor001x") == {"visitor002x", "visitor017x"}
    assert others(b"visitor001x visitor001x", "visitor001x") == set()


def test_a_message_with_another_s_mark_is_noted(visitor):
    visitor.receive(message_with(html={"body": "visitor001x"}).SerializeToString())
    assert visitor.seen.mixed == []
    visitor.receive(message_with(html={"body": "visitor002x"}).SerializeToString())
    assert len(visitor.seen.mixed) == 1
    assert "visitor002x" in visitor.seen.mixed[0]


def test_a_page_without_the_visitor_s_own_is_noted(visitor):
    visitor.client.page.apply(message_with(html={"body": "somebody"}))
    visitor.look(own=False)
    assert visitor.seen.errors == []
    visitor.look(own=True)
    assert len(visitor.seen.errors) == 1


def test_an_exception_on_a_page_is_noted(visitor):
    visitor.client.page.apply(message_with(exception={"type": "KeyError"}))
    visitor.look(own=False)
    assert len(visitor.seen.errors) == 1
    assert "KeyError" in visitor.seen.errors[0]


def test_a_full_queue_is_a_refusal_where_a_search_was_started_only(visitor, tmp_path):
    with Store(tmp_path / "runs.sqlite") as store, pytest.raises(LimitError) as full:
        WorkLimits(waiting=0).check_queue(store)
    alert = {"body": sentence(full.value), "format": Alert.ERROR}
    visitor.client.page.apply(message_with(alert=alert))
    visitor.doing = START
    visitor.look(own=False)
    assert (visitor.seen.refused, visitor.seen.errors) == (1, [])
    visitor.doing = "go to History"
    visitor.look(own=False)
    assert len(visitor.seen.errors) == 1
