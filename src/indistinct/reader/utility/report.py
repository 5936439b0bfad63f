"""What an assessment says of utility: of masked numbers, and what it was asked to measure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from indistinct.core.schema import Role
from indistinct.engines.frames import Frame
from indistinct.engines.survey_weights import weighted_mean, weighted_shares, weights_in
from indistinct.errors import Fault, ParameterError
from indistinct.policy.policy import Policy
from indistinct.reader.utility.learning import model_accuracy
from indistinct.reader.utility.masking import masking_entry
from indistinct.reader.utility.queries import query_error


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


def asked_utility(
    released: Frame,
    original: Frame | None,
    policy: Policy,
    *,
    queries: int | None = None,
    learn: str | None = None,
) -> dict[str, Mapping[str, Any]]:
    """Measure what was asked for; protected columns and weighted figures in any case.

    Parameters
    ----------
    released, original : records after and before
    policy : tells the columns and their hierarchies
    queries : number of count queries; none when left out
    learn : column that a model predicts; none when left out

    Raises
    ------
    ParameterError
        when something is asked for and there is no original to compare with
    """
    if original is None and queries is None and learn is None:
        return {}
    if original is None:
        asked = "queries" if learn is None else "learn"
        problem = "compares a release with the table it came from, and that is not given"
        raise ParameterError([Fault(asked, problem, "Name the original, too.")])
    entry: dict[str, Mapping[str, Any]] = {}
    if (masking := masking_entry(released, original, policy)) is not None:
        entry["masking"] = masking
    if (weighted := weighted_entry(released, original, policy)) is not None:
        entry["weighted"] = weighted
    if queries is not None:
        entry["query_error"] = query_error(released, original, policy, queries=queries)
    if learn is not None:
        found = model_accuracy(released, original, policy, learn)
        entry["learning"] = {"target": learn, **found}
    return entry
