"""Tables as people export them: titles, two headers, 1,234, 12 %, sheets, names."""

import io

import numpy as np
import pandas as pd
import pytest
from file_makers import npz
from scipy.io import savemat

from vstg.tables import TableError, file_parts, prepare, read_table, suggest_recipe

BODY = "".join(f"s{i % 3},{2000 + i},{i}.5,{i * i}\n" for i in range(12))
GOOD = "state,year,price,area\n" + BODY


def read(text, name="t.csv", **options):
    return read_table(text.encode(), name=name, **options)


def workbook(*sheets):
    buffer = io.BytesIO()
    with pd.ExcelWriter(buffer) as writer:
        for title, rows in sheets:
            frame = pd.DataFrame(rows)
            frame.to_excel(writer, sheet_name=title, index=False, header=False)
    return buffer.getvalue()


ABOVE = {
    "a title": "House prices by state\n",
    "titles with delimiters": "House prices,,,\nMinistry of Housing,,,\n,,,\n",
    "blank lines": "House prices by state\n\n\n",
    "facts": "Source:,the ministry of housing,,\n" * 0 + "made on 3 May 2020,,,\n\n",
}


@pytest.mark.parametrize("above", ABOVE)
def test_lines_above_the_header_are_skipped(above):
    expected = read(GOOD)
    table = read(ABOVE[above] + GOOD)
    assert list(table.frame.columns) == ["state", "year", "price", "area"]
    pd.testing.assert_frame_equal(
        table.frame.reset_index(drop=True), expected.frame.reset_index(drop=True)
    )
    # Rows have the numbers of the lines of the file.
    assert table.frame.index[0] == ABOVE[above].count("\n") + 2


def test_a_sheet_with_titles_is_read_too():
    rows = [
        ["House prices", None, None],
        [None, None, None],
        ["state", "year", "price"],
    ]
    rows += [[f"s{i % 3}", 2000 + i, i + 0.5] for i in range(9)]
    table = read_table(workbook(("Data", rows)), name="t.xlsx")
    assert list(table.frame.columns) == ["state", "year", "price"]
    assert len(table.frame) == 9
    assert table.frame["price"].dtype == np.float64


TWO = {
    "groups above": (",,Scores,,Costs,\nstate,year,a,b,a,b\n",
                     ["state", "year", "Scores a", "Scores b", "Costs a", "Costs b"]),
    "groups beside": ("state,year,Scores,,Costs,\n,,a,b,a,b\n",
                      ["state", "year", "Scores a", "Scores b", "Costs a", "Costs b"]),
    "units below": ("state,year,pop,area,gdp,tax\n,,millions,km2,$,percent\n",
                    ["state", "year", "pop millions", "area km2", "gdp $",
                     "tax percent"]),
}  # fmt: skip


@pytest.mark.parametrize("kind", TWO)
@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_a_header_of_two_rows_is_joined(kind, form):
    header, names = TWO[kind]
    lines = [f"s{i % 3},{2000 + i},{i},{i + 1},{i + 2},{i + 3}" for i in range(8)]
    if form == "csv":
        table = read(header + "\n".join(lines))
    else:
        top = [[c or None for c in line.split(",")] for line in header.splitlines()]
        cells = [[line.split(",")[0], *map(int, line.split(",")[1:])] for line in lines]
        table = read_table(workbook(("a", [*top, *cells])), name="t.xlsx")
    found = [name for name in table.frame.columns if not name.endswith("year")]
    assert found == [name for name in names if not name.endswith("year")]
    assert len(table.frame) == 8
    assert any("two rows" in fact for fact in table.facts)


def test_one_header_stays_one():
    assert list(read(GOOD).frame.columns) == ["state", "year", "price", "area"]
    text = "a,b\n" + "x,y\n" * 9  # words everywhere
    assert len(read(text).frame) == 9
    gaps = "a,b,c\nNA,NA,NA\n" + "1,2,3\n" * 9
    assert list(read(gaps).frame.columns) == ["a", "b", "c"]


