"""Refinement: what the choices of a search say of the exact values under the cells of a class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.base.hierarchy import ROOT
from indistinct.base.parameters import parameter
from indistinct.errors import NoSolutionError
from indistinct.tables.evaluation.attacks.entry import Attack, Outcome
from indistinct.tables.evaluation.attacks.replay import REPLAYS, other_release
from indistinct.tables.evaluation.attacks.scenario import ORIGINAL, AttackScenario
from indistinct.tables.evaluation.attacks.tuple_worlds import ClassTuples, refined
from indistinct.tables.frames.frame import texts_of
from indistinct.tables.masks.sets.item_records import ItemRecords
from indistinct.tables.masks.sets.item_tree import ItemTree
from indistinct.tables.masks.sets.publishing import publish_sets
from indistinct.tables.models import SetModel
from indistinct.tables.policy.item_hierarchies import items_of_cells, tree_of_items
from indistinct.tables.policy.specification import Specification

ROUNDING = 1e-9
ItemCodes = tuple[int, ...]
Shown = Counter[tuple[object, ...]]


@final
@dataclass(frozen=True, slots=True)
class Refinement(Attack):
    """Guess the exact quasi-identifiers of a record from its class and from how classes are chosen.

    The attacker knows the policy, the program, the release, and which values occur in each column;
    he knows nobody. Each record of a class can have every *tuple*, one value per column, that the
    class's cells cover. Tables of such tuples on which the search, repeated, does not give this
    release are ruled out; all others are equally likely to him, as ordered tables.

    An attempt is a released record whose cells cover more than one tuple; it succeeds when it has
    the tuple that is most probable in its class. Records that were left out are known to him.

    Where there are more than ``replays`` tables, he knows all classes but one, of which tables are
    drawn; classes of which no drawn table gives the release are passed over.

    Of a column of sets, he knows everybody's items but one: an attempt is an item that stands
    under a label of several items, and is replaced by each other one that occurs in the column.
    Those with which the search gives the same release stay possible; one of them is guessed.

    Source: chhillar2025, sections 3 and 4, which refines by a linear program for one algorithm;
    replaying rules out as much as any such program can.
    """

    replays: int = parameter(**REPLAYS)

    name: ClassVar[str] = "refinement"
    needs_original: ClassVar[bool] = True

    def run(self, scenario: AttackScenario) -> list[Outcome]:
        """Carry the attack out."""
        if scenario.spec.set_names and not scenario.spec.class_names:
            models = [model for model in scenario.spec.models if isinstance(model, SetModel)]
            return [self._of_sets(scenario, model) for model in models]
        found = refined(scenario, self.replays)
        stars_fit_all = scenario.spec.release.suppressed_cell == "any"
        right = guessed = 0.0
        attempts = passed = certain = n_tuples = 0
        for one in found.classes:
            tuples, size = one.tuples, len(one.tuples.rows)
            before = chances(tuples, one.before, one.weights_before)
            after = chances(tuples, one.after, one.weights_after)
            right += size * _right(tuples, after)
            guessed += size * _right(tuples, before)
            attempts += size
            n_tuples += len(after)
            alike = found.made.compatible(tuples.index) if stars_fit_all else size
            limit = 1 / alike + ROUNDING
            passed += int(((after > limit) & (before <= limit)).sum())
            certain += int((after.max() > 1 - ROUNDING) and (before.max() < 1 - ROUNDING))
        return [
            Outcome(
                self.name,
                scenario.rate(right, attempts),
                baseline=scenario.rate(guessed, attempts),
                details={
                    "exact": found.is_exact,
                    "worlds": found.tried,
                    "possible": found.possible,
                    "tuples": n_tuples,
                    "passed": passed,
                    "certain": certain,
                    "unsettled": found.unsettled,
                },
            )
        ]

    def _of_sets(self, scenario: AttackScenario, model: SetModel) -> Outcome:
        """Attack a column of sets: an attempt is an item under a label of several items."""
        made, labels = set_replay(scenario, model)
        found = refined_sets(made, labels, self.replays, scenario.chance)
        attempts = len(found.possible)
        return Outcome(
            self.name,
            scenario.rate(float((1 / found.possible).sum()), attempts),
            counted=False,
            baseline=scenario.rate(float((1 / found.candidates).sum()), attempts),
            details={"column": model.column, **found.details},
        )


def chances(tuples: ClassTuples, worlds: Ints, weights: Floats) -> Floats:
    """Return the chance that a record of a class has each tuple: (n_tuples,), sums to 1."""
    share = np.zeros(len(tuples.codes))
    for world, weight in zip(worlds, weights, strict=True):
        share += weight * np.bincount(world, minlength=len(share)) / len(world)
    return share / weights.sum()


def _right(tuples: ClassTuples, believed: Floats) -> float:
    """Return the share of records with the most probable tuple; chance decides among equals."""
    best = believed > believed.max() - ROUNDING
    return float(tuples.shares[best].mean())


@final
@dataclass(frozen=True, slots=True)
class SetReplay:
    """A column of sets, and how the search of the policy is repeated on it.

    Parameters
    ----------
    model : of the column
    sets : per record, the nodes of its items, ascending
    beside : per record, what else the release shows of it
    """

    spec: Specification
    model: SetModel
    tree: ItemTree
    sets: list[ItemCodes]
    other_cells: list[tuple[object, ...]]

    __repr__ = short_repr

    def labels(self, sets: Sequence[ItemCodes]) -> list[ItemCodes] | None:
        """Return the labels that take the place of each set; None where there is no release."""
        words, method = self.spec.columns[self.model.column].words, self.spec.method
        try:
            found = publish_sets(
                self.tree,
                ItemRecords.of(sets),
                algorithm=self.spec.algorithm_name,
                k=self.model.k,
                m=self.model.known_items,
                whole=self.model.is_whole,
                suppression=words.suppression,
                max_suppression=method.max_suppression,
            )
        except NoSolutionError:
            return None
        is_too_much = found.share_deleted > method.max_suppression
        return None if words.suppression != "none" and is_too_much else found.labels.sets()

    def shown(self, labels: Sequence[ItemCodes] | None) -> Shown | None:
        """Count the records by all that a reader sees of them."""
        if labels is None:
            return None
        return Counter((one, *more) for one, more in zip(labels, self.other_cells, strict=True))


@final
@dataclass(frozen=True, slots=True)
class RefinedSets:
    """What repeated searches leave open of the items under labels.

    Parameters
    ----------
    candidates, possible : (n_attempts,), items that may stand under a label, and those with which
        the search gives the same release
    replays : searches that were repeated
    """

    candidates: Ints
    possible: Ints
    replays: int

    @property
    def details(self) -> dict[str, Any]:
        """Sum up what was found."""
        return {
            "exact": False,
            "worlds": self.replays,
            "candidates": int(self.candidates.sum()),
            "possible": int(self.possible.sum()),
            "certain": int((self.possible == 1).sum()),
        }


def set_replay(scenario: AttackScenario, model: SetModel) -> tuple[SetReplay, list[ItemCodes]]:
    """Repeat the search of a column of sets on the table that the release was made from.

    Returns
    -------
    how to repeat it again, and the labels of each record

    Raises
    ------
    DataError
        when the search, repeated, does not give this release
    """
    before, spec = scenario.table(ORIGINAL), scenario.spec
    own = items_of_cells(texts_of(before, model.column), spec.columns[model.column])
    tree = tree_of_items(spec.columns[model.column], own)
    secrets = [[text or "" for text in texts_of(before, name)] for name in spec.counted]
    sets = [tuple(sorted({tree.items[item] for item in cell})) for cell in own]
    other_cells = list(zip(*secrets, strict=True)) if secrets else [()] * len(own)
    made = SetReplay(spec, model, tree, sets, other_cells)
    labels = made.labels(sets)
    if labels is None or not _is_of(made, labels, scenario):
        raise other_release()
    return made, labels


def refined_sets(
    made: SetReplay, labels: Sequence[ItemCodes], replays: int, chance: np.random.Generator
) -> RefinedSets:
    """Try every other item under drawn labels, one occurrence at a time.

    Parameters
    ----------
    labels : of each record, as released
    replays : most searches that are repeated
    """
    wanted = made.shown(labels)
    occurring = sorted({item for one in made.sets for item in one})
    hidden = _hidden(made, labels, occurring)
    n_candidates: list[int] = []
    n_possible: list[int] = []
    spent = 0
    order: list[int] = chance.permutation(len(hidden)).tolist()
    for place in order:
        row, item, candidates = hidden[place]
        if spent + len(candidates) - 1 > replays:
            continue
        spent += len(candidates) - 1
        rest = [one for one in made.sets[row] if one != item]
        others = [one for one in candidates if one != item]
        agreeing = sum(_agrees(made, row, (*rest, other), wanted) for other in others)
        n_candidates.append(len(candidates))
        n_possible.append(1 + agreeing)
    return RefinedSets(np.array(n_candidates, np.int64), np.array(n_possible, np.int64), spent)


def _hidden(
    made: SetReplay, labels: Sequence[ItemCodes], occurring: Sequence[int]
) -> list[tuple[int, int, list[int]]]:
    """List the items under a label that may be another one's: record, item and candidates."""
    found: list[tuple[int, int, list[int]]] = []
    for row, (items, shown) in enumerate(zip(made.sets, labels, strict=True)):
        for item in items:
            last = {one: int(made.tree.ends[one]) for one in shown}
            above = [one for one in shown if one <= item < last[one]]
            candidates = [
                other
                for other in occurring
                if above
                and above[0] <= other < last[above[0]]
                # An item that the attacker knows of the person is not the one he looks for.
                and (other == item or other not in items)
            ]
            if len(candidates) > 1:
                found.append((row, item, candidates))
    return found


def _agrees(made: SetReplay, row: int, items: ItemCodes, wanted: Shown | None) -> bool:
    """Return whether the search gives the release with another set in one record."""
    sets = [*made.sets[:row], tuple(sorted(items)), *made.sets[row + 1 :]]
    return made.shown(made.labels(sets)) == wanted


def _is_of(made: SetReplay, labels: Sequence[ItemCodes], scenario: AttackScenario) -> bool:
    """Return whether a replay has the sets of the release."""
    name = made.model.column
    if name not in scenario.released.columns:
        return False
    given = items_of_cells(scenario.released[name].to_list(), scenario.spec.columns[name])
    found = Counter(tuple(made.tree.labels[node] for node in one) for one in labels)
    read = Counter(tuple(sorted(cell)) for cell in given)
    expected = Counter({tuple(sorted(cell)): n for cell, n in found.items()})
    if scenario.released.width == 1:
        # A row of a star alone reads as one that was left out.
        read.pop((ROOT,), None)
        expected.pop((ROOT,), None)
    return read == expected
