"""The databases of :mod:`neighbours` in a server of PostgreSQL."""

from __future__ import annotations

import os
import uuid
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from indistinct.questions.database.engines.postgres_casts import PostgresCast
from indistinct.questions.database.postgres import connect, run
from indistinct.questions.database.preparation import quoted
from indistinct.questions.database.relational.dialect import Postgres
from indistinct.questions.database.relational.from_ import QuestionSetting
from indistinct.questions.database.relational.loaded import in_order, owned, typed, unique
from neighbours import NAMES, TABLES, Loaded

URL = os.environ.get("INDISTINCT_POSTGRES", "")


class InPostgres(Loaded):
    """A database that questions are written for, in a server."""

    def fetch(self, sql: str) -> list[Any]:
        """Run a query over the declared tables."""
        return [tuple(row) for row in run(self.connection, f"{self.tables()} {sql}")]

    def tables(self) -> str:
        """Write the declared tables as the engine does."""
        dialect, written = Postgres(), []
        tables, stored = self.setting.tables, self.setting.stored
        for _, table in in_order(tables):
            cast = PostgresCast({quoted(one): "text" for one in NAMES[table.name]})
            rows = typed(table, f"given_{table.name}", cast)
            if table.owner:
                other = tables[table.references[table.owner]]
                rows = owned(table, rows, other, stored[other.name])
            rows = unique(table, rows, dialect, "9f3c")
            written.append(f"{stored[table.name]} AS ({rows})")
        return f"WITH {', '.join(written)}"


@contextmanager
def own_database() -> Generator[Any]:
    """Make a database that ends with the block."""
    name = f"t{uuid.uuid4().hex}"
    admin = connect(URL)
    admin.run(f"CREATE DATABASE {name}")
    connection = connect(URL.replace("/postgres?", f"/{name}?"))
    yield connection
    connection.close()
    admin.run(f"DROP DATABASE {name} WITH (FORCE)")
    admin.close()


def put(connection: Any, rows: dict[str, list[Any]]) -> None:
    """Write the tables as texts."""
    for name, found in rows.items():
        columns = ", ".join(f"{one} text" for one in NAMES[name])
        connection.run(f"CREATE TABLE given_{name} ({columns})")
        marks = ", ".join(f":{one}" for one in NAMES[name])
        for row in found:
            cells = dict(zip(NAMES[name], row, strict=True))
            connection.run(f"INSERT INTO given_{name} VALUES ({marks})", **cells)


def in_postgres(connection: Any, min_people: int = 1) -> InPostgres:
    """Return what questions are asked of."""
    stored = {name: f"t{at}" for at, name in enumerate(TABLES)}
    return InPostgres(connection, QuestionSetting(TABLES, stored, Postgres(), "9f3c", min_people))


@contextmanager
def loaded_in_postgres(rows: dict[str, list[Any]], min_people: int = 1) -> Generator[Loaded]:
    """Load a database into the server, until the block ends."""
    with own_database() as connection:
        put(connection, rows)
        yield in_postgres(connection, min_people)
