"""Apriori-based anonymization: generalization alone, for sets of growing size.

Source: terrovitis2008, algorithm AA.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, product

import numpy as np

from indistinct.base.arrays import Bools
from indistinct.errors import NoSolutionError
from indistinct.tables.masks.sets.item_records import ItemRecords
from indistinct.tables.masks.sets.item_tree import ItemTree
from indistinct.tables.masks.sets.published import PublishedSets, published


def by_covering(tree: ItemTree, records: ItemRecords, k: int, m: int) -> PublishedSets:
    """Generalize until every set of at most ``m`` labels is in ``k`` records; leave nothing out.

    Raises
    ------
    NoSolutionError
        when fewer than ``k`` records have an item
    """
    chosen = np.zeros(tree.n_nodes, np.bool_)
    chosen[tree.levels[0]] = True
    n_filled = int((np.diff(records.starts) > 0).sum())
    if 0 < n_filled < k:
        raise NoSolutionError(
            f"fewer than {k} records of a class have an item in the column of sets",
            'Lower k, or set suppression = "occurrences".',
        )
    holders = _holders(tree, records)
    for size in range(1, m + 1):
        while rare := _rare(tree, records, chosen, k, size):
            for one in rare:
                _cover_set(tree, chosen, holders, one, k)
    return published(tree, records, tree.above(np.flatnonzero(chosen))[records.items])


def _holders(tree: ItemTree, records: ItemRecords) -> list[int]:
    """Return the records with an item below each node, as the bits of a number."""
    rows: list[list[int]] = [[] for _ in range(tree.n_nodes)]
    for row, items in enumerate(records.sets()):
        for item in items:
            rows[item].append(row)
    holders = [_bits(found, records.n_records) for found in rows]
    for node in range(tree.n_nodes - 1, 0, -1):
        holders[int(tree.parents[node])] |= holders[node]
    return holders


def _bits(rows: list[int], n_records: int) -> int:
    """Set one bit per row."""
    is_in = np.zeros(n_records, np.bool_)
    is_in[rows] = True
    return int.from_bytes(np.packbits(is_in).tobytes(), "big")


def _rare(
    tree: ItemTree, records: ItemRecords, chosen: Bools, k: int, size: int
) -> list[tuple[int, ...]]:
    """List the rare sets of some size, those with most records first."""
    labels = records.under(tree.above(np.flatnonzero(chosen)))
    counts = Counter[tuple[int, ...]]()
    for one, times in Counter(labels.sets()).items():
        for part in combinations(one, size):
            counts[part] += times
    rare = [(-count, part) for part, count in counts.items() if count < k]
    return [part for _, part in sorted(rare)]


def _cover_set(
    tree: ItemTree, chosen: Bools, holders: list[int], labels: tuple[int, ...], k: int
) -> None:
    """Generalize a rare set to the cheapest one that enough records have."""
    paths = [list(_upwards(tree, node)) for node in labels]
    now = {next(node for node in path if chosen[node]) for path in paths}
    if _support(holders, now) >= k:
        return
    paths = [path[next(i for i, node in enumerate(path) if chosen[node]) :] for path in paths]
    options = {_topmost(tree, nodes) for nodes in product(*paths)}
    fitting = [nodes for nodes in options if _support(holders, nodes) >= k]
    best = min(fitting, key=lambda nodes: (int(tree.leaves[list(nodes)].sum()), sorted(nodes)))
    for node in best:
        chosen[node : tree.ends[node]] = False
        chosen[node] = True


def _upwards(tree: ItemTree, node: int) -> Iterator[int]:
    """Walk from a node to the root."""
    while node >= 0:
        yield node
        node = int(tree.parents[node])


def _topmost(tree: ItemTree, nodes: Iterable[int]) -> frozenset[int]:
    """Leave out the nodes that are below others."""
    found = set(nodes)
    return frozenset(
        node for node in found if not any(other < node < tree.ends[other] for other in found)
    )


def _support(holders: list[int], nodes: Iterable[int]) -> int:
    """Count the records that have items below all nodes."""
    common = -1
    for node in nodes:
        common &= holders[node]
    return common.bit_count()
