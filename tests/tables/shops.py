"""A table of three shops, whole and with gaps."""

import numpy as np
import pandas as pd

from vstg.tables import Recipe, Table

LONG = Recipe(task="shop", targets=("sold",), test_size=0.25)


def make_table(n_rows: int = 80, seed: int = 0) -> Table:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "shop": rng.choice(["north", "south", "east"], n_rows),
            "price": rng.normal(10, 3, n_rows),
            "promo": rng.integers(0, 2, n_rows),
            "season": rng.choice(["spring", "summer", "winter"], n_rows),
            "size": rng.choice(["big", "small"], n_rows),
            "sold": rng.normal(50, 9, n_rows),
        }
    )
    frame.index = pd.RangeIndex(2, n_rows + 2)
    return Table("shops.csv", frame, "CSV")


def with_gaps() -> Table:
    table = make_table()
    frame = table.frame.copy()
    frame.loc[frame.index[3:9], "price"] = np.nan
    frame.loc[frame.index[12:15], "season"] = None
    frame.loc[frame.index[20:22], "sold"] = np.nan
    frame.loc[frame.index[30], "shop"] = None
    return Table(table.name, frame, table.format)
