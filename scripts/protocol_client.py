"""A visitor without a browser: Streamlit's own protocol over a real WebSocket.

To the server a ``Client`` is a session like any other: it asks for the cookie,
connects, sends the states of all widgets with everything it does, uploads by HTTP,
follows links, and has fragments drawn again by the clock. What it received is in
``Client.page``.
"""

import asyncio
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http.cookies import SimpleCookie
from urllib.parse import urlencode
from uuid import uuid4

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin, Subprotocol

from scripts.protocol_page import Page, ProtocolError

COOKIE = "_streamlit_xsrf"
PATIENCE = 240.0  # seconds for one answer


class Client:
    """One session. ``on_frame`` is given every message as it came.

    A method returns when the page is drawn that belongs to what was done. TimeoutError,
    OSError, ConnectionClosed and ProtocolError say that it was not.
    """

    def __init__(self, address: str, on_frame: Callable[[bytes], None]) -> None:
        self.address, self.on_frame = address, on_frame
        self.page = Page()
        self.cookies: dict[str, str] = {}
        self.failure = ""
        self.clocks: dict[str, asyncio.Task] = {}
        self.changed = asyncio.Condition()
        self.socket: ClientConnection
        self.reader: asyncio.Task | None = None

    async def open(self, name: str) -> None:
        """Connect and have a page drawn, as its address in a browser does."""
        self.cookies = await asyncio.to_thread(self._fetch_cookies)
        self.socket = await connect(
            f"{self.address.replace('http', 'ws', 1)}/_stcore/stream",
            origin=Origin(self.address),
            subprotocols=[Subprotocol("streamlit"), Subprotocol(self.cookies[COOKIE])],
            additional_headers={"Cookie": self._cookie_header()},
            open_timeout=PATIENCE,
            max_size=None,
            proxy=None,
        )
        self.reader = asyncio.create_task(self._read())
        async with self._new_page():
            await self._send(ClientState(page_name=name))

    async def close(self) -> None:
        """Leave, as a closed tab does."""
        if self.reader is not None:
            await self.socket.close()
            await self.reader

    async def slide(self, key: str, value: float) -> None:
        """Move a slider; the address follows if it is bound to it."""
        async with self._new_page():
            slider = self.page.widget(key).proto
            state = WidgetState(id=slider.id)
            state.double_array_value.data.append(value)
            self.page.states[slider.id] = state
            if slider.query_param_key:
                self.page.query[slider.query_param_key] = f"{value:g}"
                if value == slider.default[0]:
                    del self.page.query[slider.query_param_key]
            await self._send(self._here())

    async def choose(self, key: str, label: str) -> None:
        """Choose one of a row of buttons."""
        async with self._new_page():
            state = WidgetState(id=self.page.widget(key).proto.id)
            state.string_array_value.data.append(label)
            self.page.states[state.id] = state
            await self._send(self._here())

    async def click(self, key: str) -> None:
        """Press a button and wait for the page."""
        async with self._new_page():
            await self.press(key)

    async def press(self, key: str) -> None:
        """Press a button and do not wait; one in a fragment has only that drawn."""
        button = self.page.widget(key)
        state = self._here()
        state.fragment_id = button.fragment
        state.widget_states.widgets.add(id=button.proto.id, trigger_value=True)
        await self._send(state)

    async def follow(self, label: str) -> None:
        """Go to another page by its link."""
        async with self._new_page():
            link = self.page.link(label)
            self.page.leave_by(link)
            self._set_clocks()
            await self._send(ClientState(page_script_hash=link.page_script_hash))

    async def upload(self, key: str, name: str, content: bytes) -> None:
        """Bring a file to an uploader."""
        state = WidgetState(id=self.page.widget(key).proto.id)
        asked, number = BackMsg(), str(uuid4())
        asked.file_urls_request.request_id = number
        asked.file_urls_request.session_id = self.page.session
        asked.file_urls_request.file_names.append(name)
        await self.socket.send(asked.SerializeToString())
        await self.until(lambda: number in self.page.answers)
        urls = self.page.answers.pop(number).file_urls[0]
        await asyncio.to_thread(self._put, urls.upload_url, name, content)
        file = state.file_uploader_state_value.uploaded_file_info.add()
        file.name, file.size, file.file_id = name, len(content), urls.file_id
        file.file_urls.CopyFrom(urls)
        async with self._new_page():
            self.page.states[state.id] = state
            await self._send(self._here())

    async def until(
        self, condition: Callable[[], bool], seconds: float = PATIENCE
    ) -> None:
        """Wait until a condition holds; TimeoutError if it does not within seconds."""
        async with asyncio.timeout(seconds), self.changed:
            await self.changed.wait_for(lambda: bool(self.failure) or condition())
        if self.failure:
            raise ProtocolError(self.failure)

    def _here(self) -> ClientState:
        return ClientState(page_script_hash=self.page.script)

    @asynccontextmanager
    async def _new_page(self) -> AsyncIterator[None]:
        """Begin when no page is being drawn, and wait until one was drawn since."""
        await self.until(lambda: not self.page.busy)
        before = self.page.drawn
        yield
        await self.until(lambda: self.page.drawn > before and not self.page.busy)

    async def _send(self, state: ClientState) -> None:
        """Ask for a rerun, with everything that a browser would send."""
        state.query_string = urlencode(self.page.query)
        state.widget_states.widgets.extend(self.page.states.values())
        state.cached_message_hashes.extend(self.page.known)
        state.context_info.timezone = "UTC"
        state.context_info.locale = "en-US"
        state.context_info.url = f"{self.address}/"
        state.context_info.color_scheme = "light"
        await self.socket.send(BackMsg(rerun_script=state).SerializeToString())

    async def _read(self) -> None:
        """Take in messages until the connection ends."""
        try:
            async for frame in self.socket:
                assert isinstance(frame, bytes)
                self.on_frame(frame)
                message = ForwardMsg.FromString(frame)
                self.page.apply(message)
                if message.WhichOneof("type") != "delta":
                    self._set_clocks()
                    await self._tell()
            self.failure = "the connection is closed"
        except (ConnectionClosed, ProtocolError) as error:
            self.failure = str(error)
        self.page.timers.clear()
        self._set_clocks()
        await self._tell()

    async def _tell(self) -> None:
        async with self.changed:
            self.changed.notify_all()

    def _set_clocks(self) -> None:
        """A clock for each fragment that is to be drawn again and again."""
        for fragment in self.clocks.keys() - self.page.timers.keys():
            self.clocks.pop(fragment).cancel()
        for fragment in self.page.timers.keys() - self.clocks.keys():
            self.clocks[fragment] = asyncio.create_task(self._tick(fragment))

    async def _tick(self, fragment: str) -> None:
        while True:
            await asyncio.sleep(self.page.timers[fragment])
            state = self._here()
            state.fragment_id, state.is_auto_rerun = fragment, True
            await self._send(state)

    def _fetch_cookies(self) -> dict[str, str]:
        """What is sent with everything: against cross-site requests, and a proxy's."""
        url = f"{self.address}/_stcore/health"
        found: dict[str, str] = {}
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:  # nosec B310
            for text in answer.headers.get_all("Set-Cookie"):
                found |= {name: one.value for name, one in SimpleCookie(text).items()}
        return found

    def _cookie_header(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def _put(self, path: str, name: str, content: bytes) -> None:
        """Send a file as a form of one field."""
        edge = uuid4().hex
        head = f'form-data; name="{name}"; filename="{name}"'
        body = f"--{edge}\r\nContent-Disposition: {head}\r\n\r\n".encode()
        body += content + f"\r\n--{edge}--\r\n".encode()
        headers = {
            "Content-Type": f"multipart/form-data; boundary={edge}",
            "Cookie": self._cookie_header(),
            "X-Xsrftoken": self.cookies[COOKIE],
        }
        url = f"{self.address}{path}"
        request = urllib.request.Request(url, body, headers, method="PUT")
        urllib.request.urlopen(request, timeout=PATIENCE).close()  # nosec B310
