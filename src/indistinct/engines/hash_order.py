"""The records of a release in the order of their hashes, sorted with Polars in little memory.

The hash of a row is a sum of shares of its cells, modulo 2^64. So the cells that were decided need
not travel with the records: each record carries the number of its row of the decision, and the
share of that row. The records are divided into files by the first bits of their hashes, and one
file after the other is sorted and given its cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

from indistinct.engines.literal_paths import read_parquet
from indistinct.engines.sources import FIRST, LAST, MARK, PLACE, TIE, DecisionTable
from indistinct.engines.streaming_queries import collected, mark

ITEM, SHARE = "\0item", "\0share"  # number of a row of the decision, and its part of the hash
HASH_BITS = 64
MOST_BUCKETS = 256
IN_A_BUCKET = 16  # buckets make up half of the memory: several are held, and sorting copies them


def numbered_cells(decision: DecisionTable) -> pl.DataFrame:
    """Give what stands for the released cells of each row of a decision on the way."""
    share = mark(decision.written, among=decision.cells.columns).alias(SHARE)
    return decision.cells.with_row_index(ITEM).select(ITEM, share)


def bucket_bits(n_bytes: float, memory: int) -> int:
    """Choose how many buckets there are, as a power of two.

    Parameters
    ----------
    n_bytes : of the release in memory
    memory : bytes that may be used
    """
    n_buckets = min(MOST_BUCKETS, IN_A_BUCKET * n_bytes / max(memory // 2, 1))
    return max(0, int(n_buckets).bit_length())


def in_hash_order(
    rows: pl.LazyFrame, decision: DecisionTable, folder: Path, bits: int
) -> Iterator[pl.DataFrame]:
    """Give the released records in the order of their hashes, bucket after bucket.

    Parameters
    ----------
    rows : with the numbers of their cells (:func:`numbered_cells`) in place of these
    folder : for the buckets
    bits : logarithm of the number of buckets to base 2
    """
    passed = [name for name in decision.written if name not in decision.cells.columns]
    own = pl.col(SHARE) + mark(decision.written, among=passed)
    rows = rows.with_columns(own.alias(FIRST)).drop(SHARE)
    if bits == 0:
        yield _finished(collected(rows), decision)
        return
    bucket = pl.col(FIRST) // (1 << (HASH_BITS - bits))
    buckets = pl.PartitionBy(
        folder,
        key=bucket.cast(pl.UInt16).alias(MARK),
        include_key=False,
        file_path_provider=lambda found: (
            f"{found.partition_keys.item()}-{found.index_in_partition}"
        ),
        approximate_bytes_per_file=None,
    )
    rows.sink_parquet(buckets, mkdir=True, compression="lz4", engine="streaming")
    for number in range(1 << bits):
        paths = sorted(folder.glob(f"{number}-*"))
        if paths:
            yield _finished(read_parquet(paths), decision)
        for path in paths:
            path.unlink()
    folder.rmdir()


def _finished(rows: pl.DataFrame, decision: DecisionTable) -> pl.DataFrame:
    """Sort rows, and give them their cells."""
    rows = rows.sort(FIRST)
    rows = rows.hstack(decision.cells[rows[ITEM]].get_columns())
    last = mark(decision.written[::-1], start=len(decision.written))
    # Records that are alike may stand in any order, but not in the input's.
    ties = [pl.col(PLACE).hash(TIE)] if PLACE in rows.columns else []
    places = [PLACE] if ties else []
    return with_ties_sorted(rows, last, ties).select(*decision.written, *places)


def with_ties_sorted(
    rows: pl.DataFrame, last: pl.Expr, ties: Sequence[pl.Expr] = ()
) -> pl.DataFrame:
    """Sort rows by their second hash, too, that are sorted by the first one.

    To sort by one number takes half as long as by two. Rows that differ hardly ever agree in the
    first one; where some do, the second one decides.

    Parameters
    ----------
    last : the second hash
    ties : what decides between rows that agree in both
    """
    both = [FIRST, last.alias(LAST)]
    if ties:
        return rows.with_columns(last.alias(LAST)).sort(FIRST, LAST, *ties)
    as_before = rows[FIRST] == rows[FIRST].shift()
    as_after = rows[FIRST] == rows[FIRST].shift(-1)
    tied = rows.filter(as_before.fill_null(value=False) | as_after.fill_null(value=False))
    hashes = tied.select(both)
    alike = hashes[FIRST] == hashes[FIRST].shift()
    if (alike & (hashes[LAST] != hashes[LAST].shift())).any():
        return rows.with_columns(last.alias(LAST)).sort(FIRST, LAST)
    return rows
