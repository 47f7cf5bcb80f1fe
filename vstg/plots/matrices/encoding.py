"""Matrices as a browser takes them: numbers in base64, or a tiny picture.

Numbers travel as 32-bit floats: half the size of text. Exact zeros stay zeros, so that
the program that draws them can tell a zero from a small number.
"""

import base64
import hashlib
import struct
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from vstg.plots.matrices.factors import FactorFrames, common_limit
from vstg.plots.matrices.scheme import STATUS_COLOURS, SchemeData
from vstg.plots.palette import group_colour, group_letter, ink_on

TINY = np.finfo(np.float32).tiny
INK = (42, 145, 135)  # legible on a white and on a nearly black page
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def scheme_payload(data: SchemeData) -> dict[str, Any]:
    """Everything that the picture shows; ``digest`` names its content."""
    estimate, truth = data.estimate, data.truth
    count = max(data.group_of_task, default=-1) + 1
    factors = _factors(estimate)
    content: dict[str, Any] = {
        "estimate": factors,
        "truth": None if truth is None else _factors(truth),
        "limits": {
            name: common_limit(
                getattr(estimate, name), None if truth is None else getattr(truth, name)
            )
            for name in "UVW"
        },
        "variables": [str(name) for name in estimate.U.index],
        "tasks": [str(name) for name in estimate.V.columns],
        "bases": [str(name) for name in estimate.V.index],
        "groups": [int(group) for group in data.group_of_task],
        "sizes": None if data.sizes is None else [int(size) for size in data.sizes],
        "group_names": [group_letter(group) for group in range(count)],
        "group_colours": [group_colour(group) for group in range(count)],
        "group_inks": [ink_on(group_colour(group)) for group in range(count)],
        "importance": [float(np.float32(value)) for value in data.importance],
        "status": list(data.status),
        "status_colours": [STATUS_COLOURS[status] for status in data.status],
        "sure_variables": _shares(data.sure_variables),
        "sure_groups": _shares(data.sure_groups),
        "view": data.view,
        "cell": data.focus_position,
    }
    content["digest"] = hashlib.sha256(factors["W"]["z"].encode()).hexdigest()[:12]
    return content


def _shares(values: Sequence[float] | None) -> list[float] | None:
    return None if values is None else [round(float(value), 4) for value in values]


def _factors(factors: FactorFrames) -> dict[str, Any]:
    return {name: _matrix(getattr(factors, name)) for name in "UVW"}


def _matrix(frame: pd.DataFrame) -> dict[str, Any]:
    exact = frame.to_numpy(dtype=np.float64)
    values = exact.astype("<f4")
    # A number too small for 32 bits must not become a zero.
    lost = (values == 0) & (exact != 0)
    values[lost] = np.copysign(TINY, exact[lost])
    text = base64.b64encode(np.ascontiguousarray(values).tobytes()).decode("ascii")
    return {"shape": list(values.shape), "z": text}


def matrix_png(matrix: npt.ArrayLike) -> bytes:
    """A PNG with one pixel per entry; its opacity is the magnitude, 0 for zeros."""
    size = np.abs(np.asarray(matrix, dtype=np.float64))
    share = size / (size.max(initial=0.0) or 1.0)
    pixels = np.empty((*size.shape, 4), dtype=np.uint8)
    pixels[..., :3] = INK
    pixels[..., 3] = np.where(size > 0, 70 + 185 * share, 0)
    height, width = size.shape
    # Each row of a PNG begins with the number of its filter; 0 is none.
    rows = np.hstack([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)])
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    body = zlib.compress(rows.tobytes(), 9)
    chunks = _chunk(b"IHDR", header) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")
    return SIGNATURE + chunks


def data_uri(png: bytes) -> str:
    """The picture as a data URI."""
    return "data:image/png;base64," + base64.b64encode(png).decode("ascii")


def _chunk(kind: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(kind + content)
    return (
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)
    )
