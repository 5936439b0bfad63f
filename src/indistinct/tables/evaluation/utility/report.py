"""What an assessment says of utility: of masked numbers, and what it was asked to measure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import Any

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.errors import Fault, ParameterError
from indistinct.tables.core.schema import Role
from indistinct.tables.evaluation.utility.learning import model_accuracy
from indistinct.tables.evaluation.utility.queries import query_error
from indistinct.tables.frames.cell_numbers import (
    is_number,
    released_numbers,
    to_numbers,
    weighted_mean,
    weighted_shares,
    weights_in,
)
from indistinct.tables.frames.frame import Frame, complete
from indistinct.tables.frames.texts import cell_texts
from indistinct.tables.metrics.masking import (
    absolute_loss,
    correlation_change,
    eigenvalue_change,
    interval_disclosure,
    record_linkage,
    squared_loss,
)
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.specification import Specification
from indistinct.tables.reading.declared_formats import AS_TEXT

MOST_LINKED = 1000  # records that an intruder tries to link, spread over the table


def asked_utility(
    released: Frame,
    original: Frame | None,
    spec: Specification,
    *,
    queries: int | None = None,
    learn: str | None = None,
) -> dict[str, Mapping[str, Any]]:
    """Measure what was asked for; protected columns and weighted figures in any case.

    Parameters
    ----------
    released, original : records after and before
    spec : tells the columns and their hierarchies
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
    if (masking := masking_entry(released, original, spec.protections)) is not None:
        entry["masking"] = masking
    if (weighted := weighted_entry(released, original, spec)) is not None:
        entry["weighted"] = weighted
    if queries is not None:
        entry["query_error"] = query_error(released, original, spec, queries=queries)
    if learn is not None:
        found = model_accuracy(released, original, spec, learn)
        entry["learning"] = {"target": learn, **found}
    return entry


def weighted_entry(released: Any, original: Any, spec: Specification) -> Mapping[str, Any] | None:
    """Compare weighted figures; None where the release has no survey weights.

    Parameters
    ----------
    released, original : records after and before

    Returns
    -------
    ``people`` that all records stand for, ``before`` and ``after``; ``means`` of each numeric
    column, before and after; ``total_variation`` between the weighted shares of the values of each
    other column, codes with labels among them, in [0, 1]. Columns are those that are not
    generalized, masked ones first

    Raises
    ------
    DataError
        when a weight is missing, negative or no number
    """
    name = spec.data.weight
    if name is None or name not in released.columns or released.height == 0:
        return None
    before, after = weights_in(original[name]), weights_in(released[name])
    if not after.sum():
        return None
    means: dict[str, Mapping[str, float]] = {}
    variation: dict[str, float] = {}
    for column in _comparable(released, original, spec):
        are_numbers = all(one[column].dtype.is_numeric() for one in (original, released))
        if are_numbers and not _are_codes(spec.columns[column]):
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
    people = {"before": fsum(before), "after": fsum(after)}
    return {"people": people, "means": means, "total_variation": variation}


def _comparable(released: Any, original: Any, spec: Specification) -> list[str]:
    """List the columns that have values of the same kind before and after, masked ones first."""
    aside = {spec.data.weight, *spec.named(Role.IDENTIFIER)}
    names = (*spec.protections, *spec.named(Role.SENSITIVE), *spec.named(Role.INSENSITIVE))
    return [
        name
        for name in dict.fromkeys(names)
        if name not in aside and name in released.columns and name in original.columns
    ]


def _are_codes(rule: ColumnRule) -> bool:
    """Return whether the numbers of a column stand for something else, so that none is a mean."""
    return bool(rule.code_labels) or rule.words.type in AS_TEXT


def _variation(one: Mapping[str | None, float], other: Mapping[str | None, float]) -> float:
    """Return half the sum of the differences of two distributions."""
    return sum(abs(one.get(v, 0.0) - other.get(v, 0.0)) for v in {*one, *other}) / 2


def masking_entry(
    released: Frame,
    original: Frame,
    protected: Iterable[str],
    rows: Sequence[int] | Ints | None = None,
) -> dict[str, Any] | None:
    """Compare the protected columns of numbers with those of the original.

    Parameters
    ----------
    released : the released records
    original : the input, all records
    protected : names of the protected columns
    rows : number in the input of each released record; without it only the columns as a whole are
        compared, since a release is in random order

    Returns
    -------
    None where no protected column is one of numbers in both; else ``columns`` (per column, the
    change of the mean in standard deviations and the ratio of standard deviations),
    ``correlation_change`` and ``eigenvalue_change``; with rows also ``absolute_loss``,
    ``squared_loss``, ``record_linkage`` and ``interval_disclosure``. Records with a gap in one of
    the columns take no part.
    """
    names = [name for name in protected if _are_numbers(released, original, name)]
    if not names:
        return None
    before = np.column_stack([to_numbers(original[name]) for name in names])
    after = np.column_stack([_released(released, original, name) for name in names])
    entry = _as_a_whole(_complete(before), _complete(after), names)
    if rows is not None:
        paired = _complete(np.hstack([before[np.asarray(rows)], after]))
        entry |= _record_by_record(paired[:, : len(names)], paired[:, len(names) :])
    return entry


def _are_numbers(released: Frame, original: Frame, name: str) -> bool:
    """Return whether a column is one of numbers, and was not generalized to labels."""
    if name not in released.columns or name not in original.columns:
        return False
    if not is_number(original[name]) or not complete(original, [name]).any():
        return False
    is_there = complete(released, [name])
    found = _released(released, original, name)[is_there]
    return len(found) > 0 and bool(np.isfinite(found).all())


def _released(released: Frame, original: Frame, name: str) -> Floats:
    """Read the released cells of a column as numbers: (n_rows,), NaN where they are none."""
    return released_numbers(cell_texts(released[name]), original[name])


def _complete(points: Floats) -> Floats:
    """Leave out records with a gap."""
    return points[np.asarray(np.isfinite(points).all(axis=1))]


def _as_a_whole(before: Floats, after: Floats, names: Sequence[str]) -> dict[str, Any]:
    columns: dict[str, Mapping[str, float]] = {}
    for column, name in enumerate(names):
        one, other = before[:, column], after[:, column]
        spread = float(one.std()) or 1.0
        columns[name] = {
            "mean_change": float(other.mean() - one.mean()) / spread,
            "deviation_ratio": float(other.std()) / spread,
        }
    return {
        "columns": columns,
        "correlation_change": correlation_change(before, after),
        "eigenvalue_change": eigenvalue_change(before, after),
    }


def _record_by_record(before: Floats, after: Floats) -> dict[str, float]:
    step = -(-len(before) // MOST_LINKED)
    return {
        "absolute_loss": absolute_loss(before, after),
        "squared_loss": squared_loss(before, after),
        "record_linkage": record_linkage(before, after, np.arange(0, len(before), step)),
        "interval_disclosure": interval_disclosure(before, after),
    }
