"""From records to the release that they make after a repair, and the other way round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.base.brief import short_repr
from indistinct.tables.core.protocols import Problem
from indistinct.tables.core.recoding import Recoding, cell_losses
from indistinct.tables.counting.persons import models_of_table
from indistinct.tables.counting.preparation import Prepared
from indistinct.tables.counting.suggested_rules import rules_of_shown_cells
from indistinct.tables.engines.sources import ReleasePlan
from indistinct.tables.frames.frame import with_missing
from indistinct.tables.frames.tuples import count_tuples
from indistinct.tables.models import BoundedModel
from indistinct.tables.publish.noisy_recoding import NoisyRecoding, without
from indistinct.tables.publish.repair.records import (
    RecordsToRepair,
    RepairState,
    hidable_columns,
    with_missing_value,
)
from indistinct.tables.release.read_back import ReadBack
from indistinct.tables.release.read_back_of_release import ReleasedColumns


@dataclass(frozen=True, slots=True)
class ReadBackRepair:
    """What a repair did, and what it cost; for the owner.

    Parameters
    ----------
    swapped : pairs of records that changed places
    hidden : per column, values that are written as missing
    left_out : records that the repair left out
    raised : classes that show a coarser cell than they did
    loss_before, loss_after : by the policy's objective
    """

    swapped: int
    hidden: Mapping[str, int]
    left_out: int
    raised: int
    loss_before: float
    loss_after: float

    def document(self) -> dict[str, Any]:
        """Return what the owner's manifest says of it."""
        return {
            "swapped": self.swapped,
            "hidden": dict(self.hidden),
            "left_out": self.left_out,
            "raised": self.raised,
            "loss_before": self.loss_before,
            "loss_after": self.loss_after,
        }


@dataclass(frozen=True, slots=True)
class RepairOutcome:
    """What became of a repair.

    Parameters
    ----------
    done : what was done; None where nothing had to be done, or nothing helped
    found : what is read back of records of which none was changed
    closest : where nothing helped, the smallest share of the records in small classes that was seen
    """

    done: ReadBackRepair | None = None
    found: ReadBack | None = None
    closest: float | None = None

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class Repaired:
    """Classes and cells after a repair.

    Parameters
    ----------
    prepared : the records, with a missing value where one was hidden in a column that a model reads
    noised : the classes, and the columns that changed
    outcome : what was done
    """

    prepared: Prepared
    noised: NoisyRecoding
    outcome: RepairOutcome

    __repr__ = short_repr


def released_positions(
    prepared: Prepared, noised: NoisyRecoding, plan: ReleasePlan
) -> tuple[Ints, Ints]:
    """Return the counted records behind the released ones, and the rows of these.

    Rows of stars, which stand for records that are left out, are none.
    """
    place = np.full(prepared.n_input, -1, np.int64)
    place[prepared.rows] = np.arange(len(prepared.rows))
    positions = place[plan.piece_rows]
    released = noised.solution.recoding.released[noised.classes[np.maximum(positions, 0)]]
    shown = np.flatnonzero((positions >= 0) & released)
    return positions[shown], shown


def records_to_repair(
    prepared: Prepared, noised: NoisyRecoding, columns: ReleasedColumns, positions: Ints
) -> RecordsToRepair:
    """Return the released records with all that a repair has to know of them."""
    tuples = prepared.tuple_of_row[positions]
    problem, recoding = prepared.problem, noised.solution.recoding
    _, alike = np.unique(problem.table.codes, axis=0, return_inverse=True)
    parts = recoding.class_values(cell_losses) * np.array(problem.weights)
    parts /= max(sum(problem.weights), 1e-300)
    own = noised.classes[positions]
    domain_cells = _per_cell(columns, problem.table.columns, recoding.cells[own])
    losses = _per_cell(columns, problem.table.columns, parts[own])
    may_hide = hidable_columns(prepared.spec, problem, [*columns.others])
    read = tuple(name for name in may_hide if name in problem.table.sensitive)
    return RecordsToRepair(
        prepared,
        noised,
        columns,
        positions,
        tuples,
        alike.reshape(-1)[tuples].astype(np.int32),
        domain_cells,
        losses,
        tuple(may_hide),
        read,
        _with_missing(problem, read),
        max(0, problem.budget - recoding.n_suppressed),
        recoding.transformation is None and not problem.reads_beyond_classes and not noised.columns,
    )


def _per_cell(
    columns: ReleasedColumns, names: Sequence[str], of_rows: np.ndarray
) -> dict[str, np.ndarray]:
    """Return what the rows say of each cell that they show, per quasi-identifier.

    Parameters
    ----------
    names : quasi-identifiers of the recoding
    of_rows : (n_rows, n_names)
    """
    said: dict[str, np.ndarray] = {}
    for at, name in enumerate(names):
        if (column := columns.generalized.get(name)) is not None:
            said[name] = np.zeros(len(column.spans.lows), of_rows.dtype)
            said[name][column.codes] = of_rows[:, at]
    return said


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


def repaired_release(state: RepairState) -> Repaired:
    """Return the classes and columns of records after their repair."""
    records, noised = state.records, state.records.noised
    found, prepared = noised.solution.recoding, _recounted(state)
    recoding, classes = _recoding_after(state, prepared)
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
        int((_raised_cells(state) != found.cells).any(axis=1).sum()),
        float(objective.evaluate(found)),
        float(objective.evaluate(recoding)),
    )
    after = replace(noised, solution=solution, classes=classes, columns=[*changed.values()])
    return Repaired(prepared, after, RepairOutcome(repair))


def _recoding_after(state: RepairState, prepared: Prepared) -> tuple[Recoding, Codes]:
    """Return the recoding after a repair, and the class of each counted record in it."""
    records, noised = state.records, state.records.noised
    moved = noised.classes.copy()
    moved[records.positions] = state.read_classes
    gone = records.positions[~state.is_kept]
    raised = replace(noised.solution.recoding, cells=_raised_cells(state))
    return without(raised, prepared.tuple_of_row, moved, gone)


def _raised_cells(state: RepairState) -> Codes:
    """Return the cells that the classes that were found show after a repair."""
    records, found = state.records, state.records.noised.solution.recoding
    cells, classes = found.cells.copy(), records.noised.classes[records.positions]
    for at, name in enumerate(records.problem.table.columns):
        if name not in state.cells:
            continue
        before, after = np.full((2, found.n_classes), -1)
        before[classes] = records.columns.generalized[name].codes
        after[state.classes] = state.cells[name]
        raised = np.flatnonzero(before != after)
        cells[raised, at] = records.domain_cells[name][after[raised]]
    return cells


def keeps_suggested_rules(state: RepairState, *, has_types: bool) -> bool:
    """Return whether the shown cells still suggest the rules by which they were found.

    Parameters
    ----------
    has_types : whether the input says the types of its columns; else the released cells decide them
    """
    prepared = state.records.prepared
    before = state.records.noised.solution.recoding
    after = _recoding_after(state, prepared)[0]
    rules = (rules_of_shown_cells(prepared, one, has_types=has_types) for one in (before, after))
    return next(rules) == next(rules)


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
