"""Decimals of PostgreSQL keep every digit, whatever their column is declared as."""

from decimal import Decimal
from uuid import uuid4

import polars as pl
import pytest

from indistinct.tables.engines.choosing import Resources, open_table
from indistinct.tables.engines.postgres import PostgresConnection
from indistinct.tables.engines.sources import Limits, PersonKey
from large_tables import POSTGRES

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.skipif(not POSTGRES, reason="needs a server: tests/postgres.sh start"),
]
ROWS = {
    "price numeric(10, 2)": (["12.50", "0.10", None], pl.Float64, [12.5, 0.1, None]),
    "code numeric": (
        ["123456789012345678", "1", None],
        pl.Int64,
        [123456789012345678, 1, None],
    ),
    "wide numeric": (
        ["12345678901234567890.12", "0.1", None],
        pl.String,
        ["12345678901234567890.12", "0.1", None],
    ),
    "vast numeric": (["1e310", "2", None], pl.String, ["1" + "0" * 310, "2", None]),
}


@pytest.mark.parametrize("column", ROWS, ids=lambda text: text.split()[0])
def test_no_digit_is_lost(column):
    """A double has about 15 digits; whoever has more is a whole number or a text."""
    texts, dtype, expected = ROWS[column]
    name = f"decimals_{uuid4().hex}"
    connection = PostgresConnection(POSTGRES, Limits(10**9))
    connection.execute(f'CREATE TABLE "{name}" ({column})')
    for text in texts:
        cell = "NULL" if text is None else str(Decimal(text))
        connection.execute(f'INSERT INTO "{name}" VALUES ({cell})')
    connection.execute("COMMIT")
    with open_table(f"{POSTGRES}&table={name}", Resources().opening((), None), "auto") as source:
        (found,) = source.schema
        assert source.schema[found] == dtype
        values = source.count([PersonKey(found)], 10).frame[found].to_list()
    connection.execute(f'DROP TABLE "{name}"')
    connection.execute("COMMIT")
    connection.close()
    assert sorted(map(str, values)) == sorted(map(str, expected))
