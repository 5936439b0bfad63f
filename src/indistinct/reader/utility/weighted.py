"""Weighted figures of a survey before and after: what a statistician would publish from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from indistinct.core.arrays import Floats
from indistinct.core.schema import Role
from indistinct.engines.cell_texts import cell_texts
from indistinct.engines.survey_weights import weights_in
from indistinct.policy.policy import Policy


def weighted_entry(
    released: pl.DataFrame, original: pl.DataFrame, policy: Policy
) -> Mapping[str, Any] | None:
    """Compare weighted figures; None where the release has no survey weights.

    Parameters
    ----------
    released, original : records after and before

    Returns
    -------
    ``people`` that all records stand for, ``before`` and ``after``; ``means`` of each numeric
    column, before and after; ``total_variation`` between the weighted shares of the values of each
    other column, in [0, 1]. Columns are those that are neither generalized nor protected

    Raises
    ------
    DataError
        when a weight is missing, negative or no number
    """
    name = policy.data.weight
    if name is None or name not in released.columns or released.height == 0:
        return None
    before, after = weights_in(original[name]), weights_in(released[name])
    if not after.sum():
        return None
    means: dict[str, Mapping[str, float]] = {}
    variation: dict[str, float] = {}
    for column in _untouched(released, original, policy):
        if original[column].dtype.is_numeric() and released[column].dtype.is_numeric():
            means[column] = {
                "before": _mean(original[column], before),
                "after": _mean(released[column], after),
            }
        else:
            shares = _shares(original[column], before), _shares(released[column], after)
            variation[column] = _variation(*shares)
    people = {"before": float(before.sum()), "after": float(after.sum())}
    return {"people": people, "means": means, "total_variation": variation}


def _untouched(released: pl.DataFrame, original: pl.DataFrame, policy: Policy) -> list[str]:
    """List the columns whose cells are those of the original."""
    names = (*policy.named(Role.SENSITIVE), *policy.named(Role.INSENSITIVE))
    return [
        name
        for name in names
        if name != policy.data.weight
        and name not in policy.protections
        and name in released.columns
        and name in original.columns
    ]


def _mean(column: pl.Series, weights: Floats) -> float:
    """Give the weighted mean of the known numbers; NaN where nothing is known."""
    numbers = column.cast(pl.Float64).fill_null(np.nan).to_numpy()
    known = ~np.isnan(numbers)
    total = float(weights[known].sum())
    return float(numbers[known] @ weights[known]) / total if total else float("nan")


def _shares(column: pl.Series, weights: Floats) -> dict[str | None, float]:
    """Give the share of the people that each value stands for."""
    frame = pl.DataFrame({"value": cell_texts(column), "weight": weights})
    sums = frame.group_by("value").agg(pl.col("weight").sum())
    total = float(weights.sum())
    return {value: weight / total for value, weight in sums.iter_rows()}


def _variation(one: Mapping[str | None, float], other: Mapping[str | None, float]) -> float:
    """Give half the sum of the differences of two distributions."""
    return sum(abs(one.get(v, 0.0) - other.get(v, 0.0)) for v in {*one, *other}) / 2
