"""Columns of sets: loss, deletions and processor seconds on made-up data of three shapes.

    python benchmarks/sets.py
    python benchmarks/sets.py --data diagnoses --k 10
    python benchmarks/sets.py --data diagnoses --bound

diagnoses: 71,518 patients with one to three codes. encounters: the codes of all encounters of a
person together, 3.7 on average. baskets: 10,000 baskets of 40 items, made by the generator of
agrawal1994, section 2.4.3, as T40I10D100K was. One line of JSON per run; seeds are fixed.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable
from itertools import pairwise, product

import numpy as np

from indistinct.base.hierarchy_builders import from_rows
from indistinct.tables.masks.sets.item_records import ItemRecords, supports_of
from indistinct.tables.masks.sets.item_tree import ItemTree, item_tree
from indistinct.tables.masks.sets.partition import by_partition
from indistinct.tables.masks.sets.priced_cut import by_items, by_occurrences
from indistinct.tables.masks.sets.published import PublishedSets
from indistinct.tables.masks.sets.supports import least_support
from indistinct.tables.publish.fictitious_patients import diagnosis_codes, hierarchy_of_codes

SEED = 1
PATIENTS, BASKETS, ITEMS = 71_518, 10_000, 1_000


def diagnoses(rows: int = PATIENTS) -> tuple[ItemTree, ItemRecords]:
    """Make up the codes of each patient's first encounter."""
    tree = item_tree(from_rows(hierarchy_of_codes()))
    cells = diagnosis_codes(rows, np.random.default_rng(SEED))
    nodes = tree.items
    return tree, ItemRecords.of([nodes[code] for code in cell] for cell in cells)


def encounters(rows: int = PATIENTS) -> tuple[ItemTree, ItemRecords]:
    """Make up the codes of all encounters: most people have one, and codes are repeated."""
    chance = np.random.default_rng(SEED)
    tree = item_tree(from_rows(hierarchy_of_codes()))
    again = chance.random(rows) < 0.235
    n_further = np.where(again, np.minimum(chance.geometric(0.55, rows), 16), 0)
    first = list(diagnosis_codes(rows, chance))
    further = diagnosis_codes(int(n_further.sum()), chance)
    sets: list[set[int]] = []
    nodes = tree.items
    is_new = iter((chance.random((int(n_further.sum()), 3)) < 0.68).tolist())
    for cell, n_more in zip(first, n_further.tolist(), strict=True):
        codes = set(cell)
        for _ in range(n_more):
            codes |= {code for code, new in zip(next(further), next(is_new), strict=False) if new}
        sets.append({nodes[code] for code in codes})
    return tree, ItemRecords.of(sets)


def baskets(rows: int = BASKETS) -> tuple[ItemTree, ItemRecords]:
    """Make baskets by the generator of agrawal1994: 40 items each, patterns of 10."""
    chance = np.random.default_rng(SEED)
    patterns, before = [], np.zeros(0, np.int64)
    for _ in range(2_000):
        size = max(1, int(chance.poisson(10)))
        n_kept = min(round(min(1.0, chance.exponential(0.5)) * size), len(before))
        kept = chance.choice(before, n_kept, replace=False) if n_kept else before[:0]
        fresh = np.setdiff1d(chance.permutation(ITEMS)[: size + n_kept], kept)
        before = np.concatenate([kept, chance.permutation(fresh)[: size - n_kept]])
        patterns.append(before)
    weights = chance.exponential(1.0, len(patterns))
    corruption = np.clip(chance.normal(0.5, np.sqrt(0.1), len(patterns)), 0, 1)
    sets: list[set[int]] = []
    waiting: np.ndarray | None = None
    while len(sets) < rows:
        size, basket = max(1, int(chance.poisson(40))), set[int]()
        while len(basket) < size:
            pattern = waiting
            waiting = None
            if pattern is None:
                number = int(chance.choice(len(patterns), p=weights / weights.sum()))
                n_left = len(patterns[number])
                while n_left and chance.random() < corruption[number]:
                    n_left -= 1
                pattern = chance.permutation(patterns[number])[:n_left]
            fits = len(basket | set(pattern.tolist())) <= size
            if fits or chance.random() < 0.5 or not basket:
                basket |= set(pattern.tolist())
            else:
                waiting = pattern
            if not fits:
                break
        sets.append(basket)
    groups = [
        [f"i{item}", *(f"{width}: {item // width}" for width in (5, 25, 125))]
        for item in range(ITEMS)
    ]
    tree = item_tree(from_rows(groups))
    nodes = tree.items
    return tree, ItemRecords.of([nodes[f"i{item}"] for item in one] for one in sets)


