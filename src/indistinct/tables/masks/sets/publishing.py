"""Publish the sets of one class of records by the algorithm that a policy names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from indistinct.errors import NoSolutionError
from indistinct.tables.masks.sets import APRIORI, PARTITION, PRICED_CUT, SET_ALGORITHMS
from indistinct.tables.masks.sets.apriori import by_covering
from indistinct.tables.masks.sets.item_records import ItemRecords
from indistinct.tables.masks.sets.item_tree import ItemTree
from indistinct.tables.masks.sets.partition import by_partition
from indistinct.tables.masks.sets.priced_cut import by_items, by_occurrences
from indistinct.tables.masks.sets.published import PublishedSets

PAIRS = 2
FEW = 5_000  # records, up to which a second algorithm costs little
SHORT = 10  # items of a record, on average, up to which making whole sets alike is worth a try


def publish_sets(  # noqa: PLR0913 - what a policy says of sets, each a keyword
    tree: ItemTree,
    records: ItemRecords,
    *,
    algorithm: str,
    k: int,
    m: int | None,
    suppression: str,
    max_suppression: float,
    whole: bool = False,
) -> PublishedSets:
    """Write the sets so that every set of at most ``m`` labels is part of ``k`` records.

    Parameters
    ----------
    algorithm : one of ``SET_ALGORITHMS``; any other stands for the one that fits ``m`` best, and
        where two may fit, for the one that loses less
    m : items that somebody may know; None for any number
    suppression : ``none``, ``items`` or ``occurrences``
    max_suppression : share of the occurrences that may be left out, in [0, 1]
    whole : whether each whole set, the empty one too, has to be that of ``k`` records

    Raises
    ------
    NoSolutionError
        when more would have to be left out
    """

    def made(name: str) -> PublishedSets:
        if name == PARTITION or m is None:
            share = max_suppression if suppression == "occurrences" else 0.0
            found = by_partition(tree, records, k, share, whole=whole)
            return replace(found, algorithm=PARTITION)
        if name == APRIORI or suppression == "none":
            return replace(by_covering(tree, records, k, m), algorithm=APRIORI)
        way = by_items if suppression == "items" else by_occurrences
        found = way(tree, records, k, m, max_suppression)
        return replace(found, algorithm=PRICED_CUT)

    if algorithm in SET_ALGORITHMS or m is None or suppression == "items":
        return made(algorithm)
    found = list(_found(made, _names(records, m, suppression, max_suppression)))
    return min(found, key=lambda one: one.loss)


def _found(made: Callable[[str], PublishedSets], names: Sequence[str]) -> Iterator[PublishedSets]:
    """Run algorithms, those apart that would leave out too much; one after the first has to hold.

    Raises
    ------
    NoSolutionError
        what the first said, when none of them has a release
    """
    refusal: NoSolutionError | None = None
    is_found = False
    for name in names:
        try:
            yield made(name)
            is_found = True
        except NoSolutionError as error:
            refusal = refusal or error
    if refusal is not None and not is_found:
        raise refusal


def _names(records: ItemRecords, m: int, suppression: str, max_suppression: float) -> list[str]:
    """Name the algorithms that may lose least.

    Making whole sets alike leaves nothing out and holds for any number of items. It is best for
    short sets, and where a cut must not leave out what is rare, or has larger sets to keep, or
    where the records are few.
    """
    first = APRIORI if suppression == "none" else PRICED_CUT
    is_short = records.n_occurrences <= SHORT * records.n_records
    is_few = records.n_records <= FEW
    is_open = m > PAIRS or suppression == "none" or max_suppression == 0 or is_few
    return [first, PARTITION] if is_short and is_open else [first]
