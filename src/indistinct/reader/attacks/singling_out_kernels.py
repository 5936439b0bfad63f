"""Compiled counts of the records and people that predicates describe."""

from __future__ import annotations

import numpy as np

from indistinct.core.arrays import Codes, Floats, Ints
from indistinct.core.kernels import compiled

IN_CELL, AT_LEAST, AT_MOST = 0, 1, 2


@compiled
def count_people(
    columns: Codes,
    kinds: Codes,
    cells: Codes,
    bounds: Floats,
    codes: Codes,
    numbers: Floats,
    starts: Ints,
    lows: Codes,
    highs: Codes,
    offsets: Ints,
    enough: int,
) -> Ints:
    """Count the people that each predicate describes.

    Parameters
    ----------
    columns : (n_predicates, width), column of each condition, -1 for none
    kinds : (n_predicates, width), in a cell, at least or at most a bound
    cells, bounds : (n_predicates, width)
    codes : (n_columns, n_people), value codes
    numbers : (n_columns, n_people), NaN for none
    starts, lows, highs, offsets : runs of value codes of every cell of every column
    enough : stop counting there

    Returns
    -------
    (n_predicates,), people, at most ``enough``
    """
    n_predicates, width = columns.shape
    counts = np.zeros(n_predicates, np.int64)
    for predicate in range(n_predicates):
        count = 0
        for person in range(codes.shape[1]):
            holds = True
            for place in range(width):
                column = columns[predicate, place]
                if column < 0:
                    continue
                kind = kinds[predicate, place]
                if kind == AT_LEAST:
                    holds = numbers[column, person] >= bounds[predicate, place]
                elif kind == AT_MOST:
                    holds = numbers[column, person] <= bounds[predicate, place]
                else:
                    cell = offsets[column] + cells[predicate, place]
                    code = codes[column, person]
                    holds = False
                    for run in range(starts[cell], starts[cell + 1]):
                        if lows[run] <= code < highs[run]:
                            holds = True
                            break
                if not holds:
                    break
            if holds:
                count += 1
                if count >= enough:
                    break
        counts[predicate] = count
    return counts


@compiled
def count_records(
    columns: Codes,
    kinds: Codes,
    cells: Codes,
    bounds: Floats,
    codes: Codes,
    numbers: Floats,
    starts: Ints,
    lows: Codes,
    highs: Codes,
    offsets: Ints,
    enough: int,
) -> Ints:
    """Count the released records that each predicate describes for certain.

    A record is in a cell when its own cell is the same, or every value under it is under that cell.
    Parameters and result as those of :func:`count_people`; ``codes`` are cell codes.
    """
    n_predicates, width = columns.shape
    counts = np.zeros(n_predicates, np.int64)
    for predicate in range(n_predicates):
        count = 0
        for record in range(codes.shape[1]):
            holds = True
            for place in range(width):
                column = columns[predicate, place]
                if column < 0:
                    continue
                kind = kinds[predicate, place]
                if kind == AT_LEAST:
                    holds = numbers[column, record] >= bounds[predicate, place]
                elif kind == AT_MOST:
                    holds = numbers[column, record] <= bounds[predicate, place]
                elif codes[column, record] != cells[predicate, place]:
                    inner = offsets[column] + codes[column, record]
                    outer = offsets[column] + cells[predicate, place]
                    # A cell without values, as of a suppressed record, is for certain in none.
                    holds = starts[inner + 1] > starts[inner]
                    for run in range(starts[inner], starts[inner + 1]):
                        covered = False
                        for other in range(starts[outer], starts[outer + 1]):
                            if lows[other] <= lows[run] and highs[run] <= highs[other]:
                                covered = True
                                break
                        if not covered:
                            holds = False
                            break
                if not holds:
                    break
            if holds:
                count += 1
                if count >= enough:
                    break
        counts[predicate] = count
    return counts
