"""The weights of a sample survey: how many people of the population each record stands for."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from indistinct.core.arrays import Floats
from indistinct.engines.cell_texts import cell_texts
from indistinct.errors import DataError, Fault


def weights_in(column: pl.Series, records: pl.Series | None = None) -> Floats:
    """Give the weights of the records: (n_rows,), at least 0.

    Parameters
    ----------
    records : (n_rows,), how many records each cell stands for; None for one each

    Raises
    ------
    DataError
        when some are missing, negative, infinite or no numbers; each fault with its count
    """
    faults = list(weight_faults(column, records))
    if faults:
        raise DataError(faults)
    return column.cast(pl.Float64).to_numpy()


def weight_faults(column: pl.Series, records: pl.Series | None = None) -> Iterator[Fault]:
    """Find cells that are no weights.

    Parameters
    ----------
    records : as in :func:`weights_in`
    """
    place = f"columns.{column.name}"
    counts = pl.repeat(1, len(column), eager=True) if records is None else records
    n_records = int(counts.sum())
    numbers = column.cast(pl.Float64, strict=False).fill_nan(None)
    remedy = "Correct them in the input, or name another column as data.weight."
    for where, problem in (
        (numbers.is_null(), "survey weights are missing or are not numbers"),
        (numbers < 0, "survey weights are negative"),
        (numbers.is_infinite(), "survey weights are infinite"),
    ):
        count = int(counts.filter(where.fill_null(value=False)).sum())
        if count:
            yield Fault(place, f"{count:,} of {n_records:,} {problem}", remedy)
    if n_records and bool((numbers == 0).fill_null(value=False).all()):
        yield Fault(place, "all survey weights are 0", "Name another column as data.weight.")


def weighted_mean(column: pl.Series, weights: Floats) -> float:
    """Give the weighted mean of the known numbers; NaN where nothing is known."""
    numbers = column.cast(pl.Float64).fill_null(np.nan).to_numpy()
    known = ~np.isnan(numbers)
    total = float(weights[known].sum())
    return float(numbers[known] @ weights[known]) / total if total else float("nan")


def weighted_shares(column: pl.Series, weights: Floats) -> dict[str | None, float]:
    """Give the share of the people that each value stands for."""
    frame = pl.DataFrame({"value": cell_texts(column), "weight": weights})
    sums = frame.group_by("value").agg(pl.col("weight").sum())
    total = float(weights.sum())
    return {value: weight / total for value, weight in sums.iter_rows()}
