"""Cells in another writing: what a declaration says of them is read as plain Python reads it."""

from __future__ import annotations

import math
import os
import random
import tomllib
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest

from indistinct.base.cells.cell_reading import AS_WRITTEN, CellReading
from indistinct.base.cells.date_formats import DateFormat
from indistinct.errors import PolicyError, SchemaError
from indistinct.questions.database import begin, open_session
from indistinct.questions.database.drafted_tables import draft_tables
from indistinct.questions.database.engines.postgres_casts import PostgresCast
from indistinct.questions.database.initialize import init
from indistinct.questions.database.loading import load
from indistinct.questions.database.postgres import connect
from indistinct.questions.database.relational.written_cells import DuckDbPatterns, plain_cell

URL = os.environ.get("INDISTINCT_POSTGRES", "")
CELLS = [
    "3 mArT 1999", "3 MAYIS 1999", "3 Μαΐου 1999", "3 AOÛT 1999", "28/01/2023",
    "8/1/2023", "31/02/2023", "28.01.23", "28 Jan 2023", "3 März 1999", "12JAN1999",
    "Mon, 3 May 1999", "2023-01-28", "28/01/2023 7:05 pm", "28/01/2023 25:00", "28/01.2023",
    "1.234,5", "1,234.5", "1 234,5", "1'234.5", "(12)", "12-", "-,5", "5.", "0007", "12 kg", "1e3",
    "12,50", "NA", " NA ", "", "44954", "soon", "01022023", "020123", "23-01-28",
]  # fmt: skip
FORMATS = [
    "dd/mm/yyyy", "mm/dd/yyyy", "dd.mm.yy", "dd mmmm yyyy", "mmmm dd yyyy", "yyyy-mm-dd",
    "dd/mm/yyyy hh:mm", "days since 1899-12-30", "ddmmyyyy", "ddmmyy", "yy-mm-dd",
]  # fmt: skip
READINGS = [
    *(CellReading(("NA",), DateFormat.of(word)) for word in FORMATS),
    *(CellReading(("NA",), decimal=mark) for mark in ",."),
    CellReading(("NA", "soon")),
]


@pytest.mark.parametrize("reading", READINGS)
def test_the_engine_reads_as_plain_python_does(reading: CellReading) -> None:
    connection = duckdb.connect()
    written = plain_cell("c", reading, DuckDbPatterns())
    kind = "TIMESTAMP" if reading.format else "DOUBLE" if reading.decimal else "VARCHAR"
    rows = "(SELECT unnest(?) AS c, unnest(?) AS plain)"
    query = f"SELECT c, TRY_CAST({written} AS {kind}), TRY_CAST(plain AS {kind}) FROM {rows}"
    plain = [reading.plain(cell) for cell in CELLS]
    for cell, found, expected in connection.execute(query, [CELLS, plain]).fetchall():
        assert found == expected, cell


@pytest.mark.postgres
@pytest.mark.skipif(not URL, reason="no PostgreSQL")
@pytest.mark.parametrize("reading", READINGS)
def test_postgres_reads_as_plain_python_does(reading: CellReading) -> None:
    """Nothing that a cell may hold makes a question fail."""
    cast = PostgresCast({'"c"': "text"})
    kind = "timestamp" if reading.format else "number" if reading.decimal else "text"
    plain, written = (cast('"c"', kind, one) for one in (AS_WRITTEN, reading))
    rows = "FROM (SELECT CAST(:cell AS text) AS c) AS t"
    with closing(connect(URL)) as connection:
        for cell in CELLS:
            ((found,),) = connection.run(f"SELECT ({written})::text {rows}", cell=cell)
            ((expected,),) = connection.run(
                f"SELECT ({plain})::text {rows}", cell=reading.plain(cell)
            )
            assert found == expected, cell


def folder_of(place: Path, more: str = "") -> Path:
    """Write a table of an office in Germany into a folder."""
    chance = random.Random(4)
    rows = [
        f"{n};{chance.randint(1, 28):02}.0{chance.randint(1, 9)}.2021;{n % 50},50;"
        f"{'NA' if n % 10 == 0 else n % 3};{'a' if n % 2 else 'b'}"
        for n in range(200)
    ]
    folder = place / "clinic"
    folder.mkdir()
    text = "\n".join(["pid;day;cost;rooms;ward", *rows]) + f"\n{more}"
    (folder / "visits.csv").write_text(text, encoding="utf-8")
    return folder


def drafted(place: Path, folder: Path, **words: Any) -> dict[str, Any]:
    """Draft a declaration of a folder, and return the columns of its table."""
    out = place / "clinic.toml"
    draft_tables(folder, person="pid", epsilon=1_000_000, out=out, **words)
    return tomllib.loads(out.read_text(encoding="utf-8"))["tables"]["visits"]["columns"]


