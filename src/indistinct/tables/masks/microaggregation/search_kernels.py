"""The compiled local search of microaggregation: moves, swaps, splits and dissolved groups."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats
from indistinct.base.compiled.kernels import compiled, compiled_part
from indistinct.base.compiled.ordering_kernels import ascending
from indistinct.tables.masks.microaggregation.kernels import (
    SQUARED,
    grow_tree,
    nearest_records,
)

LEAST_GAIN = 1e-10  # below the rounding of a record's error no change is worth making
MOST_PASSES = 20  # over the groups, until their neighbors are found anew


class GroupState(NamedTuple):
    """Groups of records that change.

    Parameters
    ----------
    points : (n_records, n_columns), standardized
    labels : (n_records,), group of each record
    members : (most groups, 2 k), records of each group
    sizes : (most groups,), 0 where there is no group
    sums : (most groups, n_columns), of the members' points
    spare : groups that are not in use, as a stack
    n_spare : (1,), height of that stack
    """

    points: Floats
    labels: Codes
    members: Codes
    sizes: Codes
    sums: Floats
    spare: Codes
    n_spare: Codes


@compiled_part
def gather(points: Floats, labels: Codes, k: int) -> GroupState:
    """Collect the members of every group."""
    n_records, n_columns = points.shape
    most = n_records // k + 1
    grouping = GroupState(
        points,
        np.full(n_records, -1, np.int32),
        np.empty((most, 2 * k), np.int32),
        np.zeros(most, np.int32),
        np.zeros((most, n_columns)),
        np.empty(most, np.int32),
        np.zeros(1, np.int32),
    )
    for record in range(n_records):
        enter(grouping, record, labels[record])
    for group in range(most - 1, -1, -1):
        if grouping.sizes[group] == 0:
            grouping.spare[grouping.n_spare[0]] = group
            grouping.n_spare[0] += 1
    return grouping


@compiled_part
def enter(grouping: GroupState, record: int, group: int) -> None:
    """Let a record join a group."""
    grouping.labels[record] = group
    grouping.members[group, grouping.sizes[group]] = record
    grouping.sizes[group] += 1
    for column in range(grouping.points.shape[1]):
        grouping.sums[group, column] += grouping.points[record, column]


@compiled_part
def leave(grouping: GroupState, record: int) -> None:
    """Remove a record from its group."""
    group = grouping.labels[record]
    size = grouping.sizes[group]
    slot = 0
    while grouping.members[group, slot] != record:
        slot += 1
    grouping.members[group, slot] = grouping.members[group, size - 1]
    grouping.sizes[group] = size - 1
    for column in range(grouping.points.shape[1]):
        grouping.sums[group, column] -= grouping.points[record, column]


@compiled_part
def copy_members(grouping: GroupState, group: int) -> Codes:
    """Return the members of a group as they are now: (size,)."""
    size = grouping.sizes[group]
    members = np.empty(size, np.int32)
    for slot in range(size):
        members[slot] = grouping.members[group, slot]
    return members


@compiled_part
def squared(grouping: GroupState, record: int, group: int) -> float:
    """Return the squared distance of a record from the mean of a group."""
    total = 0.0
    size = grouping.sizes[group]
    for column in range(grouping.points.shape[1]):
        gap = grouping.points[record, column] - grouping.sums[group, column] / size
        total += gap * gap
    return total


@compiled_part
def apart(points: Floats, one: int, other: int) -> float:
    """Return the squared distance of two records."""
    total = 0.0
    for column in range(points.shape[1]):
        gap = points[one, column] - points[other, column]
        total += gap * gap
    return total


@compiled_part
def cost_of_entering(grouping: GroupState, record: int, group: int) -> float:
    """Return by how much the error of a group grows with a record."""
    size = grouping.sizes[group]
    return size / (size + 1) * squared(grouping, record, group)


@compiled_part
def group_error(grouping: GroupState, group: int) -> float:
    """Return the sum of squared errors of a group."""
    total = 0.0
    for slot in range(grouping.sizes[group]):
        total += squared(grouping, grouping.members[group, slot], group)
    return total


@compiled_part
def split_full(grouping: GroupState, group: int, k: int) -> int:
    """Cut a group of 2 k in two halves of k, along the line from its furthest record.

    Returns
    -------
    the new group, or -1 where the group is not full
    """
    size = grouping.sizes[group]
    if size < 2 * k:
        return -1
    members = copy_members(grouping, group)
    fars = np.empty(size)
    for slot in range(size):
        fars[slot] = squared(grouping, members[slot], group)
    furthest = 0
    for slot in range(1, size):
        if fars[slot] > fars[furthest]:
            furthest = slot
    start = members[furthest]
    for slot in range(size):
        fars[slot] = squared(grouping, members[slot], group) - apart(
            grouping.points, members[slot], start
        )
    # The two squared distances differ by a linear function of the place: this is the order along
    # the line through the mean and the start.
    order = ascending(fars)
    grouping.n_spare[0] -= 1
    fresh = int(grouping.spare[grouping.n_spare[0]])
    for slot in range(k):
        record = int(members[order[size - 1 - slot]])
        leave(grouping, record)
        enter(grouping, record, fresh)
    return fresh


@compiled_part
def write_mean(grouping: GroupState, group: int, mean: Floats) -> None:
    """Write the mean of a group."""
    for column in range(grouping.points.shape[1]):
        mean[column] = grouping.sums[group, column] / grouping.sizes[group]


@compiled_part
def squared_from(points: Floats, record: int, mean: Floats) -> float:
    """Return the squared distance of a record from a mean."""
    total = 0.0
    for column in range(points.shape[1]):
        gap = points[record, column] - mean[column]
        total += gap * gap
    return total


@compiled_part
def exchange(grouping: GroupState, group: int, other: int, k: int, room: Floats) -> bool:
    """Make the best move or swap between two groups, if one lowers the error.

    Parameters
    ----------
    room : (3, most), for two means and for the gains of the other group's members

    Returns
    -------
    whether anything changed
    """
    points = grouping.points
    best = -LEAST_GAIN
    mover = -1
    partner = -1
    size = grouping.sizes[group]
    size_other = grouping.sizes[other]
    share = 1.0 / size + 1.0 / size_other
    mean = room[0]
    mean_other = room[1]
    gains = room[2]
    write_mean(grouping, group, mean)
    write_mean(grouping, other, mean_other)
    for slot in range(size_other):
        record = grouping.members[other, slot]
        gains[slot] = squared_from(points, record, mean) - squared_from(points, record, mean_other)
    for slot in range(size):
        record = grouping.members[group, slot]
        here = squared_from(points, record, mean)
        there = squared_from(points, record, mean_other)
        if size > k and size_other < 2 * k:
            # A record that enters a group of n adds n / (n + 1) of its squared distance from the
            # mean to the error; one that leaves takes n / (n - 1) of it away.
            change = size_other / (size_other + 1) * there - size / (size - 1) * here
            if change < best:
                best = change
                mover = record
                partner = -1
        for slot_other in range(size_other):
            swapped = grouping.members[other, slot_other]
            change = there - here + gains[slot_other]
            # Both means move by the way between the two records over the size of the group, which
            # lowers the errors by the squared way over the size.
            change -= share * apart(points, record, swapped)
            if change < best:
                best = change
                mover = record
                partner = swapped
    if mover < 0:
        return False
    leave(grouping, mover)
    if partner >= 0:
        leave(grouping, partner)
        enter(grouping, partner, group)
    enter(grouping, mover, other)
    return True


@compiled_part
def dissolve(grouping: GroupState, group: int, near: Codes, k: int, taken: Codes) -> int:
    """Spread the records of a group over the groups near it, if that lowers the error.

    Parameters
    ----------
    near : (most groups, count), the groups to spread over, -1 for none
    taken : (2 k,), where the groups that took a record are written

    Returns
    -------
    how many groups took a record; 0 where the group stays
    """
    size = grouping.sizes[group]
    members = copy_members(grouping, group)
    change = -group_error(grouping, group)
    n_moved = 0
    for slot in range(size):
        record = members[slot]
        chosen = -1
        least = -change
        for place in range(near.shape[1]):
            other = near[group, place]
            if other < 0 or other == group:
                continue
            if grouping.sizes[other] == 0 or grouping.sizes[other] >= 2 * k:
                continue
            cost = cost_of_entering(grouping, record, other)
            # What costs more than dissolving still gains leaves the group as it is.
            if cost < least:
                least = cost
                chosen = other
        if chosen < 0:
            break
        leave(grouping, record)
        enter(grouping, record, chosen)
        taken[n_moved] = chosen
        n_moved += 1
        change += least
    if n_moved == size and change < -LEAST_GAIN:
        grouping.spare[grouping.n_spare[0]] = group
        grouping.n_spare[0] += 1
        return n_moved
    for slot in range(n_moved):
        leave(grouping, members[slot])
        enter(grouping, members[slot], group)
    return 0


@compiled_part
def near_groups(grouping: GroupState, count: int) -> Codes:
    """Find for each group the groups whose means are nearest: (most groups, count), -1 for none."""
    most, n_columns = grouping.sums.shape
    used = np.empty(most, np.int32)
    means = np.empty((most, n_columns))
    n_used = 0
    for group in range(most):
        if grouping.sizes[group] > 0:
            used[n_used] = group
            for column in range(n_columns):
                means[n_used, column] = grouping.sums[group, column] / grouping.sizes[group]
            n_used += 1
    weights = np.empty(n_columns)
    kinds = np.empty(n_columns, np.int32)
    for column in range(n_columns):
        weights[column] = 1.0
        kinds[column] = SQUARED
    tree = grow_tree(means[:n_used], weights, kinds)
    near = np.full((most, count), -1, np.int32)
    found = np.empty(count + 1, np.int32)
    fars = np.empty(count + 1)
    stack = np.empty(128, np.int32)
    bounds = np.empty(128)
    for number in range(n_used):
        n_found = nearest_records(tree, means[number], count + 1, found, fars, stack, bounds)
        slot = 0
        # One more was asked for, since the nearest group is usually the group itself.
        for place in range(n_found):
            if found[place] != number and slot < count:
                near[used[number], slot] = used[found[place]]
                slot += 1
    return near


@compiled_part
def wake(awake: Bools, near: Codes, group: int) -> None:
    """Have a group looked at again, and those near it."""
    awake[group] = True
    for place in range(near.shape[1]):
        if near[group, place] >= 0:
            awake[near[group, place]] = True


@compiled_part
def split_and_wake(grouping: GroupState, group: int, near: Codes, awake: Bools, k: int) -> None:
    """Cut a group if it is full; the new one has the neighbors of the old, and that one."""
    fresh = split_full(grouping, group, k)
    if fresh < 0:
        return
    near[fresh, 0] = group
    for place in range(1, near.shape[1]):
        near[fresh, place] = near[group, place]
    wake(awake, near, fresh)


@compiled_part
def improve_group(grouping: GroupState, group: int, near: Codes, awake: Bools, k: int) -> bool:
    """Make every change between a group and those near it that lowers the error."""
    changed = False
    taken = np.empty(2 * k, np.int32)
    room = np.empty((3, max(2 * k, grouping.points.shape[1])))
    for place in range(near.shape[1]):
        other = near[group, place]
        if other < 0 or other == group or grouping.sizes[other] == 0 or grouping.sizes[group] == 0:
            continue
        while exchange(grouping, group, other, k, room):
            changed = True
            wake(awake, near, group)
            wake(awake, near, other)
            split_and_wake(grouping, other, near, awake, k)
    if grouping.sizes[group] == 0:
        return changed
    n_taken = dissolve(grouping, group, near, k, taken)
    for place in range(n_taken):
        wake(awake, near, taken[place])
        split_and_wake(grouping, taken[place], near, awake, k)
    return changed or n_taken > 0


@compiled
def search_groups(points: Floats, labels: Codes, k: int, count: int, rounds: int) -> Codes:
    """Change groups of k to 2k-1 records as long as the sum of squared errors falls.

    Parameters
    ----------
    points : (n_records, n_columns), standardized
    labels : (n_records,), groups of k to 2k-1 records, numbered from 0
    k : least records of a group
    count : groups looked at around each
    rounds : times the neighbours are found anew, at most

    Returns
    -------
    (n_records,), the groups, numbered from 0; the error is at most that of ``labels``

    Notes
    -----
    A round takes O(n k d ``count``) time and a few passes. Invariants between two changes: a group
    in use has k to 2k-1 members, ``sums`` is what they add up to, and every other group lies on the
    stack of spare ones. A group that is not awake, and none of whose neighbors has changed since it
    was looked at, can be left out: nothing between them would lower the error.
    """
    grouping = gather(points, labels, k)
    most = len(grouping.sizes)
    awake = np.empty(most, np.bool_)
    for _ in range(rounds):
        near = near_groups(grouping, count)
        for group in range(most):
            awake[group] = True
        changed = 0
        for _ in range(MOST_PASSES):
            busy = 0
            for group in range(most):
                if awake[group] and grouping.sizes[group] > 0:
                    awake[group] = False
                    if improve_group(grouping, group, near, awake, k):
                        busy += 1
            changed += busy
            if busy == 0:
                break
        # Where so few groups still change, finding neighbours anew would change little.
        if changed * 200 < most:
            break
    return number_groups(grouping)


@compiled_part
def number_groups(grouping: GroupState) -> Codes:
    """Return the groups' numbers from 0 in order of their first record."""
    numbers = np.full(len(grouping.sizes), -1, np.int32)
    labels = np.empty(len(grouping.labels), np.int32)
    n_groups = 0
    for record in range(len(labels)):
        group = grouping.labels[record]
        if numbers[group] < 0:
            numbers[group] = n_groups
            n_groups += 1
        labels[record] = numbers[group]
    return labels
