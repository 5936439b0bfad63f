"""Find columns that number the rows of the input: a reader's definition.

Verification uses this and nothing of what made the release. The measure is Spearman's: the
correlation of the ranks, ties in the middle of theirs. A column is at fault from 0.9 on, of either
sign, where at least nine of ten cells differ, or where ten values or more have few records each; of
ten rows in an order by chance fewer than one in a thousand reaches it, of twenty fewer than one in
a hundred thousand, all readings of texts
included (:mod:`indistinct.reader.verify.order_readings`), which have to rise or fall without an
exception where there are fewer than twenty cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from indistinct.models.bounded import BoundedModel
from indistinct.reader.verify.order_readings import ranked

FEWEST_ROWS = 10
STRONGEST = 0.9
LEAST_DISTINCT = 0.9
FEWEST_VALUES = 10
WITHOUT_EXCEPTION = 1 - 1e-9
FEWEST_READ = 20  # cells below which a further reading has no exception
SAMPLES = ((32, 0.5), (500, 0.8))  # cells, and the correlation from which on more are read
FEWEST_RECORDS = 5
TEXTS = pl.String | pl.Categorical | pl.Enum


def least_alike(models: Sequence[BoundedModel]) -> int:
    """Return how many records of a value, in the mean, keep a sorted column from telling places."""
    return max([FEWEST_RECORDS, *(model.least_size for model in models)])


def tells_order(column: pl.Series, alike: int = 0) -> bool:
    """Return whether the cells of a column nearly tell the places of their rows.

    Parameters
    ----------
    column : cells in the order of some table
    alike : records of a value, in the mean, from which on the column tells no places
    """
    if len(column) < FEWEST_ROWS:
        return False
    # No key tells more records apart than the cells themselves do.
    if _is_coarse(column.drop_nulls(), alike):
        return False
    if any(_follow(keys, alike) for keys in _keys(column)):
        return True
    # Of few cells a further reading has to rise or fall without an exception.
    strongest = STRONGEST if len(column.drop_nulls()) >= FEWEST_READ else WITHOUT_EXCEPTION
    return any(_follow(keys, alike, strongest) for keys in _read_keys(column))


def _follow(keys: pl.Series, alike: int, strongest: float = STRONGEST) -> bool:
    """Return whether keys nearly rise or fall with the places of their rows."""
    both = pl.DataFrame({"key": keys, "place": np.arange(len(keys))}).drop_nulls()
    if _is_coarse(both["key"], alike):
        return False
    return abs(_correlation(both["key"], both["place"])) >= strongest


def _correlation(keys: pl.Series, places: pl.Series) -> float:
    """Return Spearman's correlation of keys and places; 0 where all keys are one."""
    if keys.n_unique() < 2:  # noqa: PLR2004 - one value has no order
        return 0.0
    ranks = np.stack([column.rank("average").to_numpy() for column in (keys, places)])
    return float(np.corrcoef(ranks)[0, 1])


def _is_coarse(keys: pl.Series, alike: int) -> bool:
    """Return whether too many records share a value for the values to number them."""
    n, n_values = len(keys), keys.n_unique()
    return n < FEWEST_ROWS or (
        n_values < LEAST_DISTINCT * n and (n_values < FEWEST_VALUES or n >= alike * n_values)
    )


def _keys(column: pl.Series) -> Iterator[pl.Series]:
    """Yield the orders in which a reader may sort a column."""
    if column.dtype.is_integer() or column.dtype.is_float() or column.dtype.is_decimal():
        yield column
    elif column.dtype.is_temporal():
        yield column.to_physical()
    elif isinstance(column.dtype, TEXTS):
        texts = column.cast(pl.String)
        yield texts
        as_numbers = texts.cast(pl.Float64, strict=False)
        if as_numbers.null_count() == texts.null_count():
            yield as_numbers
        running = texts.str.extract(r"(\d+)").cast(pl.Int64, strict=False)
        if running.null_count() == texts.null_count():
            yield running


def _read_keys(cells: pl.Series) -> Iterator[pl.Series]:
    """Yield the ranks of cells by the further readings that some of them follow."""
    known = cells.is_not_null().arg_true()
    if not (cells.dtype.is_integer() or isinstance(cells.dtype, TEXTS)) or not len(known):
        return
    texts = cells.cast(pl.String)
    promising: set[str] | None = None
    for most, least in SAMPLES:
        some = known.gather_every(-(-len(known) // most))
        places = np.arange(len(some))
        promising = {
            name
            for name, ranks in ranked(texts.gather(some).to_list(), promising).items()
            if len(set(ranks)) > 1 and abs(np.corrcoef(ranks, places)[0, 1]) >= least
        }
        if not promising:
            return
    for ranks in ranked(texts.gather(known).to_list(), promising).values():
        column = pl.DataFrame(
            {"row": known, "key": ranks}, schema={"row": pl.UInt32, "key": pl.Int64}
        )
        rows = pl.DataFrame({"row": range(len(cells))}, schema={"row": pl.UInt32})
        yield rows.join(column, on="row", how="left", maintain_order="left")["key"]
