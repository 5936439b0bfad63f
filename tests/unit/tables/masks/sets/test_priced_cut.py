"""Priced cuts against enumeration, on the worked example and on random sets."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from indistinct.base.hierarchy_builders import from_rows
from indistinct.errors import HierarchyError, NoSolutionError
from indistinct.tables.masks.sets.cut import PricedTree, best_cut, sweeps
from indistinct.tables.masks.sets.item_records import ItemRecords, supports_of
from indistinct.tables.masks.sets.item_tree import ItemTree, item_tree
from indistinct.tables.masks.sets.priced_cut import by_items, by_occurrences
from set_losses import loss_of
from unit.tables.masks.sets import oracles

ROWS = [["E10", "E"], ["E11", "E"], ["I10", "I"], ["I21", "I"], ["J45", "J45"]]
EXAMPLE = ["E11;I10"] * 2 + ["E11;I10;J45", "E10;I10", "E11;I21"] + ["E11;J45"] * 2 + ["I21"]


def example() -> tuple[ItemTree, ItemRecords]:
    tree = item_tree(from_rows(ROWS))
    return tree, ItemRecords.of([tree.items[x] for x in one.split(";")] for one in EXAMPLE)


def named(tree: ItemTree, *labels: str) -> list[int]:
    return [tree.labels.index(label) for label in labels]


def test_the_example_has_four_rare_sets() -> None:
    tree, records = example()
    counts = Counter(s for record in records.sets() for s in oracles.small_sets(record, 2))
    rare = {" ".join(tree.labels[x] for x in one): n for one, n in counts.items() if n < 2}
    assert rare == {"E10": 1, "E10 I10": 1, "E11 I21": 1, "I10 J45": 1}


def test_only_the_root_covers_the_example() -> None:
    tree, records = example()
    cuts = [
        nodes
        for nodes in oracles.antichains(tree)
        if oracles.is_cut(tree, nodes)
        and oracles.is_km_anonymous(oracles.recoded(tree, records.sets(), nodes), 2, 2)
    ]
    assert cuts == [frozenset([0])]
    assert oracles.loss(tree, records.sets(), [0]) == 1.0


def test_the_groups_of_the_example_have_a_rare_pair() -> None:
    tree, records = example()
    groups = oracles.recoded(tree, records.sets(), named(tree, "E", "I", "J45"))
    rare = Counter(s for one in groups for s in oracles.small_sets(one, 2))
    assert [s for s, n in rare.items() if n < 2] == [tuple(sorted(named(tree, "I", "J45")))]


def test_items_of_the_example_reach_the_optimum() -> None:
    tree, records = example()
    found = by_items(tree, records, 2, 2, 1.0)
    assert found.loss == pytest.approx(6 / 16)
    assert found.n_deleted == 6
    sets = Counter(";".join(tree.labels[x] for x in one) for one in found.labels.sets())
    assert sets == {"E11;I10": 3, "I10": 1, "E11": 3, "": 1}
    optimum = min(
        oracles.loss(tree, records.sets(), nodes)
        for nodes in oracles.antichains(tree)
        if oracles.is_km_anonymous(oracles.recoded(tree, records.sets(), nodes), 2, 2)
    )
    assert found.loss == pytest.approx(optimum)


def test_two_groups_of_the_example_hold_at_a_greater_loss() -> None:
    tree, records = example()
    nodes = named(tree, "E", "I")
    assert oracles.is_km_anonymous(oracles.recoded(tree, records.sets(), nodes), 2, 2)
    assert oracles.loss(tree, records.sets(), nodes) == pytest.approx(0.5125)


def test_three_deletions_are_the_fewest_of_the_example() -> None:
    tree, records = example()
    assert oracles.fewest_deletions(records.sets(), 2, 2) == 3
    found = by_occurrences(tree, records, 2, 2, 1.0)
    assert oracles.is_km_anonymous(found.labels.sets(), 2, 2)
    assert found.loss >= 3 / 16


def test_codes_of_the_example_lose_three_occurrences() -> None:
    """A tree that is flat leaves the codes, or the root, as the only cuts."""
    tree = item_tree(from_rows([[row[0]] for row in ROWS]))
    records = ItemRecords.of([tree.items[x] for x in one.split(";")] for one in EXAMPLE)
    found = by_occurrences(tree, records, 2, 2, 1.0)
    assert found.n_deleted == 3
    assert found.loss == pytest.approx(0.1875)
    shown = [";".join(tree.labels[x] for x in one) for one in found.labels.sets()]
    assert shown == ["E11;I10"] * 3 + ["I10", "I21", "E11;J45", "E11;J45", "I21"]


def test_too_much_suppression_is_refused_with_the_least_share() -> None:
    tree, records = example()
    with pytest.raises(NoSolutionError, match=r"at least \d+\.\d+%"):
        by_items(tree, records, 2, 2, 0.05)
    with pytest.raises(NoSolutionError, match=r"at least 100\.0000% of the items"):
        by_occurrences(tree, records, 9, 2, 0.5)


def test_without_suppression_a_great_price_ends_at_the_root() -> None:
    tree, records = example()
    found = by_occurrences(tree, records, 2, 2, 0.0)
    assert (found.n_deleted, found.loss) == (0, 1.0)


def test_an_item_named_like_an_inner_label_is_refused() -> None:
    with pytest.raises(HierarchyError, match="different items"):
        item_tree(from_rows([["a", "a"], ["b", "a"]]))


@st.composite
def trees(draw: st.DrawFn) -> ItemTree:
    """Six items in groups: every tree of height two."""
    groups = draw(st.lists(st.integers(0, 3), min_size=6, max_size=6))
    return item_tree(from_rows([[f"i{n}", f"g{group}"] for n, group in enumerate(groups)]))


@st.composite
def tables(draw: st.DrawFn) -> tuple[ItemTree, ItemRecords]:
    tree = draw(trees())
    items = sorted(tree.items.values())
    sets = draw(st.lists(st.sets(st.sampled_from(items), max_size=5), max_size=12))
    return tree, ItemRecords.of(sets)


@given(table=tables(), k=st.integers(2, 4))
def test_items_lie_between_the_bound_and_the_optimum(
    table: tuple[ItemTree, ItemRecords], k: int
) -> None:
    tree, records = table
    found = by_items(tree, records, k, 2, 1.0)
    sets = records.sets()
    assert oracles.is_km_anonymous(found.labels.sets(), k, 2)
    optimum = min(
        oracles.loss(tree, sets, nodes)
        for nodes in oracles.antichains(tree)
        if oracles.is_km_anonymous(oracles.recoded(tree, sets, nodes), k, 2)
    )
    assert found.lower_bound is not None
    assert found.lower_bound <= optimum + 1e-9
    if records.n_occurrences:
        assert optimum <= found.loss + 1e-9


@given(table=tables(), k=st.integers(2, 4), m=st.integers(1, 5))
def test_both_ways_leave_no_rare_set(table: tuple[ItemTree, ItemRecords], k: int, m: int) -> None:
    tree, records = table
    for algorithm in (by_items, by_occurrences):
        found = algorithm(tree, records, k, m, 1.0)
        assert oracles.is_km_anonymous(found.labels.sets(), k, m)
        assert (found.loss, found.n_deleted) == pytest.approx(
            loss_of(tree, records, found.labels.sets())
        )
        for labels, items in zip(found.labels.sets(), records.sets(), strict=True):
            assert all(any(oracles.covers(tree, p, i) for i in items) for p in labels)
            assert not any(oracles.covers(tree, p, q) for p in labels for q in labels if p != q)


@given(table=tables(), k=st.integers(2, 4), seed=st.integers(0, 9))
def test_another_order_of_the_records_changes_nothing(
    table: tuple[ItemTree, ItemRecords], k: int, seed: int
) -> None:
    tree, records = table
    order = np.random.default_rng(seed).permutation(records.n_records)
    for algorithm in (by_items, by_occurrences):
        found = algorithm(tree, records, k, 2, 1.0)
        other = algorithm(tree, records.chosen(order), k, 2, 1.0)
        assert found.loss == pytest.approx(other.loss)
        assert sorted(found.labels.sets()) == sorted(other.labels.sets())


@given(table=tables(), k=st.integers(2, 4))
def test_with_one_known_item_each_label_is_in_k_records(
    table: tuple[ItemTree, ItemRecords], k: int
) -> None:
    tree, records = table
    found = by_occurrences(tree, records, k, 1, 1.0)
    sizes = Counter(label for labels in found.labels.sets() for label in labels)
    assert all(size >= k for size in sizes.values())


@given(table=tables(), k=st.integers(2, 4), alpha=st.sampled_from([0.5, 1.0, 4.0]))
def test_every_sweep_lowers_the_objective_and_leaves_a_cut(
    table: tuple[ItemTree, ItemRecords], k: int, alpha: float
) -> None:
    tree, records = table
    priced = PricedTree.of(tree, supports_of(tree, records), k, 2)
    start = priced.best_levels(alpha)[-1]
    cuts = [start, *sweeps(priced, start, alpha)]
    values = [priced.objective(cut, alpha) for cut in cuts]
    assert all(later <= earlier + 1e-9 for earlier, later in pairwise(values))
    assert all(oracles.is_cut(tree, np.flatnonzero(cut).tolist()) for cut in cuts)


@given(table=tables())
def test_supports_are_those_of_a_plain_count(table: tuple[ItemTree, ItemRecords]) -> None:
    tree, records = table
    supports = supports_of(tree, records)
    for p in range(tree.n_nodes):
        below = [[i for i in record if oracles.covers(tree, p, i)] for record in records.sets()]
        assert supports.occurrences[p] == sum(len(one) for one in below)
        for q in range(tree.n_nodes):
            both = sum(
                bool(one) and any(oracles.covers(tree, q, i) for i in record)
                for one, record in zip(below, records.sets(), strict=True)
            )
            assert supports.together[p, q] == both


def test_a_small_price_keeps_the_items_and_a_great_one_joins_them() -> None:
    tree, records = example()
    priced = PricedTree.of(tree, supports_of(tree, records), 2, 2)
    leaves = priced.level_cuts()[0]
    assert best_cut(priced, leaves, 0.0).sum() >= best_cut(priced, leaves, 1000.0).sum()
