"""What engines tell of the cells of frames, in arrays."""

from datetime import time

import numpy as np
import polars as pl
import pytest

from indistinct.tables.engines.tallies import (
    counted_rows,
    equal_rows,
    matched_rows,
    n_repeated,
    n_values_of,
    sorted_with,
    value_hashes,
)
from indistinct.tables.frames.cell_numbers import (
    days_of,
    floats_of,
    has_floats,
    positions_of,
)
from indistinct.tables.frames.encoding import encode_together
from indistinct.tables.frames.frame import (
    are_starred,
    spread_over,
    with_cells,
    with_missing,
    with_starred,
    with_whole_columns,
)
from indistinct.tables.frames.texts import all_filled_texts, coded_texts, distinct_texts, text_rows
from indistinct.tables.reading.column_types import with_days, with_numbers, with_types_of_texts
from indistinct.tables.reading.missing_values import known_cells

PATTERN = "^a$"  # a name that Polars takes for a pattern


def test_only_rows_of_nothing_but_stars_are_starred():
    frame = pl.DataFrame({PATTERN: ["*", "*", None, "x"], "b": ["*", "1", "*", "*"]})
    assert are_starred(frame).tolist() == [True, False, False, False]
    assert are_starred(frame, (PATTERN,)).tolist() == [True, False, True, False]
    assert not are_starred(frame.with_columns(n=pl.Series([1, 2, 3, 4]))).any()


def test_rows_of_stars_stand_beneath_texts():
    found = with_starred(pl.DataFrame({"n": [1, None]}), 2)
    assert found["n"].to_list() == ["1", None, "*", "*"]


def test_a_missing_cell_and_an_empty_text_are_one_text():
    frame = pl.DataFrame({PATTERN: ["b", None, "", "a"], "n": [2, 1, 2, None]})
    assert distinct_texts(frame[PATTERN]) == ["", "a", "b"]
    texts, codes = coded_texts(frame[PATTERN])
    assert [texts[code] for code in codes] == ["b", "", "", "a"]
    assert text_rows(frame, ["n", PATTERN]) == [("2", "b"), ("1", ""), ("2", ""), ("", "a")]
    assert text_rows(frame, []) == [()] * 4


def test_equal_rows_come_together_with_what_stands_beside_them():
    frame = pl.DataFrame({"rows": [1, None, 1, None, 2], "column 0": ["x"] * 5})
    places = np.arange(5, dtype=np.int32)
    found = equal_rows(frame, [places, places * 10])
    assert found.cells.columns == frame.columns
    for row, start, end in zip(found.cells.rows(), found.starts, found.starts[1:], strict=False):
        members = found.further[0][start:end]
        assert (found.further[1][start:end] == members * 10).all()
        assert {frame.row(place) for place in members.tolist()} == {row}
    assert sorted(found.further[0]) == [0, 1, 2, 3, 4]


def test_figures_stand_beside_cells_the_least_first():
    cells = pl.DataFrame({"a": ["z", "y", "x"]})
    found = sorted_with(cells, {"records": np.array([2, 2, 1]), "l": np.array([0.5, 1.5, 2.5])})
    assert found.rows() == [("x", 1, 2.5), ("y", 2, 1.5), ("z", 2, 0.5)]


def test_rows_are_found_by_their_cells_and_shared_ones_are_told():
    asked = pl.DataFrame({"name": ["u", "v", "v", None, "z", "q"], "born": [1] * 6})
    table = pl.DataFrame({"born": ["1"] * 5, "name": ["v", "u", None, "q", "q"]})
    rows, are_shared = matched_rows(asked, table, ["name", "born"])
    assert rows[~are_shared].tolist() == [1, 2, -1]
    assert are_shared.tolist() == [False, True, True, False, False, True]


def test_columns_of_several_tables_have_the_same_codes():
    words, codes = encode_together([pl.Series(["b", "", "?"]), pl.Series([3, None])], ["?"], "no")
    assert words.texts == ("3", "b", "no")
    assert [one.tolist() for one in codes] == [[1, 2, 2], [0, 2]]
    numbers, codes = encode_together([pl.Series([10, 9]), pl.Series([9.5])], [], "")
    assert numbers.numbers is not None
    assert [numbers.numbers[one].tolist() for one in codes] == [[10.0, 9.0], [9.5]]


def test_moments_are_days_only_where_all_are_midnights():
    texts = pl.DataFrame({"d": ["2020-01-02 00:00", None], "m": ["2020-01-02 03:00", None]})
    frame = texts.select(pl.all().str.to_datetime("%Y-%m-%d %H:%M"))
    assert with_days(frame).dtypes == [pl.Date, pl.Datetime]


@pytest.mark.parametrize(
    ("texts", "like", "kind"),
    [
        (["1", None], None, pl.Int64),
        (["1.5", "2"], None, pl.Float64),
        (["1", "x"], None, pl.String),
        (["1", "2"], pl.Float64, pl.Float64),
        (["1", "2"], pl.String, pl.String),
    ],
)
def test_texts_are_numbers_if_all_of_them_are(texts, like, kind):
    before = None if like is None else pl.DataFrame(schema={"n": like})
    assert with_numbers(pl.DataFrame({"n": texts}), ["n"], before)["n"].dtype == kind


