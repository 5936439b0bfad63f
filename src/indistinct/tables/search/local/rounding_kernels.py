"""Compiled claims: groups take free records in turn."""

from __future__ import annotations

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.compiled.compiling import compiled, compiled_part


@compiled
def claim(
    turns: Ints,
    starts: Ints,
    members: Codes,
    taken: Floats,
    least: int,
    enough: float,
    free: Ints,
    ends: Ints,
    labels: Codes,
    opened: Ints,
) -> int:
    """Let groups take free records in turn; give the number of classes.

    A group that ``least`` of the records are free for takes those that it took in the relaxation,
    the most often taken ones first, and others if these are fewer than ``least``.

    Parameters
    ----------
    turns : groups, in the order in which they take records
    starts, members : of the groups, the most often taken members first within each
    taken : (n_members,), records taken of each member
    enough : a member that was taken so often gives at least one record
    free, ends : (n_items,), the next free record of each item, and the end of its records; the
        former is changed
    labels : (n_records,), class of each record, to be filled where there is one
    opened : (n_groups,), group of each class, to be filled
    """
    n_classes = 0
    for group in turns:
        room = 0
        for place in range(starts[group], starts[group + 1]):
            room += ends[members[place]] - free[members[place]]
        if room < least:
            continue
        size = 0
        for place in range(starts[group], starts[group + 1]):
            if taken[place] < enough:
                break
            wanted = max(round(taken[place]), 1)
            size += give_records(members[place], wanted, n_classes, free, ends, labels)
        for place in range(starts[group], starts[group + 1]):
            if size >= least:
                break
            size += give_records(members[place], least - size, n_classes, free, ends, labels)
        opened[n_classes] = group
        n_classes += 1
    return n_classes


@compiled_part
def give_records(item: int, wanted: int, number: int, free: Ints, ends: Ints, labels: Codes) -> int:
    """Return a class free records of an item, as many as it wants if there are so many."""
    given = min(wanted, ends[item] - free[item])
    for record in range(free[item], free[item] + given):
        labels[record] = number
    free[item] += given
    return given
