"""Compiled search for the minimal sample uniques of every record."""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.compiled.kernels import GOLDEN, compiled, with_room


@compiled
def minimal_uniques(codes: Codes, worth: Floats, largest: int) -> tuple[Floats, Ints]:
    """Add up the worth of every record's minimal sample uniques.

    Parameters
    ----------
    codes : (n_records, n_columns), 0 <= code
    worth : (n_columns + 1,), what a minimal unique of each number of columns adds
    largest : most columns of a minimal unique, at least 1

    Returns
    -------
    scores : (n_records,)
    counts : (n_records,), minimal sample uniques of each record

    Notes
    -----
    Visits the column sets so that every set comes after its subsets, each refined from the groups
    of the set without its lowest column. A record that is unique on a set is left out above it: it
    shares no group with anybody there. O(sets * n_records) expected time, O(n_columns * n_records)
    memory.
    """
    n_rows, n_columns = codes.shape
    scores = np.zeros(n_rows, np.float64)
    counts = np.zeros(n_rows, np.int64)
    # Each record's minimal uniques, as a list: the latest, and the one before each. There is room
    # for one per record at first, and for some where there are few records.
    last = np.full(n_rows, -1, np.int64)
    before = np.empty(n_rows + 16, np.int64)
    masks = np.empty(n_rows + 16, np.int64)
    n_found = 0
    depth_limit = min(largest, n_columns)
    rows = np.empty((depth_limit + 1, n_rows), np.int32)
    labels = np.empty((depth_limit + 1, n_rows), np.int32)
    alive = np.zeros(depth_limit + 1, np.int64)
    column_at = np.zeros(depth_limit + 1, np.int64)
    mask_at = np.zeros(depth_limit + 1, np.int64)
    # Room for the largest table of groups; smaller ones use its beginning.
    bits = 4
    while (1 << bits) < 2 * n_rows:
        bits += 1
    slots = np.empty(1 << bits, np.int32)
    keys = np.empty(n_rows, np.uint64)
    sizes = np.empty(n_rows, np.int32)
    for row in range(n_rows):
        rows[0, row] = row
        labels[0, row] = 0
    alive[0] = n_rows
    # Invariant: at each depth on the way, ``mask_at`` is the set of columns taken, of which
    # ``limit_at`` is the lowest, and the first ``alive`` entries of ``rows`` and ``labels`` are the
    # records that are not unique on that set, and their groups. Only columns below the lowest one
    # are added, in ascending order. So every set is visited once, and after all of its subsets.
    depth = 0
    column_at[0] = -1
    limit_at = np.zeros(depth_limit + 1, np.int64)
    limit_at[0] = n_columns
    while depth >= 0:
        column_at[depth] += 1
        column = column_at[depth]
        if column >= limit_at[depth] or depth >= depth_limit or alive[depth] < 1:
            depth -= 1
            continue
        mask = mask_at[depth] | (np.int64(1) << column)
        count = alive[depth]
        # At least half of the table stays free, so that every search ends at a free slot, and soon.
        bits = 4
        while (1 << bits) < 2 * count:
            bits += 1
        shift = np.uint64(64 - bits)
        modulus = (1 << bits) - 1
        for slot in range(modulus + 1):
            slots[slot] = -1
        n_groups = 0
        for place in range(count):
            row = rows[depth, place]
            # Labels and codes have less than 32 bits each: different pairs have different keys.
            key = (np.uint64(labels[depth, place]) << np.uint64(32)) | np.uint64(codes[row, column])
            word = key ^ (key >> np.uint64(29))
            slot = np.int64((word * GOLDEN) >> shift)
            while True:
                group = slots[slot]
                if group < 0:
                    slots[slot] = n_groups
                    keys[n_groups] = key
                    sizes[n_groups] = 1
                    labels[depth + 1, place] = n_groups
                    n_groups += 1
                    break
                if keys[group] == key:
                    sizes[group] += 1
                    labels[depth + 1, place] = group
                    break
                slot = (slot + 1) & modulus
        kept = 0
        for place in range(count):
            row = rows[depth, place]
            group = labels[depth + 1, place]
            if sizes[group] > 1:
                rows[depth + 1, kept] = row
                labels[depth + 1, kept] = group
                kept += 1
                continue
            # Unique here, and minimal unless it is unique on a part of these columns. All parts
            # were visited before; what is minimal among them is in the record's list.
            entry = last[row]
            minimal = True
            while entry >= 0:
                if masks[entry] & mask == masks[entry]:
                    minimal = False
                    break
                entry = before[entry]
            if minimal:
                if n_found == len(masks):
                    masks, before = with_room(masks), with_room(before)
                masks[n_found] = mask
                before[n_found] = last[row]
                last[row] = n_found
                n_found += 1
                scores[row] += worth[depth + 1]
                counts[row] += 1
        # There is nothing to add to a set that is large enough or has the first column.
        if depth + 1 < depth_limit and column > 0:
            depth += 1
            mask_at[depth] = mask
            alive[depth] = kept
            limit_at[depth] = column
            column_at[depth] = -1
    return scores, counts
