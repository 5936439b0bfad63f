"""Columns for the tests of drafts."""

import polars as pl

from indistinct.drafting.evidence import Evidence
from indistinct.engines.polars import encode


def evidence(name, values):
    """Count the values of a column, as they are typed in Python."""
    column = pl.Series(name, values)
    kinds = {pl.Int64: "integer", pl.Float64: "number", pl.Boolean: "boolean"}
    kind = kinds.get(column.dtype, "text")
    texts = column if column.dtype.is_numeric() else column.cast(pl.String)
    return Evidence(name, kind, encode(texts, ""))
