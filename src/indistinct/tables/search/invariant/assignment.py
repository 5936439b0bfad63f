"""Who shares a group with whom: division, balancing and assignment, before any exchange."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.errors import Fault, NoSolutionError
from indistinct.tables.search.invariant.other_doors import other_doors
from indistinct.tables.search.invariant.person_history import NOBODY, GroupDraft, PersonHistory

Values = tuple[int, ...]


@dataclass(slots=True)
class NewPersons:
    """People without a signature, by value, in random order.

    Parameters
    ----------
    waiting : per value, the people who have no group yet
    m : values that every group needs
    """

    waiting: list[list[int]]
    m: int
    counts: Ints = field(init=False)

    def __post_init__(self) -> None:
        """Count them."""
        self.counts = np.array([len(people) for people in self.waiting], np.int64)

    @property
    def total(self) -> int:
        """People who wait."""
        return int(self.counts.sum())

    def may_give(self, value: int) -> bool:
        """Return whether a person of a value may go: the rest stays m-eligible, or is small."""
        if self.counts[value] == 0:
            return False
        # As if the person were gone already.
        self.counts[value] -= 1
        rest, greatest = self.total, int(self.counts.max())
        self.counts[value] += 1
        return rest <= self.m or greatest * self.m <= rest

    def take(self, value: int) -> int:
        """Return a person of a value, who is no longer new."""
        self.counts[value] -= 1
        return self.waiting[value].pop()

    def take_or_make(self, value: int) -> int:
        """Return a person of a value where there is one, else a counterfeit."""
        return self.take(value) if self.may_give(value) else NOBODY


def longest_signature(history: PersonHistory, m: int) -> int:
    """Return the most values a signature may have: so many that a later change still finds others.

    Were only people with long signatures left out after a change, being left out would tell.
    """
    return max(m, history.n_values - m)


def assigned(
    history: PersonHistory, m: int, ranks: Ints, chance: np.random.Generator, *, fixed: bool
) -> GroupDraft:
    """Return every person in a group with one place per value of its signature.

    Parameters
    ----------
    history : the people and what earlier releases demand
    m : least values per group
    ranks : (n_people,), a first order in which similar people are near each other
    chance : which of the newcomers with one value goes where
    fixed : whether companions stay together for ever

    Raises
    ------
    NoSolutionError
        when a value of the first version is too common, or a change cannot be hidden

    Notes
    -----
    O(n_people * log(n_people) + n_buckets * n_values).

    Source: xiao2007, section 4 (division, balancing, assignment); the steps for changed values and
    for fixed companions are our own.
    """
    draft = GroupDraft([], [], [], [])
    kept = _kept(history, fixed=fixed)
    is_known = history.signature >= 0
    changed = np.flatnonzero(is_known & ~kept)
    waiting = _new_persons(history, np.flatnonzero(~is_known), m, chance)
    if not is_known.any() and not history.forbidden[1:].any():
        _refuse_common_values(waiting)
    if fixed:
        for cohort in history.cohorts:
            draft.add(cohort.values, list(cohort.members), cohort.number)
    for person in changed.tolist():
        _regroup_changed(history, person, waiting, draft)
    buckets = {} if fixed else _balanced(history, np.flatnonzero(kept), waiting)
    for values, people in _of_the_rest(history, waiting):
        bucket = buckets.setdefault(values, [[] for _ in values])
        for own, more in zip(bucket, people, strict=True):
            own.extend(more)
    for values, people in buckets.items():
        _cut(values, people, ranks, draft)
    return draft


def _kept(history: PersonHistory, *, fixed: bool) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return who keeps signature, and with fixed companions place: (n_people,)."""
    if not fixed:
        return history.in_signature
    kept = np.zeros(history.n_people, np.bool_)
    for cohort in history.cohorts:
        kept[[member for member in cohort.members if member != NOBODY]] = True
    return kept


def _new_persons(
    history: PersonHistory, people: Ints, m: int, chance: np.random.Generator
) -> NewPersons:
    """Sort the newcomers by value, at random within a value."""
    waiting: list[list[int]] = [[] for _ in range(history.n_values)]
    for person in chance.permutation(people).tolist():
        waiting[history.values[person]].append(person)
    return NewPersons(waiting, m)


def _refuse_common_values(waiting: NewPersons) -> None:
    """Refuse a first version in which a value is too common."""
    greatest, total = int(waiting.counts.max()), waiting.total
    if greatest * waiting.m <= total:
        return
    raise NoSolutionError(
        [
            Fault(
                "models",
                f"m-invariance with m = {waiting.m} needs that no sensitive value has more than "
                f"1/{waiting.m} of the records, but the commonest has {greatest / total:.2%}",
                other_doors(waiting.counts, waiting.m),
            )
        ]
    )


