"""A digest of data by their content."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.sparse import issparse

from vstg.data.designs import blocks
from vstg.data.values import Array, sparse_parts


def fingerprint(
    X: Sequence[Any],
    y: Sequence[Array],
    task_names: Sequence[str],
    feature_names: Sequence[str],
    units: Sequence[float] = (),
    groups: Sequence[Any] = (),
    weights: Sequence[Array] = (),
    task_weights: Sequence[float] = (),
) -> str:
    """SHA-256 of names and values, and of units, groups and weights if any."""
    digests = {id(design): design for design in X}
    digests = {key: _digest(design) for key, design in digests.items()}
    names = json.dumps([task_names, feature_names])
    total = hashlib.sha256(names.encode())
    for design, target in zip(X, y, strict=True):
        total.update(digests[id(design)])
        total.update(_digest(target))
    if units:
        total.update(b"units" + _digest(np.array(units)))
    for codes in groups:
        total.update(b"groups" + _digest(codes))
    for one in weights:
        total.update(b"weights" + _digest(one))
    if task_weights:
        total.update(b"task weights" + _digest(np.array(task_weights)))
    return total.hexdigest()


def _digest(array: Any) -> bytes:
    content = hashlib.sha256(repr(array.shape).encode())
    if issparse(array):
        content.update(b"csr")
        for part, kind in zip(sparse_parts(array), ("<f8", "<i8", "<i8"), strict=True):
            content.update(part.astype(kind).tobytes())
        return content.digest()
    rows = array[:, None] if array.ndim == 1 else array
    for _, block in blocks(rows):
        # Adding 0.0 turns -0.0 into 0.0: equal values must give equal bytes.
        content.update(np.ascontiguousarray(block + 0.0, dtype="<f8").tobytes())
    return content.digest()
