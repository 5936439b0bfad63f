"""Compiled search for the nearest released records."""

from __future__ import annotations

import math

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints, Words
from indistinct.base.compiled.kernels import GOLDEN, compiled
from indistinct.tables.evaluation.attacks.matching_kernels import Runs, holds_value


@compiled
def nearest_records(
    codes: Codes,
    numbers: Floats,
    cells: Codes,
    lows: Floats,
    highs: Floats,
    shares: Floats,
    is_number: Bools,
    spans: Floats,
    runs: Runs,
    neighbors: int,
    seeds: Words,
) -> Ints:
    """Find the nearest records of each person by Gower's distance.

    Parameters
    ----------
    codes, numbers : (n_people, n_columns), value code and number, NaN for none
    cells, lows, highs : (n_records, n_columns), cell code and range of numbers
    shares : (n_records, n_columns), 1 / values under the cell
    is_number : (n_columns,)
    spans : (n_columns,), range of each column of numbers, greater than 0
    runs : the value codes that each cell covers
    neighbors : how many to find, at least 1
    seeds : (n_people,), decide between records that are equally near

    Returns
    -------
    (n_people, neighbors), records, nearest first; -1 where there are too few

    Notes
    -----
    The distance to a cell is its mean over the values under the cell: of numbers |x - y| / span for
    y spread evenly, of words 1 - 1 / values if the cell covers the value, else 1. Two missing
    numbers are equal; one alone is at distance 1. O(n_people * n_records * n_columns).
    """
    n_people, n_columns = codes.shape
    n_records = len(cells)
    found = np.full((n_people, neighbors), -1, np.int64)
    distances = np.empty(neighbors, np.float64)
    ties = np.empty(neighbors, np.uint64)
    for person in range(n_people):
        distances[:] = np.inf
        ties[:] = np.uint64(0xFFFFFFFFFFFFFFFF)
        for record in range(n_records):
            total = 0.0
            for column in range(n_columns):
                if is_number[column]:
                    x = numbers[person, column]
                    low, high = lows[record, column], highs[record, column]
                    if math.isnan(x) or math.isnan(low):
                        total += 0.0 if math.isnan(x) and math.isnan(low) else 1.0
                    elif high <= low or x <= low or x >= high:
                        total += min(1.0, abs(x - (low + high) / 2) / spans[column])
                    else:
                        mean = ((x - low) ** 2 + (high - x) ** 2) / (2 * (high - low))
                        total += min(1.0, mean / spans[column])
                else:
                    cell = runs.offsets[column] + cells[record, column]
                    if holds_value(runs, cell, codes[person, column]):
                        total += 1.0 - shares[record, column]
                    else:
                        total += 1.0
                if total > distances[neighbors - 1]:
                    break  # further columns only add to it
            if total > distances[neighbors - 1]:
                continue
            # A hash decides between records that are equally near, and not their order in the file.
            tie = (seeds[person] ^ np.uint64(record)) * GOLDEN
            tie = (tie ^ (tie >> np.uint64(32))) * GOLDEN
            if total == distances[neighbors - 1] and tie >= ties[neighbors - 1]:
                continue
            place = neighbors - 1
            while place > 0 and (
                total < distances[place - 1]
                or (total == distances[place - 1] and tie < ties[place - 1])
            ):
                distances[place] = distances[place - 1]
                ties[place] = ties[place - 1]
                found[person, place] = found[person, place - 1]
                place -= 1
            distances[place] = total
            ties[place] = tie
            found[person, place] = record
    return found
