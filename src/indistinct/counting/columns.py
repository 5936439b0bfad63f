"""The cells of one column: which of them are missing, and their codes."""

from __future__ import annotations

from dataclasses import replace

from indistinct.core.arrays import Bools
from indistinct.engines.column_types import type_name
from indistinct.engines.distinct_values import DistinctValues, distinct_values
from indistinct.engines.encoding import beneath, counted_alike, encode, encode_written
from indistinct.engines.frames import Column, Frame, with_missing
from indistinct.engines.missing_values import are_missing, known_cells
from indistinct.engines.tuples import EncodedColumn
from indistinct.policy.hierarchies import missing_text
from indistinct.policy.policy import Policy


def is_missing(column: Column, policy: Policy) -> Bools:
    """Return which cells of a column are missing, by the policy's word: (n_rows,)."""
    return are_missing(column, policy.data.missing)


def first_values(
    frame: Frame, policy: Policy, name: str, n_rows: int
) -> tuple[str, DistinctValues]:
    """Return the type of a column, and the values of its first records that are not missing."""
    first = frame[name].head(n_rows)
    known = known_cells(first, is_missing(first, policy))
    return type_name(known.dtype), distinct_values(known)[0]


def encode_column(frame: Frame, policy: Policy, name: str) -> EncodedColumn:
    """Encode a column, all ways of writing a missing value as one."""
    column = encode_written(frame[name], policy.data.missing)
    return with_missing_text(column, policy, name)


def encode_counted(frame: Frame, policy: Policy, name: str) -> EncodedColumn:
    """Encode a sensitive column, all values that read alike as one."""
    column = encode_written(frame[name], policy.data.missing)
    return with_missing_text(counted_alike(column, policy.data.missing), policy, name)


def with_missing_text(column: EncodedColumn, policy: Policy, name: str) -> EncodedColumn:
    """Write the missing value, if there is one, as a policy does."""
    if not column.is_missing.any():
        return column
    return replace(column, texts=(*column.texts[:-1], missing_text(policy, name)))


def encode_both(before: Column | None, after: Column, policy: Policy) -> EncodedColumn:
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
    present = with_missing(whole, is_missing(whole, policy))
    alike = counted_alike(encode(present, ""), policy.data.missing)
    return with_missing_text(alike, policy, after.name)
