"""Queries of Polars over records that are not read whole: coarser keys, joins by rank, hashes."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import polars as pl

from indistinct.engines.sources import (
    FIRST,
    LAST,
    MARK,
    RECORDS,
    DecisionTable,
    Key,
)
from indistinct.engines.streamed_files import polars_in_words

MULTIPLIER = 0x9E3779B97F4A7C15
BETWEEN_CELLS, NO_CELL = "\x1f", "\x01"


def coarsened(rows: pl.LazyFrame, keys: Sequence[Key]) -> pl.LazyFrame:
    """Replace values by those that stand for their labels; the columns are called k0, k1, ..."""
    for index, key in enumerate(keys):
        if key.coarse is None:
            continue
        own = f"k{index}"
        table = renamed(key.coarse.table, [own, "code"]).lazy()
        rows = rows.join(table, on=own, how="inner", nulls_equal=True)
        rows = rows.with_columns(pl.col("code").alias(own)).drop("code")
    return rows


def matched(rows: pl.LazyFrame, table: pl.DataFrame, keys: Sequence[str]) -> pl.LazyFrame:
    """Join records with the row of a table that has equal keys, without the keys.

    Polars joins by one number in half the time that it takes for several texts. Keys whose hashes
    agree by chance differ themselves, so that the comparison after the join keeps the right rows.
    """
    theirs = [f"{key} said" for key in keys]
    said = table.rename(dict(zip(keys, theirs, strict=True))).with_columns(mark(theirs).alias(MARK))
    found = rows.with_columns(mark(keys).alias(MARK)).join(said.lazy(), on=MARK, how="inner")
    for key, their in zip(keys, theirs, strict=True):
        found = found.filter(pl.col(key).eq_missing(pl.col(their)))
    return found.drop(*keys, *theirs, MARK)


def joined_by_rank(
    rows: pl.LazyFrame,
    table: pl.DataFrame,
    decision: DecisionTable,
    keys: Sequence[str],
    passed: Sequence[str],
) -> pl.LazyFrame:
    """Join the records of split rows by their ranks among equals, all others by their keys.

    Which of equal records comes first is secret: it is decided by a salted hash of their cells.
    """
    assert decision.split is not None  # noqa: S101 - the caller chose it so
    whole = table.hstack(decision.split)
    apart = whole.filter(pl.col(LAST) >= 0)
    alike = whole.filter(pl.col(LAST) < 0).drop(FIRST, LAST)
    one = matched(rows, alike, keys)
    shared = apart.select(keys).unique().lazy()
    several = rows.join(shared, on=keys, how="semi", nulls_equal=True)
    # Records that are released with no cell of their own are alike, but each needs another rank.
    order = salted(passed, decision.salt) if passed else pl.int_range(pl.len(), dtype=pl.UInt64)
    several = several.with_columns(order.rank("ordinal").over(keys).cast(pl.Int64).alias(RECORDS))
    found = several.join(apart.lazy(), on=keys, how="inner", nulls_equal=True).filter(
        (pl.col(RECORDS) > pl.col(FIRST)) & (pl.col(RECORDS) <= pl.col(LAST))
    )
    return pl.concat([one, found.drop(RECORDS, FIRST, LAST).select(one.collect_schema().names())])


def salted(names: Sequence[str], salt: str) -> pl.Expr:
    """Return the SHA-256 of a secret salt and the cells of some columns, hexadecimal."""
    cells = [pl.col(name).cast(pl.String).fill_null(NO_CELL) for name in names]

    def hashed(texts: pl.Series) -> pl.Series:
        digests = (sha256(f"{salt}{text}".encode()).hexdigest() for text in texts.to_list())
        return pl.Series(texts.name, digests, pl.String)

    joined = pl.concat_str(cells, separator=BETWEEN_CELLS)
    return joined.map_batches(hashed, return_dtype=pl.String, is_elementwise=True)


def mark(names: Sequence[str]) -> pl.Expr:
    """Give each record a number of 64 bits for the cells of some columns."""
    number = pl.lit(0, pl.UInt64)
    for place, name in enumerate(names, start=1):
        number = number * MULTIPLIER + pl.col(name).hash(place)
    return number


def renamed(frame: pl.DataFrame, names: Any) -> pl.DataFrame:
    """Give a frame with other names, by place."""
    return pl.DataFrame(
        [column.alias(name) for column, name in zip(frame.iter_columns(), names, strict=True)]
    )


def collected(lazy: pl.LazyFrame) -> pl.DataFrame:
    """Run a plan in parts."""
    with polars_in_words(""):
        return lazy.collect(engine="streaming")
