"""Columns whose cells are bytes, lists or records: what they are, and which of them repeat.

Nothing of such a cell is released. Where a column is left out, its cells are only compared with
each other, by a fingerprint of each.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from hashlib import blake2b

import polars as pl

from indistinct.base.coded_text import sentence
from indistinct.tables.reading.declared_formats import ColumnFormat

BYTES, RECORDS, LISTS, OBJECTS = "bytes", "records", "lists", "objects"
HELD = {LISTS: "lists or records", RECORDS: "lists or records"}  # in a message
REMEDIES = {
    BYTES: "Leave it out as an identifier, or write its cells as texts.",
    LISTS: 'Give the column type = "set" if it has lists of items, else unfold it into columns.',
    RECORDS: 'Give the column type = "set" if it has lists of items, else unfold it into columns.',
    OBJECTS: "Leave it out as an identifier, or write its cells as texts.",
}


def odd_kind(dtype: pl.DataType) -> str | None:
    """Return what the cells of a type are that are no single values; None where they are some."""
    if dtype == pl.Binary:
        return BYTES
    if dtype.is_object():
        return OBJECTS
    if isinstance(dtype, pl.List | pl.Array):
        return LISTS
    return RECORDS if dtype.is_nested() else None


def with_fingerprints(frame: pl.DataFrame, names: Collection[str]) -> pl.DataFrame:
    """Return columns of odd cells as texts that are equal where the cells are."""
    odd = [frame[name] for name in names if odd_kind(frame.schema[name]) is not None]
    return frame.with_columns(
        pl.Series(
            column.name,
            [None if cell is None else fingerprint(cell) for cell in column.to_list()],
            pl.String,
        )
        for column in odd
    )


def fingerprint(cell: object) -> str:
    """Return a text that equal cells have in common, and others do not."""
    return blake2b(repr(cell).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def formats_of_odd(frame: pl.DataFrame) -> Mapping[str, ColumnFormat]:
    """Return what is said of the columns of odd cells."""
    found = {name: odd_kind(dtype) for name, dtype in frame.schema.items()}
    return {
        name: ColumnFormat(
            sentence("odd-kind", "Its cells are {what}, which no rule generalizes.", what=kind),
            doubt=True,
            kind=kind,
        )
        for name, kind in found.items()
        if kind is not None
    }
