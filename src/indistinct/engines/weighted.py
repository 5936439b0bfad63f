"""Distinct rows with their records: what counting and deciding need of the frames they come in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from indistinct.core.arrays import Bools, Ints
from indistinct.engines.sources import FIRST, LAST, Coarse, Tally


def complete(frame: pl.DataFrame, names: Sequence[str]) -> Bools:
    """Tell which rows have a value in each of some columns: (n_rows,)."""
    found = np.ones(frame.height, np.bool_)
    for name in names:
        found &= frame[name].is_not_null().to_numpy()
    return found


def beneath(values: pl.Series, column: pl.Series) -> pl.DataFrame:
    """Put a column beneath all values that it may have, to encode both alike."""
    return pl.DataFrame([pl.concat([values, column.alias(values.name)])])


def coarse(values: pl.Series, representatives: Ints, level: int) -> Coarse:
    """Let one value of each label stand for the others.

    Parameters
    ----------
    values : (n_values,)
    representatives : (n_values,), place of the value that stands for each
    """
    codes = values.gather(pl.Series(representatives))
    return Coarse(level, pl.DataFrame([values.alias("value"), codes.alias("code")]))


def empty_like(kinds: Mapping[str, pl.DataType]) -> pl.DataFrame:
    """Give a frame without records."""
    return pl.DataFrame(schema=dict(kinds))


def ranges_of(first: Ints, last: Ints) -> pl.DataFrame:
    """Give where the records of a split row go."""
    return pl.DataFrame({FIRST: first.astype(np.int64), LAST: last.astype(np.int64)})


def chosen(
    frame: pl.DataFrame, rows: Ints | Bools, names: Sequence[str] | None = None
) -> pl.DataFrame:
    """Give some rows, and some columns by their names alone."""
    columns = frame.columns if names is None else names
    places = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
    return pl.DataFrame([frame[name].gather(pl.Series(places)) for name in columns])


def chosen_tally(tally: Tally, rows: Bools) -> Tally:
    """Give some rows with their records."""
    keep = pl.Series(rows)
    marks = None if tally.marks is None else tally.marks.filter(keep)
    return Tally(tally.frame.filter(keep), tally.records.filter(keep), marks)


def side_by_side(*frames: pl.DataFrame) -> pl.DataFrame:
    """Put the columns of frames of equal height beside each other."""
    return pl.DataFrame([column for frame in frames for column in frame.iter_columns()])


def as_series(numbers: Ints) -> pl.Series:
    """Give an array as a column."""
    return pl.Series(numbers)