def test_a_draft_says_how_cells_are_written_and_its_answers_are_right(tmp_path: Path) -> None:
    columns = drafted(tmp_path, folder_of(tmp_path))
    assert columns["day"]["format"] == "dd.mm.yyyy"
    assert columns["cost"] == {"type": "number", "decimal": ","}
    assert columns["rooms"] == {"type": "number", "missing_words": ["NA"]}
    assert columns["ward"] == "text"
    path = tmp_path / "clinic.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"pid"', '"pid"\nrows_per_person = 1', 1), encoding="utf-8")
    begin(path)
    with open_session(tmp_path / "clinic.toml") as session:
        asked = "COUNT(*) FROM visits WHERE day < DATE '2022-01-01'"
        assert session.ask(f"SELECT {asked}", epsilon=1_000).answer == pytest.approx(200, abs=1)
        asked = "SUM(CLAMP(cost, 0, 50)) FROM visits"
        total = sum(n % 50 + 0.5 for n in range(200))
        assert session.ask(f"SELECT {asked}", epsilon=1_000).answer == pytest.approx(total, abs=5)
        asked = "COUNT(rooms) FROM visits"
        assert session.ask(f"SELECT {asked}", epsilon=1_000).answer == pytest.approx(180, abs=1)


def test_a_single_cell_of_another_kind_does_not_decide_a_type(tmp_path: Path) -> None:
    columns = drafted(tmp_path, folder_of(tmp_path, "999;soon;see letter;2;a\n"))
    assert columns["day"]["format"] == "dd.mm.yyyy"
    with pytest.raises(SchemaError, match=r"1 of its cells cannot be read"):
        begin(tmp_path / "clinic.toml")


def test_an_order_that_the_cells_do_not_decide_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "clinic"
    folder.mkdir()
    rows = "".join(f"{n},0{n % 9 + 1}/0{n % 7 + 1}/2021\n" for n in range(40))
    (folder / "visits.csv").write_text(f"pid,day\n{rows}", encoding="utf-8")
    found = draft_tables(folder, person="pid", epsilon=1, out=tmp_path / "clinic.toml")
    assert "No day is above 12" in found.doubts["visits.day"]
    said = draft_tables(
        folder, person="pid", epsilon=1, out=tmp_path / "b.toml", types={"day": "date"}
    )
    assert not said.doubts


def test_a_flat_file_is_declared_as_it_is_written(tmp_path: Path) -> None:
    path = folder_of(tmp_path) / "visits.csv"
    out = tmp_path / "flat.toml"
    init(path, person="pid", epsilon=3, out=out, bounds={"cost": (0, 50)}, types={"day": "date"})
    columns = tomllib.loads(out.read_text(encoding="utf-8"))["columns"]
    assert columns["day"]["format"] == "dd.mm.yyyy"
    assert columns["cost"]["decimal"] == ","
    reading = load(out).tables["visits"].columns["cost"].reading
    assert math.isclose(float(reading.plain("1.234,5") or 0), 1234.5)


@pytest.mark.parametrize(
    ("column", "problem"),
    [
        ('{ type = "text", format = "dd/mm/yyyy" }', "only dates"),
        ('{ type = "date", format = "dd/zz/yyyy" }', "not a format"),
        ('{ type = "date", format = "dd/mm/yyyy", last_year = 1960 }', "two digits"),
        ('{ type = "date", decimal = "," }', "only numbers"),
    ],
)
def test_words_that_say_nothing_of_a_column_are_refused(
    tmp_path: Path, column: str, problem: str
) -> None:
    text = '[dataset]\nname = "d"\ndata = "d"\nledger = "l"\n[budget]\nepsilon = 1\n'
    text += f'[tables.t]\nperson = "p"\n[tables.t.columns]\nx = {column}\n'
    path = tmp_path / "d.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PolicyError, match=problem):
        load(path)


def test_words_for_missing_hold_for_all_columns_and_the_person(tmp_path: Path) -> None:
    text = '[dataset]\nname = "d"\ndata = "d"\nledger = "l"\nmissing_words = ["NA"]\n[budget]\n'
    text += 'epsilon = 1\n[tables.t]\nperson = "p"\n[tables.t.columns]\n'
    text += 'x = "number"\ny = { type = "text", missing_words = [] }\n'
    (tmp_path / "d.toml").write_text(text, encoding="utf-8")
    table = load(tmp_path / "d.toml").tables["t"]
    assert table.columns["x"].reading.missing == ("NA",)
    assert table.columns["y"].reading.missing == ()
    assert table.person_reading.missing == ("NA",)
