"""Values as bytes and back, without anything that could run when it is read.

A message is a JSON text followed by blocks of bytes. The JSON has numbers, short texts
and lists; arrays, long texts and lists of texts lie in the blocks. The reader checks
every size before it takes a block, since the sender may have been taken over by the
file that it read.
"""

import json
import math
from typing import Any, Literal

import numpy as np

MAX_HEADER = 2**23  # bytes of JSON
MAX_SHORT_TEXT = 1000  # characters that stay in the JSON
MANY_TEXTS = 16
KINDS = "biuf"  # of arrays: numbers and nothing else


class MessageError(ValueError):
    """The bytes are no message."""


def pack(value: Any) -> list[bytes | memoryview]:
    """Return a message in pieces: its header, and the blocks.

    ``value`` has None, numbers, text, bytes, arrays of numbers, and lists, tuples and
    dictionaries of these. Tuples come back as lists.
    """
    blocks: list[bytes | memoryview] = []
    tree = _plain(value, blocks)
    header = json.dumps(tree, ensure_ascii=False).encode("utf-8")
    return [len(header).to_bytes(8, "big"), header, *blocks]


def _plain(value: Any, blocks: list[bytes | memoryview]) -> Any:
    if isinstance(value, str) and len(value) <= MAX_SHORT_TEXT:
        return value
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, np.bool_ | np.integer | np.floating):
        return value.item()
    if isinstance(value, dict):
        return {"dict": [[str(key), _plain(v, blocks)] for key, v in value.items()]}
    if isinstance(value, list | tuple):
        if len(value) > MANY_TEXTS and all(isinstance(v, str) for v in value):
            joined = "\0".join(value)
            if joined.count("\0") != len(value) - 1:
                msg = "a text holds a zero character"
                raise MessageError(msg)
            return _block("texts", joined.encode("utf-8"), blocks)
        return [_plain(item, blocks) for item in value]
    if isinstance(value, str):
        return _block("text", value.encode("utf-8"), blocks)
    if isinstance(value, bytes):
        return _block("bytes", value, blocks)
    if isinstance(value, np.ndarray) and value.dtype.kind in KINDS:
        order: Literal["C", "F"] = "F" if value.flags.fnc else "C"
        flat: Any = np.ascontiguousarray(value.ravel(order=order)).view(np.uint8)
        described = _block("array", memoryview(flat), blocks)
        shape = list(value.shape)
        return described | {"dtype": value.dtype.str, "shape": shape, "order": order}
    msg = f"{type(value).__name__} cannot be sent"
    raise MessageError(msg)


def _block(kind: str, data: bytes | memoryview, blocks: list[Any]) -> dict[str, Any]:
    blocks.append(data)
    return {kind: len(data)}


def unpack(message: bytes | bytearray) -> Any:
    """Return the value of a message; MessageError if it is none."""
    try:
        length = int.from_bytes(message[:8], "big")
        if length > min(MAX_HEADER, len(message) - 8):
            msg = "its header is cut off or too long"
            raise MessageError(msg)
        reader = _Blocks(memoryview(message), 8 + length)
        value = reader.value(json.loads(message[8 : 8 + length]))
    except MessageError:
        raise
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        msg = f"it is damaged: {type(error).__name__}"
        raise MessageError(msg) from error
    if reader.position != len(message):
        msg = "bytes are left over"
        raise MessageError(msg)
    return value


class _Blocks:
    """Takes the blocks of a message one after the other."""

    def __init__(self, content: memoryview, position: int) -> None:
        self.content = content
        self.position = position

    def take(self, size: Any) -> memoryview:
        if type(size) is not int or not 0 <= size <= len(self.content) - self.position:
            msg = "a block is cut off"
            raise MessageError(msg)
        self.position += size
        return self.content[self.position - size : self.position]

    def value(self, tree: Any) -> Any:
        if isinstance(tree, str):
            tree.encode("utf-8")  # refuses half of a surrogate pair
            return tree
        if isinstance(tree, list):
            return [self.value(item) for item in tree]
        if not isinstance(tree, dict):
            return tree
        match tree:
            case {"dict": pairs}:
                return {str(key): self.value(item) for key, item in pairs}
            case {"texts": size}:
                return str(self.take(size), "utf-8").split("\0")
            case {"text": size}:
                return str(self.take(size), "utf-8")
            case {"bytes": size}:
                return bytes(self.take(size))
            case {"array": size, "dtype": str(kind), "shape": list(shape)}:
                return self.array(size, np.dtype(kind), shape, tree["order"])
        msg = "a value is of no known kind"
        raise MessageError(msg)

    def array(self, size: int, dtype: np.dtype, shape: list[Any], order: Any) -> Any:
        if dtype.kind not in KINDS or order not in ("C", "F"):
            msg = f"an array has the type {dtype}"
            raise MessageError(msg)
        if not all(type(n) is int and n >= 0 for n in shape) or len(shape) > 32:
            msg = "an array has no shape"
            raise MessageError(msg)
        if math.prod(shape) * dtype.itemsize != size:
            msg = "an array has another size than its shape"
            raise MessageError(msg)
        # A copy: the block may lie at an address that arrays of this type cannot have.
        flat = np.frombuffer(self.take(size), dtype=dtype).copy()
        return flat.reshape(shape, order=order)
