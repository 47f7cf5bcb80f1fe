"""Matrices as tiny pictures: one pixel an entry, nothing where the entry is zero."""

import base64
import struct
import zlib

import numpy as np
import numpy.typing as npt

INK = (42, 145, 135)  # legible on a white and on a nearly black page
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def matrix_png(matrix: npt.ArrayLike) -> bytes:
    """A PNG with the magnitude of each entry as opacity; zeros are transparent."""
    size = np.abs(np.asarray(matrix, dtype=np.float64))
    share = size / (size.max(initial=0.0) or 1.0)
    pixels = np.empty((*size.shape, 4), dtype=np.uint8)
    pixels[..., :3] = INK
    pixels[..., 3] = np.where(size > 0, 70 + 185 * share, 0)
    height, width = size.shape
    # Each row of a PNG begins with the number of its filter: none.
    rows = np.hstack([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)])
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    body = zlib.compress(rows.tobytes(), 9)
    chunks = _chunk(b"IHDR", header) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")
    return SIGNATURE + chunks


def data_uri(png: bytes) -> str:
    """The picture as an address that needs no server."""
    return "data:image/png;base64," + base64.b64encode(png).decode("ascii")


def _chunk(kind: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(kind + content)
    return (
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)
    )
