"""Microaggregation: MDAV against a plain oracle, the univariate optimum, the local search."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from indistinct.errors import DataError
from indistinct.tables.masks.microaggregation import groups as microaggregation, kernels
from indistinct.tables.masks.microaggregation.groups import (
    Attribute,
    AttributeType,
    Method,
    blockwise,
    centres,
    euclidean,
    gower,
    means,
    microaggregate,
    univariate,
)
from shared import examples

WORKED = [1, 2, 3, 10, 11, 12, 20, 21]


def numbers(*columns):
    return [Attribute(np.asarray(column, dtype=np.float64)) for column in columns]


def squared_errors(points, labels):
    """Add up the squared distances from the means of the groups, group by group."""
    points = np.asarray(points, dtype=np.float64).reshape(len(labels), -1)
    groups = (points[np.asarray(labels) == label] for label in set(labels))
    return float(sum(((group - group.mean(axis=0)) ** 2).sum() for group in groups))


def loss(points, labels):
    return squared_errors(points, labels) / squared_errors(points, [0] * len(labels))


def plain_mdav(rows, k, distance, centre):
    """MDAV as it is defined, on lists; equal distances go to the lowest index."""
    left = list(range(len(rows)))
    groups = []

    def furthest(point):
        return max(left, key=lambda row: (distance(rows[row], point), -row))

    def take(row):
        others = sorted(
            (other for other in left if other != row),
            key=lambda other: (distance(rows[other], rows[row]), other),
        )
        group = [row, *others[: k - 1]]
        groups.append(group)
        for member in group:
            left.remove(member)

    while len(left) >= 3 * k:
        first = furthest(centre([rows[row] for row in left]))
        take(first)
        take(furthest(rows[first]))
    if len(left) >= 2 * k:
        take(furthest(centre([rows[row] for row in left])))
    groups.append(left)
    return sorted(sorted(group) for group in groups)


def grouped(labels):
    return sorted([int(row) for row in np.flatnonzero(labels == label)] for label in set(labels))


def plain_euclidean(columns):
    """Give distance and centre of whole numbers, so that sums are exact."""
    weights, _ = euclidean(np.column_stack(columns))

    def distance(one, other):
        total = 0.0
        for weight, a, b in zip(weights, one, other, strict=True):
            total += weight * ((a - b) * (a - b))
        return total

    def centre(rows):
        return [sum(column) / len(column) for column in zip(*rows, strict=True)]

    return distance, centre


def plain_gower(columns, kinds):
    weights, _ = gower(np.column_stack(columns), kinds)

    def distance(one, other):
        total = 0.0
        for kind, weight, a, b in zip(kinds, weights, one, other, strict=True):
            total += weight * (float(a != b) if kind == AttributeType.NOMINAL else abs(a - b))
        return total

    def middle(kind, column):
        if kind == AttributeType.NUMBER:
            return sum(column) / len(column)
        if kind == AttributeType.ORDINAL:
            return sorted(column)[(len(column) - 1) // 2]
        return min(column, key=lambda code: (-column.count(code), code))

    def centre(rows):
        return [
            middle(kind, column)
            for kind, column in zip(kinds, map(list, zip(*rows, strict=True)), strict=True)
        ]

    return distance, centre


@pytest.mark.parametrize(
    ("k", "groups", "error", "share"),
    [
        (3, [[0, 1, 2, 3, 4], [5, 6, 7]], 137.866667, 0.328254),
        (2, [[0, 1], [2, 3], [4, 5], [6, 7]], 26.0, 0.061905),
    ],
)
def test_the_worked_example(k, groups, error, share):
    labels = microaggregate(numbers(WORKED), k, Method.MDAV)
    assert grouped(labels) == groups
    assert squared_errors(WORKED, labels) == pytest.approx(error, abs=1e-6)
    assert loss(WORKED, labels) == pytest.approx(share, abs=1e-6)


tables = st.integers(1, 3).flatmap(
    lambda width: st.lists(st.tuples(*[st.integers(0, 30)] * width), min_size=4, max_size=70)
)


@examples(150)
@given(rows=tables, k=st.integers(1, 6))
def test_mdav_is_that_of_the_plain_definition(rows, k):
    """Boxes and queues leave nothing out, and equal distances go to the lowest index."""
    k = min(k, len(rows))
    columns = [np.array(column, dtype=np.float64) for column in zip(*rows, strict=True)]
    columns = [column - column.min() for column in columns]
    labels = microaggregate(numbers(*columns), k, Method.MDAV)
    plain = [[float(column[row]) for column in columns] for row in range(len(rows))]
    expected = plain_mdav(plain, k, *plain_euclidean(columns))
    assert grouped(labels) == expected


@examples(100)
@given(
    rows=st.lists(
        st.tuples(st.integers(0, 20), st.integers(0, 4), st.integers(0, 3)),
        min_size=6,
        max_size=60,
    ),
    k=st.integers(2, 5),
)
def test_mixed_columns_follow_gower(rows, k):
    kinds = [AttributeType.NUMBER, AttributeType.ORDINAL, AttributeType.NOMINAL]
    columns = [np.array(column, dtype=np.float64) for column in zip(*rows, strict=True)]
    columns[0] -= columns[0].min()
    attributes = [Attribute(*pair) for pair in zip(columns, kinds, strict=True)]
    plain = [[float(column[row]) for column in columns] for row in range(len(rows))]
    expected = plain_mdav(plain, k, *plain_gower(columns, kinds))
    assert grouped(microaggregate(attributes, k)) == expected


def test_mdav_of_many_records_is_that_of_the_plain_definition():
    """A thousand points of three columns in general position, deep enough for the tree."""
    points = np.random.default_rng(4).normal(size=(1000, 3)) * [1, 10, 1000]
    columns = [column - column.min() for column in points.T]
    plain = [list(map(float, row)) for row in zip(*columns, strict=True)]
    expected = plain_mdav(plain, 5, *plain_euclidean(columns))
    assert grouped(microaggregate(numbers(*points.T), 5, Method.MDAV)) == expected


@examples(100)
@given(rows=tables, k=st.integers(1, 6))
def test_refined_groups_are_large_enough_and_never_lose_more(rows, k):
    k = min(k, len(rows))
    columns = [np.array(column, dtype=np.float64) for column in zip(*rows, strict=True)]
    attributes = numbers(*columns)
    labels = microaggregate(attributes, k)
    sizes = np.bincount(labels)
    assert sizes.min() >= k
    assert sizes.max() < 2 * k
    spreads = [column.std() or 1.0 for column in columns]
    points = np.column_stack([c / s for c, s in zip(columns, spreads, strict=True)])
    mdav = squared_errors(points, microaggregate(attributes, k, Method.MDAV))
    assert squared_errors(points, labels) <= mdav + 1e-9 * len(rows)


@pytest.mark.parametrize("k", [3, 5])
def test_refined_groups_lose_clearly_less_on_correlated_numbers(k):
    """A stand-in for the public sets: 834 records of 13 correlated columns."""
    generator = np.random.default_rng(1)
    points = generator.normal(size=(834, 1)) + generator.normal(size=(834, 13))
    attributes = numbers(*points.T)
    standard = (points - points.mean(axis=0)) / points.std(axis=0)
    mdav = loss(standard, microaggregate(attributes, k, Method.MDAV))
    assert loss(standard, microaggregate(attributes, k)) < 0.95 * mdav


def test_values_that_occur_k_times_lose_nothing():
    """Only a search that finds equal records leaves them together."""
    points = np.repeat(np.random.default_rng(2).normal(size=(40, 2)), 4, axis=0)
    assert loss(points, microaggregate(numbers(*points.T), 4, Method.MDAV)) == 0
    assert loss(points, microaggregate(numbers(*points.T), 4)) == 0


def plain_univariate(values, k):
    """Try every way to cut the sorted values into runs of at least k."""
    values = sorted(values)
    best = {0: 0.0}
    for end in range(k, len(values) + 1):
        options = [
            best[start] + squared_errors(values[start:end], [0] * (end - start))
            for start in best
            if end - start >= k
        ]
        if options:
            best[end] = min(options)
    return best[len(values)]


@examples(150)
@given(st.lists(st.integers(-50, 50), min_size=1, max_size=40), st.integers(1, 6))
def test_the_univariate_optimum_is_the_least_of_all_cuts(values, k):
    k = min(k, len(values))
    labels = univariate(np.array(values, dtype=np.float64), k)
    assert np.bincount(labels).min() >= k
    assert squared_errors(values, labels) == pytest.approx(plain_univariate(values, k), abs=1e-7)


def test_one_column_is_grouped_by_the_optimum():
    assert grouped(microaggregate(numbers(WORKED), 3)) == [[0, 1, 2], [3, 4, 5, 6, 7]]
    assert grouped(microaggregate(numbers(WORKED), 2)) == [[0, 1, 2], [3, 4, 5], [6, 7]]


@pytest.mark.parametrize("scale", [1e-300, 1e-8, 1.0, 1e150, 1e300])
@pytest.mark.parametrize("method", list(Method))
def test_units_do_not_matter(scale, method):
    points = np.random.default_rng(3).integers(0, 100, size=(60, 2)).astype(np.float64)
    expected = microaggregate(numbers(*points.T), 3, method)
    found = microaggregate(numbers(points[:, 0] * scale, points[:, 1]), 3, method)
    assert loss(points / points.std(axis=0), found) == pytest.approx(
        loss(points / points.std(axis=0), expected), rel=0.05
    )


def test_blocks_cover_all_records_and_groups_do_not_cross_them():
    points = np.random.default_rng(5).normal(size=(1003, 2))
    labels = blockwise(points, *euclidean(points), 5, most=100)
    sizes = np.bincount(labels)
    assert sizes.min() >= 5
    assert sizes.max() < 10
    together = loss(points, microaggregate(numbers(*points.T), 5, Method.MDAV))
    assert loss(points, labels) < 1.3 * together


def test_a_table_in_blocks_is_searched_as_a_whole(monkeypatch):
    """In eight blocks, and still below what MDAV of all records loses."""
    monkeypatch.setattr(microaggregation, "MOST_WHOLE", 300)
    points = np.random.default_rng(7).normal(size=(2003, 3))
    labels = microaggregate(numbers(*points.T), 4)
    sizes = np.bincount(labels)
    assert 4 <= sizes.min() <= sizes.max() < 8
    standard = points / points.std(axis=0)
    together = loss(standard, microaggregate(numbers(*points.T), 4, Method.MDAV))
    assert loss(standard, labels) < together


@pytest.mark.parametrize(("n_records", "n_groups"), [(3, 1), (5, 1), (6, 2), (9, 3)])
def test_few_records_are_one_group(n_records, n_groups):
    attributes = numbers(range(n_records), range(n_records))
    assert len(set(microaggregate(attributes, 3, Method.MDAV))) == n_groups


def test_too_few_records_and_missing_numbers_are_refused_together():
    with pytest.raises(DataError) as caught:
        microaggregate(numbers([1, 2], [np.nan, 1], [np.inf, 2]), 3)
    said = [fault.problem for fault in caught.value.faults]
    assert len(said) == 3
    assert "fewer than a group of 3 needs" in said[-1]


def test_centres_are_mean_lower_median_and_mode():
    labels = np.array([0, 0, 0, 0, 1, 1, 1], dtype=np.int32)
    values = np.array([1, 2, 6, 7, 5, 5, 3], dtype=np.float64)
    expected = {
        AttributeType.NUMBER: [4] * 4 + [13 / 3] * 3,
        AttributeType.ORDINAL: [2] * 4 + [5] * 3,
        AttributeType.NOMINAL: [1] * 4 + [5] * 3,
    }
    for kind, centre in expected.items():
        assert centres(Attribute(values, kind), labels).tolist() == pytest.approx(centre)


@settings(deadline=None)
@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=20))
def test_means_stay_between_least_and_greatest(values):
    values = np.array(values)
    labels = (np.arange(len(values)) // 3).astype(np.int32)
    for label, mean in enumerate(means(values, labels)):
        group = values[labels == label]
        assert group.min() - abs(group.min()) * 1e-12 <= mean
        assert mean <= group.max() + abs(group.max()) * 1e-12
    same = np.full(7, 0.1 + 0.2)
    assert means(same, np.zeros(7, np.int32)).tolist() == [0.1 + 0.2]


def test_a_tree_finds_the_nearest_in_order_after_records_left():
    points = np.random.default_rng(6).normal(size=(300, 2))
    tree = kernels.grow_tree(points, np.ones(2), np.zeros(2, np.int32))
    gone = list(range(0, 300, 3))
    for record in gone:
        kernels.remove_record(tree, record)
    room = np.empty(8, np.int32), np.empty(8), np.empty(64, np.int32), np.empty(64)
    count = kernels.nearest_records(tree, np.zeros(2), 8, *room)
    rest = sorted((float(point @ point), row) for row, point in enumerate(points) if row % 3)
    assert room[0][:count].tolist() == [row for _, row in rest[:8]]
    assert all(a <= b for a, b in pairwise(room[1]))
    assert kernels.furthest_record(tree, np.zeros(2), *room[2:]) == rest[-1][1]
