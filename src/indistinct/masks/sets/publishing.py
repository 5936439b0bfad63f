"""Publish the sets of one class of records by the algorithm that a policy names."""

from __future__ import annotations

from indistinct.masks.sets import APRIORI, PARTITION
from indistinct.masks.sets.apriori import by_covering
from indistinct.masks.sets.item_records import ItemRecords
from indistinct.masks.sets.item_tree import ItemTree
from indistinct.masks.sets.partition import by_partition
from indistinct.masks.sets.priced_cut import by_items, by_occurrences
from indistinct.masks.sets.published import PublishedSets


def publish_sets(  # noqa: PLR0913 - what a policy says of sets, each a keyword
    tree: ItemTree,
    records: ItemRecords,
    *,
    algorithm: str,
    k: int,
    m: int | None,
    suppression: str,
    max_suppression: float,
) -> PublishedSets:
    """Write the sets so that every set of at most ``m`` labels is part of ``k`` records.

    Parameters
    ----------
    algorithm : one of ``SET_ALGORITHMS``; any other stands for the one that fits ``m`` best
    m : items that somebody may know; None for any number
    suppression : ``none``, ``items`` or ``occurrences``
    max_suppression : share of the occurrences that may be left out, in [0, 1]

    Raises
    ------
    NoSolutionError
        when more would have to be left out
    """
    if algorithm == PARTITION or m is None:
        return by_partition(tree, records, k)
    if algorithm == APRIORI or suppression == "none":
        return by_covering(tree, records, k, m)
    way = by_items if suppression == "items" else by_occurrences
    return way(tree, records, k, m, max_suppression)
