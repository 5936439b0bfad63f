"""How long an annealing lasts, and how warm it is on the way."""

from __future__ import annotations

from dataclasses import dataclass

MOST_ROUNDS, LEAST_ROUNDS, ITEMS_PER_ROUND = 150, 60, 200  # of the longest search
SHORT_ROUNDS = (2, 100)  # of a shorter search: few of a large table, many of a small one
ITEMS_OF_SHORT_ROUNDS = 400_000  # items of all rounds together, in between
LOOKS = 20  # at each item: a search that affords less for each of two rounds has one
WAYS = 2  # in which the longest search does its last rounds at once


@dataclass(frozen=True, slots=True)
class TemperatureSchedule:
    """How warm a search is: the temperature at first and at last, over the loss it begins with."""

    warm: float
    cool: float

    def temperature(self, share: float) -> float:
        """Return the temperature after a share of the search, over the loss it begins with."""
        return self.warm * (self.cool / self.warm) ** share


FROM_PEEL = TemperatureSchedule(0.4, 0.02)
SHORT = TemperatureSchedule(0.2, 0.01)
# A beginning that is arranged well already would be torn to pieces at a higher temperature.
FROM_RELAXATION = TemperatureSchedule(0.05, 0.02)


@dataclass(frozen=True, slots=True)
class AnnealingPlan:
    """How long a search is to be.

    Parameters
    ----------
    rounds : of the whole search
    work : items to look at in a round, about
    schedule : from its first round to its last
    ways : in which the last rounds are done at once
    """

    rounds: int
    work: int
    schedule: TemperatureSchedule
    ways: int = 1


def rounds_for(n_items: int) -> int:
    """Return the rounds of the longest search."""
    return min(max(n_items // ITEMS_PER_ROUND, LEAST_ROUNDS), MOST_ROUNDS)


def longest_plan(
    n_items: int, work: int, rounds: int, schedule: TemperatureSchedule = FROM_PEEL
) -> AnnealingPlan:
    """Return the plan of so many rounds of the longest search, which looks at ``work`` items."""
    return AnnealingPlan(rounds, max(work // rounds_for(n_items), 1), schedule, WAYS)


def short_plan(n_items: int, work: int, rounds: int | None = None) -> AnnealingPlan:
    """Return the plan of a search that looks at ``work`` items in its usual rounds.

    Of millions of items the trees and lists of a round take longer than its moves.
    """
    fewest, most = SHORT_ROUNDS
    fewest = min(max(work // (LOOKS * n_items), 1), fewest)
    usual = min(max(ITEMS_OF_SHORT_ROUNDS // n_items, fewest), most)
    return AnnealingPlan(usual if rounds is None else rounds, max(work // usual, 1), SHORT)
