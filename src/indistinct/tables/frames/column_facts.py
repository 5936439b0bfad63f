"""Facts of whole columns, found part after part: the values with their records, and the spread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from indistinct.base.arrays import Floats, Ints

VALUE, RECORDS, CODE, ROW = "value", "records", "code", "row"


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and standard deviation of a column's numbers.

    Parameters
    ----------
    count, mean : of the numbers that are there
    squares : sum of their squared distances from the mean
    """

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0

    @property
    def deviation(self) -> float:
        """The standard deviation, over all numbers."""
        return float(np.sqrt(self.squares / self.count)) if self.count else 0.0

    def with_more(self, numbers: Floats) -> Spread:
        """Return the spread with further numbers: (n,), none missing.

        Notes
        -----
        Of two parts the mean of all is known by their means and sizes, and the sum of squares by
        their sums and the distance of their means (Chan, Golub and LeVeque, 1979).
        """
        if not len(numbers):
            return self
        mean = float(numbers.mean())
        squares = float(((numbers - mean) ** 2).sum())
        count = self.count + len(numbers)
        apart = mean - self.mean
        return Spread(
            count,
            self.mean + apart * len(numbers) / count,
            self.squares + squares + apart**2 * self.count * len(numbers) / count,
        )


def counted_values(parts: Iterable[pl.DataFrame], at_most: int) -> tuple[pl.Series, Ints]:
    """Count the values of a column, a missing one too, in the order of their first records.

    Parameters
    ----------
    parts : frames of that one column, at least one
    at_most : values after which nobody goes on

    Returns
    -------
    the values, and (n_values,) the records of each
    """
    found: pl.DataFrame | None = None
    name = ""
    for part in parts:
        name = part.columns[0]
        one = part.rename({name: VALUE}).group_by(VALUE, maintain_order=True).len(RECORDS)
        both = one if found is None else pl.concat([found, one])
        found = both.group_by(VALUE, maintain_order=True).agg(pl.col(RECORDS).sum())
        if found.height > at_most:
            break
    assert found is not None  # noqa: S101 - a table has at least one part
    return found[VALUE].alias(name), found[RECORDS].to_numpy().astype(np.int64)


def codes_of(column: pl.Series, values: pl.Series) -> Ints:
    """Return the number of each cell's value: (n,)."""
    known = pl.DataFrame({VALUE: values}).with_row_index(CODE)
    cells = pl.DataFrame({VALUE: column})
    joined = cells.join(known, on=VALUE, how="left", nulls_equal=True, maintain_order="left")
    return joined[CODE].to_numpy().astype(np.int64)


def spreads(
    parts: Iterable[pl.DataFrame], to_numbers: Callable[[pl.Series], Floats]
) -> Sequence[Spread]:
    """Measure the numbers of some columns that are there: one for each column."""
    found: list[Spread] = []
    for part in parts:
        found = found or [Spread()] * part.width
        numbers = [to_numbers(column.drop_nulls()) for column in part]
        found = [one.with_more(more) for one, more in zip(found, numbers, strict=True)]
    return found


def codes_in_order(column: pl.Series) -> Ints:
    """Return numbers of categories in order of their first record, of a missing one too: (n,)."""
    rows = pl.DataFrame({VALUE: column, ROW: np.arange(len(column))})
    first = rows.select(pl.col(ROW).min().over(VALUE)).to_series().to_numpy()
    return np.unique(first, return_inverse=True)[1].astype(np.int64)
