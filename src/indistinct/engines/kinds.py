"""What the values of a column are, by the type in which Polars holds them."""

from __future__ import annotations

import polars as pl

from indistinct.engines.protocol import Kind


def kind_of(dtype: pl.DataType) -> Kind:
    """Tell what the values of a type are."""
    if dtype.is_integer():
        return Kind.WHOLE
    if dtype.is_numeric():
        return Kind.NUMBER
    if dtype == pl.Date:
        return Kind.DATE
    if dtype.is_temporal():
        return Kind.MOMENT
    return Kind.TRUTH if dtype == pl.Boolean else Kind.TEXT


def type_name(dtype: pl.DataType) -> str:
    """Name a type in plain words."""
    if dtype.is_integer():
        return "integer"
    if dtype.is_float() or dtype.is_decimal():
        return "number"
    if dtype.is_temporal():
        return "date"
    return "boolean" if dtype == pl.Boolean else "text"
