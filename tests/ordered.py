"""Hand-made releases in the order that a release has."""

from collections.abc import Sequence

import polars as pl

from indistinct.engines.canonical_order import canonical_order

UNORDERED = (
    "the rows are not in the order of their cells, and any other order may tell more than "
    "the cells do"
)


def ordered(frame: pl.DataFrame, *quasi_identifiers: str) -> pl.DataFrame:
    """Sort the rows as a release is sorted."""
    return frame[canonical_order(frame, quasi_identifiers)]


def ordered_with(
    rows: Sequence[int], frame: pl.DataFrame, *quasi_identifiers: str
) -> tuple[pl.DataFrame, list[int]]:
    """Sort the rows as a release is sorted, and the rows of the input that they come from."""
    order = canonical_order(frame, quasi_identifiers).tolist()
    return frame[order], [rows[place] for place in order]
