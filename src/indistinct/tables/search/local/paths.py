"""The way from the root down to each value's cell as bits, so that cells are joined by one OR."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints, Words
from indistinct.tables.search.local.annealing_state_kernels import Fields
from indistinct.tables.search.local.peel_kernels import Items

WORD_BITS = 64
ENDS = 2  # levels that every path numbers: the lowest and the top
TABLE_BITS = 12  # of a field up to which the level of each difference is written down


def steps_of(items: Items, column: int, width: int) -> list[int]:
    """List levels from 0 to the top whose cells a path of one word can number.

    All of them, but for a hierarchy whose path would be longer. Two values that meet at a level
    that is left out then count as meeting at the next one listed.
    """
    steps = list(range(int(items.tops[column]) + 1))
    while len(steps) > ENDS and sum(step_bits(items, column, steps, width)) > WORD_BITS:
        del steps[1]
    return steps


def step_bits(items: Items, column: int, steps: list[int], width: int) -> list[int]:
    """Return the bits that number the cells of each step among those with the same cell above."""
    return [
        int(step_places(items, column, step, width).max()).bit_length() for step in pairwise(steps)
    ]


def step_places(items: Items, column: int, step: tuple[int, int], width: int) -> Ints:
    """Count up the cells of a level among those with the same cell above: (n_values,)."""
    offset, above = items.offsets[column, list(step)]
    return places_among(items.cells[offset : offset + width], items.cells[above : above + width])


def paths_of(items: Items, widths: list[int]) -> tuple[Words, Fields]:
    """Lay the columns side by side in the words of a path: (n_items, n_words), and where.

    Parameters
    ----------
    widths : values of each column
    """
    n_columns = len(widths)
    columns = [column_path(items, column, width) for column, width in enumerate(widths)]
    n_bits = [bits for _, _, bits in columns]
    words, shifts = packed(n_bits)
    paths = np.zeros((len(items.codes), int(words[-1]) + 1), np.uint64)
    floors = np.zeros((n_columns, int(items.tops.max()) + 1), np.uint64)
    level_table: list[Codes] = []
    starts = np.full(n_columns, -1, np.int64)
    n_differences = 0
    for column, (path, floor, bits) in enumerate(columns):
        paths[:, words[column]] |= path[items.codes[:, column]] << shifts[column]
        floors[column, : len(floor)] = floor
        if bits <= TABLE_BITS:
            starts[column] = n_differences
            differences = np.arange(1 << bits, dtype=np.uint64)
            level_table.append(np.searchsorted(floor, differences, "right").astype(np.int32))
            n_differences += 1 << bits
    masks = np.array([(1 << bits) - 1 for bits in n_bits], np.uint64)
    levels = np.concatenate([np.zeros(0, np.int32), *level_table])
    return paths, Fields(words, shifts, masks, floors, levels, starts, items.tops)


def paid_by_value(items: Items, widths: list[int]) -> tuple[Floats, Codes]:
    """List what a record pays per value and level, and where each item's values begin in it."""
    tables: list[Floats] = []
    rows = np.empty_like(items.codes)
    start = 0
    for column, width in enumerate(widths):
        n_levels = int(items.tops[column]) + 1
        places = items.offsets[column, :n_levels] + np.arange(width)[:, None]
        tables.append(items.costs[items.cells[places]].ravel())
        rows[:, column] = start + n_levels * items.codes[:, column]
        start += width * n_levels
    return np.concatenate(tables), rows


def packed(n_bits: list[int]) -> tuple[Ints, Words]:
    """Return word and lowest bit of each column's field: as few words as the order allows."""
    words = np.zeros(len(n_bits), np.int64)
    shifts = np.zeros(len(n_bits), np.uint64)
    word = used = 0
    for column, bits in enumerate(n_bits):
        if used + bits > WORD_BITS:
            word, used = word + 1, 0
        # A column of one cell has no bits, and to shift by a whole word is undefined.
        words[column], shifts[column] = word, min(used, WORD_BITS - 1)
        used += bits
    return words, shifts


def column_path(items: Items, column: int, width: int) -> tuple[Words, Words, int]:
    """Return the path of each value of a column, the floor of each level, and a path's bits."""
    path = np.zeros(width, np.uint64)
    steps = steps_of(items, column, width)
    n_bits = step_bits(items, column, steps, width)
    shifts = np.concatenate([[0], np.cumsum(n_bits)]).astype(np.uint64)
    for step, shift in zip(pairwise(steps), shifts, strict=False):
        path |= step_places(items, column, step, width).astype(np.uint64) << shift
    floors = np.repeat(np.uint64(1) << shifts[:-1], np.diff(steps))
    return path, floors, int(shifts[-1])


def places_among(cells: Codes, parents: Codes) -> Ints:
    """Count up the cells of each parent from 0 on: (n_values,)."""
    found, inverse = np.unique(cells, return_inverse=True)
    of_cell = np.zeros(len(found), np.int64)
    of_cell[inverse] = parents
    order = np.argsort(of_cell, kind="stable")
    _, first, counts = np.unique(of_cell[order], return_index=True, return_counts=True)
    places = np.empty(len(found), np.int64)
    places[order] = np.arange(len(found)) - np.repeat(first, counts)
    return places[inverse]
