"""Rows of two tables that have the same cells."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from indistinct.core.arrays import Bools, Ints


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
            [frame[name].cast(pl.String).alias(key) for name, key in zip(names, by, strict=True)]
        )
        for frame in (asked, table)
    ]
    own = keys[0].with_columns(pl.len().over(by).alias("times")).with_row_index("place")
    there = keys[1].with_row_index("row").group_by(by).agg(pl.col("row").first(), pl.len())
    joined = own.join(there, on=by, how="left", nulls_equal=True).sort("place")
    rows = joined["row"].cast(pl.Int64).fill_null(-1).to_numpy()
    shared = (joined["times"] > 1) | (joined["len"].fill_null(1) > 1)
    return rows, shared.to_numpy()
