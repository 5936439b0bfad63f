"""What groups of one value tell, counted by verification, against plain loops."""

import numpy as np
import polars as pl
from hypothesis import given, settings, strategies as st

from indistinct.tables.verification.order_traces import numbered
from indistinct.tables.verification.read_back import CellsOfColumn, _Runs

SPANS = {"low": (0.0, 1.0), "high": (1.0, 2.0), "both": (0.0, 2.0), "also low": (0.0, 1.0)}
rows = st.lists(
    st.tuples(st.integers(-1, 4), st.sampled_from(list(SPANS))), min_size=1, max_size=30
)


def plainly_finest(groups, cells):
    """Find, per group, the first cell that lies inside all others of its group."""
    found = {}
    for group in sorted({group for group in groups if group >= 0}):
        own = [cell for other, cell in zip(groups, cells, strict=True) if other == group]
        inside = [
            cell
            for cell in own
            if all(
                SPANS[cell][0] >= SPANS[other][0] and SPANS[cell][1] <= SPANS[other][1]
                for other in own
            )
        ]
        found[group] = inside[0] if inside else None
    return found


@settings(max_examples=150, deadline=None)
@given(rows)
def test_the_finest_cell_of_each_group(drawn):
    groups, cells = [group for group, _ in drawn], [cell for _, cell in drawn]
    coded = numbered(pl.Series(cells))
    column = CellsOfColumn(coded, SPANS)
    runs = _Runs.of(np.array(groups, np.int64))
    names = coded.values.to_list()
    found = [None if one < 0 else names[one] for one in runs.finest(column.own, column).tolist()]
    expected = plainly_finest(groups, cells)
    assert found == list(expected.values())
    assert runs.sizes.tolist() == [groups.count(group) for group in expected]


def test_groups_with_numbers_far_apart_are_told_apart():
    runs = _Runs.of(np.array([10**12, -1, 7, 10**12]))
    assert runs.rows.tolist() == [2, 0, 3]
    assert runs.sizes.tolist() == [1, 2]


def test_no_group_tells_nothing():
    column = CellsOfColumn(numbered(pl.Series(["low"])), SPANS)
    assert not len(_Runs.of(np.array([-1])).finest(column.own, column))
