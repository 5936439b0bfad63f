"""Cells that their declared type cannot read: no ledger is started over them in silence."""

from __future__ import annotations

import os
import re
import uuid

import duckdb
import polars as pl
import pytest

from indistinct.errors import ParameterError, SchemaError
from indistinct.questions.database import begin, init, open_session
from indistinct.questions.database.postgres import connect
from indistinct.questions.database.unread_cells import shape_of

URL = os.environ.get("INDISTINCT_POSTGRES", "")
HEAD = """
[dataset]
name = "clinic"
data = "{data}"
ledger = "clinic.ledger"
{more}
[budget]
accounting = "pure"
epsilon = 100
"""
TABLES = """
[tables.visits]
person = "pid"
rows_per_person = 1
[tables.visits.columns]
day = { type = "date", bounds = ["2020-01-01", "2025-12-31"] }
cost = { type = "number", bounds = [0, 100], step = 0.01 }
seen = { type = "timestamp", bounds = ["2020-01-01", "2025-12-31"] }
acute = "bool"
ward = "text"
[tables.stays]
person = "pid"
rows_per_person = 1
[tables.stays.columns]
nights = { type = "number", bounds = [0, 30] }
ends = { type = "date", bounds = ["2020-01-01", "2025-12-31"] }
"""
VISITS = {
    "pid": ["1", "2", "3", "4", None],
    "day": ["23/04/2021", "05/06/2021", "2021-07-01", "", "31/12/2021"],
    "cost": ["37,45", "18", None, "9 EUR", "1,5"],
    "seen": ["2021-04-23T10:00:00", "23.04.2021 11:30", "2021-04-23 12:15", "", "x"],
    "acute": ["yes", "true", "peut-être", None, "oui"],
    "ward": ["12,5", "x", "", "2021", "y"],
}
STAYS = {"pid": ["1", "2"], "nights": ["3", "4"], "ends": ["2021-02-30", "2021-02-28"]}
UNREAD = {
    "tables.visits.columns.day": ("a date", 2, "dd/mm/yyyy"),
    "tables.visits.columns.cost": ("a number", 2, "nn,nn"),
    "tables.visits.columns.seen": ("a timestamp", 1, "dd.mm.yyyy nn:nn"),
    "tables.visits.columns.acute": ("a truth value", 1, "letters-letters"),
    "tables.stays.columns.ends": ("a date", 1, "yyyy-mm-dd"),
}


def folder_of(place, ending):
    """Write both tables in one form; give what a declaration names as its data."""
    frames = {"visits": pl.DataFrame(VISITS), "stays": pl.DataFrame(STAYS)}
    if ending == "duckdb":
        with duckdb.connect(str(place / "clinic.duckdb")) as connection:
            for name, frame in frames.items():
                connection.register("given", frame.to_arrow())
                connection.execute(f"CREATE TABLE {name} AS SELECT * FROM given")
                connection.unregister("given")
        return "clinic.duckdb"
    (place / "clinic").mkdir()
    for name, frame in frames.items():
        path = place / "clinic" / f"{name}.{ending}"
        if ending == "parquet":
            frame.write_parquet(path)
        else:
            frame.write_csv(path, separator="\t" if ending == "tsv" else ",")
    return "clinic"


def declaration(place, data, more=""):
    path = place / "clinic.toml"
    path.write_text(HEAD.format(data=data, more=more) + TABLES, encoding="utf-8")
    return path


def found_in(caught):
    """Return what each fault says, without its words."""
    pattern = r"is (.*), but ([0-9,]+) of its cells cannot be read as one, .* written like (.*)"
    said = {one.place: re.fullmatch(pattern, one.problem).groups() for one in caught.faults}
    return {place: (kind, int(count), shape) for place, (kind, count, shape) in said.items()}


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "duckdb"])
def test_all_columns_of_all_tables_are_counted_at_once(tmp_path, ending):
    """Empty cells and rows of nobody do not count, and no message has a cell."""
    path = declaration(tmp_path, folder_of(tmp_path, ending))
    with pytest.raises(SchemaError) as caught:
        begin(path)
    found = found_in(caught.value)
    assert {place: one[:2] for place, one in found.items()} == {
        place: one[:2] for place, one in UNREAD.items()
    }
    assert found["tables.visits.columns.day"][2] == "dd/mm/yyyy"
    assert found["tables.visits.columns.cost"][2] == "nn,nn"
    assert found["tables.stays.columns.ends"][2] == "yyyy-mm-dd"
    said = str(caught.value)
    cells = {cell for table in (VISITS, STAYS) for column in table.values() for cell in column}
    assert not [cell for cell in cells if cell and len(cell) > 4 and cell in said]
    assert "--unreadable missing" in said
    assert not (tmp_path / "clinic.ledger").exists()
    begin(path, unreadable="missing")
    with open_session(path) as session:
        days = "SELECT COUNT(*) FROM visits WHERE day >= DATE '2021-01-01'"
        assert session.ask(days, epsilon=90).answer == 1
    with pytest.raises(ParameterError, match="unreadable"):
        begin(path, unreadable="maybe")


