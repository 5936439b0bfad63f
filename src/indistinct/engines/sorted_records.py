"""The records of a release in canonical order, sorted with Polars in little memory.

The cells that were decided need not travel with the records: each record carries the rank of its
row of the decision among the distinct rows of released cells. How many records have each rank is
known, so that the records can be divided into files by ranges of ranks; one file after the other
is then sorted by ranks and by the cells that are released as they are, and given its cells. A rank
of too many records is divided by some of its records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from indistinct.core.arrays import Ints
from indistinct.core.brief import briefly
from indistinct.engines.canonical_order import (
    are_numbers,
    canonical_ranks,
    sort_keys,
    text_columns,
)
from indistinct.engines.crosswalk import put_apart
from indistinct.engines.literal_paths import read_parquet
from indistinct.engines.sources import MARK, PLACE, DecisionTable, Sink
from indistinct.engines.streamed_files import write_parts
from indistinct.engines.streaming_queries import collected

RANK = "\0rank"  # of the released cells of a row of the decision
MOST_BUCKETS = 256
IN_A_BUCKET = 16  # buckets make up half of the memory: several are held, and sorting copies them
SOME = 1_000  # records by which most columns of texts are found not to be numbers
SAMPLED = 20_000  # records by which the size of a release is guessed, and a rank is divided
CROWDED = 2  # times the records of a bucket from which on a rank is divided


def ranked_cells(decision: DecisionTable) -> tuple[pl.DataFrame, Ints]:
    """Return the distinct rows of released cells in order, and the rank of each decided row."""
    names = [name for name in decision.columns if name in decision.cells.columns]
    cells = decision.cells.select(names)
    ranks = canonical_ranks(cells)
    _, first = np.unique(ranks, return_index=True)
    return cells[first], ranks


@dataclass(frozen=True, slots=True)
class RecordOrder:
    """What the records of a release are sorted by, besides the ranks of their cells.

    Parameters
    ----------
    keys : ascending, missing ones last
    cells : the distinct rows of released cells in order
    """

    keys: Sequence[pl.Expr]
    cells: pl.DataFrame

    __repr__ = briefly

    @classmethod
    def of(
        cls, rows: pl.LazyFrame, decision: DecisionTable, schema: Mapping[str, pl.DataType]
    ) -> RecordOrder:
        """Find the order of the records that a decision releases.

        Parameters
        ----------
        rows : with the columns that are released as they are
        schema : of the input
        """
        types = decision.passed_types(schema)
        if decision.names is not None:
            types[decision.names.column] = pl.String()
        numbers = _numbers(rows, text_columns(types, decision.passed))
        keys = [
            key
            for name, dtype in types.items()
            for key in sort_keys(name, dtype, is_number=name in numbers)
        ]
        return cls(keys, ranked_cells(decision)[0])

    def sorted(self, rows: pl.DataFrame, decision: DecisionTable) -> pl.DataFrame:
        """Sort some records by their ranks and keys, and give them their cells."""
        rows = rows.sort(RANK, *self.keys, nulls_last=True)
        rows = rows.hstack(self.cells[rows[RANK]].get_columns())
        places = [PLACE] if PLACE in rows.columns else []
        return rows.select(*decision.written, *places)


def _numbers(rows: pl.LazyFrame, names: Sequence[str]) -> set[str]:
    """Return the columns of texts whose released cells are all numbers."""
    some = collected(rows.select(names).head(SOME)) if names else pl.DataFrame()
    for tried in (some.lazy(), rows):
        names = _all_true(tried, names)
    return set(names)


def _all_true(rows: pl.LazyFrame, names: Sequence[str]) -> list[str]:
    """Return those of some columns whose cells are all numbers."""
    if not names:
        return []
    found = collected(rows.select(are_numbers(names))).row(0, named=True)
    return [name for name, is_number in found.items() if is_number]


def sorted_records(
    rows: pl.LazyFrame, decision: DecisionTable, order: RecordOrder, folder: Path, n_buckets: int
) -> Iterator[pl.DataFrame]:
    """Return the released records in canonical order, bucket after bucket.

    Parameters
    ----------
    rows : with the ranks of their cells (``RANK``) in place of these
    folder : for the buckets
    n_buckets : that are wanted
    """
    if n_buckets <= 1:
        yield order.sorted(collected(rows), decision)
        return
    _, ranks = ranked_cells(decision)
    bucket, n_made = _buckets(rows, np.bincount(ranks, decision.records), order, n_buckets)
    parts = pl.PartitionBy(
        folder,
        key=bucket.alias(MARK),
        include_key=False,
        file_path_provider=lambda found: (
            f"{found.partition_keys.item()}-{found.index_in_partition}"
        ),
        approximate_bytes_per_file=None,
    )
    rows.sink_parquet(parts, mkdir=True, compression="lz4", engine="streaming")
    for number in range(n_made):
        paths = sorted(folder.glob(f"{number}-*"))
        if paths:
            yield order.sorted(read_parquet(paths), decision)
        for path in paths:
            path.unlink()
    folder.rmdir()


def write_sorted(  # noqa: PLR0913 - what is written, where, and in how much memory
    rows: pl.LazyFrame,
    decision: DecisionTable,
    folder: Path,
    sink: Sink,
    *,
    schema: Mapping[str, pl.DataType],
    some: pl.DataFrame,
    memory: int,
) -> None:
    """Write the released records into files of a folder, in canonical order.

    Parameters
    ----------
    rows : with the ranks of their cells (``RANK``) in place of these
    schema : of the columns that are released as they are
    some : records by whose size that of the release is guessed
    memory : bytes that may be used
    """
    order = RecordOrder.of(rows, decision, schema)
    size = some.estimated_size() / max(some.height, 1) * decision.n_released
    n_buckets = wanted_buckets(size, memory)
    sorted_rows = sorted_records(rows, decision, order, folder / "buckets", n_buckets)
    if sink.places is not None:
        sorted_rows = put_apart(sorted_rows, Path(sink.places))
    write_parts(sorted_rows, folder, sink)


def wanted_buckets(n_bytes: float, memory: int) -> int:
    """Return how many buckets a release is divided into.

    Parameters
    ----------
    n_bytes : of the release in memory
    memory : bytes that may be used
    """
    return max(1, int(min(MOST_BUCKETS, IN_A_BUCKET * n_bytes / max(memory // 2, 1))))


def _buckets(
    rows: pl.LazyFrame, records: Iterable[float], order: RecordOrder, n_wanted: int
) -> tuple[pl.Expr, int]:
    """Return the number of each record's bucket, and how many there are.

    Parameters
    ----------
    records : of each rank
    """
    sizes = np.array(list(records), np.int64)
    size = max(1, -(-int(sizes.sum()) // n_wanted))
    first: list[int] = []
    crowded: list[tuple[int, pl.Expr]] = []
    number, filled = 0, 0
    for rank, n_records in enumerate(sizes.tolist()):
        if filled and filled + n_records > size:
            number, filled = number + 1, 0
        first.append(number)
        filled += n_records
        if n_records > CROWDED * size:
            limits = _limits(rows.filter(pl.col(RANK) == rank), order, n_records, size)
            above = [_at_least(order.keys, limit).cast(pl.UInt32) for limit in limits]
            crowded.append((rank, pl.sum_horizontal(above) if above else pl.lit(0, pl.UInt32)))
            number, filled = number + len(limits) + 1, 0
    ranks = list(range(len(first)))
    bucket = pl.col(RANK).replace_strict(ranks, first, return_dtype=pl.UInt32)
    for rank, above in crowded:
        bucket = pl.when(pl.col(RANK) == rank).then(bucket + above).otherwise(bucket)
    return bucket, number + 1


def _limits(
    rows: pl.LazyFrame, order: RecordOrder, n_records: int, size: int
) -> list[tuple[object, ...]]:
    """Return keys that divide the records of one rank into parts of about some size."""
    if not order.keys:
        return []  # equal records need not be sorted
    names = [f"key {place}" for place in range(len(order.keys))]
    keys = rows.select(key.alias(name) for key, name in zip(order.keys, names, strict=True))
    some = collected(keys.gather_every(max(1, n_records // SAMPLED))).sort(names, nulls_last=True)
    n_parts = min(MOST_BUCKETS, -(-n_records // size))
    places = [some.height * part // n_parts for part in range(1, n_parts)]
    return list(dict.fromkeys(some[places].iter_rows()))


def _at_least(keys: Sequence[pl.Expr], limit: Sequence[Any]) -> pl.Expr:
    """Tell which records are not before a limit; missing keys come last."""
    found: pl.Expr = pl.lit(value=True)
    for key, least in zip(reversed(keys), reversed(limit), strict=True):
        if least is None:
            found = key.is_null() & found
        else:
            found = key.is_null() | (key > least) | ((key == least) & found)
    return found.fill_null(value=True)
