"""The cells of a released file as a reader compares them: as text that loses nothing.

Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import polars as pl

from indistinct.errors import Fault

EXACT = (pl.String, pl.Boolean, pl.Categorical, pl.Enum, pl.Date, pl.Null)


def text_as_read(column: pl.Series) -> pl.Series:
    """Return each cell as text; a missing one is the empty text."""
    if column.dtype == pl.Time:
        texts = column.dt.to_string("%H:%M:%S%.f")
    elif column.dtype == pl.Duration:
        texts = column.dt.to_string("iso")
    else:
        texts = column.cast(pl.String)
    return texts.fill_null("") if texts.null_count() else texts


def texts_as_read(frame: pl.DataFrame) -> pl.DataFrame:
    """Return every cell of a frame as text; a missing one is the empty text."""
    return pl.DataFrame([text_as_read(column) for column in frame.iter_columns()])


def in_one_way(texts: pl.Series, missing: Iterable[str]) -> pl.Series:
    """Write words for no value as the empty text, and whole numbers without a fraction of zero."""
    return texts.replace(dict.fromkeys(missing, "")).str.replace(r"^(-?\d+)\.0$", "$1")


def lost_differences(frame: pl.DataFrame) -> Iterator[Fault]:
    """Find columns of the file whose cells differ although they count as one value."""
    for column in frame.iter_columns():
        if column.dtype == pl.String:
            merged = column.null_count() > 0 and bool((column == "").any())
        elif isinstance(column.dtype, EXACT) or column.dtype.is_integer():
            merged = False
        else:
            merged = text_as_read(column).n_unique() < column.n_unique()
        if merged:
            yield Fault(
                f"columns.{column.name}",
                "holds different cells that count as one value, such as an empty text beside a "
                "missing cell",
                "Write them alike, and do not publish this file.",
            )
