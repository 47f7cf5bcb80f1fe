"""The factor scheme as plain values, for a program that draws it in the browser.

Matrices travel as 32-bit floats in base64, exact zeros as zeros: half the size of text,
and what draws them can tell a zero from a small number.
"""

import base64
import hashlib
from typing import Any

import numpy as np
import pandas as pd

from vstg.plots.factors import Factors, common_limit
from vstg.plots.palette import group_colour, group_letter
from vstg.plots.scheme import STATUS_COLOURS, SchemeData

TINY = np.finfo(np.float32).tiny


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
        "importance": [float(np.float32(value)) for value in data.importance],
        "status": list(data.status),
        "status_colours": [STATUS_COLOURS[status] for status in data.status],
        "view": data.view,
        "cell": data.focus_position,
    }
    content["digest"] = hashlib.sha256(factors["W"]["z"].encode()).hexdigest()[:12]
    return content


def _factors(factors: Factors) -> dict[str, Any]:
    return {name: _matrix(getattr(factors, name)) for name in "UVW"}


def _matrix(frame: pd.DataFrame) -> dict[str, Any]:
    exact = frame.to_numpy(dtype=np.float64)
    values = exact.astype("<f4")
    # A number too small for 32 bits must not become a zero.
    lost = (values == 0) & (exact != 0)
    values[lost] = np.copysign(TINY, exact[lost])
    text = base64.b64encode(np.ascontiguousarray(values).tobytes()).decode("ascii")
    return {"shape": list(values.shape), "z": text}
