"""Paths that engines take as they are written: no mark and no folder changes what is read.

Polars and DuckDB read ``[``, ``*`` and ``?`` in a path as a pattern, and take columns from folders
with names such as ``sex=F``. Which files make a table is decided once, in
:mod:`indistinct.tables.reading.places`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from indistinct.errors import DataError, Fault

MARKS = re.compile(r"[\[*?]")
Paths = str | Path | Sequence[str | Path]


def scan_parquet(paths: Paths) -> pl.LazyFrame:
    """Read Parquet files lazily, one after another."""
    return pl.scan_parquet(_listed(paths), glob=False, hive_partitioning=False)


def scan_pattern(pattern: str, *, is_pattern: bool) -> pl.LazyFrame:
    """Read the Parquet files that a pattern names lazily; one file where it is none."""
    return pl.scan_parquet(pattern, glob=is_pattern, hive_partitioning=False)


def read_parquet(paths: Paths, **options: Any) -> pl.DataFrame:
    """Read Parquet files whole, one after another."""
    return pl.read_parquet(_listed(paths), glob=False, hive_partitioning=False, **options)


def scan_csv(paths: Paths, **options: Any) -> pl.LazyFrame:
    """Read text files lazily, one after another."""
    return pl.scan_csv(_listed(paths), glob=False, **options)


def duckdb_path(path: str | Path) -> str:
    """Write a path so that DuckDB finds this file alone.

    Raises
    ------
    DataError
        when the path has a backslash beside a mark of patterns, which DuckDB cannot be told
    """
    found = str(path)
    if MARKS.search(found) and "\\" in found:
        raise DataError(
            [Fault(found, "has a backslash and one of the marks [, * and ?", "Rename the file.")]
        )
    return MARKS.sub(r"[\g<0>]", found)


def _listed(paths: Paths) -> list[str]:
    return [str(paths)] if isinstance(paths, str | Path) else list(map(str, paths))
