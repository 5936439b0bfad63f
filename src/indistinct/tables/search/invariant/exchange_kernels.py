"""Exchanges between groups, and what a group costs: the compiled loops of ``invariant``."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints, Words
from indistinct.base.compiled.compiling import compiled, compiled_part

NOBODY = -1  # who stands where a counterfeit does
BEYOND = 1e300  # instead of a cost that need not be known, since it is above the limit


class ReleasableCells(NamedTuple):
    """What a record may be released as.

    Parameters
    ----------
    codes : (n_people, n_columns), value code per quasi-identifier
    cells : labels of all columns, level after level; ``offsets[column, level] + code`` is the
        place of a value's label
    offsets : (n_columns, most levels)
    costs : (n_labels,), what a record pays for a label
    numbers : (n_people, n_columns), the numbers of columns that are released in ranges, NaN where
        one is missing
    scales : (n_columns,), what a record pays for a range of length 1; 0 for columns of labels
    wholes : (n_columns,), what a record pays for the whole column
    """

    codes: Codes
    cells: Codes
    offsets: Ints
    costs: Floats
    numbers: Floats
    scales: Floats
    wholes: Floats


class SignaturePlaces(NamedTuple):
    """The groups: each is a run of places, one per value of its signature.

    Parameters
    ----------
    starts : (n_groups + 1,), where the places of each group begin
    owners : (n_places,), group of each place
    values : (n_places,), sensitive value of each place, different within a group
    members : (n_places,), person at each place, -1 for a counterfeit
    place_of : (n_people,), place of each person, -1 for none
    marks : (n_groups,), sum of one random word per value: groups of one signature have one mark
    words : (n_values,), the random word of each value
    """

    starts: Ints
    owners: Ints
    values: Ints
    members: Ints
    place_of: Ints
    marks: Words
    words: Words


class SignatureTies(NamedTuple):
    """What ties people to a signature.

    Parameters
    ----------
    is_old : (n_people,), has a signature from an earlier release that must stay
    past : (n_people,), row of ``forbidden`` with the values of all past signatures; row 0: none
    forbidden : (n_pasts, n_values)
    """

    is_old: Bools
    past: Ints
    forbidden: Bools


@compiled_part
def range_cost(
    cells: ReleasableCells,
    places: SignaturePlaces,
    group: int,
    place: int,
    person: int,
    column: int,
) -> float:
    """Return what a record pays for the range of a group in which one person stands at one place.

    A number beside a missing one is released as the whole column.
    """
    low, high = np.inf, -np.inf
    n_missing = n_real = 0
    for at in range(places.starts[group], places.starts[group + 1]):
        member = person if at == place else int(places.members[at])
        if member == NOBODY:
            continue
        n_real += 1
        number = cells.numbers[member, column]
        if np.isnan(number):
            n_missing += 1
        else:
            low, high = min(low, number), max(high, number)
    if n_missing == n_real:
        return 0.0
    # A reader shall not learn who of the group has no number.
    if n_missing:
        return float(cells.wholes[column])
    return float((high - low) * cells.scales[column])


@compiled_part
def cost_with(
    cells: ReleasableCells,
    places: SignaturePlaces,
    group: int,
    place: int,
    person: int,
    limit: float,
) -> float:
    """Return the cost of a group in which one person stands at one place; stop above a limit.

    Records times the sum of the costs of their common labels; counterfeits have no say.
    """
    begin, end = places.starts[group], places.starts[group + 1]
    n_real = 0
    first = NOBODY
    for at in range(begin, end):
        member = person if at == place else int(places.members[at])
        if member != NOBODY:
            n_real += 1
            if first == NOBODY:
                first = member
    if n_real == 0:
        return 0.0
    total = 0.0
    for column in range(cells.codes.shape[1]):
        if cells.scales[column] > 0:
            total += range_cost(cells, places, group, place, person, column)
            if total * n_real >= limit:
                return BEYOND
            continue
        # One pass up: the level that the members seen so far need is never too high for the next.
        level = 0
        own = cells.codes[first, column]
        label = cells.cells[cells.offsets[column, level] + own]
        for at in range(begin, end):
            member = person if at == place else int(places.members[at])
            if member in (NOBODY, first):
                continue
            other = cells.codes[member, column]
            while cells.cells[cells.offsets[column, level] + other] != label:
                level += 1
                label = cells.cells[cells.offsets[column, level] + own]
        total += float(cells.costs[label])
        if total * n_real >= limit:
            return BEYOND
    return total * n_real


@compiled
def group_costs(cells: ReleasableCells, places: SignaturePlaces) -> Floats:
    """Return the cost of every group: (n_groups,)."""
    n_groups = len(places.starts) - 1
    costs = np.empty(n_groups)
    for group in range(n_groups):
        costs[group] = cost_with(cells, places, group, NOBODY, NOBODY, BEYOND)
    return costs


@compiled
def group_labels(cells: ReleasableCells, places: SignaturePlaces) -> Codes:
    """Return the lowest common label of each group and column: (n_groups, n_columns)."""
    n_groups, n_columns = len(places.starts) - 1, cells.codes.shape[1]
    labels = np.full((n_groups, n_columns), -1, np.int32)
    for group in range(n_groups):
        for column in range(n_columns):
            level = 0
            first = NOBODY
            for at in range(places.starts[group], places.starts[group + 1]):
                member = places.members[at]
                if member == NOBODY:
                    continue
                if first == NOBODY:
                    first = member
                own, other = cells.codes[first, column], cells.codes[member, column]
                offset = cells.offsets[column, level]
                while cells.cells[offset + own] != cells.cells[offset + other]:
                    level += 1
                    offset = cells.offsets[column, level]
            if first != NOBODY:
                offset = cells.offsets[column, level]
                labels[group, column] = cells.cells[offset + cells.codes[first, column]]
    return labels


@compiled_part
def place_with(places: SignaturePlaces, group: int, value: int) -> int:
    """Find the place of a value in a group, -1 where its signature lacks it."""
    for at in range(places.starts[group], places.starts[group + 1]):
        if places.values[at] == value:
            return at
    return NOBODY


@compiled_part
def is_same_signature(places: SignaturePlaces, one: int, other: int) -> bool:
    """Return whether two groups have the same values."""
    if places.marks[one] != places.marks[other]:
        return False
    begin, end = places.starts[one], places.starts[one + 1]
    if end - begin != places.starts[other + 1] - places.starts[other]:
        return False
    for at in range(begin, end):
        if place_with(places, other, int(places.values[at])) == NOBODY:
            return False
    return True


@compiled_part
def may_join(places: SignaturePlaces, ties: SignatureTies, person: int, group: int) -> bool:
    """Return whether a person may get the signature of a group: is new, and no past forbids it."""
    if person == NOBODY:
        return True
    if ties.is_old[person]:
        return False
    row = ties.past[person]
    if row == 0:
        return True
    for at in range(places.starts[group], places.starts[group + 1]):
        if ties.forbidden[row, places.values[at]]:
            return False
    return True


@compiled_part
def may_gain(places: SignaturePlaces, ties: SignatureTies, group: int, value: int) -> bool:
    """Return whether a group's signature may gain a value: all are new, and no past forbids."""
    for at in range(places.starts[group], places.starts[group + 1]):
        member = places.members[at]
        if member == NOBODY:
            continue
        if ties.is_old[member] or ties.forbidden[ties.past[member], value]:
            return False
    return True


