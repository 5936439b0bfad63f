"""Patterns of released rows, counted once more by enumeration: plain tuples and dictionaries.

Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from math import comb
from typing import Any, NamedTuple, cast

Label = Hashable
Signature = Hashable


class SeenRow(NamedTuple):
    """A released row of a unit.

    Parameters
    ----------
    label : its table, its cells, and the label of the row above it
    chain : the rows with released keys above it, from the unit on, itself among them if its key is
        released
    hidden : of each row with a hidden key above it, itself among them: how many rows of the chain
        are above that one, and its label
    """

    label: Label
    chain: tuple[int, ...] = ()
    hidden: tuple[tuple[int, Label], ...] = ()

    @property
    def is_released(self) -> bool:
        """Return whether the key of the row itself is released."""
        return not self.hidden or self.hidden[-1] != (len(self.chain), self.label)


SeenUnit = tuple[Hashable, Sequence[SeenRow], Mapping[int, Label]]  # class, rows, chain labels
ITSELF = -1  # in place of the label of a chosen row whose key is released


def table_of(label: Label) -> str:
    """Return the table of a row's label."""
    return str(cast("tuple[object, ...]", label)[0])


def patterns_of(
    rows: Sequence[SeenRow], labels: Mapping[int, Label], m: int, *, are_flat: bool = False
) -> set[Signature]:
    """Return the patterns of at most ``m`` rows that a unit has, those that need less included.

    Parameters
    ----------
    rows : of the unit, their labels as numbers
    labels : of the rows in the chains, by their numbers
    are_flat : whether no row of any unit belongs to a row; patterns are then multisets
    """
    chosen_from = choices(rows, m)
    if are_flat:
        own = sorted(cast("int", row.label) for row in chosen_from)
        return {one for size in range(1, m + 1) for one in combinations(own, size)}
    there = Counter((row.chain, row.label) for row in rows if not row.is_released)
    ordered = sorted(chosen_from)
    return {
        one
        for size in range(1, m + 1)
        for chosen in {*combinations(ordered, size)}
        for one in _signatures(chosen, labels, there)
    }


def choices(rows: Sequence[SeenRow], m: int) -> list[SeenRow]:
    """Return the rows of a unit of which ``m`` are chosen: of those that look the same, m at most.

    Rows that look the same are one choice, however often it can be made.
    """
    return [row for row, count in Counter(rows).items() for _ in range(min(count, m))]


def steps_of(units: Sequence[SeenUnit], m: int | None) -> tuple[int, int]:
    """Return how many patterns of at most ``m`` rows are listed, and the longest history.

    Parameters
    ----------
    m : None for the whole pattern of each unit, which is one

    Returns
    -------
    the patterns of all units; and the most different rows of a unit
    """
    longest = max((len({*rows}) for _, rows, _ in units), default=0)
    if m is None:
        return sum(len(rows) for _, rows, _ in units), longest
    chosen_from = (len(choices(rows, m)) for _, rows, _ in units)
    return sum(comb(n, size) for n in chosen_from for size in range(m + 1)), longest


def _are_flat(rows: Iterable[SeenRow]) -> bool:
    """Return whether no row belongs to a row: each is known by itself."""
    return all(len(row.chain) + len(row.hidden) == 1 for row in rows)


def _signatures(
    chosen: Sequence[SeenRow], labels: Mapping[int, Label], there: Mapping[Any, int]
) -> Iterator[Signature]:
    """Yield what some rows of a unit show: with all rows above that they need, and with fewer."""
    needs = dict(_needs(chosen, there))
    ranges = [range(least, most + 1) for least, most in needs.values()]
    for numbers in product(*ranges):
        said = {
            place: number
            for (place, (least, _)), number in zip(needs.items(), numbers, strict=True)
            if number > least
        }
        yield _tree((), chosen, labels, said)


