"""Good files of every kind give the same table, and guesses are said."""

import io

import numpy as np
import pandas as pd
import pytest
from file_makers import (
    CELLS,
    GOOD,
    X3,
    Y3,
    mat_cells,
    mat_file,
    npz,
    parquet_file,
    read_here,
    workbook,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.io import savemat

from vstg.tables import TableError, read_table
from vstg.tables.readers import BINARY
from vstg.tables.table import distinct_names

EXPECTED = pd.read_csv(io.StringIO(GOOD))
FORMS = {
    "comma": GOOD.encode(),
    "tab": GOOD.replace(",", "\t").encode(),
    "bar": GOOD.replace(",", "|").encode(),
    "german": GOOD.replace(",", ";").replace(".", ",").encode("latin-1"),
    "spaces after commas": GOOD.replace(",", ", ").encode(),
    "utf-16": GOOD.encode("utf-16"),
    "mac": GOOD.replace("\n", "\r").encode(),
    "title above": b"My table\n" + GOOD.encode(),
    "excel": workbook(CELLS),
    "parquet": parquet_file(EXPECTED),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_table(form):
    table = read_table(FORMS[form], name=form)
    assert list(table.frame.columns) == list(EXPECTED.columns)
    assert table.frame["task"].astype(str).tolist() == EXPECTED["task"].tolist()
    for column in "yab":
        np.testing.assert_allclose(
            table.frame[column].to_numpy(float), EXPECTED[column]
        )


@pytest.mark.parametrize("form", ["german", "excel", "tab"])
def test_the_options_of_a_table_read_it_again(form):
    table = read_table(FORMS[form], name=form)
    assert table.options
    again = read_table(FORMS[form], name=form, **table.options)
    pd.testing.assert_frame_equal(table.frame, again.frame)
    assert table.digest == again.digest


def test_guesses_are_told():
    facts = " / ".join(read_table(FORMS["german"], name="x").facts)
    assert "semicolon" in facts
    assert "decimal comma" in facts
    assert "1 lines above" in " / ".join(read_table(FORMS["title above"]).facts)


@pytest.mark.parametrize(
    ("content", "row"),
    [
        (GOOD.encode(), 2),
        (b"\n\n" + GOOD.encode(), 4),
        (b"Title\n" + GOOD.encode(), 3),
        (workbook(CELLS), 2),
    ],
)
def test_rows_are_called_by_their_number_in_the_file(content, row):
    assert read_table(content).frame.index[0] == row


def test_blank_lines_do_not_shift_the_numbers_of_rows():
    lines = GOOD.splitlines()
    table = read_table("\n".join([*lines[:3], "", *lines[3:]]).encode())
    assert table.frame.index[:3].tolist() == [2, 3, 5]
    assert len(table.frame) == 60


@pytest.mark.parametrize("compress", [False, True])
def test_mat_cells_are_read_as_scipy_writes_them(compress, rng):
    X = np.empty((1, 3), dtype=object)
    Y = np.empty((1, 3), dtype=object)
    for j in range(3):
        # Bytes: arithmetic on them would wrap around.
        X[0, j] = rng.integers(0, 255, size=(5 + j, 4)).astype(np.uint8)
        Y[0, j] = rng.integers(200, 255, size=(5 + j, 1)).astype(np.uint8)
    buffer = io.BytesIO()
    savemat(buffer, {"X": X, "Y": Y, "note": "hello"}, do_compression=compress)
    table = read_table(buffer.getvalue(), name="cells.mat")
    assert table.task == "task"
    assert table.frame["task"].value_counts(sort=False).tolist() == [5, 6, 7]
    np.testing.assert_array_equal(
        table.frame[["x1", "x2", "x3", "x4"]], np.concatenate(list(X[0]))
    )
    np.testing.assert_array_equal(
        table.frame["y"], np.concatenate(list(Y[0])).ravel().astype(float)
    )
    assert any("'note'" in fact for fact in table.facts)


@settings(max_examples=30, deadline=None)
@given(
    array=arrays(
        st.sampled_from([np.float64, np.float32, np.int16, np.uint8, np.int64]),
        st.tuples(st.integers(1, 6), st.integers(1, 4)),
    ),
    compress=st.booleans(),
)
def test_matrices_survive_mat_and_npz(array, compress):
    Y = np.arange(float(len(array)))[:, None]
    buffer = io.BytesIO()
    savemat(buffer, {"X": array, "Y": Y}, do_compression=compress)
    for content in (buffer.getvalue(), npz(X=array, Y=Y)):
        frame = read_here(content, name="m.mat").frame
        np.testing.assert_array_equal(frame.filter(regex="^x"), array.astype(float))


def test_cells_in_every_spelling_are_one_table():
    spellings = [
        mat_file(mat_cells("X", X3), mat_cells("Y", Y3)),
        mat_file(mat_cells("x", [x.T for x in X3]), mat_cells("y", [y.T for y in Y3])),
        npz(X=np.stack(X3), Y=np.stack(Y3)[:, :, 0]),
        npz(
            **{f"X_{j}": X3[j] for j in range(3)}, **{f"y{j}": Y3[j] for j in range(3)}
        ),
    ]
    frames = [read_table(content).frame for content in spellings]
    for frame in frames[1:]:
        pd.testing.assert_frame_equal(frame, frames[0])


def test_ten_numbered_arrays_keep_their_order():
    content = npz(
        **{f"X{j}": np.full((2, 1), j) for j in range(12)},
        **{f"Y{j}": np.full(2, j) for j in range(12)},
    )
    frame = read_table(content).frame
    np.testing.assert_array_equal(frame["x1"], np.repeat(np.arange(12), 2))
    np.testing.assert_array_equal(frame["x1"], frame["y"])


def test_the_sheet_can_be_chosen():
    content = workbook(CELLS, more={"other": [["p", "q"], [1, 2]]})
    assert list(read_table(content, sheet="other").frame.columns) == ["p", "q"]
    with pytest.raises(TableError, match="no sheet 'third'; its sheets are 'Sheet', "):
        read_table(content, sheet="third")


def test_sources_may_be_paths_bytes_or_streams(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(GOOD.encode())
    tables = [
        read_table(path),
        read_table(str(path)),
        read_table(GOOD.encode()),
        read_table(io.BytesIO(GOOD.encode())),
    ]
    assert len({table.digest for table in tables}) == 1
    assert tables[0].name == "t.csv"


@given(st.lists(st.text(max_size=4), min_size=1, max_size=12))
def test_names_become_distinct_and_stay_when_they_are(names):
    distinct, _ = distinct_names(names)
    assert len(set(distinct)) == len(names)
    assert all(name.strip() for name in distinct)
    again, facts = distinct_names(distinct)
    assert again == distinct
    assert not facts


cell = st.text(
    st.characters(blacklist_categories=("Cs",), blacklist_characters="\0"), max_size=6
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.lists(cell, min_size=1, max_size=5), min_size=1, max_size=8),
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from(["utf-8", "utf-16", "utf-8-sig"]),
)
def test_any_text_is_a_table_or_a_sentence(rows, delimiter, encoding):
    content = "\n".join(delimiter.join(row) for row in rows).encode(encoding)
    try:
        table = read_here(content, "any.csv")
    except TableError as error:
        assert "any.csv" in str(error)
        return
    assert table.frame.columns.is_unique
    assert table.frame.shape[1] >= 2


@settings(max_examples=150, deadline=None)
@given(st.binary(min_size=1, max_size=400), st.sampled_from(sorted(BINARY)))
def test_any_bytes_that_claim_a_format_are_a_table_or_a_sentence(content, ending):
    name = f"any{ending}"
    try:
        read_here(content, name)
    except TableError as error:
        assert name in str(error)
        assert "one column" not in str(error)


@pytest.mark.parametrize("ending", BINARY)
def test_random_bytes_are_a_broken_file_of_their_name(ending, rng):
    with pytest.raises(TableError, match=BINARY[ending]):
        read_table(rng.bytes(3000), name=f"x{ending}")


def test_a_text_table_that_was_renamed_is_read():
    assert read_table(GOOD.encode(), name="really.xlsx").format == "CSV"


def test_texts_that_stand_for_no_value_can_be_given():
    content = b"task,x\nNA,1\nb,-\n"
    kept = read_table(content, missing=("", "nan")).frame
    assert kept["task"].tolist() == ["NA", "b"]
    assert read_table(content).frame["task"].isna().tolist() == [True, False]


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_damaged_files_are_a_table_or_a_sentence(data):
    form = data.draw(st.sampled_from([*FORMS, "mat", "npz"]))
    good = {
        **FORMS,
        "mat": mat_file(mat_cells("X", X3), mat_cells("Y", Y3), compress=True),
        "npz": npz(X=np.stack(X3), Y=np.stack(Y3)[:, :, 0]),
    }[form]
    content = bytearray(good)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, 40))
    # Libraries in C may end the process.
    read = read_table if form in ("mat", "parquet") else read_here
    try:
        read(bytes(content[: len(content) - cut]), name="damaged")
    except TableError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("n_columns", "name"), [(3_000, "{}" + "x" * 100), (12_000, "gene {}")]
)
def test_rows_of_very_many_columns_are_looked_at_whole(n_columns, name):
    """A header, or a row, of more characters than the sample usually has."""
    names = [name.format(i) for i in range(n_columns)]
    row = ";".join(["1234567,1234567"] * n_columns)
    content = "\n".join([";".join(names), *[row] * 3]).encode()
    table = read_table(content, name="wide.csv")
    assert table.frame.shape == (3, n_columns)
    assert table.options["decimal"] == ","
    assert (table.frame.iloc[0] == 1234567.1234567).all()
