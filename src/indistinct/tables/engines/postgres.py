"""Tables of PostgreSQL, which stay there: all in one transaction, with one snapshot."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, final

import polars as pl

from indistinct.base.extras import load
from indistinct.base.files.literal_paths import scan_csv
from indistinct.base.files.postgres_address import arguments
from indistinct.errors import EngineError, OutputError
from indistinct.tables.engines.folders import into_folders
from indistinct.tables.engines.parts import FilesDraft, hidden_folder, refuse_full_disk
from indistinct.tables.engines.sources import Limits, Opening, Sink, StagedRelease
from indistinct.tables.engines.sql import SqlTable
from indistinct.tables.engines.sql_dialect import Dialect, ReleaseQuery, Storing, words
from indistinct.tables.engines.streamed_files import write_ordered
from indistinct.tables.engines.streaming import open_files
from indistinct.tables.engines.table_draft import TableDraft
from indistinct.tables.engines.temporary import temporary_folder
from indistinct.tables.reading.places import POSTGRES, DatabaseTable, database_table, is_database

# By the number of a type in the catalog; all others come and go as text.
TYPES: dict[int, pl.DataType] = {
    20: pl.Int64(),
    21: pl.Int16(),
    23: pl.Int32(),
    700: pl.Float32(),
    701: pl.Float64(),
    1082: pl.Date(),
    1114: pl.Datetime("us"),
    1184: pl.Datetime("us", "UTC"),
}
OWN_WORDS: dict[type[pl.DataType], str] = {
    pl.Boolean: "boolean",
    pl.Int64: "bigint",
    pl.Int32: "integer",
    pl.Int16: "smallint",
    pl.Float64: "double precision",
    pl.Float32: "real",
    pl.Date: "date",
}
NOTHING: dict[type[pl.DataType], str] = {
    pl.Boolean: "false",
    pl.Date: "DATE '2000-01-01'",
    pl.String: "''",
}
TEXT_TYPES = ("text", "character varying", "character", "uuid", "name", "USER-DEFINED")
NUMERIC = "numeric"
MOST_WHOLE = 18  # digits of a whole number of the machine
TRUTH = 16  # which comes as t or f
KNOWN = (
    "boolean",
    "bigint",
    "smallint",
    "integer",
    "real",
    "double precision",
    "date",
    "timestamp without time zone",
    "timestamp with time zone",
)


def _nothing(dtype: pl.DataType) -> str:
    """Return a value of a type that stands in for null, beside a comparison of what is null."""
    if isinstance(dtype, pl.Datetime):
        return "TIMESTAMPTZ '2000-01-01 00:00Z'" if dtype.time_zone else "TIMESTAMP '2000-01-01'"
    return NOTHING.get(type(dtype), "0")


POSTGRESQL = Dialect(
    engine="postgresql",
    mark='"',
    string="text",
    double="double precision",
    single="real",
    not_a_number="{} = CAST('NaN' AS {kind})",
    # PostgreSQL joins by hashes of equalities alone: IS NOT DISTINCT FROM is a nested loop.
    equal="({one} IS NULL) = ({other} IS NULL) "
    "AND COALESCE({one}, {nothing}) = COALESCE({other}, {nothing})",
    nothing=_nothing,
    hash="hash_record_extended(ROW({}), {seed})",
    sum="CAST(SUM(CAST({} AS numeric)) AS text)",
    infinite="{} IN ('Infinity', '-Infinity')",
    distinct=None,  # it spills instead of growing
    matches="{} ~ {}",
    sha="encode(sha256(convert_to({}, 'UTF8')), 'hex')",
    text='CAST({} AS text) COLLATE "C"',  # which no language orders
)


@final
class PostgresConnection:
    """A connection in one transaction, which ends with it.

    Parameters
    ----------
    address : of the server, without the table
    limits : memory, and the folder for what is fetched
    """

    def __init__(self, address: str, limits: Limits) -> None:
        self._driver = load("pg8000.native")
        found = arguments(address)
        try:
            self._raw: Any = self._driver.Connection(**found)
        except self._failures():
            raise EngineError(
                "the PostgreSQL server refused the connection",
                "Check the address, the user, and the password in PGPASSWORD or ~/.pgpass.",
            ) from None
        self._folder = temporary_folder(limits.folder)
        self._fetched = 0
        work = max(1, limits.memory // 8 // 1_000_000)
        self.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        # Estimates for the join with a plan are wrong by orders; a hash join is always right.
        for setting in (
            "enable_nestloop = off",
            "enable_mergejoin = off",
            "jit = off",
            "extra_float_digits = 1",
            "datestyle = 'ISO, YMD'",
            "timezone = 'UTC'",
            f"work_mem = '{work}MB'",
        ):
            self.execute(f"SET LOCAL {setting}")

    def execute(self, query: str) -> None:
        """Run a statement."""
        with self._fixed_words():
            self._raw.run(query)

    def fetch(self, query: str) -> pl.DataFrame:
        """Run a query and take its rows in."""
        with self.copied(query) as rows:
            return rows.collect()

    @contextmanager
    def copied(self, query: str) -> Generator[pl.LazyFrame]:
        """Run a query; its rows come by COPY, in a file of the own folder that is removed."""
        self._fetched += 1
        path = Path(self._folder.name) / f"fetched-{self._fetched}.csv"
        with self._fixed_words():
            self._raw.run(f"SELECT * FROM ({query}) described LIMIT 0")
            types = {str(column["name"]): column["type_oid"] for column in self._raw.columns}
            with path.open("wb") as file:
                self._raw.run(f"COPY ({query}) TO STDOUT WITH (FORMAT csv, HEADER)", stream=file)
        schema = {name: TYPES.get(number, pl.String()) for name, number in types.items()}
        truths = [name for name, number in types.items() if number == TRUTH]
        rows = scan_csv(path, schema=schema)
        yield rows.with_columns((pl.col(name) == "t").alias(name) for name in truths)
        path.unlink()

    def load(self, name: str, frame: pl.DataFrame) -> str:
        """Load a frame as a temporary table."""
        quote = POSTGRESQL.quote
        columns = ", ".join(
            f"{quote(column)} {_own_word(dtype)}" for column, dtype in frame.schema.items()
        )
        path = Path(self._folder.name) / f"{name}.csv"
        # Texts in quotes, so that an empty one is told from a missing one.
        frame.write_csv(path, quote_style="non_numeric", null_value="")
        self.execute(f"DROP TABLE IF EXISTS {quote(name)}")
        self.execute(f"CREATE TEMP TABLE {quote(name)} ({columns}) ON COMMIT DROP")
        with self._fixed_words(), path.open("rb") as file:
            self._raw.run(f"COPY {quote(name)} FROM STDIN WITH (FORMAT csv, HEADER)", stream=file)
        path.unlink()
        self.execute(f"ANALYZE {quote(name)}")
        return quote(name)

    def close(self) -> None:
        """End the transaction and the connection, and remove the folder."""
        with suppress(*self._failures()):
            self._raw.close()
        self._folder.cleanup()

    def _failures(self) -> tuple[type[Exception], ...]:
        """List what the driver raises."""
        return (load("pg8000.exceptions").Error, OSError)

    @contextmanager
    def _fixed_words(self) -> Generator[None]:
        """Replace what PostgreSQL says of an error, which may quote cells."""
        try:
            yield
        except self._failures() as error:
            refuse_full_disk(error, self._folder.name)
            raise EngineError(
                "PostgreSQL could not read or write the table",
                "Check its name and the rights of the user; the server's log says more.",
            ) from None


def open_table(table: DatabaseTable, opening: Opening) -> SqlTable:
    """Open a table or view, in a transaction that sees one state of it.

    Raises
    ------
    EngineError
        when the server or the table cannot be reached
    """
    connection = PostgresConnection(table.address, opening.limits)
    try:
        # A transaction sees one snapshot, which does not change.
        storing = Storing(partial(_write, connection, table, opening.limits), _no_lazy)
        relation = readable(connection, table)
        return SqlTable(connection, POSTGRESQL, relation, opening, storing)
    except BaseException:
        connection.close()
        raise


def readable(connection: PostgresConnection, table: DatabaseTable) -> str:
    """Return a table whose decimals have a type that keeps every digit of them."""
    quote = POSTGRESQL.quote
    name = table.quoted
    found = connection.fetch(
        "SELECT a.attname AS name, format_type(a.atttypid, NULL) AS kind, "
        "COALESCE((a.atttypmod - 4) & 65535, -1) AS scale, "
        "COALESCE((a.atttypmod - 4) >> 16, -1) AS digits FROM pg_attribute a "
        f"WHERE a.attrelid = CAST({words([name])} AS regclass) AND a.attnum > 0 "
        "AND NOT a.attisdropped ORDER BY a.attnum"
    )
    columns: list[str] = []
    for column, kind, scale, digits in found.iter_rows():
        quoted = quote(column)
        if kind == NUMERIC:
            is_whole = scale == 0 and 0 < digits <= MOST_WHOLE
            own = "bigint" if is_whole else _exact_type(connection, quoted, name)
            columns.append(f"CAST({quoted} AS {own}) AS {quoted}")
        elif kind in TEXT_TYPES or kind not in KNOWN:
            columns.append(f"CAST({quoted} AS text) AS {quoted}")
        else:
            columns.append(quoted)
    return f"(SELECT {', '.join(columns)} FROM {name}) readable"


def _exact_type(connection: PostgresConnection, column: str, table: str) -> str:
    """Choose the type that keeps all decimals of a column: a number of the machine, or text.

    Notes
    -----
    PostgreSQL gives a double as a decimal of 15 digits. A decimal that comes back as it was has at
    most so many, and the shortest text of its double is the decimal itself.
    """
    back = f"CAST(CAST({column} AS double precision) AS numeric)"
    fits = f"CASE WHEN abs({column}) < 1e300 THEN {column} = {back} ELSE {column} = 'NaN' END"
    whole = f"{column} = trunc({column}) AND abs({column}) < 1e{MOST_WHOLE}"
    row = connection.fetch(
        f"SELECT COALESCE(bool_and({fits}), true) AS fits, "
        f"COALESCE(bool_and({whole}), true) AS whole FROM {table}"
    ).row(0, named=True)
    if row["fits"]:
        return "double precision"
    return "bigint" if row["whole"] else "text"


def _write(
    connection: PostgresConnection,
    table: DatabaseTable,
    limits: Limits,
    release: ReleaseQuery,
    sink: Sink,
) -> StagedRelease:
    """Write a release as a table of the same database, or to files."""
    if not is_database(sink.address):
        with hidden_folder(Path(sink.address)) as folder:
            with connection.copied(release.ordered) as rows:
                write_ordered(rows, folder, sink, release.n_released)
            partition = into_folders(folder, sink)
        again = partial(open_files, opening=Opening(limits, (), as_written=True))
        return FilesDraft(folder, sink, again, has_marks=False, partition=partition)
    target = database_table(sink.address)
    if target.kind != POSTGRES or target.address != table.address:
        raise OutputError(
            "PostgreSQL writes into the database that it reads from",
            "Name a table of the same database, or files.",
        )
    return TableDraft(connection, POSTGRESQL, "", target, release, sink, begins=False)


def _no_lazy(query: str) -> Any:
    """Refuse to give a query: a table of a server has no frame."""
    del query
    raise EngineError(
        "a table of PostgreSQL has no data in this process", "Write the release to a table."
    )


def _own_word(dtype: pl.DataType) -> str:
    """Name a type as PostgreSQL does."""
    if isinstance(dtype, pl.Datetime):
        return "timestamptz" if dtype.time_zone else "timestamp"
    return OWN_WORDS.get(type(dtype), "text")
