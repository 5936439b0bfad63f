"""Hand-made releases in the order that a release has."""

from collections.abc import Sequence

import polars as pl

from indistinct.tables.frames.row_ranks import canonical_order

UNORDERED = (
    "the rows are not in the order of their cells, and any other order may tell more than "
    "the cells do"
)


def ordered(frame: pl.DataFrame, *quasi_identifiers: str) -> pl.DataFrame:
    """Sort the rows as a release is sorted; an empty text is a missing cell."""
    return frame[_order(frame, quasi_identifiers)]


def ordered_with(
    rows: Sequence[int], frame: pl.DataFrame, *quasi_identifiers: str
) -> tuple[pl.DataFrame, list[int]]:
    """Sort the rows as a release is sorted, and the rows of the input that they come from."""
    order = _order(frame, quasi_identifiers)
    return frame[order], [rows[place] for place in order]


def _order(frame: pl.DataFrame, quasi_identifiers: Sequence[str]) -> list[int]:
    known = frame.with_columns(pl.col(pl.String).replace("", None))
    return canonical_order(known, quasi_identifiers).tolist()