@compiled_part
def put(places: SignaturePlaces, place: int, person: int) -> None:
    """Let a person, or a counterfeit, stand at a place."""
    places.members[place] = person
    if person != NOBODY:
        places.place_of[person] = place


@compiled
def exchange(
    cells: ReleasableCells,
    places: SignaturePlaces,
    ties: SignatureTies,
    costs: Floats,
    order: Ints,
    window: int,
    changes_signatures: bool,
    slack: float,
) -> int:
    """Make one pass of exchanges that lower the cost, or raise it a little; give their number.

    Parameters
    ----------
    costs : (n_groups,), kept up to date
    order : (n_movable,), people, similar ones near each other
    window : how many of the next people each one tries to join
    changes_signatures : whether people of different values may change places
    slack : how much an exchange may add to the cost, to get out of dead ends

    Notes
    -----
    Every exchange keeps each group a bijection onto its signature, signatures of old people as they
    are, and new ones apart from past ones. O(n_movable * window * places of a group * columns *
    levels).
    """
    done = 0
    for position in range(len(order)):
        person = int(order[position])
        for following in range(position + 1, min(position + 1 + window, len(order))):
            here = int(places.place_of[person])
            group = int(places.owners[here])
            other = int(places.owners[int(places.place_of[order[following]])])
            if group == other:
                continue
            # What the exchange has to undercut; what reaches it is not counted to its end.
            both = float(costs[group] + costs[other]) + slack
            if both <= 1e-12:
                continue
            value = int(places.values[here])
            there = place_with(places, other, value)
            if there != NOBODY:
                guest = int(places.members[there])
                if not is_same_signature(places, group, other):
                    if not may_join(places, ties, person, other):
                        continue
                    if not may_join(places, ties, guest, group):
                        continue
                new_other = cost_with(cells, places, other, there, person, both)
                if new_other >= both:
                    continue
                new_group = cost_with(cells, places, group, here, guest, both - new_other)
            else:
                if not changes_signatures or not may_gain(places, ties, other, value):
                    continue
                if not may_join(places, ties, person, other):
                    continue
                best, new_other, new_group = both - 1e-12, BEYOND, BEYOND
                for at in range(places.starts[other], places.starts[other + 1]):
                    gained = int(places.values[at])
                    if place_with(places, group, gained) != NOBODY:
                        continue
                    first = cost_with(cells, places, other, at, person, best)
                    if first >= best or not may_gain(places, ties, group, gained):
                        continue
                    if not may_join(places, ties, int(places.members[at]), group):
                        continue
                    second = cost_with(
                        cells, places, group, here, int(places.members[at]), best - first
                    )
                    if first + second < best:
                        best, there = first + second, at
                        new_other, new_group = first, second
                if there == NOBODY:
                    continue
            if new_other + new_group >= both - 1e-12:
                continue
            gained = int(places.values[there])
            guest = int(places.members[there])
            if gained != value:
                # Marks are sums, so that a signature with another value needs no new sum.
                shift = places.words[gained] - places.words[value]
                places.marks[group] += shift
                places.marks[other] -= shift
                places.values[here] = gained
                places.values[there] = value
                # The places keep their groups, and each person the own value: they trade places.
            put(places, here, guest)
            put(places, there, person)
            costs[group], costs[other] = new_group, new_other
            done += 1
    return done
