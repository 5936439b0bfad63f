"""Weighted figures of a survey before and after: what a statistician would publish from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from indistinct.core.schema import Role
from indistinct.engines.cell_numbers import weighted_mean, weighted_shares, weights_in
from indistinct.policy.policy import Policy


def weighted_entry(released: Any, original: Any, policy: Policy) -> Mapping[str, Any] | None:
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
                "before": weighted_mean(original[column], before),
                "after": weighted_mean(released[column], after),
            }
        else:
            shares = (
                weighted_shares(original[column], before),
                weighted_shares(released[column], after),
            )
            variation[column] = _variation(*shares)
    people = {"before": float(before.sum()), "after": float(after.sum())}
    return {"people": people, "means": means, "total_variation": variation}


def _untouched(released: Any, original: Any, policy: Policy) -> list[str]:
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


def _variation(one: Mapping[str | None, float], other: Mapping[str | None, float]) -> float:
    """Give half the sum of the differences of two distributions."""
    return sum(abs(one.get(v, 0.0) - other.get(v, 0.0)) for v in {*one, *other}) / 2
