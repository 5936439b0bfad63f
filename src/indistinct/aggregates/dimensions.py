"""Dimensions of tables: their labels as a tree below the total, and the order in which they stand.

A label that stands on several levels for the same values is one node. What a table shows of a
dimension begins at its lowest shown level.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from indistinct.base.arrays import Bools, Codes, Ints
from indistinct.base.brief import short_repr
from indistinct.base.cells.plain_numbers import is_plain_number
from indistinct.errors import Fault, TablesError

TOTAL = "*"


@dataclass(frozen=True)  # without slots, so that its order is computed once
class Dimension:
    """The labels of a dimension; the number 0 is the total.

    Parameters
    ----------
    name : of the column
    labels : (n_nodes,), the text of each node
    parents : (n_nodes,), the node above each; the total's own is itself
    tops : (n_nodes,), highest level on which the label stands
    nodes : (n_levels, n_values), the node of each value of the data on each level below the total
    open_labels : (n_nodes,), labels that no hierarchy and no band lists: only records show them
    is_listed : whether a hierarchy or bands list its labels
    """

    name: str
    labels: tuple[str, ...]
    parents: Ints
    tops: Ints
    nodes: Codes
    open_labels: Bools
    is_listed: bool

    __repr__ = short_repr

    @property
    def size(self) -> int:
        """Number of nodes, the total among them."""
        return len(self.labels)

    @property
    def n_levels(self) -> int:
        """Levels below the total."""
        return len(self.nodes)

    def shown(self, lowest: int) -> Bools:
        """Return which nodes a table shows whose lowest level is given: (n_nodes,)."""
        return self.tops >= lowest

    def parents_from(self, lowest: int) -> dict[str, str]:
        """Return the label above each shown label but the total."""
        shown = np.flatnonzero(self.shown(lowest))
        return {self.labels[node]: self.labels[self.parents[node]] for node in shown if node}

    @cached_property
    def ranks(self) -> Ints:
        """Place of each node in print: parts in natural order, a group after its parts."""
        below: dict[int, list[int]] = {}
        for node in range(1, self.size):
            below.setdefault(int(self.parents[node]), []).append(node)
        ranks = np.zeros(self.size, np.int64)
        for place, node in enumerate(_after_its_parts(below, self.labels)):
            ranks[node] = place
        return ranks


def _after_its_parts(below: Mapping[int, Sequence[int]], labels: Sequence[str]) -> Iterable[int]:
    """Yield the nodes of a tree, each after those below it."""
    waiting: list[tuple[int, bool]] = [(0, False)]
    while waiting:
        node, is_done = waiting.pop()
        if is_done:
            yield node
            continue
        waiting.append((node, True))
        parts = sorted(below.get(node, ()), key=lambda part: natural(labels[part]), reverse=True)
        waiting += [(part, False) for part in parts]


def natural(label: str) -> tuple[int, float, str]:
    """Return what labels are sorted by: numbers and bands by value, then texts by code points.

    Examples
    --------
    >>> sorted(["b", "10", "18 to 64", "below 18", "9", "65 and over"], key=natural)
    ['below 18', '9', '10', '18 to 64', '65 and over', 'b']
    """
    first, _, rest = label.partition(" ")
    if first == "below" and is_plain_number(rest):
        return 0, -np.inf, label
    return (0, float(first), label) if is_plain_number(first) else (1, 0.0, label)


def dimension_of(
    name: str,
    levels: Sequence[Sequence[str]],
    *,
    n_values: int,
    known: Iterable[str] = (),
    is_listed: bool = False,
) -> Dimension:
    """Make a dimension of the labels of each value, level by level, the value itself first.

    Parameters
    ----------
    levels : per level, the label of each value; first those of the data, then those that are listed
        besides
    n_values : how many of the values the data have
    known : labels that are listed

    Raises
    ------
    TablesError
        when a label stands on two levels for other values, or is that of the total
    """
    coded = [_codes(level) for level in levels]
    numbers: dict[str, int] = {TOTAL: 0}
    parents, tops = [0], [len(levels)]
    members: list[frozenset[int]] = [frozenset(range(len(levels[0]) if levels else 0))]
    nodes = np.zeros((len(levels), len(levels[0]) if levels else 0), np.int64)
    torn: set[str] = set()
    for level, (codes, texts) in enumerate(coded):
        order = np.argsort(codes, kind="stable")
        ends = np.cumsum(np.bincount(codes, minlength=len(texts)))
        for code, (text, values) in enumerate(zip(texts, np.split(order, ends[:-1]), strict=True)):
            own = frozenset(values.tolist())
            node = numbers.setdefault(text, len(parents))
            if node == len(parents):
                parents.append(0)
                tops.append(level)
                members.append(own)
            if members[node] != own and (node or level == 0):
                torn.add(text)
            tops[node] = max(tops[node], level)
            nodes[level, codes == code] = node
    if torn:
        raise TablesError([_torn(name, torn)])
    for upper, lower in zip(nodes[1:], nodes[:-1], strict=True):
        changed = upper != lower
        for node, above in zip(lower[changed].tolist(), upper[changed].tolist(), strict=True):
            parents[node] = above
    listed = {*known}
    is_open = [node > 0 and text not in listed for text, node in numbers.items()]
    found = Dimension(
        name,
        tuple(numbers),
        np.array(parents, np.int64),
        np.array(tops, np.int64),
        nodes[:, :n_values].astype(np.int32),
        np.array(is_open, np.bool_),
        is_listed,
    )
    return _numbered_as_printed(found)


def _numbered_as_printed(found: Dimension) -> Dimension:
    """Return the same dimension, its nodes in the order of print after the total.

    Whatever is worked out from the numbers then depends on the labels alone, and not on which of
    them the records have.
    """
    order: Ints = np.argsort(np.where(np.arange(found.size) == 0, -1, found.ranks), kind="stable")
    numbers = np.argsort(order, kind="stable")
    return Dimension(
        found.name,
        tuple(found.labels[int(node)] for node in order),
        numbers[found.parents[order]],
        found.tops[order],
        numbers[found.nodes].astype(np.int32),
        found.open_labels[order],
        found.is_listed,
    )


def _torn(name: str, labels: Iterable[str]) -> Fault:
    """Return the fault of labels that are not one set of values."""
    found = tuple(sorted(labels))
    if TOTAL in found:
        problem, remedy = "has a value that is written as a total, *", "Rename it in the data."
    else:
        problem = f"has {len(found)} labels that stand on two levels for other values"
        remedy = "Give the groups other names."
    return Fault(f"columns.{name}", problem, remedy, found[:5])


def _codes(texts: Sequence[str]) -> tuple[Ints, list[str]]:
    """Return numbers of texts in the order of their first appearance, and the texts."""
    numbers: dict[str, int] = {}
    codes = [numbers.setdefault(text, len(numbers)) for text in texts]
    return np.array(codes, np.int64), list(numbers)
