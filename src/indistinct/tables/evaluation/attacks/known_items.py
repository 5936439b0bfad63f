"""Known items: whoever knows some items of a person looks for the sets that have them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import ClassVar, final

import numpy as np

from indistinct.base.parameters import parameter
from indistinct.tables.evaluation.attacks.entry import ATTEMPTS, Attack, Outcome
from indistinct.tables.evaluation.attacks.matching import match
from indistinct.tables.evaluation.attacks.scenario import ORIGINAL, AttackScenario
from indistinct.tables.frames.frame import texts_of
from indistinct.tables.masks.sets.item_tree import ItemTree
from indistinct.tables.models import SetModel
from indistinct.tables.policy.item_hierarchies import items_of_cells, tree_of_items

RANDOM, WORST, EXACT = "random", "worst", "exact"
ItemTexts = tuple[str, ...]


@final
@dataclass(frozen=True, slots=True)
class KnownItemsAttack(Attack):
    """Look for the released sets that have a label above each known item of a person.

    Where no set has, those with labels above as many of them as possible are candidates. An
    attempt is a person of the original; its success is 1 / candidates, and with the crosswalk only
    where the own record is among them.

    Source: terrovitis2008, section 2.
    """

    m: int = parameter(int, at_least=1, default=2, help="items of a person that the attacker knows")
    item_choice: str = parameter(
        str,
        choices=(RANDOM, WORST, EXACT),
        default=RANDOM,
        help="which items: random ones, those with fewest candidates, or the whole set",
    )
    attempts: int = parameter(**ATTEMPTS)

    name: ClassVar[str] = "known-items"
    needs_original: ClassVar[bool] = True

    def run(self, scenario: AttackScenario) -> list[Outcome]:
        """Carry the attack out, on every column of sets."""
        return [self._outcome(scenario, name) for name in scenario.spec.set_names]

    def _outcome(self, scenario: AttackScenario, name: str) -> Outcome:
        """Attack one column."""
        before = scenario.table(ORIGINAL)
        own = items_of_cells(texts_of(before, name), scenario.spec.columns[name])
        shown = items_of_cells(scenario.released[name].to_list(), scenario.spec.columns[name])
        sets = ReleasedSets.of(tree_of_items(scenario.spec.columns[name], own), shown)
        targets: list[int] = scenario.chance.permutation(len(own))[: self.attempts].tolist()
        record_of = scenario.records_of(np.arange(len(own)))
        among = _everybody_who_may_be(scenario, len(shown))
        k = next((m.k for m in scenario.spec.models if isinstance(m, SetModel)), 1)
        sizes: list[int] = []
        successes = 0.0
        shared: list[int] = []
        for target in targets:
            found = self._candidates(sets, own[target], among(target), scenario.chance)
            sizes.append(found.bit_count())
            shared.append(sets.n_shared(found, own[target]))
            if record_of is None or (
                record_of[target] >= 0 and found >> int(record_of[target]) & 1
            ):
                successes += 1 / max(found.bit_count(), 1)
        details = {
            "column": name,
            "k": k,
            "below_k": float(np.mean(np.array(sizes) < k)),
            "least_candidates": min(sizes),
            "mean_candidates": float(np.mean(sizes)),
            "further_labels": float(np.mean(shared)),
        }
        rate = scenario.rate(successes, len(targets))
        return Outcome(self.name, rate, counted=record_of is not None, details=details)

    def _candidates(
        self, sets: ReleasedSets, items: ItemTexts, among: int, chance: np.random.Generator
    ) -> int:
        """Return the records that may be a person's, as the bits of a number."""
        if self.item_choice == EXACT:
            return sets.exactly(items, among)
        size = min(self.m, len(items))
        if self.item_choice == RANDOM:
            picked: list[int] = chance.permutation(len(items))[:size].tolist()
            return sets.having(tuple(items[place] for place in picked), among)
        known = (
            part for number in range(size, 0, -1) for part in combinations(sorted(items), number)
        )
        found = (sets.having(part, among) for part in known)
        return min(found, key=int.bit_count, default=among)


