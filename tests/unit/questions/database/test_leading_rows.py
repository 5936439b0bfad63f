"""Rows of a table without a person: the owner hears how many lead to nobody, and to several."""

from __future__ import annotations

import json
import os

import pytest
from typer.testing import CliRunner

import indistinct as ind
from indistinct.errors import SchemaError
from indistinct.frontends.cli.main import app
from indistinct.questions.database.postgres import connect

DECLARATION = """
[dataset]
name = "shop"
data = "{data}"
ledger = "shop.ledger"
[budget]
epsilon = 1000000
[tables.orders]
person = "customer"
rows_per_person = 5
key = "number"
[tables.orders.columns]
number = "id"
[tables.lines]
owner = "number"
references = {{ number = "orders" }}
rows_per_person = 5
[tables.lines.columns]
number = "id"
"""
ORDERS = [("1", "ann"), ("2", "ann"), ("2", "bob"), ("3", "bob")]
ASKED = "SELECT COUNT(*) FROM lines"


def in_folder(folder, lines):
    """Write orders and their lines; order 2 is that of two people."""
    orders = "".join(f"{number},{who}\n" for number, who in ORDERS)
    (folder / "orders.csv").write_text(f"number,customer\n{orders}")
    (folder / "lines.csv").write_text("number,at\n" + "".join(f"{one},1\n" for one in lines))
    path = folder / "shop.toml"
    path.write_text(DECLARATION.format(data="."))
    return path


def test_rows_of_several_people_are_refused_unless_they_are_kept(tmp_path):
    """Kept, each of these people has a copy; what leads to nobody is left out."""
    path = in_folder(tmp_path, ["1", "2", "2", "9", ""])
    with pytest.raises(SchemaError, match="2 rows lead to several people") as caught:
        ind.database.begin(path)
    assert caught.value.faults[0].place == "tables.lines.owner"
    assert "--shared keep" in caught.value.faults[0].remedy
    assert not (tmp_path / "shop.ledger").exists()
    told = []
    ind.database.begin(path, shared="keep", tell=told.append)
    assert told == [
        "lines: 2 rows lead to nobody and are left out.",
        "lines: 2 rows lead to several people, each of whom has a copy.",
    ]
    with ind.database.open_session(path) as session:
        assert session.ask(ASKED, epsilon=10000).answer == 5


def test_rows_that_lead_to_one_person_each_say_nothing(tmp_path):
    """The command tells what there is."""
    path = in_folder(tmp_path, ["1", "1", "3"])
    told = []
    ind.database.begin(path, tell=told.append)
    assert told == []
    with pytest.raises(ind.IndistinctError, match='must be "refuse" or "keep"'):
        ind.database.begin(path, shared="one")


def test_cells_that_are_no_numbers_are_missing_in_a_table_without_a_person(tmp_path):
    """DuckDB moves a cast into the reading of a file, where it fails for the whole file."""
    path = in_folder(tmp_path, ["1", "3"])
    rows = "".join(f"1,{'unknown' if n % 20 == 3 else n}\n" for n in range(100))
    (tmp_path / "lines.csv").write_text(f"number,at\n{rows}2,1\n")
    path.write_text(f'{path.read_text()}at = {{ type = "number", bounds = [0, 99] }}\n')
    with pytest.raises(SchemaError, match="5 of its cells cannot be read") as caught:
        ind.database.begin(path)
    assert [one.place for one in caught.value.faults] == [
        "tables.lines.owner",
        "tables.lines.columns.at",
    ]
    ind.database.begin(path, unreadable="missing", shared="keep")
    with ind.database.open_session(path) as session:
        asked = "SELECT COUNT(*) FROM lines WHERE at IS NULL OR at IS NOT NULL"
        assert session.ask(asked, epsilon=10000).answer == 5 + 1  # rows_per_person of one


def test_the_command_tells_the_owner(tmp_path):
    """In words and in JSON."""
    path = in_folder(tmp_path, ["1", "9"])
    found = CliRunner().invoke(app, ["database", "init", str(path), "--json"])
    said = ["lines: 1 rows lead to nobody and are left out."]
    assert json.loads(found.stdout)["rows_that_lead_to_people"] == said


@pytest.mark.postgres
@pytest.mark.skipif("INDISTINCT_POSTGRES" not in os.environ, reason="no PostgreSQL")
def test_a_database_counts_the_same(tmp_path):
    """In the server."""
    url = os.environ["INDISTINCT_POSTGRES"]
    connection = connect(url)
    for name, columns in (("orders", "number text, customer text"), ("lines", "number text")):
        connection.run(f"DROP TABLE IF EXISTS {name}")
        connection.run(f"CREATE TABLE {name} ({columns})")
    for number, who in ORDERS:
        connection.run("INSERT INTO orders VALUES (:n, :w)", n=number, w=who)
    for number in ("1", "2", "9"):
        connection.run("INSERT INTO lines VALUES (:n)", n=number)
    path = tmp_path / "shop.toml"
    path.write_text(DECLARATION.format(data=url))
    told = []
    try:
        ind.database.begin(path, shared="keep", tell=told.append)
    finally:
        connection.run("DROP TABLE orders, lines")
        connection.close()
    assert told == [
        "lines: 1 rows lead to nobody and are left out.",
        "lines: 1 rows lead to several people, each of whom has a copy.",
    ]
