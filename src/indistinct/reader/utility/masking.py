"""What protected columns of numbers are still good for, beside their original."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from indistinct.core.arrays import Floats, Ints
from indistinct.engines.cell_numbers import is_number, released_numbers, to_numbers
from indistinct.engines.cell_texts import cell_texts
from indistinct.engines.frames import Frame, complete
from indistinct.metrics.masking import (
    absolute_loss,
    correlation_change,
    eigenvalue_change,
    interval_disclosure,
    record_linkage,
    squared_loss,
)
from indistinct.policy.policy import Policy

MOST_LINKED = 1000  # records that an intruder tries to link, spread over the table


def masking_entry(
    released: Frame,
    original: Frame,
    policy: Policy,
    rows: Sequence[int] | Ints | None = None,
) -> dict[str, Any] | None:
    """Compare the protected columns of numbers with those of the original.

    Parameters
    ----------
    released : the released records
    original : the input, all records
    policy : tells which columns are protected
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
    names = [name for name in policy.protections if _are_numbers(released, original, name)]
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
    """Tell whether a column is one of numbers, and was not generalized to labels."""
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
