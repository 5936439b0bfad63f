"""Count compatible records where a star stands for any value.

Two records are compatible when, in every column, their cells are equal or one of them is a star.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from indistinct.base.arrays import Bools, Codes, Ints

PATTERN_ROWS = 70  # rows compared with all others in the time that one pattern's join takes
# Packed cells stay positive in 64 bits with one bit to spare.
KEY_BITS = 62


def count_compatible(codes: Codes, hidden: Bools, weights: Ints) -> Ints:
    """Count the records that are compatible with each row: (n_rows,).

    Parameters
    ----------
    codes : (n_rows, n_columns), at least 0
    hidden : (n_rows, n_columns), True where the cell is a star
    weights : (n_rows,), records
    """
    patterns, pattern_of = np.unique(hidden, axis=0, return_inverse=True)
    bits = float(np.log2(codes.max(axis=0, initial=0).astype(np.float64) + 1).sum())
    fits = bits + np.log2(len(patterns) + 1) <= KEY_BITS
    if fits and len(patterns) * PATTERN_ROWS <= len(codes):
        return by_projection(codes, hidden, weights, patterns, pattern_of.reshape(-1))
    return by_comparison(codes, hidden, weights)


def by_comparison(codes: Codes, hidden: Bools, weights: Ints) -> Ints:
    """Compare every row with every other, as many columns at once as fit in a number.

    Notes
    -----
    O(n_rows**2 * n_columns).
    """
    counts = np.empty(len(codes), np.int64)
    parts = list(_packed(codes, hidden))
    for row in range(len(codes)):
        differs = np.zeros(len(codes), np.int64)
        for values, shown in parts:
            differs |= (values ^ values[row]) & (shown & shown[row])
        counts[row] = weights[differs == 0].sum()
    return counts


def _packed(codes: Codes, hidden: Bools) -> Iterator[tuple[Ints, Ints]]:
    """Yield columns side by side in whole numbers, and which of their bits are not hidden."""
    values, shown = np.zeros(len(codes), np.int64), np.zeros(len(codes), np.int64)
    used = 0
    for column in range(codes.shape[1]):
        width = max(int(codes[:, column].max(initial=0)).bit_length(), 1)
        if used + width > KEY_BITS:
            yield values, shown
            values, shown = np.zeros_like(values), np.zeros_like(shown)
            used = 0
        values |= codes[:, column].astype(np.int64) << used
        shown |= np.where(hidden[:, column], 0, (1 << width) - 1) << used
        used += width
    yield values, shown


def by_projection(
    codes: Codes, hidden: Bools, weights: Ints, patterns: Bools, pattern_of: Ints
) -> Ints:
    """Join the rows of each pattern of stars with all rows, over the columns that both show.

    Parameters
    ----------
    patterns : (n_patterns, n_columns), the distinct rows of ``hidden``
    pattern_of : (n_rows,), pattern of each row

    Notes
    -----
    O(n_patterns * n_rows * log(n_rows)): per pattern one group-by of all rows, and one look-up per
    set of columns that its rows and others hide together.
    """
    sizes: Ints = codes.max(axis=0, initial=0).astype(np.int64) + 1
    places: Ints = np.cumprod(sizes) // sizes
    shares = np.where(hidden, 0, codes * places)
    counts = np.zeros(len(codes), np.int64)
    span = int(np.prod(sizes))
    for number, pattern in enumerate(patterns):
        own = np.flatnonzero(pattern_of == number)
        unions, union_of = np.unique(patterns | pattern, axis=0, return_inverse=True)
        shown = shares @ (~pattern).astype(np.int64)
        keys, inverse = np.unique(
            union_of.reshape(-1)[pattern_of] * span + shown, return_inverse=True
        )
        found = np.bincount(inverse, weights).astype(np.int64)
        asked = shares[own] @ (~unions).astype(np.int64).T + np.arange(len(unions)) * span
        place = np.minimum(np.searchsorted(keys, asked), len(keys) - 1)
        counts[own] = np.where(keys[place] == asked, found[place], 0).sum(axis=1)
    return counts
