"""Refinement of sets: which item stands under a label, as repeating the search tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from indistinct.core.arrays import Ints
from indistinct.core.brief import briefly
from indistinct.core.hierarchy import ROOT
from indistinct.engines.frames import texts_of
from indistinct.errors import NoSolutionError
from indistinct.masks.sets.item_records import ItemRecords
from indistinct.masks.sets.item_tree import ItemTree
from indistinct.masks.sets.publishing import publish_sets
from indistinct.models import SetModel
from indistinct.policy.item_hierarchies import items_of_cells, tree_of_items
from indistinct.policy.policy import Policy
from indistinct.reader.attacks.replay import other_release
from indistinct.reader.attacks.scene import ORIGINAL, Scene

Items = tuple[int, ...]
Shown = Counter[tuple[object, ...]]


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

    policy: Policy
    model: SetModel
    tree: ItemTree
    sets: list[Items]
    beside: list[tuple[object, ...]]

    __repr__ = briefly

    def labels(self, sets: Sequence[Items]) -> list[Items] | None:
        """Give the labels that take the place of each set; None where there is no release."""
        words, method = self.policy.columns[self.model.column], self.policy.method
        try:
            found = publish_sets(
                self.tree,
                ItemRecords.of(sets),
                algorithm=self.policy.algorithm_name,
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

    def shown(self, labels: Sequence[Items] | None) -> Shown | None:
        """Count the records by all that a reader sees of them."""
        if labels is None:
            return None
        return Counter((one, *more) for one, more in zip(labels, self.beside, strict=True))


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


def set_replay(scene: Scene, model: SetModel) -> tuple[SetReplay, list[Items]]:
    """Repeat the search of a column of sets on the table that the release was made from.

    Returns
    -------
    how to repeat it again, and the labels of each record

    Raises
    ------
    DataError
        when the search, repeated, does not give this release
    """
    before, policy = scene.table(ORIGINAL), scene.policy
    own = items_of_cells(texts_of(before, model.column), policy, model.column)
    tree = tree_of_items(policy, model.column, own)
    secrets = [[text or "" for text in texts_of(before, name)] for name in policy.counted]
    sets = [tuple(sorted({tree.items[item] for item in cell})) for cell in own]
    beside = list(zip(*secrets, strict=True)) if secrets else [()] * len(own)
    made = SetReplay(policy, model, tree, sets, beside)
    labels = made.labels(sets)
    if labels is None or not _is_of(made, labels, scene):
        raise other_release()
    return made, labels


def refined_sets(
    made: SetReplay, labels: Sequence[Items], replays: int, chance: np.random.Generator
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
    made: SetReplay, labels: Sequence[Items], occurring: Sequence[int]
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


def _agrees(made: SetReplay, row: int, items: Items, wanted: Shown | None) -> bool:
    """Tell whether the search gives the release with another set in one record."""
    sets = [*made.sets[:row], tuple(sorted(items)), *made.sets[row + 1 :]]
    return made.shown(made.labels(sets)) == wanted


def _is_of(made: SetReplay, labels: Sequence[Items], scene: Scene) -> bool:
    """Tell whether a replay has the sets of the release."""
    name = made.model.column
    if name not in scene.released.columns:
        return False
    given = items_of_cells(scene.released[name].to_list(), scene.policy, name)
    found = Counter(tuple(made.tree.labels[node] for node in one) for one in labels)
    read = Counter(tuple(sorted(cell)) for cell in given)
    expected = Counter({tuple(sorted(cell)): n for cell, n in found.items()})
    if scene.released.width == 1:
        # A row of a star alone reads as one that was left out.
        read.pop((ROOT,), None)
        expected.pop((ROOT,), None)
    return read == expected
