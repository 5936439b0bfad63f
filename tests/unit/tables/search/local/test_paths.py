"""Paths: their differences tell where values meet, and each value's row what it pays there."""

from itertools import combinations
from unittest.mock import patch

import numpy as np
from hypothesis import given, strategies as st

from indistinct.base.hierarchy import from_levels
from indistinct.tables.models import KAnonymity
from indistinct.tables.search.local import paths as paths_module
from indistinct.tables.search.local.annealing_state_kernels import level_of
from indistinct.tables.search.local.local_space import local_space
from indistinct.tables.search.local.paths import packed, paid_by_value, paths_of, steps_of
from local_problems import SIZED, problem_of, problems


def meeting(items, column, members):
    """Find the lowest level at which all members share a cell, by going up level after level."""
    level = 0
    while True:
        cells = items.cells[items.offsets[column, level] + items.codes[members, column]]
        if len(set(cells.tolist())) == 1:
            return level
        level += 1


def widths_of(space):
    return [len(hierarchy.values) for hierarchy in space.problem.hierarchies]


@given(
    problems(models=SIZED, max_records=12, limits=True),
    st.sampled_from([12, 64]),
    st.sampled_from([0, 2, 12]),
)
def test_where_paths_differ_tells_where_values_meet(problem, word_bits, table_bits):
    space = local_space(problem)
    items = space.items
    with (
        patch.object(paths_module, "WORD_BITS", word_bits),
        patch.object(paths_module, "TABLE_BITS", table_bits),
    ):
        paths, fields = paths_of(items, widths_of(space))
    groups = [*combinations(range(space.n_items), 1), *combinations(range(space.n_items), 2)]
    groups += combinations(range(min(space.n_items, 6)), 3)
    for members in map(list, groups):
        for column, word in enumerate(fields.words):
            differences = paths[members, word] ^ paths[members[0], word]
            difference = np.bitwise_or.reduce(differences)
            found = level_of.py_func(fields, column, difference)
            assert found == meeting(items, column, members)


@given(problems(models=SIZED, max_records=12, limits=True))
def test_each_value_has_a_row_of_what_it_pays(problem):
    space = local_space(problem)
    items = space.items
    paid, rows = paid_by_value(items, widths_of(space))
    for column, top in enumerate(items.tops):
        for level in range(top + 1):
            cells = items.cells[items.offsets[column, level] + items.codes[:, column]]
            assert np.array_equal(paid[rows[:, column] + level], items.costs[cells])


def test_columns_are_packed_side_by_side_and_never_across_two_words():
    words, shifts = packed([30, 30, 4, 1, 64, 0, 64])
    assert words.tolist() == [0, 0, 0, 1, 2, 2, 3]
    assert shifts.tolist() == [0, 30, 60, 0, 0, 63, 0]


def test_of_more_levels_than_a_word_has_bits_the_lowest_are_left_out():
    rows = np.arange(100)[:, None]
    deep = local_space(problem_of(rows, [_peeling(100)], [KAnonymity(2)]))
    steps = steps_of(deep.items, 0, 100)
    assert 0 in steps
    assert 2 not in steps
    assert steps[2:] == list(range(steps[2], deep.items.tops[0] + 1))
    paths, fields = paths_of(deep.items, widths_of(deep))
    for one, other in combinations(range(100), 2):
        found = level_of.py_func(fields, 0, paths[one, 0] ^ paths[other, 0])
        lowest = meeting(deep.items, 0, [one, other])
        assert found == min(step for step in steps if step >= lowest)


def _peeling(n_values):
    """Return a hierarchy whose every level joins one more value to the first."""
    return from_levels(
        [[f"{level}:{max(value - level, 0)}" for value in range(n_values)] for level in range(90)]
    )
