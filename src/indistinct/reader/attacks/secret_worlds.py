"""All ways in which people can own the sensitive values of a release."""

from __future__ import annotations

from collections.abc import Iterator
from math import factorial, prod

import numpy as np

from indistinct.core.arrays import Bools, Codes, Ints

Left = tuple[int, ...]  # values that no person has yet, per place and value, one after the other


def worlds_of_values(covers: Bools, slots: Ints) -> Iterator[Codes]:
    """List every assignment of values to people that agrees with the released classes.

    Parameters
    ----------
    covers : (n_people, n_places), whether a person may be in a place: a class whose cells cover the
        person, or the place of those who were left out, which covers everybody
    slots : (n_places, n_values), records of each place with each value; they sum to ``n_people``

    Yields
    ------
    (n_people,), value of each person; each assignment once

    Notes
    -----
    Walks over the people and keeps, for the values chosen so far, all sets of places that may still
    be free, so that no assignment comes twice. Exponential in the people: for small tables.
    """
    n_people = len(covers)
    n_values = slots.shape[1]
    chosen = np.zeros(n_people, np.int32)
    places: list[list[int]] = [np.flatnonzero(row).tolist() for row in covers]

    def walk(person: int, states: frozenset[Left]) -> Iterator[Codes]:
        if person == n_people:
            yield chosen.copy()
            return
        for value in range(n_values):
            at = [place * n_values + value for place in places[person]]
            after = frozenset(
                _without(state, index) for state in states for index in at if state[index]
            )
            if after:
                chosen[person] = value
                yield from walk(person + 1, after)

    yield from walk(0, frozenset({tuple(int(count) for count in slots.ravel())}))


def least_worlds(slots: Ints) -> int:
    """Give a number of assignments that there are at least: those that change places in no class.

    Parameters
    ----------
    slots : (n_places, n_values), records of each place with each value
    """
    rows: list[list[int]] = slots.tolist()
    return prod(factorial(sum(row)) // prod(map(factorial, row)) for row in rows)


def _without(state: Left, index: int) -> Left:
    """Take one value of one place away."""
    return (*state[:index], state[index] - 1, *state[index + 1 :])
