"""A table as its owner looks at it before a ledger is started: a file, or a table of a database."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any, final

from indistinct.base.files.postgres_address import is_postgres
from indistinct.errors import DataError
from indistinct.questions.database.preparation import quoted
from indistinct.questions.database.relational.loaded import Cast


@final
@dataclass(frozen=True, slots=True)
class CountableTable:
    """A table whose cells can be counted.

    Parameters
    ----------
    read : runs a query
    source : what reads the table, within a query
    cast : writes a column as a value of a type, as questions do; null where that fails
    """

    read: Callable[[str], list[Sequence[Any]]]
    source: str
    cast: Cast


@contextmanager
def opened(data: str, table: str, *, leave_out: bool = False) -> Generator[CountableTable]:
    """Open a table, until the block ends.

    Parameters
    ----------
    data : a file, a folder of files, or the URL of a PostgreSQL database
    leave_out : whether lines that do not fit the header of a file are left out
    """
    if is_postgres(data):
        yield from opened_in_postgres(data, table)
        return
    import duckdb

    from indistinct.questions.database.engines.files import connect, unreadable
    from indistinct.questions.database.engines.tables import source_of
    from indistinct.questions.database.relational.dialect import DuckDb

    try:
        with (
            connect() as connection,
            source_of(connection, data, table, leave_out=leave_out) as source,
        ):
            yield CountableTable(
                lambda sql: connection.execute(sql).fetchall(), source, DuckDb().cast
            )
    except duckdb.Error:
        raise unreadable(data) from None


def opened_in_postgres(data: str, table: str) -> Generator[CountableTable]:
    """Open a table or view of PostgreSQL."""
    from indistinct.questions.database.engines.postgres import SETUP, only, qualified, table_types
    from indistinct.questions.database.engines.postgres_casts import PostgresCast
    from indistinct.questions.database.postgres import Connections, failures, run

    with closing(Connections(data, SETUP)) as connections:
        try:
            types = table_types(connections, table)
            cast = PostgresCast({quoted(name): kind.split("(")[0] for name, kind in types.items()})
            source = f"{only(connections, table)}{qualified(table)}"
            yield CountableTable(lambda sql: run(connections.current(), sql), source, cast)
        except failures():
            raise DataError(
                f"{table}: the database did not count its cells",
                "Find the cause in its own log, or start without the count: --unreadable missing.",
            ) from None
