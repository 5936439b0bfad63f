"""A table or view that stays in PostgreSQL; only aggregates leave it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from typing import Any, final

from indistinct.base.files.postgres_address import place
from indistinct.errors import DataError, EngineError, Fault, SchemaError
from indistinct.questions.database.dataset import Dataset
from indistinct.questions.database.engines.postgres_casts import PostgresCast
from indistinct.questions.database.engines.tables import check_columns, setting_of
from indistinct.questions.database.failures import failure_of, refused_by_the_engine
from indistinct.questions.database.postgres import Connections, failures, run
from indistinct.questions.database.preparation import quoted
from indistinct.questions.database.relational.dialect import Postgres
from indistinct.questions.database.relational.from_ import QuestionSetting
from indistinct.questions.database.relational.loaded import in_order, leading, owned, typed, unique
from indistinct.questions.database.tables import DeclaredTable

WHOLE = frozenset({"smallint", "integer", "bigint"})
INHERITED = frozenset({"r", "f"})  # ordinary and foreign tables
BINARY = frozenset({"real", "double precision"})
TOLD_APART = WHOLE | {"numeric", "text", "character varying", "character", "uuid"}
AS_TEXT = frozenset({"id", "code", "text"})
# Names are found in pg_catalog alone: another role's function or operator of the same name, earlier
# on a search path, would see every value. What is not there is written with its schema.
SETUP = (
    "SET search_path = pg_catalog",
    "SET default_transaction_read_only = on",
    "SET statement_timeout = '60s'",
    "SET client_min_messages = error",
    "SET standard_conforming_strings = on",
    "SET datestyle = ISO",
    "SET timezone = 'UTC'",
)


@final
class PostgresEngine:
    """Types rows within each query; answers from any thread."""

    def __init__(self, dataset: Dataset) -> None:
        self.version = f"{dataset.version}:{digest(dataset)}"
        self._connections = Connections(dataset.data, SETUP)
        with ExitStack() as undo:
            undo.callback(self._connections.close)
            names = [table.name for table in dataset.tables.values()]
            self._locking = [f"SELECT 1 FROM {qualified(name)} LIMIT 0" for name in names]  # noqa: S608
            self._tables = [
                declared_rows(self._connections, table, is_flat=dataset.is_flat)
                for table in dataset.tables.values()
            ]
            if dataset.is_flat:
                check_numbers(table_types(self._connections, dataset.table), dataset)
            self._dataset = dataset
            undo.pop_all()

    def setting(self) -> QuestionSetting:
        """Return what questions are written by."""
        return setting_of(self._dataset, Postgres())

    def fetch(self, sql: str) -> list[Sequence[Any]]:
        """Run a query over the declared tables, whatever became of them."""
        return self._within_transaction(sql)

    def check(self, queries: Sequence[str]) -> None:
        """Run queries over the declared tables without their rows."""
        try:
            for sql in queries:
                self._within_transaction(sql, " WHERE false")
        except EngineError as error:
            if error.is_passing:
                raise
            raise refused_by_the_engine() from None

    def declared(self, connection: Any, where: str = "") -> str:
        """Write the declared tables before a query, with the rows of each person that stay."""
        kept = [
            f"t{at} AS (SELECT * FROM ({self._kept(connection, table, at)}) AS kept{where})"  # noqa: S608
            for at, table in in_order(self._dataset.tables)
        ]
        return f"WITH {', '.join(kept)}"

    def _kept(self, connection: Any, table: DeclaredTable, at: int) -> str:
        """Write the rows of a table that stay; lots are drawn where no index sees to that."""
        rows, tables = self._tables[at], self._dataset.tables
        if table.owner:
            other = tables[table.references[table.owner]]
            rows = owned(table, rows, other, f"t{list(tables).index(other.name)}")
        if not table.key and table.rows_per_person is None:
            return rows
        indexes = unique_columns(connection, table)
        person = {table.person_column} - {""}
        if table.rows_per_person == 1 and person and person in indexes:
            return rows
        is_apart = any(found <= person | told_apart(table) for found in indexes)
        return unique(table, rows, Postgres(), self._dataset.lot_key, is_apart=is_apart)

    def leading(self) -> dict[str, Sequence[int]]:
        """Count, per table, the rows that lead to nobody, and those to several people."""
        found: dict[str, Sequence[int]] = {}
        tables = self._dataset.tables
        for at, table in enumerate(tables.values()):
            if table.owner:
                other = tables[table.references[table.owner]]
                people = f"t{list(tables).index(other.name)}"
                (found[table.name],) = self.fetch(leading(table, self._tables[at], other, people))
        return found

    def kept(self, sql: str) -> str:
        """Write a query within another one: no table is made here."""
        return f"({sql}) AS kept"

    def _within_transaction(self, sql: str, where: str = "") -> list[Sequence[Any]]:
        """Run a query over the declared tables as they are while it runs.

        The tables are locked before their indexes are looked at, so that none is dropped before the
        query has ended. Each statement sees what was committed before it began, whatever the role's
        own setting is: a view of the rows from before the lock may hold what the index forbids now.
        """
        connection = self._connections.current()
        try:
            connection.run("BEGIN ISOLATION LEVEL READ COMMITTED")
            for statement in self._locking:
                connection.run(statement)
            rows = run(connection, f"{self.declared(connection, where)} {sql}")
            connection.run("COMMIT")
        except failures() as error:
            self._connections.forget()
            raise failure_of(error) from None
        return rows

    def close(self) -> None:
        """Close every thread's connection."""
        self._connections.close()