def _needs(
    chosen: Sequence[SeenRow], there: Mapping[Any, int]
) -> Iterator[tuple[tuple[tuple[int, ...], Label], tuple[int, int]]]:
    """Yield how many different rows with a hidden key known rows may be below.

    Returns
    -------
    per chain above and label: the rows that are chosen themselves, at least 1, and the most that
    there may be
    """
    below: Counter[Any] = Counter()
    own: Counter[Any] = Counter()
    for row in chosen:
        for depth, label in row.hidden:
            below[row.chain[:depth], label] += 1
        if not row.is_released:
            own[row.chain, row.label] += 1
    for place, count in below.items():
        least, most = max(own[place], 1), min(count, there[place])
        if most > least:
            yield place, (least, most)


def _tree(
    chain: tuple[int, ...],
    chosen: Iterable[SeenRow],
    labels: Mapping[int, Label],
    needs: Mapping[Any, int],
) -> Signature:
    """Return in one way of writing what is known below a row with a released key, or the unit."""
    depth = len(chain)
    here: list[int] = []
    below: dict[int, list[SeenRow]] = {}
    for row in chosen:
        if len(row.chain) > depth:
            below.setdefault(row.chain[depth], []).append(row)
        else:
            here.append(ITSELF if row.is_released else cast("int", row.label))
    parts = [
        (labels[number], _tree((*chain, number), some, labels, needs))
        for number, some in below.items()
    ]
    own = [(label, number) for (above, label), number in needs.items() if above == chain]
    return tuple(tuple(sorted(some)) for some in (here, parts, own))


def _numbered(units: Sequence[SeenUnit]) -> list[SeenUnit]:
    """Return the same units with numbers in place of labels, which are sorted sooner."""
    numbers: dict[Label, int] = {}

    def number(label: Label) -> int:
        return numbers.setdefault(label, len(numbers))

    return [
        (
            kind,
            [
                SeenRow(
                    number(row.label),
                    row.chain,
                    tuple((depth, number(label)) for depth, label in row.hidden),
                )
                for row in rows
            ],
            {one: number(label) for one, label in labels.items()},
        )
        for kind, rows, labels in units
    ]


def whole_pattern(rows: Sequence[SeenRow], labels: Mapping[int, Label]) -> Signature:
    """Return what all rows of a unit show together, in one way of writing.

    Parameters
    ----------
    rows : of the unit, their labels as numbers
    labels : of the rows in the chains, by their numbers
    """
    return _tree((), rows, labels, {})


def least_support(units: Sequence[SeenUnit], m: int | None) -> tuple[int | None, int]:
    """Return the fewest units of a class that have a pattern in common, and the number of classes.

    Parameters
    ----------
    units : the class of each unit, its rows, and the labels of the rows in chains
    m : rows of a pattern at most; None for the whole pattern of a unit

    Returns
    -------
    the least count over all patterns, the empty one included, None without units; and the classes
    """
    classes: Counter[Hashable] = Counter()
    counts: Counter[Hashable] = Counter()
    are_flat = all(_are_flat(rows) for _, rows, _ in units)
    for kind, rows, labels in _numbered(units):
        classes[kind] += 1
        if m is None:
            found = {whole_pattern(rows, labels)}
        else:
            found = patterns_of(rows, labels, m, are_flat=are_flat)
        counts.update((kind, one) for one in found)
    if not classes:
        return None, 0
    fewest = [*classes.values(), *counts.values()]
    return min(fewest), len(classes)


def patterns_with_classes(units: Sequence[SeenUnit], m: int | None) -> Iterator[set[Hashable]]:
    """Yield for each unit its class, with each pattern of at most ``m`` rows and with none.

    Where m is None, the one pattern of a unit is that of all of its rows.
    """
    are_flat = all(_are_flat(rows) for _, rows, _ in units)
    for kind, rows, labels in _numbered(units):
        if m is None:
            yield {(kind, whole_pattern(rows, labels))}
            continue
        found = patterns_of(rows, labels, m, are_flat=are_flat)
        yield {kind, *((kind, one) for one in found)}


def share_below(units: Sequence[SeenUnit], k: int, m: int) -> float:
    """Return the share of the units that have a pattern of ``m`` rows that fewer than k have."""
    counts: Counter[Hashable] = Counter()
    own = list(patterns_with_classes(units, m))
    for found in own:
        counts.update(found)
    below = sum(any(counts[one] < k for one in found) for found in own)
    return below / max(len(units), 1)
