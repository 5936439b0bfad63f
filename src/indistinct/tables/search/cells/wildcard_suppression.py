"""Cell suppression where a star stands for any value: groups of compatible records.

Every rare tuple first gets the cheapest columns whose suppression makes it look like k records by
itself; then every single cell that nobody needs any more, because others were suppressed, is
given back.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from indistinct.base.arrays import Bools, Codes, Ints, Words
from indistinct.base.coded_text import sentence
from indistinct.base.compiled.kernels import group_rows
from indistinct.errors import Fault, ParameterError
from indistinct.tables.core.protocols import Deadline, Problem, Progress, is_sized
from indistinct.tables.core.recoding import Recoding
from indistinct.tables.search.algorithm import SearchResult
from indistinct.tables.search.cells.cell_suppression_kernels import (
    count_candidates,
    count_compatible,
    give_back,
    masks_of_neighbors,
)
from indistinct.tables.search.cells.suppression_cells import (
    SuppressionCells,
    suppressed_entry,
    suppression_cells,
)
from indistinct.tables.search.lattice.feasibility import refuse_beyond_budget

MOST_COLUMNS = 62
MOST_MASKS = 1024  # sets of columns that are tried for all tuples at once
NEAREST = 32  # tuples that are looked at for one that is left
MOST_PAIRS = 3_000_000_000  # of records that are compared to give cells back
NEEDS = "columns below their max_level alone need"
COST_UNITS = 1_000_000
WORD_BITS = 64


@dataclass(frozen=True, slots=True)
class UnsuppressedTuples:
    """The distinct tuples as they are released when nothing is suppressed.

    Parameters
    ----------
    cells : (n_tuples, n_columns), cells
    weights : (n_tuples,), records
    costs : (n_columns,), what a suppressed cell costs, in whole units
    may_be_suppressed : (n_columns,)
    k : records that each needs
    """

    cells: Codes
    weights: Ints
    costs: Ints
    may_be_suppressed: Bools
    k: int

    @property
    def rare(self) -> Bools:
        """Return which tuples have too few records: (n_tuples,)."""
        return self.weights < self.k


@dataclass(frozen=True, slots=True)
class WordLayout:
    """Where the columns of a tuple stand in its words.

    Parameters
    ----------
    fields : (n_columns,), the bits of each column in its word
    places : (n_columns,), the word of each column
    shifts : (n_columns,), the lowest bit of each column
    """

    fields: Words
    places: Codes
    shifts: Words

    @classmethod
    def of(cls, cells: Codes) -> WordLayout:
        """Lay out columns so that no field crosses a word."""
        fields: list[int] = []
        places: list[int] = []
        shifts: list[int] = []
        used = place = 0
        for column in range(cells.shape[1]):
            width = max(int(cells[:, column].max(initial=0)).bit_length(), 1)
            if used + width > WORD_BITS:
                used, place = 0, place + 1
            fields.append(((1 << width) - 1) << used)
            places.append(place)
            shifts.append(used)
            used += width
        return cls(
            np.array(fields, np.uint64), np.array(places, np.int32), np.array(shifts, np.uint64)
        )

    def words(self, cells: Codes) -> Words:
        """Pack tuples: (n_tuples, n_words)."""
        words = np.zeros((len(cells), int(self.places[-1]) + 1), np.uint64)
        for column, place in enumerate(self.places):
            words[:, place] |= cells[:, column].astype(np.uint64) << self.shifts[column]
        return words

    def kept(self, masks: Ints) -> Words:
        """Return the fields that are kept where some columns are suppressed: (n_items, n_words)."""
        keeps = np.full((len(masks), int(self.places[-1]) + 1), np.iinfo(np.uint64).max, np.uint64)
        for column, place in enumerate(self.places):
            keeps[(masks >> column & 1) == 1, place] &= ~self.fields[column]
        return keeps

    def masks(self, keeps: Words) -> Ints:
        """Return a bit per suppressed column, from the fields kept: (n_items,)."""
        masks = np.zeros(len(keeps), np.int64)
        for column, place in enumerate(self.places):
            is_suppressed = keeps[:, place] & self.fields[column] == 0
            masks |= is_suppressed.astype(np.int64) << column
        return masks


def suppress_for_compatibility(
    problem: Problem, deadline: Deadline, progress: Progress
) -> SearchResult:
    """Suppress cells until every record is compatible with k records, itself included.

    Raises
    ------
    NoSolutionError
        when columns that may not be suppressed leave more records alone than may be left out
    ParameterError
        when a model asks for more than a number of records, or there are too many columns
    """
    _check(problem)
    cells = suppression_cells(problem)
    shown = _shown(problem, cells)
    labels, first, _ = group_rows(shown)
    tuples = UnsuppressedTuples(
        np.ascontiguousarray(shown[first]),
        np.bincount(labels, problem.table.weights).astype(np.int64),
        np.maximum(np.rint(np.array(problem.weights) * COST_UNITS), 1).astype(np.int64),
        np.array([of_column.may_be_suppressed for of_column in cells]),
        problem.least_size,
    )
    helpless = _helpless(tuples)
    # Before the long search, which could not help them.
    refuse_beyond_budget(problem, int(tuples.weights[helpless].sum()), NEEDS)
    masks = own_masks(tuples, helpless, deadline, progress)
    tuple_of_record, record_masks, is_minimal = _given_back(tuples, masks, helpless, deadline)
    recoding = _recoding(problem, cells, labels, tuple_of_record, record_masks, helpless)
    facts = {
        "suppressed_cells": suppressed_entry(problem, cells, recoding),
        "minimal": is_minimal,
        **_attacked(problem, shown, cells, recoding),
    }
    return SearchResult(recoding, NEEDS, facts, groups_overlap=True)


def _check(problem: Problem) -> None:
    """Refuse models that look into a group, and tables too wide to say which columns are hidden."""
    faults = [
        Fault(
            f"models.{model.name}",
            "is not defined for groups of compatible records, which overlap",
            'Set release.suppressed_cell to "value".',
        )
        for model in problem.models
        if not is_sized(model)
    ]
    if problem.table.n_columns > MOST_COLUMNS:
        faults.append(
            Fault(
                "columns",
                f"are {problem.table.n_columns} quasi-identifiers; compatible records are searched "
                f"for over at most {MOST_COLUMNS}",
                'Set release.suppressed_cell to "value".',
            )
        )
    if faults:
        raise ParameterError(faults)


def _shown(problem: Problem, cells: tuple[SuppressionCells, ...]) -> Codes:
    """Return the tuples with nothing suppressed: (n_tuples, n_columns), cells."""
    codes = problem.table.codes
    return np.column_stack(
        [of_column.shown[codes[:, column]] for column, of_column in enumerate(cells)]
    ).astype(np.int32)


def _helpless(tuples: UnsuppressedTuples) -> Bools:
    """Find tuples that have too few records even when all that may be is suppressed."""
    fixed = tuples.cells[:, ~tuples.may_be_suppressed]
    labels, _, _ = group_rows(np.ascontiguousarray(fixed))
    return np.bincount(labels, tuples.weights)[labels] < tuples.k


def own_masks(
    tuples: UnsuppressedTuples, helpless: Bools, deadline: Deadline, progress: Progress
) -> Ints:
    """Return, per rare tuple, the cheapest columns that make it look like k records alone.

    Of sets that cost the same it takes the one that most rare records would look like, so that
    these help each other.

    Returns
    -------
    a bit per column to suppress: (n_tuples,)
    """
    wanted = tuples.rare & ~helpless
    masks = np.zeros(len(wanted), np.int64)
    paid = np.where(wanted, np.iinfo(np.int64).max, 0)
    helped = np.zeros(len(wanted), np.int64)
    rare_weights = np.where(wanted, tuples.weights, 0)
    for tried, (cost, mask) in enumerate(cheapest_masks(tuples)):
        if tried == MOST_MASKS or deadline.passed or cost > paid.max(initial=0):
            break
        kept = [column for column in range(len(tuples.costs)) if not mask >> column & 1]
        labels, _, _ = group_rows(np.ascontiguousarray(tuples.cells[:, kept]))
        enough = wanted & (np.bincount(labels, tuples.weights)[labels] >= tuples.k)
        helps = np.bincount(labels, rare_weights)[labels].astype(np.int64)
        better = enough & ((cost < paid) | ((cost == paid) & (helps > helped)))
        masks[better], paid[better], helped[better] = mask, cost, helps[better]
        progress(
            0.5 * tried / MOST_MASKS,
            sentence("column_sets", "{number} sets of columns", number=tried),
        )
    left = np.flatnonzero(paid == np.iinfo(np.int64).max)
    if len(left):
        masks[left] = _masks_of_the_rest(tuples, left, deadline)
    return masks


def _masks_of_the_rest(tuples: UnsuppressedTuples, left: Ints, deadline: Deadline) -> Ints:
    """Look at the nearest tuples of each; without time, suppress all that may be."""
    if deadline.passed:
        every = sum(1 << int(column) for column in np.flatnonzero(tuples.may_be_suppressed))
        return np.full(len(left), every)
    return masks_of_neighbors(
        tuples.cells,
        tuples.weights,
        left,
        tuples.costs,
        tuples.may_be_suppressed,
        tuples.k,
        max(NEAREST, tuples.k),
    )


def cheapest_masks(tuples: UnsuppressedTuples) -> Iterator[tuple[int, int]]:
    """List cost and bits of every set of columns that may be suppressed, the cheapest first."""
    columns = np.flatnonzero(tuples.may_be_suppressed)
    columns = columns[np.argsort(tuples.costs[columns], kind="stable")].tolist()
    costs = tuples.costs.tolist()
    if not columns:
        return
    waiting = [(costs[columns[0]], 1 << columns[0], 0)]
    while waiting:
        cost, mask, last = heapq.heappop(waiting)
        yield cost, mask
        if last + 1 < len(columns):
            before, after = columns[last], columns[last + 1]
            both = mask | 1 << after
            heapq.heappush(waiting, (cost + costs[after], both, last + 1))
            moved = cost + costs[after] - costs[before]
            heapq.heappush(waiting, (moved, both & ~(1 << before), last + 1))


def _given_back(
    tuples: UnsuppressedTuples, masks: Ints, helpless: Bools, deadline: Deadline
) -> tuple[Ints, Ints, bool]:
    """Return, with cells given back, each record's tuple and suppressed columns, and if all was.

    Records of one tuple stand together. Nothing is given back where too many records would have
    to be compared.
    """
    rare = np.flatnonzero(tuples.rare & ~helpless)
    items = np.concatenate([rare, np.flatnonzero(~tuples.rare | helpless)])
    n_rare = int(tuples.weights[rare].sum())
    copies = np.where(np.arange(len(items)) < len(rare), tuples.weights[items], 1)
    owners = np.repeat(items, copies)
    weights = np.where(np.arange(len(owners)) < n_rare, 1, tuples.weights[owners])
    layout = WordLayout.of(tuples.cells)
    words, keeps = layout.words(tuples.cells[items]), layout.kept(masks[items])
    kept = np.repeat(keeps, copies, axis=0)
    is_minimal = n_rare * len(owners) <= MOST_PAIRS and not deadline.passed
    if is_minimal:
        counts = count_compatible(words, keeps, tuples.weights[items], len(rare))
        give_back(
            np.repeat(words, copies, axis=0),
            kept,
            weights,
            np.repeat(counts, copies),
            _starred(masks[owners[:n_rare]], tuples.costs),
            layout.fields,
            layout.places,
            np.argsort(-tuples.costs, kind="stable").astype(np.int32),
            tuples.k,
        )
    return np.repeat(owners, weights), np.repeat(layout.masks(kept), weights), is_minimal


def _starred(masks: Ints, costs: Ints) -> Ints:
    """Return the records that have suppressed cells, the cheapest first."""
    paid = mask_costs(masks, costs)
    order = np.argsort(paid, kind="stable")
    return order[paid[order] > 0].astype(np.int64)


def mask_costs(masks: Ints, costs: Ints) -> Ints:
    """Add up the costs of the suppressed columns: (n_items,)."""
    return sum(
        ((masks >> column & 1) * cost for column, cost in enumerate(costs)),
        start=np.zeros(len(masks), np.int64),
    )


def _recoding(  # noqa: PLR0913, PLR0917 - the steps of the search meet here
    problem: Problem,
    cells: tuple[SuppressionCells, ...],
    labels: Codes,
    tuple_of_record: Ints,
    masks: Ints,
    helpless: Bools,
) -> Recoding:
    """Write down which cells each record is released with.

    Parameters
    ----------
    labels : (n_tuples,), tuple at the lowest levels of each distinct tuple of the table
    tuple_of_record, masks : (n_records,), such a tuple and its suppressed columns
    helpless : per such tuple, whether it is left out whole
    """
    table = problem.table
    originals = np.repeat(np.arange(table.n_tuples), table.weights)
    originals = originals[np.argsort(labels[originals], kind="stable")]
    masks = masks[np.argsort(tuple_of_record, kind="stable")]
    pairs, first, weights = group_rows(
        np.column_stack([originals, _numbered(masks)]).astype(np.int32)
    )
    del pairs
    tuples, masks = originals[first], masks[first]
    written = _shown(problem, cells)[tuples]
    for column, of_column in enumerate(cells):
        written[(masks >> column & 1) == 1, column] = of_column.star
    gone = helpless[labels[tuples]]
    written[gone] = [of_column.star for of_column in cells]
    keys = np.ascontiguousarray(np.column_stack([written, gone]).astype(np.int32))
    classes, members, _ = group_rows(keys)
    return Recoding(
        tuples.astype(np.int32),
        classes,
        weights,
        np.ascontiguousarray(written[members]),
        ~gone[members],
        tuple(of_column.domain for of_column in cells),
    )


def _numbered(masks: Ints) -> Ints:
    """Return numbers to the distinct masks, which may have more bits than a code."""
    return np.unique(masks, return_inverse=True)[1]


def _attacked(
    problem: Problem, shown: Codes, cells: tuple[SuppressionCells, ...], recoding: Recoding
) -> dict[str, Any]:
    """Return how many released records someone finds who knows a released person's values.

    The record of the person is among them, but those that make its group large need not be: they
    may differ in the very cell that is suppressed. None where too many pairs were to be compared.
    """
    weights, kept = problem.table.weights, np.flatnonzero(recoding.released)
    released = recoding.released[recoding.labels]
    asked = np.unique(recoding.tuples[released])
    people = np.bincount(recoding.tuples[released], recoding.weights[released], len(weights))
    if len(kept) * len(asked) > MOST_PAIRS or len(kept) == 0:
        return {"risk": None}
    stars = np.array([of_column.star for of_column in cells])
    layout = WordLayout.of(np.vstack([shown, recoding.cells]))
    is_star = recoding.cells[kept] == stars
    masks = (is_star.astype(np.int64) << np.arange(len(cells))).sum(axis=1)
    counts = count_candidates(
        layout.words(shown[asked]),
        layout.words(recoding.cells[kept]),
        layout.kept(masks),
        recoding.sizes[kept],
    )
    return {
        "fewest_candidates": int(counts.min()),
        "few_candidates": int(people[asked[counts < problem.least_size]].sum()),
        "risk": {
            "prosecutor": float(1 / counts.min()),
            "journalist": None,
            "marketer": float(weights[asked] @ (1 / counts) / weights[asked].sum()),
        },
    }
