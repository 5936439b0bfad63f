"""All tables of quasi-identifiers that a release can have been made from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, islice, product
from math import comb, factorial, prod
from typing import final

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.tables.evaluation.attacks.replay import Replay, replay, replay_of_release
from indistinct.tables.evaluation.attacks.scenario import ORIGINAL, AttackScenario
from indistinct.tables.frames.frame import with_cells
from indistinct.tables.frames.texts import text_rows

CLASSES = 20  # classes whose tables are drawn where there are too many to list


@final
@dataclass(frozen=True)
class ClassTuples:
    """What stands under the cells of one class.

    Parameters
    ----------
    index : the class
    rows : (n_members,), records of the class
    kinds : the records by what else the release shows of them: those of one kind change places
    codes : (n_tuples, n_columns), every tuple of values that the cells cover
    own : (n_members,), the tuple that each record really has
    """

    index: int
    rows: Ints
    kinds: tuple[Ints, ...]
    codes: Codes
    own: Ints

    @property
    def n_worlds(self) -> int:
        """Tables that the cells allow for the class, those of like records once."""
        n_worlds = 1
        for kind in self.kinds:
            n_worlds *= comb(len(self.codes) + len(kind) - 1, len(kind))
        return n_worlds

    def worlds(self) -> Iterator[tuple[Ints, float]]:
        """List the tables, as the tuple of each record, and in how many orders each can stand."""
        every = range(len(self.codes))
        choices = [combinations_with_replacement(every, len(kind)) for kind in self.kinds]
        for chosen in product(*choices):
            world = np.empty(len(self.rows), np.int64)
            orders = 1.0
            for kind, tuples in zip(self.kinds, chosen, strict=True):
                world[kind] = tuples
                orders *= _orders(tuples)
            yield world, orders

    def drawn(self, chance: np.random.Generator) -> Ints:
        """Draw a tuple for each record, each alike."""
        return chance.integers(len(self.codes), size=len(self.rows), dtype=np.int64)

    @cached_property
    def shares(self) -> Floats:
        """Share of the records that really have each tuple: (n_tuples,)."""
        return np.bincount(self.own, minlength=len(self.codes)) / len(self.own)


def _orders(tuples: tuple[int, ...]) -> int:
    """Count the orders in which some tuples, with repetitions, can stand."""
    orders = factorial(len(tuples))
    for one in set(tuples):
        orders //= factorial(tuples.count(one))
    return orders


@final
@dataclass(frozen=True, slots=True)
class PosteriorClass:
    """What a replay leaves possible for one class.

    Parameters
    ----------
    tuples : of the class
    before, after : tables of the class as rows, all that the cells allow and those that a replay
        leaves: (n_worlds, n_members)
    weights_before, weights_after : how likely each is, up to a factor
    """

    tuples: ClassTuples
    before: Ints
    weights_before: Floats
    after: Ints
    weights_after: Floats


@final
@dataclass(frozen=True, slots=True)
class Refined:
    """What is left possible for the classes of a release.

    Parameters
    ----------
    made : the replay on the truth
    is_exact : whether every table was tried
    classes : those whose cells cover more than one tuple, and which something is known of
    tried, possible : tables that were replayed, and those that gave the release
    unsettled : classes of which no drawn table gave the release, so that nothing is said
    """

    made: Replay
    is_exact: bool
    classes: list[PosteriorClass]
    tried: int
    possible: int
    unsettled: int = 0


AgreesWithClasses = Callable[[list[tuple[ClassTuples, Ints]]], bool]


def refined(scenario: AttackScenario, replays: int) -> Refined:
    """Repeat the search on all tables that the cells allow, or on drawn ones.

    Parameters
    ----------
    replays : most tables that are listed; else each of some classes is drawn anew while all others
        stay as they are, which the attacker then knows
    """
    made, seed = replay_of_release(scenario)
    classes = [one for one in _classes(scenario, made) if len(one.codes) > 1]
    agrees = _agreement(scenario, made, seed)
    n_worlds = 1
    for one in classes:
        n_worlds *= one.n_worlds
    if n_worlds <= replays:
        return _listed(made, classes, agrees)
    return _drawn(made, classes, agrees, replays, scenario.chance)


def _classes(scenario: AttackScenario, made: Replay) -> Iterator[ClassTuples]:
    """Lay out what stands under the cells of each released class."""
    codes = made.codes()
    marks = text_rows(scenario.table(ORIGINAL)[made.prepared.rows], scenario.spec.counted)
    for index in np.flatnonzero(made.recoding.released).tolist():
        rows = np.flatnonzero(made.classes == index)
        covered = [made.covered(column, index).tolist() for column in range(codes.shape[1])]
        number = {one: place for place, one in enumerate(product(*covered))}
        kinds: dict[object, list[int]] = {}
        for place, row in enumerate(rows.tolist()):
            kinds.setdefault(marks[row], []).append(place)
        yield ClassTuples(
            index,
            rows,
            tuple(np.array(kind) for kind in kinds.values()),
            np.array(list(number), np.int32),
            np.array([number[tuple(row)] for row in codes[rows].tolist()]),
        )


def _agreement(scenario: AttackScenario, made: Replay, seed: int) -> AgreesWithClasses:
    """Return what repeats the search with other tuples, and compares what it releases."""
    frame, spec = scenario.table(ORIGINAL), scenario.spec
    names, rows = list(spec.class_names), made.prepared.rows
    codes = made.codes()
    values = [
        frame[name][rows[np.unique(codes[:, column], return_index=True)[1]]]
        for column, name in enumerate(names)
    ]
    secrets = text_rows(frame, spec.counted)
    wanted = made.released_values(secrets)

    def agrees(changes: list[tuple[ClassTuples, Ints]]) -> bool:
        world = codes.copy()
        for one, tuples in changes:
            world[one.rows] = one.codes[tuples]
        cells = {name: values[column][world[:, column]] for column, name in enumerate(names)}
        found = replay(scenario, with_cells(frame, rows, cells), seed)
        return found is not None and found.released_values(secrets) == wanted

    return agrees


def _listed(made: Replay, classes: list[ClassTuples], agrees: AgreesWithClasses) -> Refined:
    """Try every table."""
    lists = [list(one.worlds()) for one in classes]
    all_worlds = list(product(*lists))
    kept = [
        world
        for world in all_worlds
        if agrees([(one, part[0]) for one, part in zip(classes, world, strict=True)])
    ]

    def of(worlds: list[tuple[tuple[Ints, float], ...]], place: int) -> tuple[Ints, Floats]:
        tables = np.array([world[place][0] for world in worlds])
        return tables, np.array([prod(part[1] for part in world) for world in worlds], np.float64)

    found = [
        PosteriorClass(one, *of(all_worlds, place), *of(kept, place))
        for place, one in enumerate(classes)
    ]
    return Refined(made, True, found, len(all_worlds), len(kept))  # noqa: FBT003 - it is a word


def _drawn(
    made: Replay,
    classes: list[ClassTuples],
    agrees: AgreesWithClasses,
    replays: int,
    chance: np.random.Generator,
) -> Refined:
    """Try drawn tables of some classes, one class at a time."""
    order: list[int] = chance.permutation(len(classes)).tolist()
    chosen = [classes[place] for place in islice(order, min(CLASSES, replays))]
    found: list[PosteriorClass] = []
    possible = unsettled = 0
    each = max(replays // max(len(chosen), 1), 1)
    for one in chosen:
        worlds = np.array([one.drawn(chance) for _ in range(each)])
        kept = worlds[[agrees([(one, world)]) for world in worlds]]
        possible += len(kept)
        if len(kept) == 0:
            unsettled += 1
            continue
        found.append(PosteriorClass(one, worlds, np.ones(len(worlds)), kept, np.ones(len(kept))))
    return Refined(made, False, found, each * len(chosen), possible, unsettled)  # noqa: FBT003 - it is a word
