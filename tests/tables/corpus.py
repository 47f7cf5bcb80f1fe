"""Bad, odd and hostile files, each made from scratch.

An entry is a name and a function that returns the bytes. Whatever becomes of them,
it must be a sentence or a table.
"""

import codecs
import datetime
import gzip
import io
import pickle
import struct
from collections.abc import Callable

import numpy as np
import pandas as pd
import pyarrow as pa
from file_makers import (
    CELLS,
    GOOD,
    X3,
    Y3,
    deep_cells,
    edited,
    entity_bomb,
    far_row,
    huge_dimension,
    lying_npy,
    mat_array,
    mat_bomb,
    mat_cells,
    mat_file,
    npy,
    npz,
    parquet_file,
    without,
    workbook,
    zipped,
)

Maker = Callable[[], bytes]

TEXT: dict[str, Maker] = {
    "nothing": lambda: b"",
    "blanks only": lambda: b" \n\n  \n",
    "header only": lambda: b"task,y,a\n",
    "one column": lambda: b"a\n1\n2\n3\n",
    "one cell": lambda: b"x",
    "one row": lambda: b"task,y,a\nt,1,2\n",
    "prose": lambda: b"Dear all,\nfind the table, the figures; and more.\nYours\n",
    "ragged, longer row": lambda: GOOD.encode() + b"t1,2,3,4,5,6\n",
    "ragged, early": lambda: b"task,y,a\nt,1,2\nt,1,2,3\n" + b"t,4,5\n" * 90,
    "ragged, shorter rows": lambda: GOOD.encode() + b"t1,2\nt2\n" * 5,
    "unclosed quote": lambda: GOOD.encode() + b't1,"2,3,4\n' + b"t2,1,2,3\n" * 50,
    "quote in the middle": lambda: GOOD.encode() + b't1,2"3,4,5\n',
    "zero bytes": lambda: b"task,y\0,a\nt,1,2\n",
    "random bytes": lambda: np.random.default_rng(0).bytes(5000),
    "latin-1": lambda: GOOD.replace("task", "Stra\xdfe").encode("latin-1"),
    "undefined in cp1252": lambda: GOOD.encode().replace(b"t1", b"\x81\x8d"),
    "utf-16": lambda: GOOD.encode("utf-16"),
    "utf-32": lambda: GOOD.encode("utf-32"),
    "utf-8 mark": lambda: codecs.BOM_UTF8 + GOOD.encode(),
    "utf-16 cut": lambda: GOOD.encode("utf-16")[:-1],
    "utf-16 without mark": lambda: GOOD.encode("utf-16-le"),
    "old Mac line ends": lambda: GOOD.replace("\n", "\r").encode(),
    "Windows line ends": lambda: GOOD.replace("\n", "\r\n").encode(),
    "semicolons and decimal commas": lambda: (
        GOOD.replace(",", ";").replace(".", ",").encode()
    ),
    "Excel's sep line": lambda: b"sep=;\n" + GOOD.replace(",", ";").encode(),
    "trailing delimiters": lambda: GOOD.replace("\n", ",\n").encode(),
    "row names as in R": lambda: "\n".join(
        line if i == 0 else f"{i},{line}" for i, line in enumerate(GOOD.splitlines())
    ).encode(),
    "header twice": lambda: (GOOD + GOOD).encode(),
    "the same name twice": lambda: GOOD.replace("a,b", "a,a").encode(),
    "names missing": lambda: GOOD.replace("a,b", ",").encode(),
    "no header": lambda: GOOD.partition("\n")[2].replace("t", "").encode(),
    "blank lines between": lambda: GOOD.replace("\n", "\n\n").encode(),
    "comment lines above": lambda: b"# made on Monday\n# by hand\n" + GOOD.encode(),
    "target all missing": lambda: b"task,y,a\n" + b"t,,1\n" * 20,
    "task all missing": lambda: b"task,y,a\n" + b",1,1\n" * 20,
    "everything missing": lambda: b"task,y,a\n" + b"NA,NA,NA\n" * 20,
    "infinite values": lambda: GOOD.replace("0.25", "inf").encode(),
    "numbers beyond range": lambda: GOOD.replace("0.25", "1e400").encode(),
    "huge numbers": lambda: GOOD.replace("0.25", "1e200").encode(),
    "huge targets": lambda: b"task,y,a\n"
    + "".join(f"t{i % 2},{i}e200,{i}\n" for i in range(30)).encode(),
    "very long integers": lambda: GOOD.replace("0.25", "9" * 400).encode(),
    "units behind numbers": lambda: GOOD.replace("0.25", "0.25 kg").encode(),
    "thousands": lambda: b'task,y,a\n' + b't,"1,234.5",2\nu,"2,345.5",3\n' * 10,
    "dates as variables": lambda: b"task,y,d\n"
    + b"t,1,2020-01-01\nu,2,2021-02-03\n" * 9,
    "free text as variables": lambda: b"task,y,c\n"
    + "".join(f"t{i % 2},{i},word {i}\n" for i in range(40)).encode(),
    "every row its own task": lambda: b"task,y,a\n"
    + "".join(f"t{i},{i},{i * i}\n" for i in range(30)).encode(),
    "constant target": lambda: b"task,y,a\n"
    + "".join(f"t{i % 2},5,{i}\n" for i in range(30)).encode(),
    "constant variables": lambda: b"task,y,a\n"
    + "".join(f"t{i % 2},{i},5\n" for i in range(30)).encode(),
    "fractions as tasks": lambda: b"task,y,a\n"
    + "".join(f"{i % 3 + 0.5},{i},{i * i}\n" for i in range(30)).encode(),
    "formulas": lambda: GOOD.replace("0.25", "=cmd|' /C calc'!A0").encode(),
    "one enormous cell": lambda: GOOD.encode() + b"t," + b"x" * 2_000_000 + b",1,2\n",
    "thousands of columns": lambda: ",".join(f"c{i}" for i in range(26_000)).encode()
    + b"\n" + b"1," * 25_999 + b"1\n",
    "only delimiters": lambda: b",,,,\n" * 30,
    "only quotes": lambda: b'"' * 10_001,
    "control characters": lambda: GOOD.replace("t1", "\x1b[2J\x07").encode(),
    "HTML": lambda: b"<html><body><table><tr><td>1</td></tr></table></body></html>",
    "JSON": lambda: b'[{"task": "t", "y": 1}, {"task": "u", "y": 2}]',
}  # fmt: skip

