"""Columns for the tests of drafts."""

import polars as pl

from indistinct.tables.drafting.counted_column import CountedColumn
from indistinct.tables.frames.distinct_values import distinct_values


def evidence(name, values):
    """Count the values of a column, as they are typed in Python."""
    column = pl.Series(name, values)
    kinds = {pl.Int64: "integer", pl.Float64: "number", pl.Boolean: "boolean"}
    kind = kinds.get(column.dtype, "text")
    return CountedColumn(name, kind, distinct_values(column)[0])
