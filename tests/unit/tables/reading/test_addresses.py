"""Tables of databases, named by an address."""

import datetime as dt
import socket
import sqlite3
import threading

import polars as pl
import pytest

from indistinct.errors import DataError, EngineError, IndistinctError, OutputError
from indistinct.tables.reading import files

duckdb = pytest.importorskip("duckdb")


@pytest.fixture
def sqlite_file(tmp_path):
    path = tmp_path / "visits.db"
    connection = sqlite3.connect(path)
    connection.execute('CREATE TABLE "of ""2020" (age INTEGER, name TEXT, cost REAL, odd)')
    rows = [(30, "ann", 1.5, 1), (None, None, 2.0, "x"), (41, "007", None, None)]
    connection.executemany('INSERT INTO "of ""2020" VALUES (?, ?, ?, ?)', rows)
    connection.commit()
    connection.close()
    return path


def test_a_table_of_sqlite_keeps_its_types(sqlite_file):
    """A column of mixed kinds is text; the name of the table is quoted."""
    found = files.read_file(f"sqlite:///{sqlite_file}?table=of+%222020").frame
    assert found.to_dict(as_series=False) == {
        "age": [30, None, 41],
        "name": ["ann", None, "007"],
        "cost": [1.5, 2.0, None],
        "odd": ["1", "x", None],
    }
    assert found.schema["age"] == pl.Int64


def test_a_table_of_duckdb_keeps_its_types(tmp_path):
    path = tmp_path / "visits.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "CREATE TABLE visits AS SELECT 1 AS a, DATE '2020-01-31' AS d, 1.25::DECIMAL(9,2) AS m"
        )
    found = files.read_file(f"duckdb:///{path}?table=main.visits").frame
    assert found.row(0) == (1, dt.date(2020, 1, 31), 1.25)


@pytest.mark.parametrize("query", ["", "?table=", "?table=a&table=b", "?table=missing"])
def test_what_cannot_be_read_is_said_without_the_address(sqlite_file, query):
    address = f"sqlite:///{sqlite_file}{query}"
    with pytest.raises(DataError) as caught:
        files.read_file(address)
    assert str(sqlite_file) not in str(caught.value)


def test_no_message_shows_the_password():
    """Port 9 of this machine answers nobody."""
    pytest.importorskip("pg8000")
    with pytest.raises(DataError) as caught:
        files.read_file("postgresql://ann:hunter2@127.0.0.1:9/visits?table=visits")
    assert "hunter2" not in str(caught.value)
    assert caught.value.__cause__ is None


def first_words_to_a_server(options):
    """Return what a server hears first of somebody who reads one of its tables."""
    heard = []

    def listen(server):
        client, _ = server.accept()
        with client:
            heard.append(client.recv(8))

    with socket.create_server(("127.0.0.1", 0)) as server:
        listener = threading.Thread(target=listen, args=(server,), daemon=True)
        listener.start()
        port = server.getsockname()[1]
        with pytest.raises(IndistinctError):
            files.read_file(f"postgresql://ann:hunter2@127.0.0.1:{port}/v?table=visits{options}")
        listener.join(10)
    return heard[0]


@pytest.mark.parametrize("options", ["", "&sslmode=require", "&sslmode=verify-full"])
def test_a_server_is_asked_to_encrypt_before_anything_is_said(options):
    """The number 80877103 asks for TLS; a connection that begins otherwise is plain text."""
    pytest.importorskip("pg8000")
    assert int.from_bytes(first_words_to_a_server(options)[4:]) == 80877103


@pytest.mark.parametrize("options", ["sslmode=prefer", "sslmode=", "ssl_mode=disable"])
def test_a_misspelt_way_to_encrypt_is_refused(options):
    pytest.importorskip("pg8000")
    with pytest.raises(EngineError) as caught:
        files.read_file(f"postgresql://ann:hunter2@127.0.0.1:9/visits?table=visits&{options}")
    assert "hunter2" not in str(caught.value)


def test_the_database_is_not_written_over(sqlite_file, tmp_path):
    with pytest.raises(OutputError, match="is the input"):
        files.check_output(str(sqlite_file), f"sqlite:///{sqlite_file}?table=visits")
    with pytest.raises(DataError, match="does not exist"):
        files.read_file(f"sqlite:///{tmp_path / 'gone.db'}?table=visits")
    assert not (tmp_path / "gone.db").exists()
