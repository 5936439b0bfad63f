"""Values and people by their canonical writing: those that read alike get one code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from indistinct.core.arrays import Codes
from indistinct.core.counted_texts import counted_texts
from indistinct.engines.polars import encode
from indistinct.engines.protocol import EncodedColumn


def counted_alike(column: EncodedColumn, missing: Sequence[str] = ()) -> EncodedColumn:
    """Give values that read alike one code, in the order of their canonical writing.

    Each is written as it stands in the table: canonically if some cell has it so, else as the least
    of its texts. A column of numbers is what it was.

    Parameters
    ----------
    missing : texts that stand for a missing value, as a text of blanks always does
    """
    if column.numbers is not None:
        return column
    n_known = len(column.texts) - int(column.is_missing.any())
    written = column.texts[:n_known]
    alike, gone = counted_texts(written), {"", *counted_texts(missing)}
    if list(written) == alike and gone.isdisjoint(alike):
        return column
    chosen: dict[str, str] = {}
    for own, text in zip(alike, written, strict=True):
        least = min(chosen.get(own, text), text)
        chosen[own] = own if own in {least, text, chosen.get(own)} else least
    texts = pl.Series([None if own in gone else own for own in alike], dtype=pl.String)
    found = encode(texts, "")
    n_values = len(found.texts) - int(found.is_missing.any())
    codes = np.append(found.codes, [n_values]).astype(np.int32)[column.codes]
    has_missing = n_known < len(column.texts) or bool(found.is_missing.any())
    return replace(
        column,
        codes=codes,
        texts=(*(chosen[own] for own in found.texts[:n_values]), *[""][: int(has_missing)]),
        is_missing=np.arange(n_values + has_missing) == n_values,
    )


def persons_in(column: pl.Series, missing: Sequence[str] = ()) -> Codes:
    """Give the number of the person that each cell names: (n_rows,), from 0.

    All cells without a person name one and the same.

    Parameters
    ----------
    missing : texts that stand for no person
    """
    codes = counted_alike(_written(column, missing), missing).codes
    return np.unique(codes, return_inverse=True)[1].astype(np.int32)


def n_joined(column: pl.Series, missing: Sequence[str] = ()) -> int:
    """Count the ways of writing a person that read like another one.

    Parameters
    ----------
    missing : texts that stand for no person
    """
    written = _written(column, missing)
    gone = {"", *counted_texts(missing)}
    read = [] if written.numbers is not None else counted_texts(written.texts)
    known = [text for text in read if text not in gone]
    return len(known) - len(set(known))


def _written(column: pl.Series, missing: Sequence[str]) -> EncodedColumn:
    """Encode the cells as they are written."""
    if not (column.dtype.is_numeric() or column.dtype.is_temporal()):
        column = column.cast(pl.String)
        column = column.set(column.is_in(list(missing)).fill_null(value=False), None)
    return encode(column, "")