PACKED: dict[str, Maker] = {
    "gzip of a table": lambda: gzip.compress(GOOD.encode()),
    "pickle": lambda: pickle.dumps({"X": [1, 2]}),
    "PDF": lambda: b"%PDF-1.7\n...",
    "picture": lambda: b"\x89PNG\r\n\x1a\n" + b"\0" * 100,
    "old Excel": lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600,
    "HDF5": lambda: b"\x89HDF\r\n\x1a\n" + b"\0" * 600,
    "MATLAB 7.3": lambda: b"MATLAB 7.3 MAT-file".ljust(512) + b"\x89HDF",
    "zip of a table": lambda: zipped({"table.csv": GOOD.encode()}),
    "empty zip": lambda: zipped({}),
    "zip cut off": lambda: workbook(CELLS)[:-200],
    "zip bomb as workbook": lambda: zipped(
        {"xl/workbook.xml": b"<x/>", "xl/worksheets/sheet1.xml": b" " * 30_000_000}
    ),
    "zip bomb as arrays": lambda: npz(X=np.zeros((2000, 2000)), Y=np.zeros((2000, 1))),
    "workbook": lambda: workbook(CELLS),
    "workbook, empty": lambda: workbook([]),
    "workbook, header only": lambda: workbook(CELLS[:1]),
    "workbook, empty first sheet": lambda: workbook([], more={"data": CELLS}),
    "workbook with formulas": lambda: workbook([*CELLS, ["t1", "=1/0", "=A1", 2]]),
    "workbook with errors": lambda: workbook([*CELLS, ["t1", "#DIV/0!", "#N/A", 2]]),
    "workbook with dates": lambda: workbook(
        [[*r, datetime.date(2020, 1, 1)] for r in CELLS]
    ),
    "workbook with entities": lambda: edited(workbook(CELLS), entity_bomb),
    "workbook, false dimension": lambda: edited(workbook(CELLS), huge_dimension),
    "workbook, far last cell": lambda: edited(workbook(CELLS), far_row),
    "workbook without sheets": lambda: edited(
        workbook(CELLS), without("xl/worksheets/sheet1.xml")
    ),
    "workbook without types": lambda: edited(
        workbook(CELLS), without("[Content_Types].xml")
    ),
    "workbook, broken XML": lambda: edited(
        workbook(CELLS), lambda m: m.update({"xl/workbook.xml": b"<broken"})
    ),
    "parquet": lambda: parquet_file(pd.read_csv(io.StringIO(GOOD))),
    "parquet, cut off": lambda: parquet_file(pd.read_csv(io.StringIO(GOOD)))[:-50],
    "parquet, garbage inside": lambda: b"PAR1" + b"garbage" * 50 + b"PAR1",
    "parquet, no rows": lambda: parquet_file(pd.read_csv(io.StringIO(GOOD)).head(0)),
    "parquet, lists": lambda: parquet_file(pa.table({"a": [[1], [2]], "y": [1, 2]})),
    "parquet, one long text many times": lambda: parquet_file(
        pa.table(
            {
                "t": pa.DictionaryArray.from_arrays(
                    np.zeros(50_000, dtype=np.int32), ["x" * 50_000]
                ),
                "y": range(50_000),
            }
        ),
        store_schema=False,
    ),
    "parquet, a long column of zeros": lambda: parquet_file(
        pa.table({f"c{i}": np.zeros(60_000) for i in range(12)}), use_dictionary=False
    ),
    "parquet, dates and decimals": lambda: parquet_file(
        pa.table(
            {
                "y": pa.array([1, 2] * 10).cast(pa.decimal128(25, 2)),
                "d": [datetime.datetime(2020, 1, 1)] * 20,
                "a": list(range(20)),
            }
        )
    ),
    "npz of cells": lambda: npz(X=np.stack(X3), Y=np.stack(Y3)[:, :, 0]),
    "npz, numbered": lambda: npz(
        **{f"X{j}": x for j, x in enumerate(X3)},
        **{f"Y{j}": y for j, y in enumerate(Y3)},
    ),
    "npz of matrices": lambda: npz(X=np.eye(9), Y=np.arange(18.0).reshape(9, 2)),
    "npz without Y": lambda: npz(X=np.eye(9)),
    "npz, lengths differ": lambda: npz(X=np.eye(9), Y=np.zeros((5, 2))),
    "npz, empty": lambda: npz(X=np.zeros((0, 4)), Y=np.zeros((0, 1))),
    "npz, not finite": lambda: npz(X=np.full((9, 2), np.nan), Y=np.ones((9, 2))),
    "npz, complex": lambda: npz(X=np.eye(9) * 1j, Y=np.ones(9)),
    "npz, text": lambda: npz(X=np.array([["a"]]), Y=np.array(["b"])),
    "npz with objects": lambda: zipped(
        {
            "X.npy": npy(np.array([{"a": 1}], dtype=object)),
            "Y.npy": npy(np.ones(1)),
        }
    ),
    "npz, false shape": lambda: zipped(
        {"X.npy": lying_npy((10**9, 10**9), 64), "Y.npy": npy(np.ones(8))}
    ),
    "npz, negative shape": lambda: zipped(
        {"X.npy": lying_npy((-8, 1), 64), "Y.npy": npy(np.ones(8))}
    ),
    "npz, no header": lambda: zipped({"X.npy": b"hello", "Y.npy": b""}),
    "one array": lambda: npy(np.eye(3)),
    "mat of cells": lambda: mat_file(mat_cells("X", X3), mat_cells("Y", Y3)),
    "mat, compressed": lambda: mat_file(
        mat_cells("X", X3), mat_cells("Y", Y3), compress=True
    ),
    "mat of matrices": lambda: mat_file(
        mat_array("X", np.eye(8)), mat_array("Y", np.arange(16.0).reshape(8, 2))
    ),
    "mat, transposed cells": lambda: mat_file(
        mat_cells("X", [x.T for x in X3]), mat_cells("Y", [y.T for y in Y3])
    ),
    "mat, cells of unequal width": lambda: mat_file(
        mat_cells("X", [X3[0], X3[1][:, :1]]), mat_cells("Y", Y3[:2])
    ),
    "mat, cells and matrix": lambda: mat_file(
        mat_cells("X", X3), mat_array("Y", np.eye(3))
    ),
    "mat, fewer cells": lambda: mat_file(mat_cells("X", X3), mat_cells("Y", Y3[:2])),
    "mat, false number of cells": lambda: mat_file(
        mat_cells("X", X3, count=2**31 - 1), mat_cells("Y", Y3)
    ),
    "mat, false shape": lambda: mat_file(
        mat_array("X", np.eye(3), dims=(2**30, 2**30)), mat_array("Y", np.ones((3, 1)))
    ),
    "mat, negative shape": lambda: mat_file(mat_array("X", np.eye(3), dims=(-3, -3))),
    "mat, text": lambda: mat_file(mat_array("X", np.eye(3), flags=4)),
    "mat, complex": lambda: mat_file(mat_array("X", np.eye(3), flags=6 | 0x0800)),
    "mat, cut off": lambda: mat_file(mat_cells("X", X3), mat_cells("Y", Y3))[:-100],
    "mat, header only": lambda: mat_file(),
    "mat, garbage": lambda: mat_file() + b"\xff" * 400,
    "mat, broken compression": lambda: (
        mat_file() + struct.pack("<II", 15, 40) + b"x" * 40
    ),
    "mat bomb": mat_bomb,
    "mat, deep cells": deep_cells,
}

CORPUS = TEXT | PACKED
