"""Rows are grouped alike with compiled code and without."""

import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from indistinct.base.compiled.kernels import group_rows
from indistinct.tables.core.grouping import counted_numbers, group_few_rows, group_plainly

TABLES = arrays(
    np.int32,
    array_shapes(min_dims=2, max_dims=2, max_side=12),
    elements=st.one_of(st.integers(0, 3), st.integers(0, 2**31 - 1)),
)


@given(TABLES)
def test_both_ways_group_alike(codes):
    """Labels, representatives and sizes are the same, whatever the codes."""
    for plain, looped in zip(group_plainly(codes), group_rows(codes), strict=True):
        assert plain.tolist() == looped.tolist()
        assert plain.dtype == looped.dtype


@pytest.mark.parametrize("shape", [(0, 2), (5, 0), (1, 1)])
def test_tables_without_rows_or_columns(shape):
    """A table without rows has no group, one without columns a single one."""
    codes = np.zeros(shape, np.int32)
    assert [part.tolist() for part in group_plainly(codes)] == [
        part.tolist() for part in group_rows(codes)
    ]


def test_many_wide_columns():
    """Thirty columns of large codes, whose combinations no key of 64 bits could number."""
    codes = np.random.default_rng(1).integers(0, 2**31 - 1, (200, 30)).astype(np.int32)
    codes[100:] = codes[:100]
    labels, first, sizes = group_few_rows(codes)
    assert labels.tolist() == [*range(100), *range(100)]
    assert first.tolist() == list(range(100))
    assert set(sizes.tolist()) == {2}


def test_to_describe_a_table_loads_no_compiler():
    """Inspecting a small table does without numba."""
    code = (
        "import sys, polars, indistinct\n"
        "frame = polars.DataFrame({'age': list(range(50)) * 4, 'sex': ['f', 'm'] * 100})\n"
        "indistinct.inspect(frame)\n"
        "print('numba' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@given(st.lists(st.integers(0, 40), max_size=30), st.integers(41, 1000))
def test_numbers_are_counted_as_plainly(numbers, size):
    """In an array where there are few, sorted where there are many."""
    plain = Counter(numbers)
    values, counts = counted_numbers(np.array(numbers, np.int64), size)
    assert values.tolist() == sorted(plain)
    assert counts.tolist() == [plain[value] for value in sorted(plain)]
