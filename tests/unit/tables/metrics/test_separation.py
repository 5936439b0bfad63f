"""How well sets of columns tell records apart."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from indistinct.tables.core import grouping
from indistinct.tables.metrics import separation as room
from indistinct.tables.metrics.separation import distinction, separating_sets, separation, unique


def test_sizes_one_two_two():
    """Classes of 1, 2 and 2 records: distinction .6, separation .8 (spec G6)."""
    sizes = np.array([1, 2, 2])
    assert distinction(sizes) == pytest.approx(0.6)
    assert separation(sizes) == pytest.approx(0.8)
    assert unique(sizes) == pytest.approx(0.2)


@pytest.mark.parametrize("sizes", [[], [1]])
def test_no_pair(sizes):
    """Without a pair nothing is told apart; without a record nothing is distinct."""
    counts = np.array(sizes, np.int64)
    assert separation(counts) == 0.0
    assert distinction(counts) == unique(counts) == float(len(sizes))


def test_two_columns_that_only_together_single_out():
    """Row and seat find every place, each alone none; a constant column adds nothing."""
    row, seat = (np.array(part, np.int32) for part in np.divmod(np.arange(12), 4))
    constant = np.zeros(12, np.int32)
    (found,) = separating_sets([constant, row, seat])
    assert found.columns == (1, 2)
    assert (found.distinction, found.separation, found.unique) == (1.0, 1.0, 1.0)
    assert separating_sets([constant, row]) == ()
    assert separating_sets([row, seat], np.full(12, 2)) == ()


def test_nothing_to_tell_apart_has_no_set():
    assert separating_sets([]) == ()
    assert separating_sets([np.zeros(0, np.int32)]) == ()


def test_nineteen_of_twenty_alone_are_almost_all():
    """95 % of the records suffice unless another share is asked for."""
    of_twenty, of_forty = (np.append(np.arange(n - 1), n - 2).astype(np.int32) for n in (20, 40))
    assert separating_sets([of_twenty]) == ()
    assert separating_sets([of_twenty], at_least=0.9)
    assert separating_sets([of_forty])


@pytest.mark.parametrize(("most", "sets"), [(24, 2), (23, 1)])
def test_all_sets_are_tried_as_long_as_the_work_lasts(most, sets, monkeypatch):
    """Four records and three columns: three sets of one are 12 groupings, three of two 12."""
    monkeypatch.setattr(room, "MOST_GROUPED", most)
    row, seat = (np.array(part, np.int32) for part in np.divmod(np.arange(4), 2))
    assert len(separating_sets([row, seat, seat])) == sets


TABLES = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.tuples(*[st.integers(0, 3)] * width), min_size=1, max_size=12)
)


@given(TABLES, st.sampled_from([0.3, 0.6, 1.0]))
def test_the_smallest_sets_are_found(rows, at_least):
    """All sets of the least size on which enough records stand alone, and no other."""
    columns = list(np.array(rows, np.int32).T)
    sufficient = {}
    for size in range(1, len(columns) + 1):
        for names in combinations(range(len(columns)), size):
            keys = [tuple(row[name] for name in names) for row in rows]
            alone = sum(keys.count(key) == 1 for key in keys) / len(rows)
            if alone >= at_least:
                sufficient.setdefault(size, {})[names] = alone
    found = separating_sets(columns, at_least=at_least)
    expected = sufficient[min(sufficient)] if sufficient else {}
    assert {one.columns: pytest.approx(one.unique) for one in found} == expected


@given(TABLES)
def test_a_greedy_set_suffices_and_loses_it_without_any_column(rows):
    """Where there are too many sets to try, one without a column too many."""
    columns = list(np.array(rows, np.int32).T)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room, "MOST_GROUPED", 0)
        found = separating_sets(columns, at_least=0.5)
    for one in found:
        assert one.unique >= 0.5
        for column in one.columns:
            fewer = [name for name in one.columns if name != column]
            keys = [tuple(row[name] for name in fewer) for row in rows]
            assert not fewer or sum(keys.count(key) == 1 for key in keys) / len(rows) < 0.5


@given(TABLES, st.data())
def test_groups_are_those_of_a_plain_count(rows, data):
    """Whether combinations of values are places in an array or rows to be grouped."""
    weights = data.draw(st.lists(st.integers(1, 3), min_size=len(rows), max_size=len(rows)))
    plain = {}
    for row, weight in zip(rows, weights, strict=True):
        plain[row] = plain.get(row, 0) + weight
    columns = list(np.array(rows, np.int32).T)
    for dense in (0, 1, 1000):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(grouping, "DENSE", dense)
            sizes = room.group_sizes(columns, np.array(weights, np.int64))
        assert sorted(sizes.tolist()) == sorted(plain.values())


@given(TABLES)
def test_the_greedy_search_looks_at_who_is_left_alone(rows):
    """What is measured among the items that do not stand alone is what is measured among all."""
    columns = list(np.array(rows, np.int32).T)
    search = room._Search(columns, np.ones(len(rows), np.int64), 0.5)
    chosen = tuple(range(len(columns) - 1))
    everybody = np.arange(len(rows))
    rest = search.together(chosen, everybody) if chosen else everybody
    everything = tuple(range(len(columns)))
    assert search.measured(everything, rest) == search.measured(everything)
