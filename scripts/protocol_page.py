"""What a browser knows of a page, made of the messages that Streamlit sends.

``Page.apply`` takes one ``ForwardMsg`` after the other: elements have places, those of
an earlier run are dropped when a run ends, long messages are remembered by their hash,
and widgets have the states that a browser would send back.
"""

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState


class ProtocolError(RuntimeError):
    """The server sent what no browser could show, or a page lacks what is needed."""


@dataclass(frozen=True)
class Shown:
    """An element of the page, with the fragment and the run that drew it."""

    element: Element
    fragment: str
    run: int

    @property
    def kind(self) -> str:
        """What it is: slider, button, html, exception."""
        return self.element.WhichOneof("type") or ""

    @property
    def proto(self) -> Any:
        """The message of its kind; kinds differ in their fields."""
        return getattr(self.element, self.kind) if self.kind else None

    @property
    def key(self) -> str:
        """The key that the page gave a widget: the end of ``$$ID-hash-key``."""
        number = getattr(self.proto, "id", "")
        return number.split("-", 2)[2] if number.startswith("$$ID-") else ""


class Page:
    """The page as it stands, and what goes back to the server."""

    def __init__(self) -> None:
        self.script = self.session = ""
        self.query: dict[str, str] = {}
        self.shown: dict[tuple[int, ...], Shown] = {}
        self.states: dict[str, WidgetState] = {}
        self.known: dict[str, tuple[Delta, int]] = {}  # and when it was last used
        self.known_runs = 0
        self.timers: dict[str, float] = {}  # fragments and the seconds between runs
        self.answers: dict[str, Any] = {}
        self.run = self.drawn = 0  # runs begun; whole pages finished
        self.fragments: list[str] = []
        self.busy = False

    @property
    def keys(self) -> set[str]:
        """The keys of all widgets."""
        return {one.key for one in self.shown.values() if one.key}

    def of_kind(self, kind: str) -> list[Any]:
        """The elements of a kind."""
        return [one.proto for one in self.shown.values() if one.kind == kind]

    def widget(self, key: str) -> Shown:
        """The widget of a key; ProtocolError unless it is there and can be used."""
        found = [one for one in self.shown.values() if one.key == key]
        if not found:
            msg = f"the page has no widget {key!r}, only {sorted(self.keys)}"
            raise ProtocolError(msg)
        if getattr(found[0].proto, "disabled", False):
            msg = f"the widget {key!r} is greyed out"
            raise ProtocolError(msg)
        return found[0]

    def link(self, label: str) -> Any:
        """The link to another page."""
        links = {link.label: link for link in self.of_kind("page_link")}
        if label not in links:
            msg = f"the page has no link {label!r}, only {sorted(links)}"
            raise ProtocolError(msg)
        return links[label]

    def leave_by(self, link: Any) -> None:
        """Nothing stays but those parts of the address that widgets are bound to."""
        protos = [one.proto for one in self.shown.values()]
        bound = {getattr(proto, "query_param_key", "") for proto in protos}
        self.query = {key: self.query[key] for key in self.query if key in bound}
        self.query |= dict(parse_qsl(link.query_string))
        self.states.clear()
        self.timers.clear()

    def apply(self, message: ForwardMsg) -> None:
        """Take a message in."""
        match message.WhichOneof("type"):
            case "new_session":
                self._begin(message)
            case "navigation":
                self.script = message.navigation.page_script_hash
            case "delta":
                if message.metadata.cacheable:
                    self.known[message.hash] = (message.delta, self.drawn)
                self._put(message, message.delta)
            case "ref_hash":
                self._put(message, self._recall(message.ref_hash))
            case "page_info_changed":
                self.query = dict(parse_qsl(message.page_info_changed.query_string))
            case "auto_rerun":
                self.timers[message.auto_rerun.fragment_id] = (
                    message.auto_rerun.interval
                )
            case "stop_auto_rerun":
                for fragment in message.stop_auto_rerun.fragment_ids:
                    self.timers.pop(fragment, None)
            case "file_urls_response":
                answer = message.file_urls_response
                self.answers[answer.response_id] = answer
            case "script_finished":
                self._end(message.script_finished)
            case "page_not_found" | "session_event" as fault:
                msg = f"instead of a page came {fault}: {message}"
                raise ProtocolError(msg)

    def _begin(self, message: ForwardMsg) -> None:
        session = message.new_session
        self.session = session.initialize.session_id
        self.script = session.page_script_hash
        self.known_runs = session.config.max_cached_message_age
        self.fragments = list(message.metadata.run.fragment_ids)
        self.run += 1
        if not self.fragments:
            self.busy = True
            self.timers.clear()

    def _recall(self, number: str) -> Delta:
        if number not in self.known:
            msg = f"the message {number} is referred to and was not sent"
            raise ProtocolError(msg)
        delta = self.known[number][0]
        self.known[number] = (delta, self.drawn)
        return delta

    def _put(self, message: ForwardMsg, delta: Delta) -> None:
        """Put an element in its place; a block only makes room."""
        place = tuple(message.metadata.delta_path)
        self.shown.pop(place, None)
        if delta.WhichOneof("type") != "new_element":
            return
        one = Shown(delta.new_element, delta.fragment_id, self.run)
        self.shown[place] = one
        state = first_state(one.kind, one.proto)
        if state and (state.id not in self.states or one.proto.set_value):
            self.states[state.id] = state

    def _end(self, status: int) -> None:
        """Drop what this run did not draw; a run ended for another leaves it be."""
        if status == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            return
        if status == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
            msg = "the script of the page cannot be compiled"
            raise ProtocolError(msg)
        whole = status == ForwardMsg.FINISHED_SUCCESSFULLY
        self.shown = {
            place: one
            for place, one in self.shown.items()
            if one.run == self.run or not (whole or one.fragment in self.fragments)
        }
        ids = {getattr(one.proto, "id", "") for one in self.shown.values()}
        self.states = {key: self.states[key] for key in self.states if key in ids}
        if whole:
            self.busy = False
            self.drawn += 1
            self.known = {
                number: (delta, used)
                for number, (delta, used) in self.known.items()
                if self.drawn - used <= self.known_runs
            }


def first_state(kind: str, widget: Any) -> WidgetState | None:
    """What a browser says of a widget that nobody has touched; None if nothing."""
    if not getattr(widget, "id", "") or getattr(widget, "form_id", None):
        return None
    state = WidgetState(id=widget.id)
    given = getattr(widget, "set_value", False)
    match kind:
        case "slider" if widget.type == widget.SELECT_SLIDER:
            chosen = [widget.options[int(place)] for place in widget.default]
            state.string_array_value.data[:] = widget.raw_value if given else chosen
        case "slider":
            state.double_array_value.data[:] = widget.value if given else widget.default
        case "checkbox":
            state.bool_value = widget.value if given else widget.default
        case "text_input":
            state.string_value = widget.value if given else widget.default
        case "number_input":
            value = widget.value if given else widget.default
            if widget.data_type == widget.INT:
                state.int_value = int(value)
            else:
                state.double_value = value
        case "selectbox":
            if given:
                state.string_value = widget.raw_value
            elif widget.HasField("default") and widget.options:
                state.string_value = widget.options[widget.default]
        case "multiselect" | "button_group":
            labels = [getattr(option, "content", option) for option in widget.options]
            chosen = [labels[place] for place in widget.default]
            state.string_array_value.SetInParent()
            state.string_array_value.data[:] = widget.raw_values if given else chosen
        case _:
            return None
    return state
