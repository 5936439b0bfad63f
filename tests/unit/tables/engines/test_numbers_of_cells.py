"""Columns of numbers as arrays, pairs of numbers as texts, and back."""

from datetime import date
from decimal import Decimal

import numpy as np
import polars as pl
import pytest

from indistinct.tables.frames.cell_numbers import (
    are_alike_as_floats,
    column_of_numbers,
    farthest_whole,
    has_decimals,
    has_whole_numbers,
    middles_of,
    n_not_finite,
    numbers_as_read,
    numbers_in_texts,
    numbers_of_cells,
    paired_texts,
    whole_as_before,
)
from indistinct.tables.frames.encoding import beneath
from indistinct.tables.frames.frame import frame_of
from indistinct.tables.frames.small_columns import present_cells
from indistinct.tables.frames.texts import has_text, is_written_plainly, known_texts, texts_with
from indistinct.tables.reading.missing_values import are_missing, n_missing

NAN = float("nan")


@pytest.mark.parametrize(
    ("cells", "missing", "expected"),
    [
        (["a", None, "NA", ""], ["NA"], [False, True, True, False]),
        (["a", None, "NA"], [], [False, True, False]),
        ([1.0, None, NAN, -99.0], ["-99"], [False, True, True, False]),
        ([1, None], ["1"], [False, True]),
    ],
)
def test_missing_cells_are_null_a_word_or_no_number(cells, missing, expected):
    assert are_missing(pl.Series(cells, strict=False), missing).tolist() == expected


def test_cells_that_hold_nothing_are_counted_and_left_out():
    column = pl.Series([NAN, None, 1.0, None])
    assert n_missing(column) == 2
    assert [repr(cell) for cell in present_cells(column)] == ["nan", "1.0"]


def test_types_of_numbers_are_told_apart():
    whole, decimals = pl.Series([1], dtype=pl.UInt8), pl.Series([Decimal("1.5")])
    assert (has_whole_numbers(whole), has_decimals(whole)) == (True, False)
    assert (has_whole_numbers(decimals), has_decimals(decimals)) == (False, True)
    plain = [whole, pl.Series(["a"]), pl.Series([date(2020, 1, 1)])]
    assert all(is_written_plainly(column) for column in plain)
    assert not is_written_plainly(pl.Series([0.5]))


def test_whole_numbers_that_one_float_stands_for_are_found():
    far = 2**53
    assert are_alike_as_floats(pl.Series([far, far + 1]))
    assert not are_alike_as_floats(pl.Series([far, far, None]))
    assert farthest_whole(pl.Series([3, -far - 2, None])) == far + 2
    assert farthest_whole(pl.Series([None, None], dtype=pl.Int64)) == 0


def test_columns_are_made_of_numbers():
    numbers = np.array([2.0, np.nan])
    assert column_of_numbers("x", numbers, whole=False).to_list() == [2.0, None]
    whole = column_of_numbers("x", numbers, whole=True)
    assert (whole.name, whole.dtype, whole.to_list()) == ("x", pl.Int64, [2, None])
    assert numbers_in_texts(pl.Series(["1.5", "a", None])).to_list() == [1.5, None, None]


def test_numbers_that_are_not_finite_are_counted():
    assert n_not_finite(pl.Series([1.0, NAN, float("inf"), None])) == 2
    assert n_not_finite(pl.Series([date(2020, 1, 1), None])) == 0
    assert n_not_finite(pl.Series(["nan"])) == 0


def test_texts_of_cells():
    column = pl.Series(["a", None, "-", "a"])
    assert sorted(known_texts(column)) == ["-", "a"]
    assert has_text(column, "-")
    assert not has_text(column, "b")
    gone = np.array([False, True, True, False])
    assert texts_with(column, gone, "?").to_list() == ["a", "?", "?", "a"]
    assert texts_with(pl.Series([1, 2]), np.zeros(2, np.bool_), "?").to_list() == ["1", "2"]


def test_a_column_beneath_another_has_one_type():
    found = beneath(pl.Series([1, 2]), pl.Series("x", [0.5]))
    assert found.dtype == pl.Float64
    assert found.to_list() == [1.0, 2.0, 0.5]


def test_cells_become_the_numbers_of_their_texts():
    cells = pl.Series(["a", "b", None, "a", "c"])
    found = numbers_of_cells(cells, ["b", "a"], np.array([np.nan, 3.5]))
    assert found.to_list() == [3.5, None, None, 3.5, None]


def test_the_middle_of_small_whole_numbers_does_not_overflow():
    ends = pl.Series([200, None], dtype=pl.UInt8)
    assert middles_of(ends, ends).to_list() == [200.0, None]
    assert middles_of(pl.Series([1.0]), pl.Series([2.0])).to_list() == [1.5]


def test_numbers_are_read_with_one_zero_and_no_not_a_number():
    found = numbers_as_read(pl.Series([-0.0, NAN, None, 2.5]))
    assert [repr(number) for number in found] == ["0.0", "None", "None", "2.5"]


@pytest.mark.parametrize(
    ("bound", "before", "expected"),
    [
        ([1.0, None], [7], pl.Int64),
        ([1.5, None], [7], pl.Float64),
        ([1.0], [7.5], pl.Float64),
    ],
)
def test_bounds_are_whole_where_the_column_is(bound, before, expected):
    found = whole_as_before(pl.Series(bound), pl.Series(before))
    assert (found.dtype, found.to_list()) == (expected, bound)


def test_bounds_beyond_64_bits_keep_their_type():
    wide = pl.Series([2**64 - 1], dtype=pl.UInt64)
    assert whole_as_before(wide, wide).to_list() == [2**64 - 1]


def test_each_different_pair_is_written_once():
    written = []

    def write(low, high):
        written.append((low, high))
        return f"{low}-{high}"

    low, high = pl.Series([1, 1, None, 1]), pl.Series([2, 2, None, 3])
    assert paired_texts(low, high, write).to_list() == ["1-2", "1-2", "None-None", "1-3"]
    assert len(written) == 3


def test_columns_stand_side_by_side_by_their_new_names():
    found = frame_of({"^a$": pl.Series("x", [1]), "b": pl.Series("x", [2])})
    assert found.to_dict(as_series=False) == {"^a$": [1], "b": [2]}
