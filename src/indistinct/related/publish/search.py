"""Search a release of related tables: classes of units, a cut in each, and rows left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import comb

import numpy as np

from indistinct.base.arrays import Bools, Ints
from indistinct.base.brief import short_repr
from indistinct.base.randomness import RandomSource
from indistinct.errors import Fault, NoSolutionError, WorkError
from indistinct.related.publish.class_cuts import best_cells
from indistinct.related.publish.history import (
    ReleasedRows,
    label_above,
    labelled,
    labelled_rows,
    row_history,
    seen_classes,
    shown_rows,
)
from indistinct.related.publish.known_rows import alike_in_numbers, rows_left
from indistinct.related.publish.people import PeopleClasses, people_classes
from indistinct.related.publish.plans import CutPlan, cut_plans
from indistinct.related.publish.shares import value_rows
from indistinct.related.publish.starring import with_stars
from indistinct.related.publish.tables import RelatedTables
from indistinct.related.publish.whole_histories import whole_cells
from indistinct.related.publish.whole_shares import within_shares
from indistinct.related.work import WORK
from indistinct.tables.core import Progress
from indistinct.tables.masks import rows_beyond, without_rare_patterns

PRICES = (1.0, 2.0, 4.0, 8.0, 16.0)
MORE_PRICES = 2  # that are tried after one that keeps the limits
PATIENCE = 2  # sizes of classes in a row that cost more than the best
RUNS = (64, 16, 4, 1)  # times k: units whose numbers of rows are made alike
NONE = -1


@dataclass(frozen=True, slots=True)
class RelatedDecision:
    """What was decided of all tables.

    Parameters
    ----------
    people : the classes of the units
    rows : per row table
    cost : mean loss of a cell, a row or unit that is left out losing 1
    deleted : share of the rows that are left out or show nothing
    of_tables : the same per row table
    plan : how the rows were cut
    classes : those in which they were cut
    """

    people: PeopleClasses
    rows: tuple[ReleasedRows, ...]
    cost: float
    deleted: float
    of_tables: Mapping[str, float]
    plan: CutPlan
    classes: PeopleClasses

    __repr__ = short_repr

    @property
    def share_vanished(self) -> float:
        """The share of the units that are left out."""
        return float((self.people.classes < 0).mean())


def search_related(
    tables: RelatedTables, progress: Progress, chance: RandomSource
) -> RelatedDecision:
    """Search the release of least loss that keeps the promise and the limits.

    Raises
    ------
    WorkError
        when nothing was found, and the histories have more patterns than can be verified
    NoSolutionError
        when too many rows or units would have to be left out
    """
    seen: list[RelatedDecision] = []
    for together in (False, True):  # in one class, more people have the same rows
        classes = people_classes(tables, chance, together=together)
        best, found = _cheapest(tables, _with_known_numbers(tables, classes), progress)
        seen += found
        if best is not None:
            return best
    refuse_long_histories(tables)
    raise NoSolutionError(list(_limit_faults(tables, seen)))


def _limit_faults(tables: RelatedTables, seen: Sequence[RelatedDecision]) -> Iterator[Fault]:
    """Yield which limit of rows that are left out nothing keeps, or that none keeps all of them."""
    most, remedy = tables.policy.method.max_deleted, "give coarser levels, or lower k or m."
    least = min(one.deleted for one in seen)
    is_told = False
    if least > most:
        is_told = True
        yield Fault(
            "",
            f"at least {least:.2%} of the rows would have to be left out, but the limit is "
            f"{most:.2%}",
            f"Raise method.max_deleted, {remedy}",
        )
    for name, limit in limits_of_tables(tables).items():
        fewest = min(one.of_tables[name] for one in seen)
        if fewest > limit:
            is_told = True
            yield Fault(
                f"tables.{name}.max_deleted",
                f"is {limit:.2%}, but at least {fewest:.2%} of the rows would have to be left out",
                f"Raise it, {remedy}",
            )
    if not is_told:
        yield Fault(
            "",
            "no release keeps all limits of rows and people that are left out together",
            f"Raise max_deleted of the tables or of all, or method.max_suppression, {remedy}",
        )


def limits_of_tables(tables: RelatedTables) -> dict[str, float]:
    """Return the tables that have a limit of their own."""
    said = ((table.name, tables.policy.tables[table.name]) for table in tables.row_tables)
    return {name: one.max_deleted for name, one in said if one.max_deleted is not None}


def refuse_long_histories(tables: RelatedTables) -> None:
    """Refuse histories of more patterns of known rows than verification lists.

    The search cuts such histories until nothing is left of them: it says nothing of the data.

    Raises
    ------
    WorkError
        when there are more; the longest history is named
    """
    m = tables.policy.model.known_rows
    if m is None:
        return
    lengths = np.zeros(tables.n_units, np.int64)
    for table in tables.row_tables:
        rows = np.column_stack([table.attached.units, table.codes])
        rows = rows[rows[:, 0] >= 0]
        lengths += np.bincount(np.unique(rows, axis=0)[:, 0], minlength=tables.n_units)
    steps = sum(comb(length, size) for length in lengths.tolist() for size in range(1, m + 1))
    if steps > WORK:
        problem = (
            f"the longest history has {int(lengths.max()):,} different rows: {float(steps):.1e} "
            f"patterns of at most {m} rows, and the limit of work is {float(WORK):.1e}"
        )
        remedy = "Lower m, give the columns coarser levels, or leave out the longest histories."
        raise WorkError([Fault("", problem, remedy)])


def _cheapest(
    tables: RelatedTables, known: Sequence[PeopleClasses], progress: Progress
) -> tuple[RelatedDecision | None, list[RelatedDecision]]:
    """Return what costs least and keeps the limits, and all that was looked at."""
    seen, n_more, is_whole = list[RelatedDecision](), 0, tables.policy.model.known_rows is None
    best: RelatedDecision | None = None
    for price in PRICES[:1] if is_whole else PRICES:
        found = list(_decisions(tables, known, price, progress))
        # A higher price for rows is for classes whose cheapest cut leaves too many out.
        cheapest = {id(one.classes): one for one in sorted(found, key=lambda one: -one.cost)}
        done = {place for place, one in cheapest.items() if _keeps_limits(tables, one)}
        known = [one for one in known if id(one) not in done]
        seen += found
        n_more += best is not None
        for one in found:
            if _keeps_limits(tables, one) and (best is None or one.cost < best.cost):
                best = one
        # Where a limit alone forbids something cheaper, rows that cost more may keep it.
        is_cheapest = best is not None and min(one.cost for one in found) >= best.cost
        if is_cheapest or not known or n_more == MORE_PRICES:
            break
    if best is None or is_whole:
        return best, seen
    finer = _decided(tables, best.classes, replace(best.plan, every=True))
    is_better = _keeps_limits(tables, finer) and finer.cost < best.cost
    return finer if is_better else best, seen


def _keeps_limits(tables: RelatedTables, decision: RelatedDecision) -> bool:
    """Return whether no more rows and units are left out than the policy allows."""
    keeps_people = decision.share_vanished <= tables.policy.method.max_suppression
    return keeps_people and _keeps_rows(tables, decision)


def _keeps_rows(tables: RelatedTables, decision: RelatedDecision) -> bool:
    """Return whether no more rows of all tables, and of each, are left out than is allowed."""
    if decision.deleted > tables.policy.method.max_deleted:
        return False
    limits = limits_of_tables(tables).items()
    return all(decision.of_tables[name] <= limit for name, limit in limits)


def _with_known_numbers(
    tables: RelatedTables, found: Sequence[PeopleClasses]
) -> list[PeopleClasses]:
    """Return the same classes; where numbers of rows are known, divided so that these are alike."""
    if tables.policy.related.rows == "free" or tables.policy.model.known_rows is None:
        return list(found)
    k = tables.policy.model.k
    divided = {
        classes.tobytes(): replace(people, classes=classes)
        for people in found
        for classes in (alike_in_numbers(tables, people.classes, run * k) for run in RUNS)
    }
    return list(divided.values())


def _decisions(
    tables: RelatedTables, known: Sequence[PeopleClasses], price: float, progress: Progress
) -> Iterator[RelatedDecision]:
    """Decide with classes of several sizes, large ones first, until smaller ones cost more.

    Of each size, rows that others belong to are made coarser until that costs more.
    """
    best, waited = np.inf, 0
    plans = cut_plans(tables, price)
    for number, people in enumerate(known):
        least = np.inf
        for tried, plan in enumerate(plans):
            progress((number + tried / len(plans)) / len(known), "searching")
            found = _decided(tables, people, plan)
            yield found
            cost = found.cost + (not _keeps_rows(tables, found))
            if cost > least:
                break
            least = cost
        if least < best and least <= 1:
            best, waited = least, 0
            continue
        waited += 1
        if waited >= PATIENCE and np.isfinite(best):
            return


def _decided(tables: RelatedTables, people: PeopleClasses, plan: CutPlan) -> RelatedDecision:
    """Cut the rows of every table in every class, and leave rows out until no pattern is rare.

    Where numbers of rows are known, rows become ``*`` instead.
    """
    if tables.policy.model.known_rows is None:
        released, rows = _with_whole_histories(tables, people, plan)
    else:
        found = _cut(tables, people, plan)
        released, rows = people, without_rare(tables, found, people.classes)
        if tables.policy.related.rows == "known":
            released, rows = with_stars(tables, people, found, rows)
    gone = {
        table.name: int((~shown_rows(tables, table, one)).sum())
        for table, one in zip(tables.row_tables, rows, strict=True)
    }
    of_tables = {table.name: gone[table.name] / max(table.n_rows, 1) for table in tables.row_tables}
    deleted = sum(gone.values()) / max(tables.n_rows, 1)
    cost = _cost(tables, released, rows)
    return RelatedDecision(released, rows, cost, deleted, of_tables, plan, people)


def _with_whole_histories(
    tables: RelatedTables, people: PeopleClasses, plan: CutPlan
) -> tuple[PeopleClasses, tuple[ReleasedRows, ...]]:
    """Make whole histories alike."""
    whole = whole_cells(tables, people.classes, keeps_shares=plan.keeps_shares)
    rows = labelled_rows(tables, people.classes, whole.cells, whole.left)
    seen = seen_classes(tables, people.assigned, people.classes, [one.kept for one in rows])
    return replace(people, classes=seen), within_shares(tables, seen, whole)


def _cut(tables: RelatedTables, people: PeopleClasses, plan: CutPlan) -> list[ReleasedRows]:
    """Cut the rows of every table in every class.

    Where numbers of rows are known, only rows above the least number are left out.
    """
    is_known, model = tables.policy.related.rows == "known", tables.policy.model
    found: list[ReleasedRows] = []
    parents = {table.name for table in tables.parents}
    left = rows_left(tables, people.classes) if is_known else None
    n_labels = 0
    for place, table in enumerate(tables.row_tables):
        above = label_above(table, people.classes, found)
        if left is not None:
            above = np.where(left[place], above, NONE)
        coarser = table.coarser(plan.floor) if table.name in parents else table
        cells = best_cells(coarser, people.classes, above, model, plan.price, every=plan.every)
        if left is not None:
            is_cut: Bools = np.all(cells >= 0, axis=1)
            cells = np.where(is_cut[:, None], cells, table.stars)
        rows = labelled(table, cells, above, n_labels)
        n_labels = max(n_labels, int(rows.labels.max(initial=-1)) + 1)
        found.append(rows)
    return found


def without_rare(
    tables: RelatedTables, found: Sequence[ReleasedRows], classes: Ints
) -> tuple[ReleasedRows, ...]:
    """Leave rows of all tables out until no pattern is rare, and no share of a value too large."""
    if not found:
        return ()
    model, history = tables.policy.model, row_history(tables, found)
    rows, instances = history.instances(model.known_rows or 1)
    kept = without_rare_patterns(rows, instances, model.k)
    values = value_rows(tables, found)
    while values:
        living = instances.some(np.flatnonzero(instances.living(rows.sizes(kept))))
        gone = rows_beyond(values, rows, living, classes, kept)
        if not gone.any():
            break
        left = rows.without_orphans(kept & ~gone)
        kept = without_rare_patterns(rows, instances, model.k, passes=0, kept=left)
    ends = np.cumsum([len(one) for one in history.places])
    result: list[ReleasedRows] = []
    for one, some, part in zip(found, history.places, np.split(kept, ends[:-1]), strict=True):
        is_left = np.zeros(len(one.labels), np.bool_)
        is_left[some[part]] = True
        cells = np.where(is_left[:, None], one.cells, NONE)
        result.append(ReleasedRows(cells, np.where(is_left, one.labels, NONE)))
    return tuple(result)


def _cost(tables: RelatedTables, people: PeopleClasses, rows: Sequence[ReleasedRows]) -> float:
    """Return the mean loss of a cell of all tables, columns and tables by their importance.

    A cell of a row that is left out loses 1.
    """
    total, weight = people.loss, people.weight
    for table, one in zip(tables.row_tables, rows, strict=True):
        for at, column in enumerate(table.columns):
            lost = np.where(one.kept, column.levels.losses[np.maximum(one.cells[:, at], 0)], 1.0)
            mean = float(lost.mean()) if len(lost) else 0.0
            total += mean * column.levels.importance
            weight += column.levels.importance
    return total / max(weight, 1e-12)
