"""From a counted table and what earlier releases demand to groups with their cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Bools, Codes, Ints
from indistinct.base.brief import short_repr
from indistinct.base.randomness import RandomSource
from indistinct.errors import Fault, NoSolutionError
from indistinct.tables.core.protocols import Deadline, Problem, Progress
from indistinct.tables.core.recoding import CellDomain
from indistinct.tables.search.cuts.ranked import RankedNumbers
from indistinct.tables.search.invariant.assignment import assigned
from indistinct.tables.search.invariant.exchange_kernels import (
    ReleasableCells,
    SignaturePlaces,
    SignatureTies,
    exchange,
    group_costs,
    group_labels,
)
from indistinct.tables.search.invariant.person_history import (
    NOBODY,
    NONE,
    GroupDraft,
    PersonHistory,
    SignatureGroups,
)
from indistinct.tables.search.local.local_space import FORBIDDEN, LocalSpace, local_space

WINDOW = 6  # of the people after each one, in a large table
PAIRS = 90_000  # of people that a pass tries at least, where there are so many
FIRST_SLACK = 0.2  # records whose whole loss an exchange may add in the first pass
CALM = 0.9  # share of the passes after which none may add any


@dataclass(frozen=True, slots=True)
class Grouped:
    """Groups, and the cells that they are released with.

    Parameters
    ----------
    groups : who shares a group
    cells : (n_groups, n_columns), released cell, an index into ``domains``
    domains : per column, the cells it may be released as
    """

    groups: SignatureGroups
    cells: Codes
    domains: tuple[CellDomain, ...]

    __repr__ = short_repr


def group_people(  # noqa: PLR0913 - see Invariant.group
    problem: Problem,
    tuple_of_person: Codes,
    history: PersonHistory,
    m: int,
    *,
    fixed: bool,
    free: bool,
    shows_labels: bool,
    n_passes: int,
    chance: RandomSource,
    deadline: Deadline,
    progress: Progress,
) -> Grouped:
    """Group the people of a version as their history demands; see :class:`Invariant`."""
    space = local_space(problem)
    cells = cells_of(problem, space, tuple_of_person)
    random = np.random.default_rng(chance.apart("invariant").words(4))
    draft = assigned(history, m, first_ranks(cells), random, fixed=fixed)

    def goes_on(share: float) -> bool:
        progress(share, "exchanging")
        return not deadline.passed

    found = grouped(
        history,
        draft,
        cells,
        n_passes=n_passes,
        changes_signatures=free or fixed,
        chance=random,
        goes_on=goes_on,
    )
    is_labelled = cells.scales == 0
    if shows_labels:
        _refuse_forbidden(cells.costs[found.labels[:, is_labelled]])
    released, domains = space.numbers[found.labels], list(space.domains)
    for column in np.flatnonzero(~is_labelled).tolist():
        domains[column], released[:, column] = _ranges(problem, column, cells, found)
    return Grouped(found, released, tuple(domains))


def cells_of(problem: Problem, space: LocalSpace, tuple_of_person: Codes) -> ReleasableCells:
    """Return what each person may be released as."""
    items = space.items
    codes = np.ascontiguousarray(items.codes[tuple_of_person], np.int32)
    numbers = np.zeros(codes.shape)
    scales, wholes = np.zeros(codes.shape[1]), np.zeros(codes.shape[1])
    for column, known in enumerate(problem.numbers):
        if known is None:
            continue
        width = float(np.nanmax(known) - np.nanmin(known)) if np.isfinite(known).any() else 0.0
        wholes[column] = problem.weights[column] / len(wholes)
        scales[column] = wholes[column] / (width or 1.0)
        numbers[:, column] = known[codes[:, column]]
    return ReleasableCells(codes, items.cells, items.offsets, items.costs, numbers, scales, wholes)


def _ranges(
    problem: Problem, column: int, cells: ReleasableCells, groups: SignatureGroups
) -> tuple[CellDomain, Codes]:
    """Return the cells of a column that is released in ranges, and the one of each group."""
    hierarchy, numbers = problem.hierarchies[column], problem.numbers[column]
    if numbers is None:
        raise TypeError("the column has no numbers")
    ranked = RankedNumbers.of(numbers, hierarchy.values)
    stands = groups.members != NOBODY
    ranks = ranked.ranks[cells.codes[groups.members[stands], column]]
    starts = np.concatenate([[0], np.cumsum(groups.real)[:-1]]).astype(np.int64)
    return ranked.release(
        np.minimum.reduceat(ranks, starts),
        np.maximum.reduceat(ranks, starts),
        problem.table.value_weights(column),
    )


def _refuse_forbidden(costs: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> None:
    """Refuse groups whose people differ more than the policy's levels allow to hide."""
    n_groups = int((costs >= FORBIDDEN).any(axis=1).sum())
    if n_groups:
        raise NoSolutionError(
            [
                Fault(
                    "columns",
                    f"max_level is too low for {n_groups} of {len(costs)} groups",
                    "Raise max_level: m-invariance cannot suppress the people of a group.",
                )
            ]
        )