DATA: dict[str, Callable[..., tuple[ItemTree, ItemRecords]]] = {
    "diagnoses": diagnoses,
    "encounters": encounters,
    "baskets": baskets,
}
WAYS: dict[str, Callable[[ItemTree, ItemRecords, int, int], PublishedSets]] = {
    "items": lambda tree, records, k, m: by_items(tree, records, k, m, 1.0),
    "occurrences": lambda tree, records, k, m: by_occurrences(tree, records, k, m, 1.0),
    "partition": lambda tree, records, k, _: by_partition(tree, records, k),
    "partition-2%": lambda tree, records, k, _: by_partition(tree, records, k, 0.02),
}


def measured(data: str, way: str, k: int = 5, m: int = 2) -> dict:
    """Publish the sets once, compiled code being warm, and count what they keep by another way."""
    tree, records = DATA[data]()
    few_tree, few = DATA[data](60)
    WAYS[way](few_tree, few, 2, m)
    began = time.process_time()
    found = WAYS[way](tree, records, k, m)
    seconds = time.process_time() - began
    least = least_support(found.labels, m)
    return {
        "data": data,
        "way": way,
        "k": k,
        "m": m,
        "mean_items": round(records.n_occurrences / records.n_records, 2),
        "loss": round(found.loss, 4),
        "lower_bound": None if found.lower_bound is None else round(found.lower_bound, 4),
        "deleted": round(found.share_deleted, 4),
        "least_support": least,
        "seconds": round(seconds, 2),
    }


def told_apart(data: str, k: int = 5) -> float:
    """Return the share of records that two known items bring below k candidates."""
    tree, records = DATA[data]()
    together = supports_of(tree, records).together
    rare = [any(together[a, b] < k for a in one for b in one) for one in records.sets()]
    return float(np.mean(rare))


def least_of_whole_sets(tree: ItemTree, records: ItemRecords, k: int) -> float:
    """Return what every release of whole sets, of k records each and with nothing left out, loses.

    A set of labels can be that of k records only if it covers the items of k records exactly: each
    label above an item, and each item below a label. Each record costs at least the cheapest of its
    covers that k records share. For short sets: a set of n items has up to height ** n covers.
    """
    kinds = Counter(one for one in records.sets() if one)
    above = [tree_path(tree, node) for node in range(tree.n_nodes)]
    ends, penalties = tree.ends.tolist(), tree.penalties.tolist()
    covers: dict[tuple[int, ...], dict[tuple[int, ...], float]] = {}
    shared = Counter[tuple[int, ...]]()
    for one, times in kinds.items():
        found: dict[tuple[int, ...], float] = {}
        for owners in product(*(above[item] for item in one)):
            labels = tuple(sorted(set(owners)))
            if all(ends[low] <= high for low, high in pairwise(labels)):
                found[labels] = sum(penalties[owner] for owner in owners)
        covers[one] = found
        for labels in found:
            shared[labels] += times
    cheapest = (
        times * min(cost for labels, cost in covers[one].items() if shared[labels] >= k)
        for one, times in kinds.items()
    )
    return sum(cheapest) / records.n_occurrences


def tree_path(tree: ItemTree, node: int) -> list[int]:
    """Return a node and those above it, up to the root."""
    path = [node]
    while tree.parents[path[-1]] >= 0:
        path.append(int(tree.parents[path[-1]]))
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=",".join(DATA))
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--m", type=int, default=2)
    parser.add_argument("--bound", action="store_true", help="what whole sets lose at least")
    given = parser.parse_args()
    for data in given.data.split(","):
        if given.bound:
            bound = least_of_whole_sets(*DATA[data](), given.k)
            print(json.dumps({"data": data, "k": given.k, "whole_sets": round(bound, 4)}))
            continue
        print(json.dumps({"data": data, "told_apart": round(told_apart(data, given.k), 3)}))
        for way in given.ways.split(","):
            print(json.dumps(measured(data, way, given.k, given.m)), flush=True)


if __name__ == "__main__":
    main()
