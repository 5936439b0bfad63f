"""Search a release of related tables: classes of units, a cut in each, and rows left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from indistinct.core.arrays import Bools, Codes, Floats, Ints
from indistinct.core.brief import short_repr
from indistinct.core.grouping import numbered_rows
from indistinct.core.protocols import Deadline, Progress, Solution
from indistinct.core.randomness import RandomSource
from indistinct.counting.prepare import Prepared, asked_anew, prepare
from indistinct.errors import NoSolutionError
from indistinct.masks.sets.deep_patterns import MOST_DEEP, deep_instances, grouped_rows
from indistinct.masks.sets.patterns import (
    Instances,
    Rows,
    flat_instances,
    without_rare_patterns,
)
from indistinct.masks.sets.staircases import ClassRows, Shares, cut_labels
from indistinct.models import KAnonymity
from indistinct.policy.resolved import resolve
from indistinct.publish.related.tables import RelatedTables, RowTable
from indistinct.publish.row_order import classes_of_records
from indistinct.release.searching import searched

GROWTH = 4
ALPHAS = (1.0, 2.0, 4.0)
PRICES = (1.0, 2.0, 4.0, 8.0, 16.0)
STRICTER = {1: (1,), 2: (1,), 3: (1, 4, 8)}  # factors of k for pairs, by the known rows
PATIENCE = 2  # sizes of classes in a row that cost more than the best
LEAST_SAVED = 1e-6
NONE = -1


@dataclass(frozen=True, slots=True)
class PeopleClasses:
    """The classes of the units.

    Parameters
    ----------
    prepared, solution : of the table of people
    assigned : (n_units,), class of each unit in the solution
    classes : (n_units,), the same; -1 for those that vanish
    loss : mean loss of a cell of each quasi-identifier, weighted, summed over the columns
    weight : of all these columns together
    """

    prepared: Prepared
    solution: Solution
    assigned: Codes
    classes: Ints
    loss: float
    weight: float

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class ReleasedRows:
    """What becomes of the rows of one table.

    Parameters
    ----------
    cells : (n_rows, n_columns), -1 in rows that are left out
    labels : (n_rows,), number of each label; labels of different classes and tables differ
    """

    cells: Ints
    labels: Ints

    __repr__ = short_repr

    @property
    def kept(self) -> Bools:
        """Which rows are released: (n_rows,)."""
        return self.labels >= 0


@dataclass(frozen=True, slots=True)
class RelatedDecision:
    """What was decided of all tables.

    Parameters
    ----------
    people : the classes of the units
    rows : per row table
    cost : mean loss of a cell, a row or unit that is left out losing 1
    deleted : share of the rows that are left out
    """

    people: PeopleClasses
    rows: tuple[ReleasedRows, ...]
    cost: float
    deleted: float

    __repr__ = short_repr


def search_related(
    tables: RelatedTables, progress: Progress, chance: RandomSource
) -> RelatedDecision:
    """Search the release of least loss that keeps the promise and the limits.

    Raises
    ------
    NoSolutionError
        when too many rows or units would have to be left out
    """
    policy, least = tables.policy, 1.0
    known = list(_people_classes(tables, chance))
    for price in PRICES:
        found = list(_decisions(tables, known, price, progress))
        least = min(least, *(one.deleted for one in found))
        fitting = [one for one in found if one.deleted <= policy.method.max_deleted]
        if not fitting:
            continue
        best = min(fitting, key=lambda one: one.cost)
        finer = _decided(tables, best.people, price, every=True)
        is_better = finer.cost < best.cost and finer.deleted <= policy.method.max_deleted
        return finer if is_better else best
    raise NoSolutionError(
        f"at least {least:.2%} of the rows would have to be left out, but the limit is "
        f"{policy.method.max_deleted:.2%}",
        "Raise method.max_deleted, give coarser levels, or lower k or m.",
    )


def _decisions(
    tables: RelatedTables, known: Sequence[PeopleClasses], price: float, progress: Progress
) -> Iterator[RelatedDecision]:
    """Decide with classes of several sizes, large ones first, until smaller ones cost more."""
    best, waited = np.inf, 0
    for number, people in enumerate(known):
        progress(number / len(known), "searching")
        found = _decided(tables, people, price, every=False)
        yield found
        is_fitting = found.deleted <= tables.policy.method.max_deleted
        if is_fitting and found.cost < best:
            best, waited = found.cost, 0
            continue
        waited += 1
        if waited >= PATIENCE and np.isfinite(best):
            return


def _people_classes(tables: RelatedTables, chance: RandomSource) -> Iterator[PeopleClasses]:
    """Find classes of at least k, 4k, 16k ... units; those of the most units first."""
    policy = tables.policy
    k = policy.model.k
    frame = tables.files[policy.people].frame
    asked = policy.flat(policy.people, [{"name": KAnonymity.name, "k": k}])
    prepared = prepare(frame, resolve(asked))
    sizes = [k]
    while prepared.resolved.class_names and sizes[-1] * GROWTH <= tables.n_units:
        sizes.append(sizes[-1] * GROWTH)
    refusals: list[NoSolutionError] = []
    n_found = 0
    for size in reversed(sizes):
        models = (KAnonymity(k=size),)
        resolved = replace(prepared.resolved, models=models)
        try:
            anew = asked_anew(prepared, resolved)
            solution = searched(anew, deadline=Deadline(), chance=chance)
        except NoSolutionError as error:
            refusals.append(error)
            continue
        n_found += 1
        yield _classes_in(anew, solution, chance)
    if not n_found:
        raise refusals[-1]


def _classes_in(prepared: Prepared, solution: Solution, chance: RandomSource) -> PeopleClasses:
    """Return the class of each unit, and what the cells of the units lose."""
    recoding = solution.recoding
    assigned = classes_of_records(recoding, prepared, chance)
    classes = np.where(recoding.released[assigned], assigned, NONE).astype(np.int64)
    rules = prepared.resolved.class_rules
    importance = np.array([rule.words.importance for rule in rules])
    sums = recoding.released_sums(lambda domain: domain.losses) if len(rules) else np.zeros(0)
    lost = (sums + recoding.n_suppressed) / max(recoding.n_records, 1)
    return PeopleClasses(
        prepared, solution, assigned, classes, float(lost @ importance), float(importance.sum())
    )


def _decided(
    tables: RelatedTables, people: PeopleClasses, price: float, *, every: bool
) -> RelatedDecision:
    """Cut the rows of every table in every class, and leave rows out until no pattern is rare.

    Parameters
    ----------
    price : of a row that is left out
    every : whether every staircase and price of a rare pair is tried
    """
    found: list[ReleasedRows] = []
    n_labels = 0
    for table in tables.row_tables:
        above = _label_above(tables, table, people, found)
        cells = _best_cells(tables, table, people, above, price, every=every)
        rows = _labelled(table, cells, above, n_labels)
        n_labels = int(max(n_labels, rows.labels.max(initial=-1) + 1))
        found.append(rows)
    rows = _without_rare(tables, found)
    cost, deleted = _cost(tables, people, rows)
    return RelatedDecision(people, rows, cost, deleted)


def _label_above(
    tables: RelatedTables, table: RowTable, people: PeopleClasses, found: Sequence[ReleasedRows]
) -> Ints:
    """Return the label of the row above each row, or the class of its unit; -1 if none is left."""
    units = table.attached.units
    classes = np.where(units >= 0, people.classes[units], NONE)
    if table.above == tables.policy.people:
        return classes
    place = [one.name for one in tables.row_tables].index(table.above)
    parents = table.attached.parents
    return np.where(parents >= 0, found[place].labels[parents], NONE)


def _best_cells(  # noqa: PLR0913 - what a cut depends on
    tables: RelatedTables,
    table: RowTable,
    people: PeopleClasses,
    above: Ints,
    price: float,
    *,
    every: bool,
) -> Ints:
    """Return the cells of the rows of a table by the cheapest cut of each class."""
    units = table.attached.units
    classes = np.where(above == NONE, NONE, people.classes[units])
    order = np.argsort(classes, kind="stable")
    order = order[classes[order] >= 0]
    starts = np.flatnonzero(np.diff(classes[order], prepend=-1))
    members = np.split(order, starts[1:]) if len(order) else []
    m, k = tables.policy.model.m, tables.policy.model.k
    alphas = ALPHAS if every else ALPHAS[:1]
    factors = STRICTER[m] if every else STRICTER[m][:1]
    best = np.full((table.n_rows, len(table.columns)), NONE, np.int64)
    if not table.columns:
        return best
    least = np.full(int(people.classes.max(initial=0)) + 1, np.inf)
    for factor in factors:
        candidates = _candidates(table, members, above, k, alphas, price, factor, every=every)
        for cells in candidates:
            rows = _labelled(table, cells, above, 0)
            kept = _alone(table, rows, m, k)
            lost = np.where(kept, Shares(table.levels).losses(np.maximum(cells, 0)), price)
            costs = np.bincount(classes[order], lost[order], len(least))
            is_better = (costs < least)[np.maximum(classes, 0)] & (classes >= 0)
            best[is_better] = cells[is_better]
            least = np.minimum(least, costs)
    return best


def _candidates(  # noqa: PLR0913, PLR0917 - what a cut depends on
    table: RowTable,
    members: Sequence[Ints],
    above: Ints,
    k: int,
    alphas: Sequence[float],
    price: float,
    stricter: int,
    *,
    every: bool,
) -> list[Ints]:
    """Return the cells of all rows for each staircase and price of a rare pair."""
    found: list[Ints] = []
    for rows in members:
        units = np.unique(table.attached.units[rows], return_inverse=True)[1]
        part = ClassRows(
            units.astype(np.int64),
            table.codes[rows],
            table.levels,
            np.unique(above[rows], return_inverse=True)[1].astype(np.int64),
        )
        cuts = cut_labels(part, k, alphas, price=price, stricter=stricter)
        place = 0
        for of_alphas in cuts:
            for cells in of_alphas:
                if place == len(found):
                    found.append(np.full((table.n_rows, len(table.columns)), NONE, np.int64))
                found[place][rows] = cells
                place += 1
            if not every:
                break
    return found


def _labelled(table: RowTable, cells: Ints, above: Ints, first: int) -> ReleasedRows:
    """Return rows with numbers of their labels: their cells, and the label above.

    Parameters
    ----------
    first : the first number
    """
    kept = (above != NONE) & (cells >= 0).all(axis=1)
    labels = np.full(table.n_rows, NONE, np.int64)
    keys = np.column_stack([above, cells])[kept]
    if len(keys):
        labels[kept] = first + numbered_rows(keys)
    return ReleasedRows(np.where(kept[:, None], cells, NONE), labels)


def _alone(table: RowTable, rows: ReleasedRows, m: int, k: int) -> Bools:
    """Return which rows are left if this table is looked at alone: (n_rows,)."""
    some = np.flatnonzero(rows.kept)
    kept = np.zeros(table.n_rows, np.bool_)
    part = rows_of(table.attached.units[some], rows.labels[some], _saved(table, rows.cells[some]))
    instances = flat_instances(part, rows.labels[some], m)
    kept[some] = without_rare_patterns(part, instances, k, passes=0)
    return kept


def rows_of(units: Ints, labels: Ints, saved: Floats) -> Rows:
    """Return rows that belong to units directly."""
    none = np.full(len(units), NONE, np.int64)
    return Rows(units, numbered_rows(np.column_stack([units, labels])), none, none, saved)


def _saved(table: RowTable, cells: Ints) -> Floats:
    """Return what is saved by releasing rows with some cells: (n_rows,), above 0."""
    return np.maximum(1 - Shares(table.levels).losses(np.maximum(cells, 0)), LEAST_SAVED)


@dataclass(frozen=True, slots=True)
class RowHistory:
    """The released rows of all tables, those above others first.

    Parameters
    ----------
    places : per row table, (n_kept,), its rows
    units, labels, parents : (n_rows,), of each row; -1 where it belongs to the unit
    is_released : (n_rows,), whether its key is released
    saved : (n_rows,), what is saved by releasing it
    """

    places: tuple[Ints, ...]
    units: Ints
    labels: Ints
    parents: Ints
    is_released: Bools
    saved: Floats

    __repr__ = short_repr

    def instances(self, m: int, most: int | None = None) -> tuple[Rows, Instances]:
        """Return the rows in groups, and the patterns of at most ``m`` of them.

        Parameters
        ----------
        most : patterns that are listed one by one, where rows belong to rows

        Raises
        ------
        ParameterError
            when there are too many
        """
        if (self.parents < 0).all():
            rows = rows_of(self.units, self.labels, self.saved)
            return rows, flat_instances(rows, self.labels, m)
        grouped = grouped_rows(self.units, self.labels, self.parents, self.is_released)
        none = np.full(len(self.units), NONE, np.int64)
        rows = Rows(self.units, grouped.of_row, none, self.parents, self.saved)
        return rows, deep_instances(grouped, m, most or MOST_DEEP)


def row_history(tables: RelatedTables, found: Sequence[ReleasedRows]) -> RowHistory:
    """Return the released rows of all tables one after another."""
    places: list[Ints] = []
    parts: list[tuple[Ints, Ints, Ints, Bools, Floats]] = []
    number: dict[str, Ints] = {}
    first = 0
    for table, one in zip(tables.row_tables, found, strict=True):
        some = np.flatnonzero(one.kept)
        number[table.name] = np.full(table.n_rows, NONE, np.int64)
        number[table.name][some] = first + np.arange(len(some))
        parents = np.full(len(some), NONE, np.int64)
        if table.above in number:
            parents = number[table.above][table.attached.parents[some]]
        released = np.full(len(some), table.has_released_key)
        saved = _saved(table, one.cells[some])
        parts.append((table.attached.units[some], one.labels[some], parents, released, saved))
        places.append(some)
        first += len(some)
    none = np.zeros(0, np.int64)
    empty = (none, none, none, np.zeros(0, np.bool_), np.zeros(0))
    units, labels, parents, released, saved = map(np.concatenate, zip(*parts, empty, strict=True))
    return RowHistory(tuple(places), units, labels, parents, released, saved)


def _without_rare(tables: RelatedTables, found: Sequence[ReleasedRows]) -> tuple[ReleasedRows, ...]:
    """Leave rows of all tables out until no pattern of them together is rare."""
    if not found:
        return ()
    model, history = tables.policy.model, row_history(tables, found)
    rows, instances = history.instances(model.m)
    kept = without_rare_patterns(rows, instances, model.k)
    ends = np.cumsum([len(one) for one in history.places])
    result: list[ReleasedRows] = []
    for one, some, part in zip(found, history.places, np.split(kept, ends[:-1]), strict=True):
        is_left = np.zeros(len(one.labels), np.bool_)
        is_left[some[part]] = True
        cells = np.where(is_left[:, None], one.cells, NONE)
        result.append(ReleasedRows(cells, np.where(is_left, one.labels, NONE)))
    return tuple(result)


def _cost(
    tables: RelatedTables, people: PeopleClasses, rows: Sequence[ReleasedRows]
) -> tuple[float, float]:
    """Return the mean loss of a cell of all tables, and the share of the rows that are left out."""
    total, weight, gone = people.loss, people.weight, 0
    for table, one in zip(tables.row_tables, rows, strict=True):
        gone += int((~one.kept).sum())
        for at, column in enumerate(table.columns):
            lost = np.where(one.kept, column.levels.losses[np.maximum(one.cells[:, at], 0)], 1.0)
            mean = float(lost.mean()) if len(lost) else 0.0
            total += mean * column.levels.importance
            weight += column.levels.importance
    return total / max(weight, 1e-12), gone / max(tables.n_rows, 1)


def column_losses(table: RowTable, rows: ReleasedRows) -> dict[str, float]:
    """Return the mean loss of the released rows of a table in each column."""
    kept = rows.kept
    return {
        column.name: float(column.levels.losses[rows.cells[kept, at]].mean()) if kept.any() else 0.0
        for at, column in enumerate(table.columns)
    }