def grouped(  # noqa: PLR0913 - each is a choice of the caller
    history: PersonHistory,
    draft: GroupDraft,
    cells: ReleasableCells,
    *,
    n_passes: int,
    changes_signatures: bool,
    chance: np.random.Generator,
    goes_on: Callable[[float], bool],
) -> SignatureGroups:
    """Exchange people between groups until they are similar within them.

    Parameters
    ----------
    history : who the people are
    draft : the first groups; cohorts of the history stay as they are
    cells : what each person may be released as
    n_passes : passes of exchanges
    changes_signatures : whether newcomers of different values may change places
    chance : orders the people before each pass
    goes_on : called with the share done before each pass; False ends the search

    Notes
    -----
    The groups are valid after every exchange, so that the search may end at any time.
    """
    places = places_of(draft, history, chance)
    is_movable = np.zeros(history.n_people, np.bool_)
    is_new_group = np.array(draft.cohorts, np.int64) == NONE
    standing_at = places.members[is_new_group[places.owners]]
    is_movable[standing_at[standing_at != NOBODY]] = True
    movable = np.flatnonzero(is_movable)
    # With fixed companions those who keep their place are in no new group.
    is_old = history.in_signature & (history.signature >= 0)
    ties = SignatureTies(is_old & is_movable, history.past, history.forbidden)
    costs = group_costs(cells, places)
    window = max(WINDOW, min(len(movable), PAIRS // max(len(movable), 1)))
    for number in range(n_passes if len(movable) > 1 else 0):
        if not goes_on(number / n_passes):
            break
        order = ordered(cells, movable, chance)
        if number % 2:
            marks = places.marks[places.owners[places.place_of[order]]]
            order = order[np.argsort(marks, kind="stable")]
        slack = FIRST_SLACK * max(0.0, 1.0 - number / (CALM * n_passes)) ** 2
        exchange(cells, places, ties, costs, order, window, changes_signatures, slack)
    return _finished(draft, places, cells)


def places_of(
    draft: GroupDraft, history: PersonHistory, chance: np.random.Generator
) -> SignaturePlaces:
    """Lay the groups out as arrays."""
    sizes = np.array([len(values) for values in draft.values], np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    owners = np.repeat(np.arange(len(sizes)), sizes).astype(np.int64)
    values = np.array([v for one in draft.values for v in one], np.int64)
    members = np.array([p for one in draft.members for p in one], np.int64)
    place_of = np.full(history.n_people, -1, np.int64)
    stands = members != NOBODY
    place_of[members[stands]] = np.flatnonzero(stands)
    words = chance.integers(0, 2**63, history.n_values).astype(np.uint64)
    marks = np.add.reduceat(words[values], starts[:-1]) if len(values) else words[:0]
    return SignaturePlaces(starts, owners, values, members, place_of, marks, words)


def ordered(cells: ReleasableCells, people: Ints, chance: np.random.Generator) -> Ints:
    """Sort people by their columns in random order, each at a random level, ties at random."""
    n_columns = cells.codes.shape[1]
    keys: list[Ints] = [chance.permutation(len(people))]
    for column in chance.permutation(n_columns).tolist():
        n_levels = int(np.count_nonzero(np.diff(cells.offsets[column]) > 0)) + 1
        offset = cells.offsets[column, int(chance.integers(n_levels))]
        keys.append(cells.cells[offset + cells.codes[people, column]].astype(np.int64))
    return people[np.lexsort(keys)]


def first_ranks(cells: ReleasableCells) -> Ints:
    """Sort everybody by the columns, the tallest hierarchy first: (n_people,), place of each."""
    heights = (np.diff(cells.offsets, axis=1) > 0).sum(axis=1)
    keys: list[Ints] = []
    for column in np.argsort(heights, kind="stable").tolist():
        for level in range(int(heights[column]) + 1):
            offset = cells.offsets[column, level]
            keys.append(cells.cells[offset + cells.codes[:, column]].astype(np.int64))
    order = np.lexsort(keys)
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order))
    return ranks


def _finished(
    draft: GroupDraft, places: SignaturePlaces, cells: ReleasableCells
) -> SignatureGroups:
    """Leave out the groups without a person, and give the labels of the others."""
    labels = group_labels(cells, places)
    sizes = np.diff(places.starts)
    is_real: Bools = np.bincount(places.owners, places.members != NOBODY, len(sizes)) > 0
    kept = is_real[places.owners]
    starts = np.concatenate([[0], np.cumsum(sizes[is_real])]).astype(np.int64)
    return SignatureGroups(
        starts,
        places.values[kept],
        places.members[kept],
        np.array(draft.cohorts, np.int64)[is_real],
        labels[is_real],
        tuple(draft.left_out),
    )