def test_cells_that_can_be_read_start_a_ledger(tmp_path):
    """Missing numbers of a notebook among them, and days beyond the bounds."""
    (tmp_path / "clinic").mkdir()
    visits = "1,1999-01-01,,2021-01-01 10:00,true,a\n2,,nan,,,\n3,2021-01-01, 7 ,,f,\n"
    (tmp_path / "clinic" / "visits.csv").write_text(f"pid,day,cost,seen,acute,ward\n{visits}")
    pl.DataFrame(
        {"pid": [1, 2], "nights": [float("nan"), 2.0], "ends": [None, "2021-01-01"]}
    ).write_parquet(tmp_path / "clinic" / "stays.parquet")
    begin(declaration(tmp_path, "clinic"))
    assert (tmp_path / "clinic.ledger").exists()


def test_bins_and_numbers_of_one_column_are_counted_once(tmp_path):
    """Of one table, too, and of lines that fit the header alone."""
    (tmp_path / "t.csv").write_text("pid,age\n1,41\n2,forty\n3,50,\n")
    text = HEAD.format(data="t.csv", more='table = "t"\nperson = "pid"\nmisfits = "leave-out"')
    columns = '[columns.bands]\ntype = "bins"\nof = "age"\nedges = [20, 40]\n'
    path = tmp_path / "t.toml"
    path.write_text(f'{text}{columns}[columns.age]\ntype = "number"\nbounds = [0, 120]\n')
    with pytest.raises(SchemaError) as caught:
        begin(path)
    assert found_in(caught.value) == {"columns.age": ("a number", 1, "letters")}


def test_days_that_no_calendar_has_are_refused_by_init_over_a_file(tmp_path):
    """They look like days, so that init takes the column for one of dates."""
    (tmp_path / "t.csv").write_text("pid,day\n1,2021-02-30\n2,2021-02-28\n")
    out = tmp_path / "t.toml"
    with pytest.raises(SchemaError) as caught:
        init(tmp_path / "t.csv", person="pid", epsilon=1, out=out)
    assert found_in(caught.value) == {"day": ("a date", 1, "yyyy-mm-dd")}
    assert not out.exists()
    init(tmp_path / "t.csv", person="pid", epsilon=1, out=out, unreadable="missing")


@pytest.mark.postgres
@pytest.mark.skipif(
    not URL, reason='no PostgreSQL: eval "$(sh tests/postgres.sh start)" starts one'
)
def test_tables_of_a_server_are_counted_as_files_are(tmp_path):
    """Texts that are declared as numbers and dates; columns with types of their own are read."""
    name = f"t{uuid.uuid4().hex}"
    admin = connect(URL)
    admin.run(f"CREATE DATABASE {name}")
    url = URL.replace("/postgres?", f"/{name}?")
    connection = connect(url)
    try:
        for table, columns in (("visits", VISITS), ("stays", STAYS)):
            connection.run(f"CREATE TABLE {table} ({', '.join(f'{one} text' for one in columns)})")
            for row in zip(*columns.values(), strict=True):
                marks = ", ".join(f":{one}" for one in columns)
                cells = dict(zip(columns, row, strict=True))
                connection.run(f"INSERT INTO {table} VALUES ({marks})", **cells)
        connection.run("ALTER TABLE stays ALTER nights TYPE numeric USING nights::numeric")
        connection.run("INSERT INTO stays VALUES ('3', 'NaN', NULL)")
        path = declaration(tmp_path, url, more="frozen = true")
        with pytest.raises(SchemaError) as caught:
            begin(path)
        found = found_in(caught.value)
        # A server reads a truth value by other words than a file.
        assert {place: one[:2] for place, one in found.items()} == {
            place: one[:2] for place, one in UNREAD.items()
        }
        begin(path, unreadable="missing")
    finally:
        connection.close()
        admin.run(f"DROP DATABASE {name} WITH (FORCE)")
        admin.close()


@pytest.mark.parametrize(
    ("cells", "shape"),
    [
        (["05/06/2021", "05/23/2021"], "mm/dd/yyyy"),
        (["5.6.21"], "dd.mm.yy"),
        (["2021/06/05 10:00"], "yyyy/mm/dd nn:nn"),
        (["1.234,50"], "n.nnn,nn"),
        (["12 kg"], "nn letters"),
        (["Maria"], "letters"),
        (["-"], "signs alone"),
        (["\u0663\u0664"], "nn"),
        (["\x1b[2J"], "?[nletters"),
        (["20 \u20ac"], "nn ?"),
        (["1" * 90], f"{'n' * 24}..."),
        (["Meier, Anna, 3"], "letters, letters, n"),
    ],
)
def test_a_shape_has_no_digit_and_no_letter_of_a_cell(cells, shape):
    assert shape_of(cells) == shape
