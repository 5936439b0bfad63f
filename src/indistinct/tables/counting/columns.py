"""The cells of one column: which of them are missing, and their codes."""

from __future__ import annotations

from dataclasses import replace

from indistinct.tables.frames.encoding import (
    beneath,
    counted_alike,
    counted_by_label,
    encode,
    encode_written,
)
from indistinct.tables.frames.frame import Column, Frame, with_missing
from indistinct.tables.frames.tuples import EncodedColumn
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.hierarchies import missing_text
from indistinct.tables.reading.missing_values import are_missing


def encode_column(frame: Frame, rule: ColumnRule) -> EncodedColumn:
    """Encode a column, all ways of writing a missing value as one."""
    column = encode_written(frame[rule.name], rule.missing)
    return with_missing_text(column, rule)


def encode_counted(frame: Frame, rule: ColumnRule) -> EncodedColumn:
    """Encode a sensitive column, all values that read alike as one."""
    column = encode_written(frame[rule.name], rule.missing)
    return _as_counted(column, rule)


def with_missing_text(column: EncodedColumn, rule: ColumnRule) -> EncodedColumn:
    """Write the missing value, if there is one, as a policy does."""
    if not column.is_missing.any():
        return column
    return replace(column, texts=(*column.texts[:-1], missing_text(rule)))


def encode_both(before: Column | None, after: Column, rule: ColumnRule) -> EncodedColumn:
    """Encode a sensitive column of two tables by the same codes, as :func:`encode_counted` does.

    Parameters
    ----------
    before : (n_before,); None for none
    after : (n_after,), whose type tells the order of the values

    Returns
    -------
    the cells of the first table, and then those of the second
    """
    whole = after if before is None else beneath(before, after)
    present = with_missing(whole, are_missing(whole, rule.missing))
    return _as_counted(encode(present, ""), rule)


def _as_counted(column: EncodedColumn, rule: ColumnRule) -> EncodedColumn:
    """Return one code for all values that read alike, or whose labels do."""
    alike = counted_by_label(counted_alike(column, rule.missing), rule.code_labels)
    return with_missing_text(alike, rule)