def _regroup_changed(
    history: PersonHistory, person: int, waiting: NewPersons, draft: GroupDraft
) -> None:
    """Assign a person whose value changed to a group whose signature has none of the past ones."""
    m = waiting.m
    if history.n_values < 2 * m:
        raise NoSolutionError(
            [
                Fault(
                    "history",
                    f"a person's sensitive value changed, and with m = {m} that can be hidden only "
                    f"where the column has at least {2 * m} values",
                    "Keep the old value in this release, or begin a new history with a smaller m.",
                )
            ]
        )
    own = int(history.values[person])
    is_free = ~history.forbidden[history.past[person]]
    if not is_free[own]:
        draft.left_out.append(person)
        return
    is_free[own] = False
    others = np.flatnonzero(is_free)
    # What most people wait with is taken first: the rest stays eligible longest.
    others = others[np.argsort(-waiting.counts[others], kind="stable")][: m - 1]
    if len(others) < m - 1:
        draft.left_out.append(person)
        return
    values = sorted([own, *others.tolist()])
    members = [person if value == own else waiting.take_or_make(value) for value in values]
    draft.add(tuple(values), members)


def _balanced(
    history: PersonHistory, people: Ints, waiting: NewPersons
) -> dict[Values, list[list[int]]]:
    """Fill the values of each bucket up to the same number, with newcomers or counterfeits."""
    buckets: dict[Values, list[list[int]]] = {}
    place = [{value: at for at, value in enumerate(values)} for values in history.signatures]
    for person in people.tolist():
        number = int(history.signature[person])
        values = history.signatures[number]
        bucket = buckets.setdefault(values, [[] for _ in values])
        bucket[place[number][int(history.values[person])]].append(person)
    for values, bucket in buckets.items():
        height = max(map(len, bucket))
        for value, held in zip(values, bucket, strict=True):
            while len(held) < height:
                held.append(waiting.take_or_make(value))
    return buckets


def _of_the_rest(
    history: PersonHistory, waiting: NewPersons
) -> list[tuple[Values, list[list[int]]]]:
    """Divide the newcomers that are left into buckets with as many people of each value."""
    longest = longest_signature(history, waiting.m)
    found: list[tuple[Values, list[list[int]]]] = []
    while waiting.total:
        order = np.argsort(-waiting.counts, kind="stable")
        n_values, n_each = _largest_even_part(waiting.counts[order], waiting.m, longest)
        if n_each:
            values = tuple(sorted(order[:n_values].tolist()))
            found.append((values, [[waiting.take(v) for _ in range(n_each)] for v in values]))
        else:
            values = tuple(sorted(order[: waiting.m].tolist()))
            found.append(
                (values, [[waiting.take(v) if waiting.counts[v] else NOBODY] for v in values])
            )
    return found


def _largest_even_part(counts: Ints, m: int, longest: int) -> tuple[int, int]:
    """Choose the fewest values, and the most people of each, that leave the rest m-eligible.

    Parameters
    ----------
    counts : (n_values,), people per value, descending
    m, longest : bounds of the number of values

    Returns
    -------
    values, people of each; 0 people where no choice is possible
    """
    total = int(counts.sum())
    for n_values in range(m, min(longest, int((counts > 0).sum())) + 1):
        most = int(counts[n_values - 1])
        # The commonest value stays eligible while m (greatest - each) <= total - n_values each.
        if n_values > m:
            most = min(most, (total - m * int(counts[0])) // (n_values - m))
        elif total < m * int(counts[0]):
            most = 0
        # So must the commonest value that nothing is taken of.
        following = int(counts[n_values]) if n_values < len(counts) else 0
        most = min(most, (total - m * following) // n_values)
        if most >= 1:
            return n_values, most
    return 0, 0


def _cut(values: Values, people: list[list[int]], ranks: Ints, draft: GroupDraft) -> None:
    """Cut a bucket with as many people of each value into groups of one per value.

    Each value's people are sorted, counterfeits last; a group has the j-th of each.
    """
    ordered = [
        sorted((one for one in held if one != NOBODY), key=lambda one: int(ranks[one]))
        for held in people
    ]
    for group in range(len(people[0])):
        members = [own[group] if group < len(own) else NOBODY for own in ordered]
        draft.add(values, members)
