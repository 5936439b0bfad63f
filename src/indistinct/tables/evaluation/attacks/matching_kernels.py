"""Compiled search for the released boxes that may be a person's."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.base.compiled.compiling import compiled, compiled_copy


class Runs(NamedTuple):
    """The value codes that each cell of each column covers.

    Parameters
    ----------
    offsets : (n_columns,), where the cells of each column begin in ``starts``
    starts, lows, highs : runs of value codes of every cell
    """

    offsets: Ints
    starts: Ints
    lows: Codes
    highs: Codes


@compiled_copy
def holds_value(runs: Runs, cell: int, code: int) -> bool:
    """Return whether a value is under a cell."""
    for run in range(runs.starts[cell], runs.starts[cell + 1]):
        if runs.lows[run] <= code < runs.highs[run]:
            return True
    return False


@compiled
def matches(
    people: Codes,
    boxes: Codes,
    runs: Runs,
    column: int,
    list_starts: Ints,
    listed: Codes,
) -> tuple[Ints, Codes]:
    """List the boxes that cover every value of each person.

    Parameters
    ----------
    people : (n_people, n_columns), value codes
    boxes : (n_boxes, n_columns), cell codes
    runs : the value codes that each cell covers
    column : the column whose values lead to candidates
    list_starts, listed : per value of that column, the boxes whose cell covers it

    Returns
    -------
    begins : (n_people + 1,), where the boxes of each person begin
    found : (n_pairs,), boxes
    """
    n_people, n_columns = people.shape
    begins = np.zeros(n_people + 1, np.int64)
    found = np.empty(max(16, 2 * n_people), np.int32)
    n_found = 0
    for person in range(n_people):
        value = people[person, column]
        for place in range(list_starts[value], list_starts[value + 1]):
            box = listed[place]
            inside = True
            for other in range(n_columns):
                if other == column:
                    continue
                cell = runs.offsets[other] + boxes[box, other]
                inside = holds_value(runs, cell, people[person, other])
                if not inside:
                    break
            if inside:
                if n_found == len(found):  # doubled: copying stays linear in all that is found
                    found = np.concatenate((found, np.empty(n_found, np.int32)))
                found[n_found] = box
                n_found += 1
        begins[person + 1] = n_found
    return begins, found[:n_found].copy()


@compiled
def boxes_of_values(
    cells: Codes, starts: Ints, lows: Codes, highs: Codes, n_values: int
) -> tuple[Ints, Codes]:
    """List, for every value of a column, the boxes whose cell covers it.

    Parameters
    ----------
    cells : (n_boxes,), cell code of the column
    starts, lows, highs : runs of value codes of its cells
    n_values : number of values

    Returns
    -------
    list_starts : (n_values + 1,)
    listed : (n_entries,), boxes
    """
    # Counted first, so that the lists of all values fit into one array without gaps.
    counts = np.zeros(n_values + 1, np.int64)
    for box in range(len(cells)):
        for run in range(starts[cells[box]], starts[cells[box] + 1]):
            for value in range(lows[run], highs[run]):
                counts[value + 1] += 1
    list_starts = np.cumsum(counts)
    listed = np.empty(list_starts[n_values], np.int32)
    following = list_starts[:-1].copy()
    for box in range(len(cells)):
        for run in range(starts[cells[box]], starts[cells[box] + 1]):
            for value in range(lows[run], highs[run]):
                listed[following[value]] = box
                following[value] += 1
    return list_starts, listed


@compiled
def pick(begins: Ints, found: Codes, weights: Ints, ranks: Ints) -> tuple[Codes, Ints]:
    """Find the candidate with a given rank among those of each owner.

    Parameters
    ----------
    begins, found : the groups of candidates of each owner
    weights : (n_groups,), candidates in each group
    ranks : (n_owners,), 0 <= rank < candidates of the owner; -1 where there are none

    Returns
    -------
    groups : (n_owners,), the group that it stands in, -1 where there is none
    places : (n_owners,), its place in the group
    """
    n_owners = len(ranks)
    groups = np.full(n_owners, -1, np.int32)
    places = np.zeros(n_owners, np.int64)
    for owner in range(n_owners):
        left = ranks[owner]
        if left < 0:
            continue
        for place in range(begins[owner], begins[owner + 1]):
            group = found[place]
            if left < weights[group]:
                groups[owner] = group
                places[owner] = left
                break
            left -= weights[group]
    return groups, places
