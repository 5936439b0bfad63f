"""A schema of a database as the tables about the same people: read whole, written whole.

All tables are read in one transaction, which sees one state of them. A release is written in one
transaction as well, and is there when that ends, or not at all.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode
from uuid import uuid4

from indistinct.base.extras import load
from indistinct.base.files.writing import MEDIUM, in_words
from indistinct.errors import DataError, Fault, IndistinctError, OutputError
from indistinct.tables.engines.duckdb_catalog import has_more_than_tables, opened_file
from indistinct.tables.engines.duckdb_connection import DUCKDB as DUCKDB_DIALECT, DuckDbConnection
from indistinct.tables.engines.postgres import POSTGRESQL, PostgresConnection, readable
from indistinct.tables.engines.sources import Limits
from indistinct.tables.engines.sql_dialect import words
from indistinct.tables.frames.frame import Frame
from indistinct.tables.reading.addresses import closed_duckdb, frame_of_rows, unread
from indistinct.tables.reading.places import (
    DUCKDB,
    POSTGRES,
    DatabaseTable,
    database_table,
    is_database,
)

MANIFEST = "manifest"  # the table of a release that says what was promised
MEMORY = 2_000_000_000
# Rows of a table come as they were written.
IN_ORDER = ("synchronize_seqscans = off", "max_parallel_workers_per_gather = 0")
DEFAULT = {DUCKDB: "main", POSTGRES: "public"}
WHOLE = "A release is a schema of its own: name another one."


@dataclass(frozen=True, slots=True)
class Schema:
    """A schema of a database.

    Parameters
    ----------
    kind : ``duckdb`` or ``postgresql``
    address : the file of DuckDB, or the address of the server
    name : of the schema
    """

    kind: str
    address: str
    name: str

    @classmethod
    def of(cls, address: str) -> Schema:
        """Read ``duckdb:///FILE?schema=S`` or ``postgresql://HOST/DATABASE?schema=S``."""
        place, _, query = address.partition("?")
        options = dict(parse_qsl(query))
        name = options.pop("schema", "")
        table = database_table(f"{place}?{urlencode({**options, 'table': 'any'})}")
        return cls(table.kind, table.address, name or DEFAULT[table.kind])

    def table(self, name: str) -> DatabaseTable:
        """Return one of its tables."""
        return DatabaseTable(self.kind, self.address, f"{self.name}.{name}")


def is_schema(data: object) -> bool:
    """Return whether something is the address of a database, and of no single table in it."""
    if not isinstance(data, str) or not is_database(data):
        return False
    return "table" not in dict(parse_qsl(data.partition("?")[2]))


def read_schema(address: str) -> dict[str, Frame]:
    """Read all tables of a schema into memory, the manifest of a release aside.

    Raises
    ------
    DataError
        when there are none, or one has a name that no policy can say
    EngineError
        when the database cannot be read
    """
    schema = Schema.of(address)
    with _opened(schema) as connection:
        names = [name for name in _names(connection, schema) if name != MANIFEST]
        if not names:
            raise DataError("the schema has no tables", "Check the address and the schema.")
        wrong = [name for name in names if "." in name]
        if wrong:
            problem = "has a dot in its name, which separates it from a schema"
            raise DataError([Fault(f"tables.{name}", problem, "Rename it.") for name in wrong])
        return {name: _read(connection, schema.table(name)) for name in names}


@dataclass(frozen=True, slots=True)
class DeclaredKeys:
    """What a schema declares of its keys; several columns stand with commas between them.

    Parameters
    ----------
    keys : per table, its primary key
    references : per table and column, the table and the column that it references
    """

    keys: Mapping[str, str] = field(default_factory=dict[str, str])
    references: Mapping[tuple[str, str], tuple[str, str]] = field(
        default_factory=dict[tuple[str, str], tuple[str, str]]
    )


