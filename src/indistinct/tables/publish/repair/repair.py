"""Repair what a release gives back: as little as makes it harmless, after the search.

Moves are found class by class and judged by what is read back after all of them. Each set of moves
is tried by itself, and the cheapest that reaches the limit is kept; but where hiding values is
enough, nothing else is tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from indistinct.tables.counting.preparation import Prepared
from indistinct.tables.engines.sources import ReleasePlan
from indistinct.tables.policy.specification import Specification
from indistinct.tables.publish.noisy_recoding import NoisyRecoding
from indistinct.tables.publish.repair.moves import Hide, Leave, Plan, TellingRows, plans
from indistinct.tables.publish.repair.raising import Raise
from indistinct.tables.publish.repair.records import (
    RepairState,
    least_size_of,
)
from indistinct.tables.publish.repair.repaired_release import (
    Repaired,
    RepairOutcome,
    keeps_suggested_rules,
    records_to_repair,
    released_positions,
    repaired_release,
)
from indistinct.tables.release.read_back import ReadBack
from indistinct.tables.release.read_back_of_release import ReleasedColumns

# Values that are hidden cost no cell of a quasi-identifier, so that they come first.
HIDING = frozenset({"swap", "hide"})
OTHERS = (
    frozenset({"swap", "raise"}),
    frozenset({"swap", "hide", "raise"}),
    frozenset({"swap", "hide", "leave"}),
    frozenset({"swap", "leave", "raise"}),
)
MOST_ROUNDS = 20
MOST_UNDONE = 8  # plans that are tried to be undone
MOST_HIDDEN = 0.05  # share of the released values of a column


def is_repaired(spec: Specification) -> bool:
    """Return whether a policy lets read-back be repaired: no choice may tell sensitive values."""
    return (
        spec.release.read_back == "repaired"
        and spec.method.replay != "resistant"
        and spec.release.suppressed_cell == "value"
        and not any(model.suppresses_later or model.republishes for model in spec.models)
    )


def is_small_enough(share: float, spec: Specification) -> bool:
    """Return whether a share of records in small classes is less than the limit; 0 is nobody."""
    return share < spec.release.max_read_back or share == 0


def repaired(
    prepared: Prepared,
    noised: NoisyRecoding,
    plan: ReleasePlan,
    *,
    has_types: bool = True,
    in_units: bool = False,
) -> Repaired:
    """Return a release whose columns give back less than the limit, as well as that is possible.

    Parameters
    ----------
    plan : the records as they would be written
    has_types : whether the input says the types of its columns; else the released cells decide them
    in_units : whether records belong to units that stay together, so that none changes its place
    """
    spec = prepared.spec
    aside = (*spec.set_names, spec.data.household or "")
    positions, shown = released_positions(prepared, noised, plan)
    columns = ReleasedColumns.of(plan.cells[shown], spec.class_rules, aside)
    if columns is None:
        return Repaired(prepared, noised, RepairOutcome())
    found = columns.read_back(np.ones(len(shown), np.int64))
    least = least_size_of(spec)
    if found.k < least or is_small_enough(found.share_below(least), spec):
        return Repaired(prepared, noised, RepairOutcome(found=found))
    records = records_to_repair(prepared, noised, columns, positions)
    start = RepairState.of(records, noised.classes[records.positions])
    attempts = _Attempts(start, found, spec, has_types=has_types)
    best = attempts.best(in_units=in_units)
    if best is None:
        return Repaired(prepared, noised, RepairOutcome(None, found, attempts.closest))
    return repaired_release(best)


class _Attempts:
    """Sets of moves, each tried by itself.

    Parameters
    ----------
    start : the records as they were found
    found : what is read back of these
    has_types : whether the input says the types of its columns; else the released cells decide them
    """

    def __init__(
        self, start: RepairState, found: ReadBack, spec: Specification, *, has_types: bool
    ) -> None:
        self.start, self.found, self.spec, self.has_types = start, found, spec, has_types
        self._reached = [(found.share_below(start.records.least_size), list[Plan]())]

    def best(self, *, in_units: bool) -> RepairState | None:
        """Return the records after moves that reach the limit; None where none do.

        Where it is enough to hide values and to swap records, that is done; else what costs least.
        """
        best: RepairState | None = None
        least_cost = np.inf
        for allowed in (HIDING - {"swap"},) if in_units else (HIDING, *OTHERS):
            done = self._moves(allowed, least_cost)
            if done is None:
                continue
            state, cost = _without_needless(self.start, done, self.spec)
            if cost >= least_cost or not self._is_allowed(state):
                continue
            best, least_cost = state, cost
            if allowed <= HIDING:
                break
        return best

    @property
    def closest(self) -> float:
        """The smallest share of the records in small classes that was reached, and is allowed."""
        for share, done in sorted(self._reached, key=lambda one: one[0]):
            if not done or self._is_allowed(_after(self.start, done)):
                return share
        return self._reached[0][0]

    def _moves(self, allowed: frozenset[str], dearest: float) -> list[Plan] | None:
        """Return plans by which what is read back is within the limit; None where nothing helps.

        Parameters
        ----------
        allowed : among ``swap``, ``hide``, ``leave`` and ``raise``
        dearest : cost that is not reached
        """
        state, least = self.start.copied(), self.start.records.least_size
        looked, done = TellingRows(state, self.found, state.rows), list[Plan]()
        for _ in range(MOST_ROUNDS):
            share = len(looked.below(least)) / max(len(looked.rows), 1)
            if is_small_enough(share, self.spec):
                return done
            self._reached.append((share, [*done]))
            left = dearest - sum(one.cost for one in done)
            made = list(_made(looked, self.spec, allowed, left))
            if not made:
                return None
            done += made
            looked = TellingRows(state, *state.read_back())
        return None

    def _is_allowed(self, state: RepairState) -> bool:
        """Return whether models and rules hold after some moves, and few values are hidden."""
        return (
            _hides_few(state)
            and state.keeps_all_models()
            and keeps_suggested_rules(state, has_types=self.has_types)
        )


def _made(
    looked: TellingRows, spec: Specification, allowed: frozenset[str], dearest: float
) -> Iterator[Plan]:
    """Make the cheapest plans until they should be enough, a class at a time."""
    state, least = looked.state, looked.state.records.least_size
    n_below, limit = len(looked.below(least)), spec.release.max_read_back * len(looked.rows)
    seen: set[int] = set()
    spent = 0.0
    for plan in sorted(plans(looked, least, allowed), key=lambda one: one.price):
        if plan.label in seen or spent + plan.cost >= dearest or not _is_possible(state, plan):
            continue
        for move in plan.moves:
            move.do(state)
        if not _holds(state, plan):
            for move in reversed(plan.moves):
                move.undo(state)
            continue
        seen.add(plan.label)
        spent += plan.cost
        n_below -= plan.relief
        yield plan
        if n_below < limit or n_below <= 0:
            return


def _is_possible(state: RepairState, plan: Plan) -> bool:
    """Return whether a plan keeps the limits of left out records and of hidden values."""
    n_left = sum(isinstance(move, Leave) for move in plan.moves)
    if n_left and state.n_left_out + n_left > state.records.n_free:
        return False
    if not all(move.is_possible(state) for move in plan.moves if isinstance(move, Raise)):
        return False
    wanted: dict[str, int] = {}
    for move in plan.moves:
        if isinstance(move, Hide):
            wanted[move.name] = wanted.get(move.name, 0) + 1
    return all(
        state.n_hidden(name) + n <= MOST_HIDDEN * (state.n_values(name) - n_left)
        for name, n in wanted.items()
    )


def _hides_few(state: RepairState) -> bool:
    """Return whether few values of each column are hidden among the records that are released."""
    return all(state.n_hidden(name) <= MOST_HIDDEN * state.n_values(name) for name in state.hidden)


def _holds(state: RepairState, plan: Plan) -> bool:
    """Return whether the class of a plan still satisfies the models."""
    changed = any(
        isinstance(move, Leave) or (isinstance(move, Hide) and move.name in state.records.read)
        for move in plan.moves
    )
    return not changed or state.hold([plan.label])


def _without_needless(
    start: RepairState, done: list[Plan], spec: Specification
) -> tuple[RepairState, float]:
    """Undo plans, the dearest first, while the limit is kept; return the records and the cost."""
    state = _after(start, done)
    for _ in range(min(MOST_UNDONE, len(done) - 1)):  # without any, the limit is not kept
        dearest = max(done, key=lambda one: one.cost)
        fewer = [one for one in done if one is not dearest]
        again = _after(start, fewer)
        found, rows = again.read_back()
        share = found.share_below(start.records.least_size)
        if not dearest.cost or not len(rows) or not is_small_enough(share, spec):
            break
        done, state = fewer, again
    return state, sum(one.cost for one in done)


def _after(start: RepairState, done: Sequence[Plan]) -> RepairState:
    """Return the records after some plans."""
    state = start.copied()
    for plan in done:
        for move in plan.moves:
            move.do(state)
    return state
