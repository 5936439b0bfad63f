"""Repair what a release gives back: as little as makes it harmless, after the search.

Moves are found class by class and judged by what is read back after all of them. Each set of moves
is tried by itself, and the cheapest that reaches the limit is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.base.brief import short_repr
from indistinct.tables.core.protocols import Problem
from indistinct.tables.core.recoding import cell_losses
from indistinct.tables.counting.persons import models_of_table
from indistinct.tables.counting.preparation import Prepared
from indistinct.tables.engines.sources import ReleasePlan
from indistinct.tables.frames.frame import with_missing
from indistinct.tables.frames.tuples import count_tuples
from indistinct.tables.models import BoundedModel
from indistinct.tables.policy.specification import Specification
from indistinct.tables.publish.noisy_recoding import NoisyRecoding, without
from indistinct.tables.publish.repair.moves import Hide, Leave, Plan, TellingRows, plans
from indistinct.tables.publish.repair.records import (
    RecordsToRepair,
    RepairState,
    hidable_columns,
    least_size_of,
    with_missing_value,
)
from indistinct.tables.release.read_back import ReadBack
from indistinct.tables.release.read_back_of_release import ReleasedColumns

SETS = (
    frozenset({"swap", "hide"}),
    frozenset({"swap", "leave"}),
    frozenset({"swap", "hide", "leave"}),
)
MOST_ROUNDS = 20
MOST_UNDONE = 8  # plans that are tried to be undone
MOST_HIDDEN = 0.05  # share of the released values of a column


@dataclass(frozen=True, slots=True)
class ReadBackRepair:
    """What a repair did, and what it cost; for the owner.

    Parameters
    ----------
    swapped : pairs of records that changed places
    hidden : per column, values that are written as missing
    left_out : records that the repair left out
    loss_before, loss_after : by the policy's objective
    """

    swapped: int
    hidden: Mapping[str, int]
    left_out: int
    loss_before: float
    loss_after: float

    def document(self) -> dict[str, Any]:
        """Return what the owner's manifest says of it."""
        return {
            "swapped": self.swapped,
            "hidden": dict(self.hidden),
            "left_out": self.left_out,
            "loss_before": self.loss_before,
            "loss_after": self.loss_after,
        }


@dataclass(frozen=True, slots=True)
class Repaired:
    """Classes and cells after a repair.

    Parameters
    ----------
    prepared : the records, with a missing value where one was hidden in a column that a model reads
    noised : the classes, and the columns that changed
    repair : what was done; None where nothing had to be done, or nothing helped
    found : what is read back of records of which none was changed
    """

    prepared: Prepared
    noised: NoisyRecoding
    repair: ReadBackRepair | None = None
    found: ReadBack | None = None

    __repr__ = short_repr


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
    prepared: Prepared, noised: NoisyRecoding, plan: ReleasePlan, *, in_units: bool = False
) -> Repaired:
    """Return a release whose columns give back less than the limit, as well as that is possible.

    Parameters
    ----------
    plan : the records as they would be written
    in_units : whether records belong to units that stay together, so that none changes its place
    """
    spec = prepared.spec
    aside = (*spec.set_names, spec.data.household or "")
    positions, shown = _positions(prepared, noised, plan)
    columns = ReleasedColumns.of(plan.cells[shown], spec.class_rules, aside)
    if columns is None:
        return Repaired(prepared, noised)
    found = columns.read_back(np.ones(len(shown), np.int64))
    least = least_size_of(spec)
    if found.k < least or is_small_enough(found.share_below(least), spec):
        return Repaired(prepared, noised, found=found)
    records = _records(prepared, noised, columns, positions)
    start = RepairState.of(records, noised.classes[records.positions])
    best = _best(start, found, spec, in_units=in_units)
    if best is None:
        return Repaired(prepared, noised, found=found)
    return _written(best, noised)


def _best(
    start: RepairState, found: ReadBack, spec: Specification, *, in_units: bool
) -> RepairState | None:
    """Return the records after the cheapest moves that reach the limit; None where none does."""
    best: RepairState | None = None
    least_cost = np.inf
    for moves in SETS[:1] if in_units else SETS:
        allowed = moves - {"swap"} if in_units else moves
        done = _moves(start, found, spec, allowed, least_cost)
        if done is None:
            continue
        state, cost = _without_needless(start, done, spec)
        if cost < least_cost and _hides_few(state) and state.keeps_all_models():
            best, least_cost = state, cost
    return best


