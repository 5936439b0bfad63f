"""An open DuckDB, its own words, and what it does not read from files as others do."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, final

import polars as pl

from indistinct.base.extras import load
from indistinct.base.files.literal_paths import duckdb_path, read_parquet
from indistinct.base.files.text import SAMPLE_BYTES, header_of, separator_of, without_mark
from indistinct.base.inputs import open_regular
from indistinct.errors import DataError, EngineError, Fault, OutputError
from indistinct.tables.engines.parts import refuse_full_disk
from indistinct.tables.engines.sources import Limits
from indistinct.tables.engines.sql_dialect import Dialect, words
from indistinct.tables.engines.temporary import temporary_folder
from indistinct.tables.reading.arrow_types import check_types
from indistinct.tables.reading.column_types import check_schema
from indistinct.tables.reading.places import Files

THREADS = 8  # at most; each takes memory of its own


DUCKDB = Dialect(
    engine="duckdb",
    mark='"',
    string="VARCHAR",
    double="DOUBLE",
    single="FLOAT",
    # DuckDB 2.0 takes isnan for false where a file's statistics, which leave out NaN, have only
    # numbers.
    not_a_number="(NOT isfinite({0}) AND NOT isinf({0}))",
    equal="{one} IS NOT DISTINCT FROM {other}",
    hash="hash({seed}, {})",
    sum="CAST(SUM({}) % 18446744073709551616 AS UBIGINT)",
    infinite="isinf({})",
    distinct="approx_count_distinct({})",
    matches="regexp_matches({}, {})",
    sha="sha256({})",
    text="CAST({} AS VARCHAR)",
)


@final
class DuckDbConnection:
    """An open DuckDB with a folder of its own, which only this user reads and which is removed.

    Parameters
    ----------
    limits : memory and folder
    connection : an open one, which stays open; a new one where left out
    """

    def __init__(self, limits: Limits, connection: Any = None) -> None:
        self._module = load("duckdb", extra="duckdb")
        self.is_own = connection is None
        self._folder = temporary_folder(limits.folder)
        self.folder = Path(self._folder.name)
        if self.is_own:
            connection = self._module.connect(
                config={
                    "autoinstall_known_extensions": "false",
                    "autoload_known_extensions": "false",
                    "memory_limit": f"{limits.memory // 2 // 1_000_000}MB",
                    "temp_directory": str(self.folder / "spilled"),
                    "threads": str(min(THREADS, os.cpu_count() or 1)),
                    "preserve_insertion_order": "true",
                    # A file may state least and greatest values that its cells do not have.
                    "disabled_optimizers": "statistics_propagation,compressed_materialization",
                }
            )
        self.raw = connection
        self._fetched = 0

    def execute(self, query: str) -> None:
        """Run a statement."""
        with self._fixed_words():
            self.raw.execute(query)

    def fetch(self, query: str) -> pl.DataFrame:
        """Run a query; its rows come by way of a Parquet file in the own folder."""
        self._fetched += 1
        path = self.folder / f"fetched-{self._fetched}.parquet"
        with self._fixed_words():
            self.raw.execute(f"COPY ({query}) TO '{quoted_path(path)}' (FORMAT parquet)")
        found = read_parquet(path, memory_map=False)
        path.unlink()
        return found

    def described(self, relation: str) -> list[tuple[str, ...]]:
        """Return name and type of each column."""
        with self._fixed_words():
            return self.raw.execute(f"DESCRIBE SELECT * FROM {relation}").fetchall()

    def load(self, name: str, frame: pl.DataFrame) -> str:
        """Load a frame as a temporary table."""
        path = self.folder / f"{name}.parquet"
        frame.write_parquet(path)
        quote = DUCKDB.quote
        moments = [
            f"CAST({quote(column)} AS TIMESTAMP_MS) AS {quote(column)}"
            for column, dtype in frame.schema.items()
            if dtype == MILLISECONDS
        ]
        kept = f" REPLACE ({', '.join(moments)})" if moments else ""
        self.execute(
            f'CREATE OR REPLACE TEMP TABLE "{name}" AS '
            f"SELECT *{kept} FROM read_parquet({words([duckdb_path(path)])}, "
            "hive_partitioning = false)"
        )
        path.unlink()
        return f'"{name}"'

    def close(self) -> None:
        """Let go of the engine, and remove its folder."""
        if self.is_own:
            self.raw.close()
        self._folder.cleanup()

    @contextmanager
    def _fixed_words(self) -> Generator[None]:
        """Replace what DuckDB says of an error, which may quote cells."""
        try:
            yield
        except self._module.Error as error:
            refuse_full_disk(error, str(self.folder))
            said = str(error)
            if "Out of Memory" in said:
                raise EngineError(
                    "DuckDB did not get by with the memory that it may use", "Give more --memory."
                ) from None
            if "No space left" in said:  # of older versions, which do not say on which disk
                raise OutputError(
                    "the disk is full",
                    "Free some space, choose another disk, or name another temporary folder with "
                    "--temp.",
                ) from None
            if "max_temp_directory_size" in said:
                raise OutputError(
                    "the disk of the temporary folder is full", "Name another one with --temp."
                ) from None
            raise EngineError(
                "DuckDB could not read or write the table",
                "Check the address, and that all files are whole and have the same columns.",
            ) from None


@contextmanager
def opened(limits: Limits, raw: Any = None) -> Generator[DuckDbConnection]:
    """Open DuckDB, and close it again where the table in it cannot be opened."""
    connection = DuckDbConnection(limits, raw)
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


def quoted_path(path: str | Path) -> str:
    """Write a path inside quotes."""
    return str(path).replace("'", "''")


@final
class OfRelation:
    """The connection of a relation, which answers queries through it alone.

    Parameters
    ----------
    relation : of a connection that somebody else has open
    name : what queries call it
    """

    def __init__(self, relation: Any, name: str) -> None:
        self._relation, self._name = relation, name

    def execute(self, query: str) -> Any:
        """Run a statement."""
        return self._relation.query(self._name, query)

    def sql(self, query: str) -> Any:
        """Return the rows of a query, lazily."""
        return self._relation.query(self._name, query)


MILLISECONDS = pl.Datetime("ms")  # which DuckDB reads as microseconds, and does not say so
FIRST_WITH_NANOSECONDS = 2  # major version of DuckDB
ENGINE = "Take --engine polars, or {}."


def read_as(path: str) -> Mapping[str, str]:
    """Return the type to read columns of a Parquet file as, where DuckDB guesses another."""
    schema = _schema(path)
    if schema is None:
        return {}
    known: dict[pl.DataType, str] = {MILLISECONDS: "TIMESTAMP_MS", pl.Null(): "VARCHAR"}
    return {name: known[dtype] for name, dtype in schema.items() if dtype in known}


def check_kept(files: Files, separator: str | None) -> None:
    """Refuse columns that DuckDB would change, or from which it would read the table wrongly.

    Parameters
    ----------
    separator : of text files; found by the header where it is None

    Raises
    ------
    DataError
        all such columns at once
    """
    path = files.paths[0]
    if files.separators:
        with Path(path).open("rb") as file:
            beginning = without_mark(file.read(SAMPLE_BYTES))
        separator = separator or separator_of(beginning, files.separators)
        faults = _of_names(header_of(path, beginning, separator))
    else:
        faults = _of_parquet(path)
    if faults:
        raise DataError(faults)


def _of_names(header: Sequence[str]) -> list[Fault]:
    """Find names that DuckDB does not read, or takes for one.

    By line breaks it guesses how lines end, and may read no record.
    """
    problem = "has a line break in its name, which DuckDB does not read"
    return [
        Fault(f"columns.{name}", problem, ENGINE.format("rename it"))
        for name in header
        if set(name) & {"\n", "\r"}
    ] + _alike(header)


def _alike(names: Iterable[str]) -> list[Fault]:
    """Find names that differ from others in capital letters alone; to DuckDB they are one name."""
    of_each: dict[str, list[str]] = {}
    for name in names:
        of_each.setdefault(name.lower(), []).append(name)
    return [
        Fault(
            f"columns.{same[-1]}",
            f"differs from {' and '.join(same[:-1])} in capital letters alone, and is the same "
            "name to DuckDB",
            ENGINE.format("rename it"),
        )
        for same in of_each.values()
        if len(same) > 1
    ]


def _of_parquet(path: str) -> list[Fault]:
    """Find types and names that become others."""
    schema = _schema(path)
    if schema is None:
        return []  # DuckDB says what is wrong with the file
    check_schema(schema)
    problem = "has a type that DuckDB does not keep"
    faults = [
        Fault(f"columns.{name}", problem, ENGINE.format("convert the column"))
        for name, dtype in schema.items()
        if isinstance(dtype, pl.Duration | pl.Int128 | pl.UInt128)
        or (isinstance(dtype, pl.Time) and not _keeps_nanoseconds())
        or (isinstance(dtype, pl.Datetime) and dtype.time_zone not in {None, "UTC"})
    ]
    problem = "has no name, which DuckDB does not read"
    faults += [Fault("columns", problem, ENGINE.format("name it")) for name in schema if not name]
    return faults + _alike(name for name in schema if name)


def _keeps_nanoseconds() -> bool:
    """Return whether times of day keep nine digits of a second, which Polars always writes."""
    major: str = load("duckdb", extra="duckdb").__version__.partition(".")[0]
    return int(major) >= FIRST_WITH_NANOSECONDS


def _schema(path: str) -> pl.Schema | None:
    """Read the types of a Parquet file; None where it cannot be read.

    Raises
    ------
    DataError
        when a column has a type that is not read
    """
    try:
        with open_regular(path) as file:
            check_types(file, "parquet")
        return pl.Schema(pl.read_parquet_schema(path))
    except (OSError, pl.exceptions.PolarsError):
        return None
