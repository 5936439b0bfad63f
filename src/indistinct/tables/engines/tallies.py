"""Equal rows: counted, brought together and found in another table, whatever columns are called.

Polars reads ``*`` and names between ``^`` and ``$`` as patterns, and gives its own names to counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.tables.frames.row_ranks import canonical_order
from indistinct.tables.frames.small_columns import distinct, places_among, present_cells

MOST_KINDS = 1 << 62


def columns_of(frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Return columns by their names alone."""
    return pl.DataFrame([frame.get_column(name) for name in names])


def without(frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Leave columns out by their names alone; a name that is not there is no error."""
    gone = {*names}
    return columns_of(frame, [name for name in frame.columns if name not in gone])


def kinds_of(columns: Sequence[pl.Series]) -> tuple[pl.Series, pl.Series]:
    """Return the number of each row's kind, by the order in which the kinds first occur.

    To count numbers takes a fraction of what it takes to count rows of texts.

    Parameters
    ----------
    columns : at least one, of equal length

    Returns
    -------
    kinds : (n_rows,), number of the kind of each row
    first : (n_kinds,), the first row of each kind
    """
    numbers = _numbers_of(columns)
    if numbers is not None:
        return _first_come(numbers)
    keys = [column.alias(f"column {index}") for index, column in enumerate(columns)]
    frame = pl.DataFrame(keys).with_row_index("row")
    grouped = frame.group_by([key.name for key in keys], maintain_order=True)
    rows = grouped.agg("row").select("row").with_row_index("kind")
    first = rows.select(pl.col("row").list.first()).to_series()
    return rows.explode("row").sort("row").get_column("kind"), first


def _numbers_of(columns: Sequence[pl.Series]) -> Ints | None:
    """Return a number for each combination of texts; None where 62 bits are too few.

    Texts alone: of numbers, Polars knows best which are equal.
    """
    numbers = np.zeros(len(columns[0]), np.int64)
    n_kinds = 1
    for column in columns:
        if column.dtype != pl.String:
            return None
        values = present_cells(distinct(column))
        n_kinds *= len(values) + 1
        if n_kinds > MOST_KINDS:
            return None
        codes = places_among(column, values).cast(pl.Int64)
        numbers *= len(values) + 1
        numbers += (codes.fill_null(len(values)) if codes.null_count() else codes).to_numpy()
    return numbers


def _first_come(numbers: Ints) -> tuple[pl.Series, pl.Series]:
    """Return the kind of each number, in order of first occurrence; see :func:`kinds_of`."""
    _, first, inverse = np.unique(numbers, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.uint32)
    rank[order] = np.arange(len(order), dtype=np.uint32)
    return pl.Series("kind", rank[inverse]), pl.Series("row", first[order].astype(np.uint32))


def tally(
    columns: Sequence[pl.Series], weights: pl.Series | None = None
) -> Iterator[tuple[tuple[Any, ...], int]]:
    """Count the rows of each kind, in the order in which the kinds first occur.

    Parameters
    ----------
    columns : at least one, of equal length
    weights : records of each row; one each where left out
    """
    keys = [column.alias(f"column {index}") for index, column in enumerate(columns)]
    for *kind, count in _counted(keys, weights).iter_rows():
        yield tuple(kind), count


def _counted(keys: Sequence[pl.Series], weights: pl.Series | None) -> pl.DataFrame:
    """Count the rows of equal keys, as they first occur, in a column ``rows`` behind the keys."""
    rows = [] if weights is None else [weights.alias("rows")]
    frame = pl.DataFrame([*keys, *rows])
    grouped = frame.group_by([key.name for key in keys], maintain_order=True)
    return grouped.len("rows") if weights is None else grouped.agg(pl.col("rows").sum())


def sizes_of(kinds: pl.Series, weights: pl.Series | None = None) -> list[int]:
    """Count the rows of each kind: (n_kinds,).

    Parameters
    ----------
    kinds : (n_rows,), number of the kind of each row, from 0 on in the order of first occurrence
    weights : records of each row; one each where left out
    """
    return _counted([kinds.alias("kind")], weights)["rows"].to_list()


def tallies_within(
    kinds: pl.Series, values: pl.Series, weights: pl.Series | None = None
) -> list[dict[Any, int]]:
    """Count the values in the rows of each kind, as they first occur: (n_kinds,).

    Parameters
    ----------
    kinds : (n_rows,), number of the kind of each row, from 0 on in the order of first occurrence
    values : (n_rows,)
    weights : records of each row; one each where left out
    """
    counted = _counted([kinds.alias("kind"), values.alias("value")], weights)
    of_kind = counted.group_by("kind", maintain_order=True).agg("value", "rows")
    return [
        dict(zip(held, counts, strict=True))
        for held, counts in zip(of_kind["value"].to_list(), of_kind["rows"].to_list(), strict=True)
    ]


N_ROWS = "rows"


@dataclass(frozen=True, slots=True)
class EqualRows:
    """The kinds of rows of a table, and what stands beside the rows of each.

    Parameters
    ----------
    cells : one row per kind
    starts : (n_kinds + 1,), where the rows of each kind start
    beside : per array that was given, (n_rows,), the rows of one kind after those of another
    """

    cells: pl.DataFrame
    starts: Ints
    further: tuple[Ints | Codes, ...]

    __repr__ = short_repr


def equal_rows(frame: pl.DataFrame, further: Sequence[Ints | Codes]) -> EqualRows:
    """Return the rows of a table with equal ones together; a missing cell equals a missing one.

    Parameters
    ----------
    frame : (n_rows, n_columns), at least one column
    beside : arrays of (n_rows,), which are brought into the same order

    Notes
    -----
    One group-by, and one further pass over the records for each array.
    """
    # Columns may have any name, such as those that are made here.
    keys = [f"column {index}" for index in range(frame.width)]
    arrays = {f"array {index}": array for index, array in enumerate(further)}
    named = frame.rename(dict(zip(frame.columns, keys, strict=True)))
    found = (
        named.with_columns(pl.Series(name, array) for name, array in arrays.items())
        .group_by(keys)
        .agg(pl.len().alias(N_ROWS), *map(pl.col, arrays))
    )
    starts = np.concatenate([[0], np.cumsum(found[N_ROWS].to_numpy().astype(np.int64))])
    return EqualRows(
        found.select(keys).rename(dict(zip(keys, frame.columns, strict=True))),
        starts.astype(np.int64),
        tuple(found[name].explode().to_numpy() for name in arrays),
    )


def sorted_with(cells: pl.DataFrame, figures: Mapping[str, Ints | Floats]) -> pl.DataFrame:
    """Return a table with arrays beside it, sorted by the first of them and its columns.

    Parameters
    ----------
    cells : (n_rows, n_columns)
    figures : by names that no column has, (n_rows,)
    """
    table = cells.with_columns(pl.Series(name, array) for name, array in figures.items())
    return table.sort([next(iter(figures)), *cells.columns])


def counted_rows(frame: pl.DataFrame, count: str) -> pl.DataFrame:
    """Return each kind of row once, in canonical order, with its number of rows.

    Parameters
    ----------
    frame : (n_rows, n_columns), at least one column
    count : name of the column of numbers, which comes last; no column has it
    """
    counted = frame.group_by(pl.all()).len(count).with_columns(pl.col(count).cast(pl.Int64))
    return counted[canonical_order(counted)]


def n_values_of(column: pl.Series) -> int:
    """Count the different values of a column, a missing one not among them."""
    # Polars takes some names for patterns.
    return column.alias("").drop_nulls().n_unique()


def n_repeated(column: pl.Series) -> int:
    """Count the cells whose value another cell has, too; a missing cell equals a missing one."""
    return int(column.alias("").is_duplicated().sum())


def _as_text(column: pl.Series) -> pl.Series:
    """Return a column as text; Polars has none for durations, which count as whole numbers."""
    is_duration = isinstance(column.dtype, pl.Duration)
    return (column.to_physical() if is_duration else column).cast(pl.String)


def matched_rows(
    asked: pl.DataFrame, table: pl.DataFrame, names: Sequence[str]
) -> tuple[Ints, Bools]:
    """Find for each row of a table that of another with the same cells, compared as texts.

    Returns
    -------
    the row of ``table``, or -1 where none is; and whether several rows of either table have these
    cells: (n_asked,) each
    """
    # Columns may have any name, such as those that are made here.
    by = [f"key {number}" for number in range(len(names))]
    keys = [
        pl.DataFrame(
            [_as_text(frame[name]).alias(key) for name, key in zip(names, by, strict=True)]
        )
        for frame in (asked, table)
    ]
    own = keys[0].with_columns(pl.len().over(by).alias("times")).with_row_index("place")
    there = keys[1].with_row_index("row").group_by(by).agg(pl.col("row").first(), pl.len())
    joined = own.join(there, on=by, how="left", nulls_equal=True).sort("place")
    rows = joined["row"].cast(pl.Int64).fill_null(-1).to_numpy()
    shared = (joined["times"] > 1) | (joined["len"].fill_null(1) > 1)
    return rows, shared.to_numpy()


Hashes: TypeAlias = NDArray[np.uint64]


def value_hashes(values: pl.Series | Ints, seed: int) -> Hashes:
    """Return hashes: equal ones for equal or missing values, most likely unequal ones for others.

    Parameters
    ----------
    values : (n_rows,)
    seed : not negative; hashes of another seed have nothing to do with these

    Returns
    -------
    (n_rows,), the same in every process with the same version of Polars
    """
    # Polars takes some names for patterns.
    return pl.Series(values=values).alias("").hash(seed).to_numpy()