def _moves(
    start: RepairState,
    found: ReadBack,
    spec: Specification,
    allowed: frozenset[str],
    dearest: float,
) -> list[Plan] | None:
    """Return plans by which what is read back is within the limit; None where nothing helps.

    Parameters
    ----------
    found : what is read back of the records as they were
    allowed : among ``swap``, ``hide`` and ``leave``
    dearest : cost that is not reached
    """
    state, least = start.copied(), start.records.least_size
    looked, done = TellingRows(state, found, state.rows), list[Plan]()
    for _ in range(MOST_ROUNDS):
        n_rows, n_below = len(looked.rows), len(looked.below(least))
        if is_small_enough(n_below / max(n_rows, 1), spec):
            return done
        made = list(_made(looked, spec, allowed, dearest - sum(one.cost for one in done)))
        if not made:
            return None
        done += made
        looked = TellingRows(state, *state.read_back())
    return None


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
    for _ in range(MOST_UNDONE):
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


def _positions(prepared: Prepared, noised: NoisyRecoding, plan: ReleasePlan) -> tuple[Ints, Ints]:
    """Return the counted records behind the released ones, and the rows of these.

    Rows of stars, which stand for records that are left out, are none.
    """
    place = np.full(prepared.n_input, -1, np.int64)
    place[prepared.rows] = np.arange(len(prepared.rows))
    positions = place[plan.piece_rows]
    released = noised.solution.recoding.released[noised.classes[np.maximum(positions, 0)]]
    shown = np.flatnonzero((positions >= 0) & released)
    return positions[shown], shown


def _records(
    prepared: Prepared, noised: NoisyRecoding, columns: ReleasedColumns, positions: Ints
) -> RecordsToRepair:
    """Return the released records with all that a repair has to know of them."""
    tuples = prepared.tuple_of_row[positions]
    problem, recoding = prepared.problem, noised.solution.recoding
    _, alike = np.unique(problem.table.codes, axis=0, return_inverse=True)
    losses = recoding.class_values(cell_losses) @ np.array(problem.weights)
    losses /= max(sum(problem.weights), 1e-300)
    may_hide = hidable_columns(prepared.spec, problem, [*columns.others])
    read = tuple(name for name in may_hide if name in problem.table.sensitive)
    return RecordsToRepair(
        prepared,
        columns,
        positions,
        tuples,
        alike.reshape(-1)[tuples].astype(np.int32),
        losses[noised.classes[positions]],
        tuple(may_hide),
        read,
        _with_missing(problem, read),
        max(0, problem.budget - recoding.n_suppressed),
    )


def _with_missing(problem: Problem, names: Sequence[str]) -> Problem:
    """Return a problem in which some sensitive columns may be missing."""
    if not names:
        return problem
    sensitive = problem.table.sensitive
    changed = {name: with_missing_value(sensitive[name]) for name in names}
    table = replace(problem.table, sensitive={**sensitive, **changed})
    # Where people count, or regions, no model reads a column that may be hidden.
    models = cast("tuple[BoundedModel, ...]", problem.models)
    return replace(problem, table=table, models=models_of_table(models, table, None))


def _written(state: RepairState, noised: NoisyRecoding) -> Repaired:
    """Return the classes and columns of records after their repair."""
    records, before = state.records, noised.solution.recoding
    prepared = _recounted(state)
    moved = noised.classes.copy()
    moved[records.positions] = state.classes
    gone = records.positions[~state.is_kept]
    recoding, classes = without(before, prepared.tuple_of_row, moved, gone)
    solution = replace(noised.solution, recoding=recoding)
    changed = {column.name: column for column in noised.columns}
    for name, hidden in state.hidden.items():
        whole = np.zeros(prepared.frame.height, np.bool_)
        whole[records.positions] = hidden & state.is_kept
        changed[name] = with_missing(changed.get(name, prepared.frame[name]), whole)
    objective = prepared.problem.objective
    repair = ReadBackRepair(
        state.n_swapped,
        {name: int((one & state.is_kept).sum()) for name, one in state.hidden.items()},
        state.n_left_out,
        float(objective.evaluate(before)),
        float(objective.evaluate(recoding)),
    )
    after = replace(noised, solution=solution, classes=classes, columns=[*changed.values()])
    return Repaired(prepared, after, repair)


def _recounted(state: RepairState) -> Prepared:
    """Return the counted records with the hidden values of the columns that models read."""
    records, prepared = state.records, state.records.prepared
    names = [name for name in state.hidden if name in records.read]
    if not names:
        return prepared
    problem = _with_missing(prepared.problem, names)
    table = problem.table
    codes = {
        name: table.codes[prepared.tuple_of_row, place] for place, name in enumerate(table.columns)
    }
    read = {name: own[prepared.tuple_of_row] for name, own in table.sensitive_codes.items()}
    for name in names:
        hidden = records.positions[state.hidden[name] & state.is_kept]
        read[name][hidden] = table.sensitive[name].n_values - 1
    made = count_tuples(codes, table.sensitive, read, len(prepared.rows))
    problem = replace(problem, table=replace(made.table, value_records=table.value_records))
    return replace(prepared, problem=problem, tuple_of_row=made.tuple_of_row)
