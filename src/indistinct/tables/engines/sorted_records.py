"""The records of a release in canonical order, sorted with Polars in little memory.

The cells that were decided need not travel with the records: each record carries the rank of its
row of the plan among the distinct rows of released cells. How many records have each rank is
known, so that the records can be divided into files by ranges of ranks; one file after the other
is then sorted by ranks and by the cells that are released as they are, and given its cells. A rank
of too many records is divided by some of its records.

The queries are Polars' own, over records that are not read whole: coarser keys, joins by rank, and
hashes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import time
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from indistinct.base.arrays import Ints
from indistinct.base.brief import short_repr
from indistinct.base.files.literal_paths import read_parquet
from indistinct.tables.engines.crosswalk import put_apart
from indistinct.tables.engines.sources import (
    FIRST,
    LAST,
    MARK,
    PLACE,
    RECORDS,
    PersonKey,
    ReleasePlan,
    Sink,
)
from indistinct.tables.engines.streamed_files import polars_in_words, write_parts
from indistinct.tables.frames.row_ranks import (
    are_numbers,
    canonical_ranks,
    sort_keys,
    text_columns,
)

RANK = "\0rank"  # of the released cells of a row of the plan
MOST_BUCKETS = 256
IN_A_BUCKET = 16  # buckets make up half of the memory: several are held, and sorting copies them
SOME = 1_000  # records by which most columns of texts are found not to be numbers
SAMPLED = 20_000  # records by which the size of a release is guessed, and a rank is divided
CROWDED = 2  # times the records of a bucket from which on a rank is divided


def ranked_cells(plan: ReleasePlan) -> tuple[pl.DataFrame, Ints]:
    """Return the distinct rows of released cells in order, and the rank of each decided row."""
    names = [name for name in plan.columns if name in plan.cells.columns]
    cells = plan.cells.select(names)
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

    __repr__ = short_repr

    @classmethod
    def of(
        cls, rows: pl.LazyFrame, plan: ReleasePlan, schema: Mapping[str, pl.DataType]
    ) -> RecordOrder:
        """Find the order of the records that a plan releases.

        Parameters
        ----------
        rows : with the columns that are released as they are
        schema : of the input
        """
        types = plan.passed_types(schema)
        if plan.names is not None:
            types[plan.names.column] = pl.String()
        numbers = _numbers(rows, text_columns(types, plan.passed))
        keys = [
            key
            for name, dtype in types.items()
            for key in sort_keys(name, dtype, is_number=name in numbers)
        ]
        return cls(keys, ranked_cells(plan)[0])

    def sorted(self, rows: pl.DataFrame, plan: ReleasePlan) -> pl.DataFrame:
        """Sort some records by their ranks and keys, and give them their cells."""
        rows = rows.sort(RANK, *self.keys, nulls_last=True)
        rows = rows.hstack(self.cells[rows[RANK]].get_columns())
        places = [PLACE] if PLACE in rows.columns else []
        return rows.select(*plan.written, *places)


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
    rows: pl.LazyFrame, plan: ReleasePlan, order: RecordOrder, folder: Path, n_buckets: int
) -> Iterator[pl.DataFrame]:
    """Yield the released records in canonical order, bucket after bucket.

    Parameters
    ----------
    rows : with the ranks of their cells (``RANK``) in place of these
    folder : for the buckets
    n_buckets : that are wanted
    """
    if n_buckets <= 1:
        yield order.sorted(collected(rows), plan)
        return
    _, ranks = ranked_cells(plan)
    bucket, n_made = _buckets(rows, np.bincount(ranks, plan.records), order, n_buckets)
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
            yield order.sorted(read_parquet(paths), plan)
        for path in paths:
            path.unlink()
    folder.rmdir()


def write_sorted(  # noqa: PLR0913 - what is written, where, and in how much memory
    rows: pl.LazyFrame,
    plan: ReleasePlan,
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
    if sink.file_format != "parquet":
        rows, schema = _with_days(rows, plan.passed_types(schema))
    order = RecordOrder.of(rows, plan, schema)
    size = some.estimated_size() / max(some.height, 1) * plan.n_released
    n_buckets = wanted_buckets(size, memory)
    sorted_rows = sorted_records(rows, plan, order, folder / "buckets", n_buckets)
    if sink.places is not None:
        sorted_rows = put_apart(sorted_rows, Path(sink.places))
    write_parts(sorted_rows, folder, sink)


def _with_days(
    rows: pl.LazyFrame, schema: Mapping[str, pl.DataType]
) -> tuple[pl.LazyFrame, Mapping[str, pl.DataType]]:
    """Return moments that are all midnights as days, since text says no type, and the types."""
    moments = [
        name
        for name, dtype in schema.items()
        if isinstance(dtype, pl.Datetime) and dtype.time_zone is None
    ]
    if not moments:
        return rows, schema
    found = collected(rows.select((pl.col(moments).dt.time() == time()).all())).row(0, named=True)
    days = [name for name in moments if found[name]]
    return rows.with_columns(pl.col(days).cast(pl.Date)), {
        **schema,
        **dict.fromkeys(days, pl.Date()),
    }


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
    """Return which records are not before a limit; missing keys come last."""
    found: pl.Expr = pl.lit(value=True)
    for key, least in zip(reversed(keys), reversed(limit), strict=True):
        if least is None:
            found = key.is_null() & found
        else:
            found = key.is_null() | (key > least) | ((key == least) & found)
    return found.fill_null(value=True)


MULTIPLIER = 0x9E3779B97F4A7C15
BETWEEN_CELLS, NO_CELL = "\x1f", "\x01"


def coarsened(rows: pl.LazyFrame, keys: Sequence[PersonKey]) -> pl.LazyFrame:
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
    plan: ReleasePlan,
    keys: Sequence[str],
    passed: Sequence[str],
) -> pl.LazyFrame:
    """Join the records of split rows by their ranks among equals, all others by their keys.

    Which of equal records comes first is secret: it is decided by a salted hash of their cells.
    """
    assert plan.split is not None  # noqa: S101 - the caller chose it so
    whole = table.hstack(plan.split)
    apart = whole.filter(pl.col(LAST) >= 0)
    alike = whole.filter(pl.col(LAST) < 0).drop(FIRST, LAST)
    one = matched(rows, alike, keys)
    shared = apart.select(keys).unique().lazy()
    several = rows.join(shared, on=keys, how="semi", nulls_equal=True)
    # Records that are released with no cell of their own are alike, but each needs another rank.
    order = salted(passed, plan.salt) if passed else pl.int_range(pl.len(), dtype=pl.UInt64)
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
    """Return a number of 64 bits per record for the cells of some columns."""
    number = pl.lit(0, pl.UInt64)
    for place, name in enumerate(names, start=1):
        number = number * MULTIPLIER + pl.col(name).hash(place)
    return number


def renamed(frame: pl.DataFrame, names: Any) -> pl.DataFrame:
    """Return a frame with other names, by place."""
    return pl.DataFrame(
        [column.alias(name) for column, name in zip(frame.iter_columns(), names, strict=True)]
    )


def collected(lazy: pl.LazyFrame) -> pl.DataFrame:
    """Run a query in parts."""
    with polars_in_words(""):
        return lazy.collect(engine="streaming")
