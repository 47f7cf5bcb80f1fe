"""How large the pages of a Parquet file say they are, before any is unpacked.

The figures in a file's footer may be false, and each page has its own. A page begins
with a header in Thrift's compact encoding; its first fields are the kind of page and
its sizes unpacked and packed.
"""

from collections.abc import Iterator
from dataclasses import dataclass

MAX_DEPTH = 8
MAX_FIELDS = 1000
UNPACKED, PACKED = 2, 3  # numbers of the fields
BOOLEANS, BYTE, INTEGERS, DOUBLE, TEXT = (1, 2), 3, (4, 5, 6), 7, 8
LISTS, STRUCT = (9, 10), 12


@dataclass
class _Header:
    """A run of bytes that is read from the front; IndexError at its end."""

    content: bytes
    position: int

    def byte(self) -> int:
        value = self.content[self.position]
        self.position += 1
        return value

    def varint(self) -> int:
        """Seven bits a byte, the lowest first."""
        value = 0
        for shift in range(0, 70, 7):
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
        raise ValueError

    def integer(self) -> int:
        """A signed number: 0, -1, 1, -2, ... are written 0, 1, 2, 3, ..."""
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def skip(self, kind: int, depth: int) -> None:
        """Pass over a value."""
        if kind in BOOLEANS:
            return
        if kind in INTEGERS:
            self.varint()
        elif kind in (BYTE, DOUBLE):
            self.position += 1 if kind == BYTE else 8
        elif kind == TEXT:
            n_bytes = self.varint()  # which moves the position itself
            self.position += n_bytes
        elif kind == STRUCT:
            self.struct(depth + 1)
        elif kind in LISTS:
            head = self.byte()
            count = self.varint() if head >> 4 == 15 else head >> 4
            if count > MAX_FIELDS:
                raise ValueError
            for _ in range(count):
                self.skip(head & 15, depth + 1)
        else:
            raise ValueError

    def struct(self, depth: int = 0) -> dict[int, int]:
        """Pass over a record; returns its whole numbers by the fields' numbers."""
        if depth > MAX_DEPTH:
            raise ValueError
        found: dict[int, int] = {}
        number = 0
        for _ in range(MAX_FIELDS):
            head = self.byte()
            if head == 0:
                return found
            number = number + (head >> 4) if head >> 4 else self.integer()
            if head & 15 in INTEGERS:
                found[number] = self.integer()
            else:
                self.skip(head & 15, depth)
        raise ValueError


def page_sizes(content: bytes, start: int, length: int) -> Iterator[int]:
    """Yield what each page of a column chunk says it unfolds to.

    ValueError if the bytes are no pages.
    """
    end = start + length
    if start < 0 or length < 0 or end > len(content):
        raise ValueError
    while start < end:
        header = _Header(content, start)
        try:
            fields = header.struct()
            unpacked, packed = fields[UNPACKED], fields[PACKED]
        except (IndexError, KeyError) as error:
            raise ValueError from error
        if unpacked < 0 or packed < 0:
            raise ValueError
        yield unpacked
        start = header.position + packed