def test_cells_are_numbers_in_arrays():
    np.testing.assert_array_equal(
        floats_of(pl.Series(PATTERN, ["1", "x", None])), [1, np.nan, np.nan]
    )
    np.testing.assert_array_equal(days_of(["1970-01-02", "", "1969-12-31"]), [1, np.nan, -1])


def test_cells_are_replaced_in_some_rows_alone():
    frame = pl.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "z"]})
    found = with_cells(frame, np.array([2, 0]), {"a": pl.Series([30, 10])})
    assert found.rows() == [(10, "x"), (2, "y"), (30, "z")]
    assert frame["a"].to_list() == [1, 2, 3]


def test_whole_columns_are_replaced_and_added():
    frame = pl.DataFrame({PATTERN: [1, 2], "b": ["x", "y"]})
    found = with_whole_columns(frame, pl.DataFrame({"c": [0, 0], PATTERN: [3, None]}))
    assert found.columns == [PATTERN, "b", "c"]
    assert found.rows() == [(3, "x", 0), (None, "y", 0)]
    assert with_whole_columns(frame, ()).equals(frame)


def test_some_cells_become_missing():
    found = with_missing(pl.Series(["a", None, "c"]), np.array([True, False, False]))
    assert found.to_list() == [None, None, "c"]


def test_cells_of_some_rows_are_spread_over_all():
    found = spread_over(pl.Series("n", [5, None, 7]), np.array([3, 0, 1]), 5)
    assert found.name == "n"
    assert found.to_list() == [None, 7, None, 5, None]
    assert spread_over(pl.Series("n", [], pl.Float64), np.zeros(0, np.int64), 2).null_count() == 2


def test_all_cells_are_written_and_missing_ones_are_empty():
    frame = pl.DataFrame({PATTERN: [1, None], "t": [time(1, 2, 3, 4), None]})
    assert all_filled_texts(frame).rows() == [("1", "01:02:03.000004"), ("", "")]


def test_rows_of_one_kind_are_counted_and_missing_cells_come_last():
    frame = pl.DataFrame({"*": [2, 1, 1, 1, 1], PATTERN: ["a", None, "b", "a", "b"]})
    found = counted_rows(frame, "count")
    assert found.columns == ["*", PATTERN, "count"]
    assert found.rows() == [(1, "a", 1), (1, "b", 2), (1, None, 1), (2, "a", 1)]


def test_columns_of_texts_alone_have_their_types_found():
    frame = pl.DataFrame({"t": ["1", "?"], "n": [1, 2], "w": ["?", "x"]})
    found = with_types_of_texts(frame, ("?",))
    assert found.dtypes == [pl.Int64, pl.Int64, pl.String]
    assert found.rows() == [(1, 1, None), (None, 2, "x")]
    assert with_types_of_texts(frame[["n"]], ("1",)).rows() == [(1,), (2,)]


def test_values_are_counted_and_so_are_the_cells_that_repeat_one():
    column = pl.Series(PATTERN, ["a", "b", "a", None, "c"])
    assert n_values_of(column) == 3
    known = known_cells(column, np.array([False, False, False, True, False]))
    assert known.to_list() == ["a", "b", "a", "c"]
    assert n_repeated(known) == 2


def test_numbers_and_dates_have_places_whether_they_are_typed_or_written():
    days = pl.Series(["2024-03-01", "", "2024-03-03"])
    typed = days.replace("", None).str.to_date()
    for column in (days, typed, typed.cast(pl.Datetime("ms"))):
        places = positions_of(column)
        assert np.isnan(places[1])
        assert places[2] - places[0] == 2 * 86_400e6
    for column in (pl.Series(["1.5", "", "3"]), pl.Series([1.5, None, 3])):
        assert np.array_equal(positions_of(column), [1.5, np.nan, 3], equal_nan=True)
    for column in (pl.Series(["a", "1"]), pl.Series([True]), pl.Series([None, "2024-13-01"])):
        assert positions_of(column) is None


def test_floats_are_told_by_their_type():
    assert has_floats(pl.Series([1.5]))
    assert not has_floats(pl.Series([1]))


def test_equal_values_have_equal_hashes():
    column = pl.Series(PATTERN, ["a", None, "b", "a", None])
    found = value_hashes(column, 5)
    assert found.dtype == np.uint64
    assert found[0] == found[3]
    assert found[1] == found[4]
    assert len(set(found.tolist())) == 3
    assert not (found == value_hashes(column, 6)).any()
    numbers = np.array([7, 8, 7])
    assert (value_hashes(numbers, 5) == value_hashes(pl.Series(numbers), 5)).all()


def test_durations_are_matched_by_their_numbers():
    spans = pl.DataFrame({"span": pl.Series([1, 2, None]).cast(pl.Duration("us"))})
    rows, are_shared = matched_rows(spans, spans[::-1], ["span"])
    assert rows.tolist() == [2, 1, 0]
    assert not are_shared.any()
