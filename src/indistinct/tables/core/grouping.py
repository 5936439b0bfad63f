"""Group equal rows of a table that is described only, without waiting for compiled code.

To load compiled code takes longer than to group some ten thousand rows a few dozen times.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.base.compiled.compiling import is_compiler_loaded
from indistinct.base.compiled.kernels import group_rows

# Beyond this the compiled loop gains more than it takes to load.
FEW_ROWS = 100_000
# A key below this many times the rows is looked up in an array; a greater one is sorted.
DENSE = 8
LARGEST_KEY = 1 << 62


def group_few_rows(codes: Codes) -> tuple[Codes, Codes, Ints]:
    """Group equal rows exactly, in order of first appearance, as :func:`group_rows` does.

    Parameters
    ----------
    codes : (n_rows, n_columns), at least 0

    Returns
    -------
    labels : (n_rows,), group of each row
    representatives : (n_groups,), first row of each group
    sizes : (n_groups,), rows per group
    """
    if len(codes) > FEW_ROWS or is_compiler_loaded():
        return group_rows(codes)
    return group_plainly(codes)


def group_plainly(codes: Codes) -> tuple[Codes, Codes, Ints]:
    """Group as :func:`group_few_rows` does, by whole numbers that name the rows.

    Notes
    -----
    Columns are taken into the key one by one. A key that grows beyond a few times the rows is
    numbered anew first, so it never leaves 64 bits.
    """
    n_rows = len(codes)
    key = np.zeros(n_rows, np.int64)
    size = 1
    for column in codes.T:
        width = int(column.max(initial=0)) + 1
        if size * width > DENSE * n_rows:
            key, size = _numbered(key, size)
        key = key * width + column
        size *= width
    key, size = _numbered(key, size)
    first = np.empty(size, np.int64)
    first[key[::-1]] = np.arange(n_rows - 1, -1, -1)  # of equal keys the last to write is the first
    order = np.argsort(first, kind="stable")
    rank = np.empty(size, np.int64)
    rank[order] = np.arange(size)
    labels = rank[key].astype(np.int32)
    return labels, first[order].astype(np.int32), np.bincount(labels, minlength=size)


def row_numbers(columns: Sequence[Codes | Ints]) -> Ints:
    """Return a number for each row, alike for equal rows: (n_items,), not far above their number.

    Parameters
    ----------
    columns : at least one; (n_items,) codes of its values, at least 0

    Notes
    -----
    Where the columns have few combinations of values, each is a number; else rows are grouped.
    """
    widths = [int(column.max(initial=0)) + 1 for column in columns]
    if prod(widths) > DENSE * len(columns[0]):
        rows = np.stack([column.astype(np.int32) for column in columns], axis=1)
        return group_few_rows(rows)[0].astype(np.int64)
    numbers = columns[0].astype(np.int64)
    for column, width in zip(columns[1:], widths[1:], strict=True):
        numbers = numbers * width + column
    return numbers


def counted_numbers(numbers: Ints, size: int) -> tuple[Ints, Ints]:
    """Return the numbers that occur, ascending, and how often each does.

    Parameters
    ----------
    numbers : (n_rows,), at least 0 and below ``size``
    """
    if size > DENSE * len(numbers):
        values, counts = np.unique(numbers, return_counts=True)
        return values, counts.astype(np.int64)
    counts = np.bincount(numbers, minlength=size)
    values = np.flatnonzero(counts)
    return values, counts[values]


def _numbered(key: Ints, size: int) -> tuple[Ints, int]:
    """Return numbers from 0 for the keys that occur, in ascending order."""
    if size > DENSE * len(key) + 1:
        values, numbers = np.unique(key, return_inverse=True)
        return numbers.astype(np.int64), len(values)
    occurs = np.zeros(size, np.bool_)
    occurs[key] = True
    number = np.cumsum(occurs) - 1
    return number[key], int(number[-1]) + 1 if size else 0


def numbered_rows(rows: Ints) -> Ints:
    """Return a number for each different row, in the order of the rows: (n_rows,).

    Parameters
    ----------
    rows : (n_rows, n_columns), any whole numbers
    """
    if not len(rows):
        return np.zeros(0, np.int64)
    lows = rows.min(axis=0, initial=0).tolist()
    widths = [high - low + 1 for low, high in zip(lows, rows.max(axis=0).tolist(), strict=True)]
    if prod(widths) >= LARGEST_KEY:
        return np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)
    keys = np.zeros(len(rows), np.int64)
    for column, low, width in zip(rows.T, lows, widths, strict=True):
        keys = keys * width + (column - low)
    return np.unique(keys, return_inverse=True)[1].astype(np.int64)
