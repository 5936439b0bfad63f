"""Special uniques: records that few columns already single out (SUDA2)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.compiled.kernels import group_rows
from indistinct.errors import Fault, ParameterError
from indistinct.tables.metrics.suda_kernels import minimal_uniques

SAMPLING_FRACTION = 0.01
MOST_COLUMNS = 62  # a set of columns is a number with one bit for each
PAIR, EIGHT, TWENTY = 2, 8, 20


@dataclass(frozen=True, slots=True)
class SpecialUniques:
    """How special each record is.

    Parameters
    ----------
    scores : (n_records,), sum over a record's minimal sample uniques; 0 for none
    minimal_uniques : (n_records,), number of them
    disclosure : (n_records,), DIS-SUDA: chance that a match of the record is right, in [0, 1]
    sample_uniques : records that are unique on all columns
    intrusion : DIS: chance that a match of a unique record is right, in [0, 1]
    """

    scores: Floats
    minimal_uniques: Ints
    disclosure: Floats
    sample_uniques: int
    intrusion: float


def special_uniques(
    codes: Codes, *, sampling_fraction: float = SAMPLING_FRACTION, largest: int | None = None
) -> SpecialUniques:
    """Score every record by the smallest sets of columns on which it is unique.

    Parameters
    ----------
    codes : (n_records, n_columns), number of the value of each quasi-identifier, at least 0
    sampling_fraction : records / people that they were drawn from, in (0, 1]
    largest : most columns of a set that is searched; all when left out

    Raises
    ------
    ParameterError
        when the fraction or the limit is out of range, or there are more than 62 columns

    Notes
    -----
    At most sum over s <= largest of C(n_columns, s) groupings of the records that are not yet
    unique: exponential in the columns when there is no limit.

    Source: manning2008, SUDA2 (minimal sample uniques); elliot2005, scores and DIS-SUDA.
    """
    n_columns = codes.shape[1]
    _check(n_columns, sampling_fraction, largest)
    _, _, sizes = group_rows(np.ascontiguousarray(codes))
    # Records that stand alone, and records (not pairs) that stand in pairs.
    n_unique, n_paired = int((sizes == 1).sum()), PAIR * int((sizes == PAIR).sum())
    if n_unique == 0:
        nothing = np.zeros(len(codes))
        return SpecialUniques(nothing, nothing.astype(np.int64), nothing, 0, 0.0)
    limit = n_columns if largest is None else min(largest, n_columns)
    scores, counts = minimal_uniques(np.ascontiguousarray(codes), _worth(n_columns, largest), limit)
    intrusion = _intrusion(n_unique, n_paired, sampling_fraction)
    disclosure = _disclosure(scores, n_unique, intrusion, n_columns)
    return SpecialUniques(scores, counts, disclosure, n_unique, intrusion)


def _check(n_columns: int, sampling_fraction: float, largest: int | None) -> None:
    """Refuse what the search cannot do, all faults at once."""
    faults: list[Fault] = []
    if not 0 < sampling_fraction <= 1:
        faults.append(Fault("sampling_fraction", "must be in (0, 1]", "Give records / people."))
    if largest is not None and largest < 1:
        faults.append(Fault("largest", "must be at least 1", "Leave it out to search all sets."))
    if not 1 <= n_columns <= MOST_COLUMNS:
        faults.append(Fault("codes", f"must have 1 to {MOST_COLUMNS} columns", "Take fewer."))
    if faults:
        raise ParameterError(faults)


def _worth(n_columns: int, largest: int | None) -> Floats:
    """Return what a minimal unique of each size adds: the product of A - i from its size on.

    Up to A - 1 the product is (A - size)!; with a limit M < A it ends at i = M.
    """
    end = n_columns - 1 if largest is None else min(largest, n_columns - 1)
    products = [
        math.prod(n_columns - i for i in range(size, end + 1)) for size in range(n_columns + 1)
    ]
    return np.array(products, np.float64)


def _intrusion(n_unique: int, n_paired: int, fraction: float) -> float:
    """Estimate the chance that a match of a sample unique is right."""
    alone = n_unique * fraction
    return alone / (alone + n_paired * (1.0 - fraction))


def _disclosure(scores: Floats, n_unique: int, intrusion: float, n_columns: int) -> Floats:
    """Spread the chance over the records by their scores."""
    # Elliot's empirical correction for the number of columns; with eight there is none.
    power = 1.0 + (EIGHT - n_columns) / TWENTY
    special = scores > 0
    found = np.zeros(len(scores))
    if not special.any():
        return found
    raised = scores[special] ** power
    odds = n_unique / intrusion - n_unique
    found[special] = 1.0 / (1.0 + odds / (raised * float(np.sum(1.0 / raised))))
    return found