FIGURES = {
    "thousands": (['"1,234"', "950", '"2,000,001"'], [1234, 950, 2000001]),
    "english": (['"1,234.50"', "2.25", "-3"], [1234.5, 2.25, -3]),
    "percent": (["12%", "3.5 %", "-7%"], [12, 3.5, -7]),
    "dollars": (['"$1,200"', "$3.50", "-$4"], [1200, 3.5, -4]),
    "spaces": (["1 234", "12 000 000", "7"], [1234, 12000000, 7]),
}


@pytest.mark.parametrize("kind", FIGURES)
def test_figures_are_numbers(kind):
    texts, values = FIGURES[kind]
    lines = [f"t{i % 2},{i},{text}" for i, text in enumerate(texts * 4)]
    table = read("task,y,x\n" + "\n".join(lines))
    assert table.frame["x"].tolist() == values * 4
    assert table.kinds["x"].kind == "number"
    assert any("'x' were read" in fact for fact in table.facts)


def test_european_figures_are_numbers():
    lines = [f"t{i % 2};{i},5;1.234,5;12,5%" for i in range(8)]
    table = read("task;y;x;p\n" + "\n".join(lines))
    assert set(table.frame["x"]) == {1234.5}
    assert set(table.frame["p"]) == {12.5}
    assert table.options["decimal"] == ","


def test_decimal_commas_stay_decimals_where_semicolons_separate():
    table = read("task;y\n" + "a;1,234\nb;2,345\n" * 5)
    assert set(table.frame["y"]) == {1.234, 2.345}
    tabs = read("task\ty\n" + "a\t1,234\nb\t2,345\n" * 5)
    assert set(tabs.frame["y"]) == {1234, 2345}


def test_units_that_differ_and_words_are_left_alone():
    text = "task,y,money,code\n" + "a,1,$5,1 234 A\nb,2,€6,x\n" * 5
    table = read(text)
    assert set(table.frame["money"]) == {"$5", "€6"}
    assert table.kinds["code"].kind == "category"


def test_sheets_are_listed_and_chosen():
    rows = [["task", "y", "x"], *[["ab"[i % 2], i, i * i] for i in range(8)]]
    content = workbook(("Notes", [["read me"]]), ("Data", rows), ("More", rows[:5]))
    assert file_parts(content, name="t.xlsx") == ("Notes", "Data", "More")
    assert len(read_table(content, name="t.xlsx", sheet="More").frame) == 4
    assert file_parts(GOOD.encode(), name="t.csv") == ()


def mat(**arrays):
    buffer = io.BytesIO()
    savemat(buffer, arrays)
    return buffer.getvalue()


@pytest.mark.parametrize("form", ["mat", "npz"])
def test_arrays_of_other_names_are_named_by_the_user(form, rng):
    features, labels = rng.normal(size=(40, 3)), rng.normal(size=40)
    school = np.repeat([7, 9, 11, 12], 10)
    make = mat if form == "mat" else npz
    content = make(features=features, labels=labels, school=school)
    name = f"t.{form}"
    assert set(file_parts(content, name=name)) == {"features", "labels", "school"}
    with pytest.raises(TableError, match="give X and Y"):
        read_table(content, name=name)
    table = read_table(content, name=name, variables=["features", "labels", "school"])
    recipe = suggest_recipe(table)
    assert (recipe.task, recipe.targets) == ("task", ("y1",))
    train = prepare(table, recipe).train
    assert train.task_names == ("7", "9", "11", "12")
    again = read_table(content, name=name, **table.options)
    pd.testing.assert_frame_equal(again.frame, table.frame)
    one = read_table(content, name=name, variables=["features", "labels"])
    assert one.task is None
    with pytest.raises(TableError, match="no array 'lables'; its arrays are"):
        read_table(content, name=name, variables=["features", "lables"])
    with pytest.raises(TableError, match="the task of each of the 40 rows"):
        read_table(content, name=name, variables=["features", "labels", "features"])
    with pytest.raises(TableError, match="must name X and Y"):
        read_table(content, name=name, variables=["features"])
