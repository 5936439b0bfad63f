"""The baseline that only generalizes, and the partition into whole sets."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, strategies as st

from indistinct.base.hierarchy_builders import from_rows, tree_rows
from indistinct.errors import NoSolutionError
from indistinct.tables.masks.sets.apriori import by_covering
from indistinct.tables.masks.sets.item_records import ItemRecords
from indistinct.tables.masks.sets.item_tree import ItemTree, item_tree
from indistinct.tables.masks.sets.partition import by_partition
from indistinct.tables.masks.sets.published import PublishedSets
from indistinct.tables.masks.sets.supports import least_support
from set_losses import loss_of
from unit.tables.masks.sets import oracles
from unit.tables.masks.sets.test_priced_cut import example, tables


def is_true(tree: ItemTree, records: ItemRecords, found: PublishedSets) -> bool:
    """Return whether labels and items cover each other, and no label is above another."""
    return all(
        all(any(oracles.covers(tree, p, i) for i in items) for p in labels)
        and all(any(oracles.covers(tree, p, i) for p in labels) for i in items)
        and not any(oracles.covers(tree, p, q) for p in labels for q in labels if p != q)
        for labels, items in zip(found.labels.sets(), records.sets(), strict=True)
    )


def test_covering_the_example_ends_at_the_root() -> None:
    tree, records = example()
    assert by_covering(tree, records, 2, 2).loss == 1.0


@given(table=tables(), k=st.integers(2, 4), m=st.integers(1, 3))
def test_covering_leaves_no_rare_set_and_nothing_out(
    table: tuple[ItemTree, ItemRecords], k: int, m: int
) -> None:
    tree, records = table
    if 0 < sum(bool(one) for one in records.sets()) < k:
        with pytest.raises(NoSolutionError):
            by_covering(tree, records, k, m)
        return
    found = by_covering(tree, records, k, m)
    assert oracles.is_km_anonymous(found.labels.sets(), k, m)
    assert is_true(tree, records, found)


@given(table=tables(), k=st.integers(2, 4))
def test_partition_gives_every_set_to_k_records(
    table: tuple[ItemTree, ItemRecords], k: int
) -> None:
    tree, records = table
    if 0 < sum(bool(one) for one in records.sets()) < k:
        with pytest.raises(NoSolutionError):
            by_partition(tree, records, k)
        return
    found = by_partition(tree, records, k)
    sizes = Counter(one for one in found.labels.sets() if one)
    assert all(size >= k for size in sizes.values())
    assert oracles.is_km_anonymous(found.labels.sets(), k, None)
    assert is_true(tree, records, found)
    assert found.loss == pytest.approx(loss_of(tree, records, found.labels.sets())[0])


@given(table=tables(), k=st.integers(2, 4), share=st.floats(0, 0.6))
def test_partition_deletes_items_within_the_limit(
    table: tuple[ItemTree, ItemRecords], k: int, share: float
) -> None:
    """Whole sets still belong to k records, and no label stands above none of the items."""
    tree, records = table
    if 0 < sum(bool(one) for one in records.sets()) < k:
        return
    found = by_partition(tree, records, k, share)
    sizes = Counter(one for one in found.labels.sets() if one)
    assert all(size >= k for size in sizes.values())
    assert found.share_deleted <= share
    lost, gone = loss_of(tree, records, found.labels.sets())
    assert (found.loss, found.n_deleted) == (pytest.approx(lost), gone)
    for labels, items in zip(found.labels.sets(), records.sets(), strict=True):
        assert all(any(oracles.covers(tree, p, i) for i in items) for p in labels)


def test_a_rare_third_item_is_deleted_where_it_would_hide_the_others() -> None:
    """Five records of two groups take in one of three groups, for one item of 18."""
    tree, _ = example()
    e, i, j = (tree.items[label] for label in ("E11", "I10", "J45"))
    records = ItemRecords.of([*[{e, i}] * 5, {e, i, j}, *[{e}] * 5])
    assert by_partition(tree, records, 3).loss > 0.2
    found = by_partition(tree, records, 3, 0.1)
    assert (found.n_deleted, found.loss) == (1, pytest.approx(1 / 18))


def test_an_item_that_a_later_class_covers_again_is_not_counted_as_deleted() -> None:
    """One record loses a1 to be among the b's, and is then lent to the class of the root."""
    tree = item_tree(from_rows(tree_rows({group: [f"{group}0", f"{group}1"] for group in "abc"})))
    sets = [["b1"], ["b0"], ["a1", "b0"], ["a0"]]
    records = ItemRecords.of([[tree.items[item] for item in one] for one in sets])
    found = by_partition(tree, records, 2, 0.3)
    shown = [[tree.labels[node] for node in labels] for labels in found.labels.sets()]
    assert shown == [["b"], ["b"], ["*"], ["*"]]
    lost, gone = loss_of(tree, records, found.labels.sets())
    assert (found.loss, found.n_deleted) == (pytest.approx(lost), gone)
    assert gone == 0


@given(table=tables(), m=st.sampled_from([1, 2, 3, None]))
def test_the_least_support_is_that_of_all_sets(
    table: tuple[ItemTree, ItemRecords], m: int | None
) -> None:
    _, records = table
    assert least_support(records, m) == oracles.least_support(records.sets(), m)


def test_as_many_items_as_labels_are_no_cut() -> None:
    """Eight occurrences, and eight nodes of the hierarchy: each record keeps its own label."""
    tree = item_tree(
        from_rows(tree_rows({"fruit": ["apple", "plum", "pear"], "nut": ["hazel", "cashew"]}))
    )
    bought = [("apple", "hazel"), ("plum", "hazel"), ("apple",), ("pear",), ("apple", "hazel")]
    records = ItemRecords.of([[tree.items[item] for item in one] for one in bought])
    assert records.n_occurrences == tree.n_nodes
    found = by_partition(tree, records, 2)
    assert is_true(tree, records, found)
    assert Counter(found.labels.sets()) == {
        tuple(map(tree.labels.index, ("fruit", "hazel"))): 3,
        (tree.labels.index("fruit"),): 2,
    }
