"""What columns hold."""

import numpy as np
import pandas as pd

from vstg.tables.kinds import column_kind, column_kinds


def test_kinds_of_many_columns_are_those_of_each(rng):
    values = rng.integers(0, 4, size=(12, 7)).astype(float)
    values[rng.random(values.shape) < 0.3] = np.nan
    frame = pd.DataFrame(values, columns=list("abcdefg"))
    frame["g"] = np.nan
    frame["f"] = [np.inf, *[np.nan] * 11]
    frame["whole"] = np.arange(12) % 5
    frame["yes"] = frame["whole"] > 2
    frame["word"] = ["x", "y"] * 6
    each = {name: column_kind(frame[name]) for name in frame.columns}
    assert column_kinds(frame) == each
    assert each["a"].n_levels > 1
    assert each["g"].kind == each["f"].kind == "empty"
