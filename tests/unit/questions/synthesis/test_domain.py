"""Codes of columns: what the database counts comes back as the cells it stood for."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from indistinct.base.randomness import RandomSource
from indistinct.questions.database.dataset import MISSING, OTHER, Range
from indistinct.questions.synthesis.domain import FIRST_POINT, CodedColumn, bins_of, domain_sha256


def binned(low: int, high: int, bins: int, points=(), *, missing=True) -> CodedColumn:
    bounds = Range(Fraction(1), low, high, low)
    width = -(-(high - low + 1) // bins)
    return CodedColumn(
        "n",
        bins=tuple(bins_of(bounds, width, points)),
        points=points,
        width=width,
        bounds=bounds,
        missing=missing,
    )


@given(
    st.integers(-50, 50),
    st.integers(1, 60),
    st.integers(1, 40),
    st.sets(st.integers(0, 60), max_size=3),
)
def test_a_code_gives_a_step_of_its_own_bin(low, steps, bins, points):
    """Decode, then encode as the database does: the code is the same for every code."""
    high = low + steps
    at = tuple(sorted({low + p for p in points if low + p <= high}))
    column = binned(low, high, bins, at)
    codes = np.repeat(np.arange(column.n_codes), 3)
    cells = column.cells(codes, RandomSource(1))
    found = np.array([database_code(column, cell) for cell in cells])
    assert column.codes_of(found).tolist() == codes.tolist()


def database_code(column: CodedColumn, cell) -> int:
    assert column.bounds is not None
    if cell is None:
        return MISSING
    if cell in column.points:
        return FIRST_POINT - column.points.index(cell)
    above = cell - column.bounds.low
    return above - above % column.width


def test_a_bin_made_of_points_alone_is_no_code():
    assert binned(0, 9, 10, (0,)).bins[0] == (1, 1)
    assert binned(0, 9, 5, (0,)).bins[0] == (0, 1)


def test_a_point_is_never_drawn_from_its_bin():
    cells = binned(0, 9, 2, (0, 3)).cells(np.zeros(500, np.int64), RandomSource(2))
    assert set(cells) == {1, 2, 4}


def test_values_other_and_missing_have_codes_in_this_order():
    column = CodedColumn("w", values=("a", "b"), other="other", missing=True)
    assert column.codes_of(np.array([0, 1, OTHER, MISSING])).tolist() == [0, 1, 2, 3]
    assert column.cells(np.arange(4), RandomSource(1)) == ["a", "b", "other", None]


def test_numbers_beside_a_word_are_words():
    column = CodedColumn("w", values=(1, 2.5), other="other")
    assert column.cells(np.arange(3), RandomSource(1)) == ["1", "2.5", "other"]


@pytest.mark.parametrize("other", [binned(0, 9, 4), binned(0, 9, 5, (1,)), binned(0, 8, 5)])
def test_another_domain_has_another_hash(other):
    assert domain_sha256([other]) != domain_sha256([binned(0, 9, 5)])