DUCKDB_KEYS = (
    "SELECT table_name, constraint_type, constraint_column_names, referenced_table, "
    "referenced_column_names FROM duckdb_constraints() WHERE schema_name = {schema} AND "
    "constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY') ORDER BY 1, 2, 3"
)
POSTGRES_KEYS = """
SELECT CAST(t.relname AS varchar) AS table_name,
       CASE c.contype WHEN 'p' THEN 'PRIMARY KEY' ELSE 'FOREIGN KEY' END AS constraint_type,
       (SELECT string_agg(a.attname, ', ' ORDER BY k.place) FROM
        unnest(c.conkey) WITH ORDINALITY AS k(number, place) JOIN pg_attribute a
        ON a.attrelid = c.conrelid AND a.attnum = k.number) AS own,
       CAST(o.relname AS varchar) AS referenced_table,
       (SELECT string_agg(a.attname, ', ' ORDER BY k.place) FROM
        unnest(c.confkey) WITH ORDINALITY AS k(number, place) JOIN pg_attribute a
        ON a.attrelid = c.confrelid AND a.attnum = k.number) AS there
FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
JOIN pg_namespace n ON n.oid = t.relnamespace LEFT JOIN pg_class o ON o.oid = c.confrelid
WHERE n.nspname = {schema} AND c.contype IN ('p', 'f') ORDER BY 1, 2, 3
"""


def declared_keys(address: str) -> DeclaredKeys:
    """Return the primary keys and the references that a schema declares.

    Raises
    ------
    EngineError, DataError
        when the database cannot be read
    """
    schema = Schema.of(address)
    query = POSTGRES_KEYS if schema.kind == POSTGRES else DUCKDB_KEYS
    with _opened(schema) as connection:
        found = _fetched(connection, query.format(schema=words([schema.name])))
    keys: dict[str, str] = {}
    references: dict[tuple[str, str], tuple[str, str]] = {}
    for table, kind, own, other, there in found.rows():
        if kind == "PRIMARY KEY":
            keys[table] = _listed(own)
        elif other is not None:
            references[table, _listed(own)] = (other, _listed(there))
    return DeclaredKeys(keys, references)


def _listed(columns: str | Sequence[str]) -> str:
    """Write the columns of a key as a policy does."""
    return columns if isinstance(columns, str) else ", ".join(columns)


def manifest_of_schema(address: str) -> str | None:
    """Return the text of the manifest of a release; None where the schema has none."""
    schema = Schema.of(address)
    with _opened(schema) as connection:
        if MANIFEST not in _names(connection, schema):
            return None
        found = _fetched(connection, f"SELECT manifest FROM {schema.table(MANIFEST).quoted}")
    return str(found["manifest"][0]) if found.height == 1 else None


@dataclass(frozen=True, slots=True)
class StagedSchema:
    """A schema whose transaction is open.

    Parameters
    ----------
    schema : the schema
    connection : to its database
    """

    schema: Schema
    connection: Any

    def write(self, frames: Mapping[str, Frame], manifest: str) -> None:
        """Write all tables, rows in their order, and the manifest."""
        for name, frame in frames.items():
            place = self.schema.table(name).quoted
            loaded = self.connection.load(f"indistinct_{uuid4().hex}", frame)
            self.connection.execute(f"CREATE TABLE {place} AS SELECT * FROM {loaded}")
            self.connection.execute(f"DROP TABLE {loaded}")
        place = self.schema.table(MANIFEST).quoted
        self.connection.execute(f"CREATE TABLE {place} (manifest VARCHAR)")
        self.connection.execute(f"INSERT INTO {place} VALUES ({words([manifest])})")

    def read(self, names: Mapping[str, Any]) -> dict[str, Frame]:
        """Read tables as they were written."""
        return {name: _read(self.connection, self.schema.table(name)) for name in names}


@contextmanager
def staged_schema(address: str, *, replace: bool = False) -> Generator[StagedSchema]:
    """Yield a schema to write to; it is there when the block ends without an error, or not at all.

    Parameters
    ----------
    replace : whether the tables of an earlier release may be replaced

    Raises
    ------
    OutputError
        when the schema has tables that may not be replaced
    EngineError
        when the database cannot be written

    Notes
    -----
    A file of DuckDB has a hidden name while it is written, which a killed process leaves behind. On
    a server a killed process leaves nothing, since its transaction ends.
    """
    schema = Schema.of(address)
    if schema.kind == POSTGRES:
        with _writing(schema, replace=replace) as staged:
            yield staged
        return
    target = Path(schema.address).absolute()
    if not target.parent.is_dir():
        raise OutputError("the folder of the database does not exist", "Make it first.")
    if target.exists():
        _check_replaced(schema, replace=replace)
    hidden = target.parent / f".{target.name}.{uuid4().hex}"
    try:
        with _writing(Schema(DUCKDB, str(hidden), schema.name), replace=replace) as staged:
            yield staged
        with in_words(target, MEDIUM):
            hidden.replace(target)
    finally:
        for left in (hidden, Path(f"{hidden}.wal")):
            left.unlink(missing_ok=True)


