"""Shares of records that decide how a column is read."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

FEWEST = 2  # records that contradict a reading; one alone is an odd cell
FEW = 0.02  # share of the records of a column up to which cells are odd cells
NEARLY = 0.9  # share of the records from which on a reading is asked for
MOST_WEIGHED = 20_000  # different cells of a column that are weighed


def are_few(odd: int, known: int) -> bool:
    """Return whether so few records do not fit a reading that they do not contradict it.

    Parameters
    ----------
    odd : records that do not fit
    known : records with a value, these among them

    Examples
    --------
    >>> are_few(1, 30), are_few(2, 30), are_few(2, 100), are_few(3, 100)
    (True, False, True, False)
    """
    return odd < FEWEST or odd <= FEW * known


def some_of(counted: Mapping[str, int]) -> Mapping[str, int]:
    """Return different cells with their records; of very many, some at equal distances."""
    step = -(-len(counted) // MOST_WEIGHED)
    return counted if step <= 1 else dict(islice(counted.items(), 0, None, step))
