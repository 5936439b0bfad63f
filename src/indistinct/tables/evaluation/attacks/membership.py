"""Membership: who is among the people whom a release was made from.

An attempt is a person, as many of the original as of people who are not in it. It succeeds when the
attacker says rightly which of the two the person is; who guesses blindly is right half of the time.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, final

import numpy as np

from indistinct.base.advantage import Telling, telling
from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.compiled.kernels import group_rows
from indistinct.base.hierarchy import ROOT
from indistinct.base.parameters import parameter
from indistinct.errors import DataError, Fault
from indistinct.tables.core.schema import Role
from indistinct.tables.evaluation.attacks.distinct_records import DistinctRecords
from indistinct.tables.evaluation.attacks.entry import ATTEMPTS, Attack, Outcome
from indistinct.tables.evaluation.attacks.known import KnownColumn
from indistinct.tables.evaluation.attacks.places import ColumnPlaces, places_of
from indistinct.tables.evaluation.attacks.places_kernels import count_places
from indistinct.tables.evaluation.attacks.scenario import (
    CONTROL,
    ORIGINAL,
    REFERENCE,
    AttackScenario,
)
from indistinct.tables.frames.frame import texts_of
from indistinct.tables.frames.texts import with_text_columns
from indistinct.tables.masks.sets.item_tree import ItemTree
from indistinct.tables.policy.item_hierarchies import items_of_cells, tree_of_items
from indistinct.tables.policy.sections.column import ColumnPolicy

EVERYTHING = (Role.QUASI_IDENTIFIER, Role.SENSITIVE, Role.INSENSITIVE)
TRIPLES, WAYS = 60, 3
FEWEST_TARGETS = 4
MOST_ITEMS = 40  # of a column: distances take time for each, and rare items tell of few people
HAS, LACKS = "has", "lacks"
CellRows = Sequence[tuple[str, ...]]


@final
@dataclass(frozen=True, slots=True)
class Targets:
    """Who is attacked, and whom the attacker knows besides.

    Parameters
    ----------
    inside, outside : (n_targets,), rows of the original and of the control
    reference : name of the table of others, and its rows
    """

    inside: Ints
    outside: Ints
    reference: tuple[str, Ints]


class Membership(Attack):
    """What both attacks on membership share: their targets, and how they are counted."""

    attempts: int
    needs_original: ClassVar[bool] = True
    reads_midpoints: ClassVar[bool] = True

    def run(self, scenario: AttackScenario) -> list[Outcome]:
        """Score all targets, choose a threshold on half of them and count on the others."""
        scenario.table(CONTROL)
        known = self._known(scenario)
        scenario, names = items_as_columns(scenario, known)
        targets = _targets(scenario, self.attempts, divided=self.compares)
        members, others = self._scores(scenario, scenario.columns(names), targets)
        return [self._outcome(scenario, known, telling(members, others, scenario.plan.confidence))]

    compares: ClassVar[bool]  # whether it compares with a table of others

    @abstractmethod
    def _scores(
        self, scenario: AttackScenario, columns: Sequence[KnownColumn], targets: Targets
    ) -> tuple[Floats, Floats]:
        """Score targets inside and outside; greater scores speak for membership."""

    def _known(self, scenario: AttackScenario) -> list[str]:
        """Return the columns that the release and every table of people have."""
        tables = [scenario.people[name] for name in (CONTROL, REFERENCE) if scenario.has(name)]
        found = scenario.common(ORIGINAL, *EVERYTHING)
        known = [name for name in found if all(name in table.columns for table in tables)]
        if not known:
            problem = "has no column of the release and of the original"
            raise DataError([Fault("--control", problem, "Give people with the same columns.")])
        return known

    def _outcome(self, scenario: AttackScenario, names: list[str], found: Telling) -> Outcome:
        right, tested = found.right, found.tested
        details: dict[str, Any] = {
            "advantage": tested.difference,
            "advantage_interval": list(tested.interval),
            "true_positive_rate": tested.one.rate,
            "false_positive_rate": tested.other.rate,
            "auc": found.auc,
            "columns": names,
        }
        blind = scenario.rate_by_chance(0.5, right.attempts)
        return Outcome(self.name, right, baseline=blind, details=details, compared=tested)


@final
@dataclass(frozen=True, slots=True)
class MembershipByNearest(Membership):
    """Say yes where the nearest released record is near.

    The distance is Gower's; that to a generalized cell is its mean over the values under the cell.

    Source: gower1971, the coefficient; the threshold is chosen on other people.
    """

    attempts: int = parameter(**ATTEMPTS)

    name: ClassVar[str] = "membership-nearest"
    compares: ClassVar[bool] = False

    def _scores(
        self, scenario: AttackScenario, columns: Sequence[KnownColumn], targets: Targets
    ) -> tuple[Floats, Floats]:
        records = DistinctRecords.of(columns)

        def scored(people: str, chosen: Ints) -> Floats:
            rows = records.nearest(people, chosen, 1, scenario.chance)[:, 0]
            return -records.distances(people, chosen, rows)

        return scored(ORIGINAL, targets.inside), scored(CONTROL, targets.outside)


@final
@dataclass(frozen=True, slots=True)
class MembershipByRatio(Membership):
    """Say yes where a person's values are more frequent in the release than among others.

    The score adds up log((a + 1/2) / (n + 1)) - log((b + 1/2) / (m + 1)) over random sets of three
    columns: a of n released records, spread evenly over what their cells cover, and b of m other
    people have the person's three values. Columns of many values are cut into 41 parts.

    Source: vanbreugel2023, a ratio of densities; here of counts of three columns.
    """

    attempts: int = parameter(**ATTEMPTS)

    name: ClassVar[str] = "membership-ratio"
    compares: ClassVar[bool] = True

    def _scores(
        self, scenario: AttackScenario, columns: Sequence[KnownColumn], targets: Targets
    ) -> tuple[Floats, Floats]:
        places = [places_of(column) for column in columns]
        cells = _padded(np.stack([column.cells for column in columns], axis=1))
        shares = [place.shares for place in places] + [np.ones((1, 1))] * WAYS
        single = [np.eye(place.n_places) for place in places] + [np.ones((1, 1))] * WAYS
        others, rows = targets.reference
        known = _placed(columns, places, others, rows)
        people = [
            _placed(columns, places, ORIGINAL, targets.inside),
            _placed(columns, places, CONTROL, targets.outside),
        ]
        scores = [np.zeros(len(one)) for one in people]
        for chosen in _triples(len(columns), scenario.chance):
            released = _logarithm(_counted(cells, shares, chosen), len(cells))
            beside = _logarithm(_counted(known, single, chosen), len(known))
            scores = [
                before + (released - beside)[tuple(one[:, chosen].T)]
                for before, one in zip(scores, people, strict=True)
            ]
        return scores[0], scores[1]


def _targets(scenario: AttackScenario, attempts: int, *, divided: bool) -> Targets:
    """Draw as many targets inside as outside; half of the others are the attacker's, if need be."""
    inside = scenario.chance.permutation(scenario.table(ORIGINAL).height)
    outside = scenario.chance.permutation(scenario.table(CONTROL).height)
    reference = REFERENCE, np.zeros(0, np.int64)
    if scenario.has(REFERENCE):
        reference = REFERENCE, np.arange(scenario.table(REFERENCE).height)
    elif divided:
        outside, kept = np.array_split(outside, 2)
        reference = CONTROL, kept
    n_targets = min(max(attempts // 2, FEWEST_TARGETS), len(inside), len(outside))
    if n_targets < FEWEST_TARGETS:
        problem = "has too few people to choose a threshold on half of them"
        raise DataError([Fault("--control", problem, "Give more people who are not in the table.")])
    return Targets(inside[:n_targets], outside[:n_targets], reference)


def _placed(
    columns: Sequence[KnownColumn], places: Sequence[ColumnPlaces], people: str, rows: Ints
) -> Ints:
    """Return the place of some people in every column: (n_people, n_columns)."""
    found = [
        place.of_values[column.people[people][rows]]
        for column, place in zip(columns, places, strict=True)
    ]
    return _padded(np.stack(found, axis=1))


def _padded(codes: Ints | Codes) -> Ints:
    """Add columns that say nothing: they stand in where there are fewer than three."""
    nothing = np.zeros((len(codes), WAYS), np.int64)
    return np.concatenate([codes.astype(np.int64), nothing], axis=1)


def _triples(n_columns: int, chance: np.random.Generator) -> list[list[int]]:
    """Draw sets of three columns, of all where there are fewer."""
    beside = list(range(n_columns, n_columns + max(0, WAYS - n_columns)))
    size = min(WAYS, n_columns)
    drawn = {
        tuple(sorted(chance.choice(n_columns, size, replace=False).tolist()))
        for _ in range(TRIPLES)
    }
    return [[*one, *beside] for one in sorted(drawn)]


def _counted(cells: Ints, shares: Sequence[Floats], chosen: Sequence[int]) -> Floats:
    """Count records in the places of three columns."""
    rows = np.ascontiguousarray(cells[:, list(chosen)].astype(np.int32))
    _, first, sizes = group_rows(rows)
    parts = [np.ascontiguousarray(shares[column], np.float64) for column in chosen]
    return count_places(rows[first].astype(np.int64), sizes.astype(np.float64), *parts)


def _logarithm(counts: Floats, total: int) -> Floats:
    return np.log((counts + 0.5) / (total + 1.0))


def items_as_columns(
    scenario: AttackScenario, names: Sequence[str]
) -> tuple[AttackScenario, list[str]]:
    """Return the items of columns of sets a column each: those that most people have.

    A person has an item or lacks it. A released set has an item that it shows, may have one under a
    label above it, and otherwise lacks it.

    Parameters
    ----------
    names : columns that an attack compares

    Returns
    -------
    the scenario with these columns, and the names to compare by
    """
    found, kept = scenario, list(names)
    for name in [one for one in names if one in scenario.spec.set_names]:
        found, items = _divided(found, name)
        place = kept.index(name)
        kept[place : place + 1] = items
    return found, kept


def _divided(scenario: AttackScenario, name: str) -> tuple[AttackScenario, list[str]]:
    """Divide one column."""
    spec, rule = scenario.spec, scenario.spec.columns[name]
    own = {
        kind: items_of_cells(texts_of(table, name), rule)
        for kind, table in scenario.people.items()
        if name in table.columns
    }
    tree = tree_of_items(rule, [cell for cells in own.values() for cell in cells])
    shown = items_of_cells(scenario.released[name].to_list(), rule)
    columns = {f"{name}: {item}": item for item in _commonest(own[ORIGINAL], tree)}
    people = {
        kind: with_text_columns(table, _of_people(own[kind], columns)) if kind in own else table
        for kind, table in scenario.people.items()
    }
    words = ColumnPolicy(role=Role.QUASI_IDENTIFIER)
    rules = {column: replace(rule, name=column, words=words) for column in columns}
    divided = replace(
        scenario,
        spec=replace(
            spec,
            columns={**spec.columns, **rules},
            class_names=(*spec.class_names, *rules),
        ),
        released=with_text_columns(scenario.released, _of_records(shown, columns, tree)),
        people=people,
        _columns={},
    )
    return divided, list(columns)


def _commonest(cells: CellRows, tree: ItemTree) -> list[str]:
    """List the items that most people have, in the order of the hierarchy."""
    counts = Counter(item for cell in cells for item in set(cell))
    chosen = {item for item, _ in counts.most_common(MOST_ITEMS)}
    return [item for item in tree.items if item in chosen]


def _of_people(cells: CellRows, columns: Mapping[str, str]) -> dict[str, list[str]]:
    """Return whether each person has each item."""
    sets = [frozenset(cell) for cell in cells]
    return {
        column: [HAS if item in one else LACKS for one in sets] for column, item in columns.items()
    }


def _of_records(
    cells: CellRows, columns: Mapping[str, str], tree: ItemTree
) -> dict[str, list[str]]:
    """Return whether each released record shows each item, or a label above it."""
    sets = [frozenset(cell) for cell in cells]
    found: dict[str, list[str]] = {}
    for column, item in columns.items():
        above: set[str] = set()
        node = int(tree.parents[tree.items[item]])
        while node >= 0:
            above.add(tree.labels[node])
            node = int(tree.parents[node])
        found[column] = [HAS if item in one else ROOT if one & above else LACKS for one in sets]
    return found