@dataclass(slots=True)
class ReleasedSets:
    """Released sets by label: the records with each one, as the bits of a number.

    Parameters
    ----------
    holders : per label, the records that show it
    paths : per item, itself and the labels above it
    everybody : all records
    """

    holders: dict[str, int]
    paths: dict[str, frozenset[str]]
    everybody: int
    _known: dict[str, int] = field(default_factory=dict[str, int])

    @classmethod
    def of(cls, tree: ItemTree, cells: Sequence[ItemTexts]) -> ReleasedSets:
        """Sort records by label."""
        rows: dict[str, list[int]] = {}
        for row, cell in enumerate(cells):
            for label in cell:
                rows.setdefault(label, []).append(row)
        holders = {label: _bits(held, len(cells)) for label, held in rows.items()}
        paths = {item: frozenset(_upwards(tree, node)) for item, node in tree.items.items()}
        return cls(holders, paths, (1 << len(cells)) - 1)

    def showing(self, item: str) -> int:
        """Return the records with a label at or above an item."""
        if item not in self._known:
            held = (self.holders.get(label, 0) for label in self.paths[item])
            self._known[item] = _any(held)
        return self._known[item]

    def having(self, items: ItemTexts, among: int) -> int:
        """Return the records with labels above all items, or above as many as any record has."""
        for size in range(len(items), 0, -1):
            parts = combinations(items, size)
            if found := _any(_all(map(self.showing, part), among) for part in parts):
                return found
        return among

    def exactly(self, items: ItemTexts, among: int) -> int:
        """Return the records with labels above all items, or as many as possible, and no others."""
        above = frozenset[str]().union(*(self.paths[item] for item in items))
        other = (held for label, held in self.holders.items() if label not in above)
        return self.having(items, among & ~_any(other))

    def n_shared(self, found: int, items: ItemTexts) -> int:
        """Count the labels that all of some records show, and that are above none of the items."""
        above = frozenset[str]().union(*(self.paths[item] for item in items))
        return sum(
            label not in above and held & found == found
            for label, held in self.holders.items()
            if found
        )


def _bits(rows: Sequence[int], n_records: int) -> int:
    """Set one bit per row, the first row being the lowest."""
    is_in = np.zeros(n_records, np.bool_)
    is_in[list(rows)] = True
    return int.from_bytes(np.packbits(is_in, bitorder="little").tobytes(), "little")


def _any(bits: Iterable[int]) -> int:
    """Return the records that are in one of some sets or more."""
    found = 0
    for one in bits:
        found |= one
    return found


def _all(bits: Iterable[int], among: int) -> int:
    """Return the records that are in all of some sets."""
    for one in bits:
        among &= one
    return among


def _upwards(tree: ItemTree, node: int) -> Iterator[str]:
    """Yield the labels from a node to the root."""
    while node >= 0:
        yield tree.labels[node]
        node = int(tree.parents[node])


def _everybody_who_may_be(scenario: AttackScenario, n_records: int) -> Callable[[int], int]:
    """Return a function from a target to the records whose other cells cover it."""
    everybody = (1 << n_records) - 1
    if not scenario.spec.class_names:

        def anybody(target: int) -> int:
            del target
            return everybody

        return anybody
    found = match(scenario.columns(scenario.covered(ORIGINAL)), ORIGINAL)
    boxes = [
        _bits(np.flatnonzero(found.box_of_record == box).tolist(), n_records)
        for box in range(len(found.sizes))
    ]

    def among(target: int) -> int:
        run = slice(int(found.begins[target]), int(found.begins[target + 1]))
        covering: list[int] = found.boxes[run].tolist()
        return _any(boxes[box] for box in covering)

    return among
