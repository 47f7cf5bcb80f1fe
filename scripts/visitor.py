"""One visitor of the dashboard: what it does, and what it must not see.

A visitor is a session that speaks Streamlit's protocol. It uploads a table whose names
all bear its mark, moves sliders, starts searches, and goes to and fro between the
pages. Nothing that it receives may bear the mark of another: a run on an uploaded table
is its visitor's alone, so that this holds for History and the lists of runs too.
"""

import asyncio
import random
import re
import time
from collections.abc import Awaitable
from dataclasses import dataclass, field

from streamlit.proto.Alert_pb2 import Alert
from websockets.exceptions import WebSocketException

from pages.shared import words as common
from pages.tune import words as tune_words
from scripts.protocol_client import Client
from scripts.protocol_page import Page, ProtocolError

MARK = re.compile(rb"visitor\d{3}x")
REFUSAL = "runs are waiting already"  # vstg.jobs.queue.limits, when the queue is full
SEARCH_PATIENCE = 30.0  # seconds before a visitor cancels a search
START = "start a search"


@dataclass
class Seen:
    """What all visitors experienced."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    mixed: list[str] = field(default_factory=list)
    pages: int = 0
    own_pages: int = 0
    messages: int = 0
    refused: int = 0
    cancelled: int = 0

    def note(self, action: str, seconds: float) -> None:
        """An action took so long."""
        self.seconds.setdefault(action, []).append(seconds)


def table(mark: str, rng: random.Random) -> bytes:
    """A table of three tasks and six variables with the visitor's mark in each name."""
    columns = [f"{mark}_v{i}" for i in range(6)]
    lines = [",".join(["task", *columns, "target"])]
    for number in range(60):
        values = [rng.gauss(0, 1) for _ in columns]
        target = values[0] - 2 * values[1] + rng.gauss(0, 0.3)
        row = [f"{mark}_t{number % 3}", *(f"{v:.4f}" for v in (*values, target))]
        lines.append(",".join(row))
    return ("\n".join(lines) + "\n").encode()


def others(message: bytes, mark: str) -> set[str]:
    """The marks of other visitors in what one has received."""
    return {found.decode() for found in MARK.findall(message)} - {mark}


def complaints(page: Page) -> list[str]:
    """The failures that a page shows: exceptions and error messages."""
    found = [f"exception {one.type}" for one in page.of_kind("exception")]
    alerts = page.of_kind("alert")
    found += [one.body for one in alerts if one.format == Alert.ERROR]
    return found


def has_mark(page: Page, mark: str) -> bool:
    """Whether a page shows a mark."""
    wanted = mark.encode()
    shown = page.shown.values()
    return any(wanted in one.element.SerializeToString() for one in shown)


class Visitor:
    """One session and what it does."""

    def __init__(
        self, number: int, address: str, seen: Seen, thinking: tuple[float, float]
    ) -> None:
        self.mark, self.seen, self.thinking = f"visitor{number:03d}x", seen, thinking
        self.rng = random.Random(number)  # nosec B311
        self.client = Client(address, self.receive)
        self.doing, self.began = "connect", 0.0
        self.has_run = self.was_refused = False

    def receive(self, message: bytes) -> None:
        """Look at a message as it comes."""
        self.seen.messages += 1
        if found := others(message, self.mark):
            self.seen.mixed.append(
                f"{self.mark} received {sorted(found)} at: {self.doing}"
            )

    async def act(self, name: str, action: Awaitable[None], *, own: bool) -> None:
        """Wait, act, record the time, and check the page."""
        self.doing = name
        await asyncio.sleep(self.rng.uniform(*self.thinking))
        self.began = time.monotonic()
        await action
        self.seen.note(name, time.monotonic() - self.began)
        self.look(own=own)

    def look(self, *, own: bool) -> None:
        """The page shows no failure, and the visitor's own where it must."""
        page, seen = self.client.page, self.seen
        mine = has_mark(page, self.mark)
        seen.pages += 1
        seen.own_pages += mine
        if own and not mine:
            self.blame("the visitor's own is not shown")
        self.was_refused = False
        for words in complaints(page):
            if self.doing == START and REFUSAL in words:
                self.was_refused = True
                seen.refused += 1
            else:
                self.blame(words)

    def blame(self, words: str) -> None:
        """Note an error."""
        self.seen.errors.append(f"{self.mark} at: {self.doing}: {words}")

    async def bring_data(self) -> None:
        """Upload the table and go on to Explore with it."""
        client, name = self.client, f"{self.mark}.csv"
        content = table(self.mark, self.rng)
        await self.act("open Data", client.open("Data"), own=False)
        await self.act("upload", client.upload("upload", name, content), own=True)
        await self.act("fit own data", client.click("use"), own=True)

    async def slide(self) -> None:
        """One step to the left or to the right on a slider of the model."""
        key = self.rng.choice(["K", "g1", "g2"])
        slider = self.client.page.widget(key).proto
        (now,) = self.client.page.states[slider.id].double_array_value.data
        steps = [now - slider.step, now + slider.step]
        to = [place for place in steps if slider.min <= place <= slider.max]
        moving = self.client.slide(key, self.rng.choice(to))
        await self.act("move a slider", moving, own=True)

    def cancel_keys(self) -> list[str]:
        """The cancel buttons of searches that are not over."""
        return [key for key in self.client.page.keys if key.startswith("cancel_")]

    async def search(self) -> None:
        """Start the smallest ready search, and cancel it if it takes too long."""
        client = self.client
        if not self.has_run:
            for key, label in (
                ("tune_grid", common.GRIDS["coarse"]),
                ("tune_judged", tune_words.EVALUATIONS["validation"]),
            ):
                await self.act(
                    "choose the search", client.choose(key, label), own=False
                )
        await self.act(START, client.click("tune_start"), own=self.has_run)
        if self.was_refused:
            return
        self.has_run = True
        self.doing = "wait for the search"
        try:
            await client.until(lambda: not self.cancel_keys(), SEARCH_PATIENCE)
            self.seen.note("search to its end", time.monotonic() - self.began)
        except TimeoutError:
            await self.cancel()
        self.look(own=True)

    async def cancel(self) -> None:
        """Cancel the search; it may end by itself meanwhile."""
        self.doing = "cancel a search"
        self.seen.cancelled += 1
        for key in self.cancel_keys():
            await self.client.press(key)
        await self.client.until(lambda: not self.cancel_keys())

    async def stay(self, until: float) -> None:
        """Wander between the pages until the time is over; a round is finished."""
        client = self.client
        await self.bring_data()
        while True:
            for _ in range(3):
                await self.slide()
            await self.act("go to Tune", client.follow("Tune"), own=self.has_run)
            await self.search()
            await self.act("go to History", client.follow("History"), own=self.has_run)
            await self.act("go to Data", client.follow("Data"), own=True)
            await self.act("back to Explore", client.follow("Explore"), own=True)
            if time.monotonic() > until:
                return

    async def visit(self, until: float) -> None:
        """From beginning to end; a failure is recorded, not raised."""
        try:
            await self.stay(until)
        except (ProtocolError, WebSocketException, OSError) as error:
            self.blame(f"{type(error).__name__} {error}")
        finally:
            await self.client.close()
