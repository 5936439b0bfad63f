"""The risk of a release beside a table of people, counted as its readers would count it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from indistinct.core.arrays import Ints
from indistinct.engines.frames import as_series
from indistinct.policy.resolved import Resolved
from indistinct.reader.verify.verify import VerificationInput, people_of
from indistinct.release.entries import RiskEntry
from indistinct.release.manifest import risk_entry


def population_risk(
    cells: Any,
    promised: Resolved,
    *,
    weights: Ints | None = None,
    original: Any = None,
    rows: Sequence[int] | None = None,
) -> RiskEntry | None:
    """Count who looks like each class of a release; None where no table of people says it.

    Not every search counts them, and none counts them by what the cells show: a protected column
    shows other values, and a value may read like a label of others.

    Parameters
    ----------
    cells : of the released records, or of their distinct rows
    weights : records of each distinct row; one of each where left out
    original, rows : the input, and its row behind each released record, where people are counted
    """
    if promised.release.suppressed_cell != "value" or promised.release.intervals == "midpoint":
        return None
    records = None if weights is None else as_series(weights)
    people = people_of(VerificationInput(cells, promised, original, rows, weights=records))
    return None if people is None else risk_entry(*people)
