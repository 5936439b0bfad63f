"""Search again until the suggested rules are those that the shown cells suggest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from indistinct.core.arrays import Ints
from indistinct.core.brief import short_repr
from indistinct.core.protocols import Solution
from indistinct.counting.prepare import Prepared
from indistinct.counting.suggested_rules import (
    FLAT,
    RulesByColumn,
    rules_of_shown_cells,
    rules_of_typical_values,
)
from indistinct.engines.frames import Frame
from indistinct.errors import HierarchyError, NoSolutionError
from indistinct.policy.resolved import Resolved
from indistinct.release.entries import UNSETTLED, WarningEntry

MOST_ROUNDS = 4  # searches before a column is given up whose rule changes what is shown


@dataclass(frozen=True, slots=True)
class Settled:
    """What was found with rules that the shown cells suggest, all written out.

    Parameters
    ----------
    prepared, solution, seconds : the counted table, what was found, and the time that it took
    given_up : columns whose values are kept or hidden, since no rule agreed with what it shows
    """

    prepared: Prepared
    solution: Solution
    seconds: float
    given_up: tuple[str, ...] = ()

    __repr__ = short_repr

    @property
    def warnings(self) -> tuple[WarningEntry, ...]:
        """What the owner is told of columns that were given up."""
        if not self.given_up:
            return ()
        listed = ", ".join(self.given_up)
        message = (
            f"no suggested hierarchy of {listed} agrees with the cells that it shows, so that "
            "values are kept or hidden: write its hierarchy in the policy"
        )
        return (WarningEntry(UNSETTLED, self.given_up, 1.0, message),)


def settle(  # noqa: PLR0913 - what is searched, and how
    frame: Frame,
    resolved: Resolved,
    prepared_by: Callable[[Resolved], Prepared],
    search: Callable[[Prepared], tuple[Solution, float]],
    records: Ints | None = None,
    *,
    has_types: bool = True,
) -> Settled:
    """Search with suggested rules, and again with those that the shown cells suggest.

    Parameters
    ----------
    frame : the records by which the first rules are suggested
    prepared_by : counts the table by rules that are all written out
    search : searches it; returns what was found, and the seconds that it took
    records : of each row of ``frame``; one each where left out
    has_types : whether its columns have types of their own; else its cells decided them

    Raises
    ------
    NoSolutionError
        when no release satisfies the policy, whatever the rules are
    """
    rules = rules_of_typical_values(frame, resolved, records, has_types=has_types)
    given_up: tuple[str, ...] = ()
    seconds, rounds = 0.0, 0
    while True:
        written = resolved.with_suggestions(rules)
        changed: RulesByColumn = rules
        rounds += 1
        try:
            prepared = prepared_by(written)
            solution, took = search(prepared)
        except (HierarchyError, NoSolutionError):
            # A rule of some values may not take the others, or leave too many of them alone.
            if not _open(rules, given_up):
                raise
            rounds = MOST_ROUNDS
        else:
            seconds += took
            shown = rules_of_shown_cells(prepared, solution.recoding, has_types=has_types)
            changed = {name: rule for name, rule in shown.items() if rule != rules[name]}
            changed = {name: changed[name] for name in _open(changed, given_up)}
            if not changed:
                return Settled(prepared, solution, seconds, given_up)
        if rounds < MOST_ROUNDS:
            rules = {**rules, **changed}
        else:
            left = _open(changed, given_up)
            given_up += left
            rules = {**rules, **dict.fromkeys(left, FLAT)}


def _open(rules: RulesByColumn, given_up: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns whose rule may still change."""
    return tuple(
        name for name, rule in rules.items() if name not in given_up and rule.ranges is None
    )