def digest(dataset: Dataset) -> str:
    """Return what tells the rows of one database from those of another that share a ledger."""
    return hashlib.sha256(f"{place(dataset.data)} {dataset.table}".encode()).hexdigest()[:16]


def identity(dataset: Dataset) -> str:
    """Return what tells a table from every other one, whatever an address calls its server."""
    with closing(Connections(dataset.data, SETUP)) as connections:
        rows = run(
            connections.current(),
            "SELECT system_identifier::text, current_database() FROM pg_control_system()",
        )
    return hashlib.sha256(f"{rows[0]} {qualified(dataset.table)}".encode()).hexdigest()


def declared_rows(connections: Connections, table: DeclaredTable, *, is_flat: bool) -> str:
    """Check a table and write the query of its typed rows."""
    types = table_types(connections, table.name)
    check_columns(types, table, is_flat=is_flat)
    cast = PostgresCast({quoted(name): kind.split("(")[0] for name, kind in types.items()})
    source = f"{only(connections, table.name)}{qualified(table.name)}"
    return typed(table, source, cast)


def qualified(table: str) -> str:
    """Write a table's name with its schema, which is public where none is given."""
    schema, _, name = table.rpartition(".")
    return f"{quoted(schema or 'public')}.{quoted(name)}"


def only(connections: Connections, table: str) -> str:
    """Write the word that keeps children out of a table, now and later.

    A child's rows stand in its parent too, but the parent's unique index does not cover them, so
    one person could count in each. Partitions are covered by the index of the whole.

    Raises
    ------
    DataError
        If the table has children now: leaving their rows out would be a silent change.
    """
    rows = run(
        connections.current(),
        "SELECT relkind, EXISTS (SELECT 1 FROM pg_catalog.pg_inherits WHERE inhparent = c.oid) "
        "FROM pg_catalog.pg_class AS c WHERE c.oid = pg_catalog.to_regclass(?)",
        (qualified(table),),
        mark="?",
    )
    ((kind, has_children),) = rows
    if str(kind) not in INHERITED:
        return ""
    if has_children:
        raise DataError(
            f"{table}: has tables that inherit from it, whose rows no index of it covers",
            "Declare a view of the rows that are meant: then rows_per_person is kept for all.",
        )
    return "ONLY "


def column_types(url: str, table: str) -> dict[str, str]:
    """Return name and type of the columns of a table."""
    with closing(Connections(url, SETUP)) as connections:
        return table_types(connections, table)


def table_types(connections: Connections, table: str) -> dict[str, str]:
    """Return name and type of the columns of a table; raise where it cannot be seen."""
    rows = run(
        connections.current(),
        "SELECT attname, pg_catalog.format_type(atttypid, NULL) FROM pg_catalog.pg_attribute "
        "WHERE attrelid = pg_catalog.to_regclass(?) AND attnum > 0 "
        "AND NOT attisdropped ORDER BY attnum",
        (qualified(table),),
        mark="?",
    )
    if not rows:
        raise DataError(
            f"{table}: is not a visible table of the database", "Check its name and the grants."
        )
    return {str(name): str(kind) for name, kind in rows}


def check_numbers(types: Mapping[str, str], dataset: Dataset) -> None:
    """Raise :class:`SchemaError` that lists every declared number that is none in the table."""
    faults = [
        Fault(
            f"columns.{column.name}",
            f"is {types[column.name]} in the database, not a number",
            'Set type = "text".',
        )
        for column in dataset.columns.values()
        if column.kind == "number"
        and types[column.name].split("(")[0] not in {*WHOLE, *BINARY, "numeric"}
    ]
    if faults:
        raise SchemaError(faults)


def unique_columns(connection: Any, table: DeclaredTable) -> list[set[str]]:
    """List the sets of columns in which the table itself forbids two rows the same values.

    Missing values are never the same to an index: its columns are declared NOT NULL, but the
    person, who is missing in no row that is read. Their types are written as texts that differ
    wherever the index takes values for different. What is checked at the end of a transaction alone
    is checked by a trigger, which can be switched off.
    """
    rows = run(
        connection,
        "SELECT array_agg(CAST(attname AS text)) FROM pg_catalog.pg_index "
        "JOIN pg_catalog.pg_attribute ON attrelid = indrelid "
        "AND attnum IN (SELECT indkey[n] FROM generate_series(0, indnkeyatts - 1) AS n) "
        "WHERE indrelid = pg_catalog.to_regclass(?) AND indisunique AND indisvalid "
        "AND indimmediate AND indpred IS NULL AND indexprs IS NULL GROUP BY indexrelid "
        "HAVING bool_and((attnotnull OR attname = ?) "
        "AND pg_catalog.format_type(atttypid, NULL) = ANY (?))",
        (qualified(table.name), table.person_column, sorted(TOLD_APART)),
        mark="?",
    )
    return [set(names) for (names,) in rows]


def told_apart(table: DeclaredTable) -> set[str]:
    """List the columns of a table's key that are read as they stand."""
    named = {one.casefold() for one in table.key}
    return {
        column.name
        for name, column in table.columns.items()
        if name.casefold() in named and column.kind in AS_TEXT and not column.edges
    }