def holds_more(address: str) -> bool:
    """Return whether a file of DuckDB has tables beside those of the schema, or anything else."""
    schema = Schema.of(address)
    if schema.kind == POSTGRES:
        return False
    with _opened(schema) as connection:
        if {*_schemas(connection)} != {schema.name}:
            return True
    with opened_file(schema.table(MANIFEST)) as file:
        return has_more_than_tables(file)


def _check_replaced(schema: Schema, *, replace: bool) -> None:
    """Refuse to replace a file of DuckDB that holds anything but an earlier release."""
    with _opened(schema) as connection:
        is_release = {*_schemas(connection)} == {schema.name}
        is_release &= MANIFEST in _names(connection, schema)
    if not is_release:
        problem = "the file of the database holds other tables, which all who get it would get too"
        raise OutputError(problem, "Name a new file.")
    if not replace:
        raise OutputError("the release is there already", "Name a new file, or use --replace.")


@contextmanager
def _writing(schema: Schema, *, replace: bool) -> Generator[StagedSchema]:
    """Write to a schema in one transaction."""
    with _opened(schema, writes=True) as connection:
        try:
            _make_room(connection, schema, replace=replace)
            yield StagedSchema(schema, connection)
            connection.execute("COMMIT")
        except BaseException:
            with suppress(IndistinctError):
                connection.execute("ROLLBACK")
            raise


def _make_room(connection: Any, schema: Schema, *, replace: bool) -> None:
    """Make the schema, or empty it where it holds an earlier release."""
    names = _names(connection, schema)
    if names and not replace:
        raise OutputError(
            f"the schema {schema.name} is there already", f"{WHOLE} Or use --replace."
        )
    if names and MANIFEST not in names:
        raise OutputError(f"the schema {schema.name} holds other tables than a release", WHOLE)
    connection.execute(f"CREATE SCHEMA IF NOT EXISTS {_dialect(schema).quote(schema.name)}")
    for name in names:
        connection.execute(f"DROP TABLE {schema.table(name).quoted}")


@contextmanager
def _opened(schema: Schema, *, writes: bool = False) -> Generator[Any]:
    """Open a database in one transaction."""
    limits = Limits(MEMORY)
    if schema.kind == POSTGRES:
        server = PostgresConnection(schema.address, limits)
        try:
            if not writes:
                server.execute("SET TRANSACTION READ ONLY")
            for setting in IN_ORDER:
                server.execute(f"SET LOCAL {setting}")
            yield server
        finally:
            server.close()
        return
    if not writes and not Path(schema.address).is_file():
        raise DataError("the file that the address leads to does not exist", "Check the path.")
    library = load("duckdb", extra="duckdb")
    try:
        raw = library.connect(schema.address) if writes else closed_duckdb(schema.address)
    except library.Error:
        raise unread() from None
    file = DuckDbConnection(limits, raw)
    try:
        if writes:
            file.execute("BEGIN TRANSACTION")
        yield file
    finally:
        file.close()
        raw.close()


def _schemas(connection: Any) -> list[str]:
    """List the schema of each table and view of a file of DuckDB."""
    found = _fetched(
        connection,
        "SELECT table_schema AS name FROM information_schema.tables "
        "WHERE table_catalog = current_database()",
    )
    return found["name"].to_list()


def _names(connection: Any, schema: Schema) -> list[str]:
    """List the tables and views of a schema."""
    found = _fetched(
        connection,
        "SELECT CAST(table_name AS VARCHAR) AS name FROM information_schema.tables WHERE "
        f"table_schema = {words([schema.name])} AND table_catalog = current_database() ORDER BY 1",
    )
    return found["name"].to_list()


def _read(connection: Any, table: DatabaseTable) -> Frame:
    """Read a table; of a server in the order in which its rows were written."""
    relation = readable(connection, table) if table.kind == POSTGRES else table.quoted
    return _fetched(connection, f"SELECT * FROM {relation}")


def _fetched(connection: Any, query: str) -> Frame:
    """Run a query; a file of DuckDB that is closed to the outside writes no file on the way."""
    if not isinstance(connection, DuckDbConnection):
        return connection.fetch(query)
    try:
        found = connection.raw.execute(query)
        names = [str(column[0]) for column in found.description]
        return frame_of_rows(names, found.fetchall())
    except load("duckdb", extra="duckdb").Error:
        raise unread() from None


def _dialect(schema: Schema) -> Any:
    """Return the words of the database."""
    return POSTGRESQL if schema.kind == POSTGRES else DUCKDB_DIALECT
