"""What DuckDB does not read from files as others do: some types, and some names of columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from indistinct.core.extras import load
from indistinct.core.inputs import open_regular
from indistinct.engines.arrow_types import check_types
from indistinct.engines.canonical import check_schema
from indistinct.engines.places import Files
from indistinct.engines.text import SAMPLE_BYTES, header_of, separator_of, without_mark
from indistinct.errors import DataError, Fault

MILLISECONDS = pl.Datetime("ms")  # which DuckDB reads as microseconds, and does not say so
FIRST_WITH_NANOSECONDS = 2  # major version of DuckDB
ENGINE = "Take --engine polars, or {}."


def read_as(path: str) -> Mapping[str, str]:
    """Give the type that DuckDB is told for columns of a Parquet file, where it guesses another."""
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
    """Find line breaks in names, by which DuckDB guesses how lines end, and may read no record."""
    problem = "has a line break in its name, which DuckDB does not read"
    return [
        Fault(f"columns.{name}", problem, ENGINE.format("rename it"))
        for name in header
        if set(name) & {"\n", "\r"}
    ]


def _of_parquet(path: str) -> list[Fault]:
    """Find types and names that become others."""
    schema = _schema(path)
    if schema is None:
        return []  # DuckDB says what is wrong with the file
    check_schema(schema)
    again = Counter(name.lower() for name in schema)
    problem = "has a type that DuckDB does not keep"
    faults = [
        Fault(f"columns.{name}", problem, ENGINE.format("convert the column"))
        for name, dtype in schema.items()
        if isinstance(dtype, pl.Duration | pl.Int128 | pl.UInt128)
        or (isinstance(dtype, pl.Time) and not _keeps_nanoseconds())
        or (isinstance(dtype, pl.Datetime) and dtype.time_zone not in {None, "UTC"})
    ]
    problem = "has a name that DuckDB does not tell from that of another column"
    return faults + [
        Fault(f"columns.{name}", problem, ENGINE.format("rename it"))
        for name in schema
        if name == "" or again[name.lower()] > 1
    ]


def _keeps_nanoseconds() -> bool:
    """Tell whether times of day keep nine digits of a second, which Polars always writes."""
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
