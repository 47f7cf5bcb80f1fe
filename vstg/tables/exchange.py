"""Send a table from the process that read it: as arrays and texts, and back."""

from typing import Any

import numpy as np
import pandas as pd

from vstg.bounded import clean_text
from vstg.tables.kinds import ColumnKind, is_plain
from vstg.tables.limits import TableError
from vstg.tables.table import Table

MAX_TEXT = 10_000  # characters of one cell


def table_parts(table: Table) -> dict[str, Any]:
    """Return the parts from which :func:`table_of_parts` rebuilds a table."""
    frame = table.frame
    by_kind: dict[str, list[int]] = {}
    others = []
    for i, kind in enumerate(frame.dtypes):
        if is_plain(kind):
            by_kind.setdefault(kind.str, []).append(i)
        else:
            others.append(i)
    blocks = [(places, frame.iloc[:, places].to_numpy()) for places in by_kind.values()]
    columns = [_levels(frame.iloc[:, i]) for i in others]
    n_cut = sum(column.pop("n_cut") for column in columns)
    facts = list(table.facts)
    if n_cut:
        facts.append(f"{n_cut} texts were shortened to {MAX_TEXT} characters")
    kinds = table.kinds.values()
    return {
        "name": table.name,
        "format": table.format,
        "facts": [clean_text(fact, 1000) for fact in facts],
        "options": table.options,
        "digest": table.digest,
        "task": table.task,
        "targets": list(table.targets),
        "columns": list(frame.columns),
        "index": frame.index.to_numpy(dtype=np.int64),
        "blocks": [[np.array(places), values] for places, values in blocks],
        "texts": [[i, column] for i, column in zip(others, columns, strict=True)],
        "kinds": [found.kind for found in kinds],
        "examples": [found.example for found in kinds],
        "counts": np.array([[found.n_levels, found.n_bad] for found in kinds]),
    }


def _levels(column: pd.Series) -> dict[str, Any]:
    """Return the distinct values of a column of texts, and where each occurs."""
    kind = column.dtype.name
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes, values = column.cat.codes.to_numpy(), column.cat.categories.to_numpy()
    else:
        codes, values = pd.factorize(column.to_numpy(dtype=object))
        kind = kind if kind == "str" else "object"
    codes = codes.astype(np.int32)
    levels = [_scalar(value) for value in values]
    n_cut = sum(isinstance(one, str) and len(one) > MAX_TEXT for one in values)
    return {"kind": kind, "codes": codes, "levels": levels, "n_cut": n_cut}


def _scalar(value: Any) -> bool | int | float | str:
    """Return the value of a cell; anything but text and numbers becomes text."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, int | np.integer) and abs(int(value)) < 2**63:
        return int(value)
    if isinstance(value, float | np.floating):
        return float(value)
    return clean_text(str(value), MAX_TEXT)


def table_of_parts(parts: dict[str, Any]) -> Table:
    """Rebuild a table; TableError if the parts do not fit."""
    try:
        columns, index = parts["columns"], parts["index"]
        frame = _frame(parts, len(columns), len(index))
        frame.columns = pd.Index(columns, dtype=object)
        frame.index = pd.Index(index)
        table = Table(
            parts["name"], frame, parts["format"], tuple(parts["facts"]),
            dict(parts["options"]), parts["digest"], parts["task"],
            tuple(parts["targets"]),
        )  # fmt: skip
        described = zip(
            columns, parts["kinds"], parts["counts"], parts["examples"], strict=True
        )
        # What :attr:`Table.kinds` would find, and need not look for again.
        table.__dict__["kinds"] = {
            name: ColumnKind(kind, int(count[0]), int(count[1]), example)
            for name, kind, count, example in described
        }
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        msg = "the table came back damaged from the process that read it"
        raise TableError(msg) from error
    return table


def _frame(parts: dict[str, Any], n_columns: int, n_rows: int) -> pd.DataFrame:
    """Return the columns in their order; columns of one type come as one block."""
    pieces: list[Any] = []
    order: list[int] = []
    for places, values in parts["blocks"]:
        if values.shape != (n_rows, len(places)):
            raise ValueError
        pieces.append(pd.DataFrame(values, copy=False))
        order += places.tolist()
    for place, column in parts["texts"]:
        pieces.append(_column(column, n_rows))
        order.append(place)
    if sorted(order) != list(range(n_columns)):
        raise ValueError
    frame = pieces[0] if len(pieces) == 1 else pd.concat(pieces, axis=1)
    if order != list(range(n_columns)):
        frame = frame.iloc[:, np.argsort(order)]
    return frame


def _column(column: dict[str, Any], n_rows: int) -> pd.Series:
    codes, levels = column["codes"], column["levels"]
    if codes.shape != (n_rows,) or (len(codes) and codes.max() >= len(levels)):
        raise ValueError
    if column["kind"] == "category":
        return pd.Series(pd.Categorical.from_codes(codes, levels))
    values = np.empty(len(levels) + 1, dtype=object)
    values[:-1] = levels
    values[-1] = None  # for the code -1
    kind = "str" if column["kind"] == "str" else object
    return pd.Series(values[codes], dtype=kind)
