"""The quick ways of asking about few records say what the queries of Polars say about many."""

import polars as pl
import pytest

from indistinct.base.cells.plain_numbers import PLAIN_NUMBER
from indistinct.tables.frames import small_columns
from indistinct.tables.frames.row_ranks import are_all_numbers
from indistinct.tables.frames.small_columns import (
    are_among,
    are_empty,
    distinct,
    places_among,
    present_cells,
)

COLUMNS = [
    pl.Series("texts", ["b", "", None, "a", "b", "\x00", "é", "b "]),
    pl.Series("$name^", ["x", "x", "y"]),
    pl.Series("records", [3, 1, None, 3, -7], dtype=pl.Int16),
    pl.Series("fractions", [0.0, -0.0, 1.5, None, 1.5, float("inf")]),
    pl.Series("truths", [True, None, False, True]),
    pl.Series("days", ["2024-01-02", None, "2024-01-02"]).str.to_date(),
    pl.Series("kinds", ["b", "a", None, "b"], dtype=pl.Enum(["c", "b", "a"])),
    pl.Series("none", [None, None], dtype=pl.String),
    pl.Series("empty", [], dtype=pl.String),
    pl.Series("amounts", ["1.50", "1.50", None]).cast(pl.Decimal(10, 2)),
]


@pytest.fixture(params=[0, small_columns.SMALL], ids=["query", "call"])
def size(request, monkeypatch):
    """Take every column for a large one, and for a small one."""
    monkeypatch.setattr(small_columns, "SMALL", request.param)


@pytest.mark.usefixtures("size")
@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: column.name)
def test_different_values(column):
    """Each is there once, a missing one too, with the name and the type of the column."""
    found = distinct(column)
    assert found.name == column.name
    assert found.dtype == column.dtype
    assert found.n_unique() == len(found) == column.n_unique()
    assert set(found.to_list()) == set(column.to_list())


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: column.name)
def test_empty_cells(column):
    """Those that hold nothing."""
    gone = [cell is None for cell in column.to_list()]
    assert are_empty(column).tolist() == gone
    assert present_cells(column).to_list() == [cell for cell in column if cell is not None]


@pytest.mark.usefixtures("size")
@pytest.mark.parametrize("column", [COLUMNS[0], COLUMNS[7], COLUMNS[8]], ids=str)
def test_places_of_texts(column):
    """The place among the known ones, and nothing of a missing text."""
    known = present_cells(column).unique().sort()
    listed = known.to_list()
    expected = [None if text is None else listed.index(text) for text in column.to_list()]
    found = places_among(column, known)
    assert found.to_list() == expected
    assert (found.name, found.dtype) == (column.name, pl.UInt32)


@pytest.mark.parametrize("slots", [1, 4, 1 << 18], ids=lambda slots: f"{slots} slots")
@pytest.mark.parametrize("few", [0, 3, 256])
def test_places_of_texts_by_their_hashes(slots, few, monkeypatch):
    """Where hashes share a slot, or there are many texts, the places are the same."""
    monkeypatch.setattr(small_columns, "SLOTS", slots)
    monkeypatch.setattr(small_columns, "FEW_VALUES", few)
    column = pl.Series("texts", ["b", "", "a", "\x00", "é", "b "] * small_columns.SMALL)
    known = column.unique().sort()
    assert known.gather(places_among(column, known)).to_list() == column.to_list()


@pytest.mark.parametrize("words", [["b"], ["", "b", "b"], ["never"]])
def test_words(words):
    """A missing text is no word, and no other one either."""
    expected = [None if text is None else text in words for text in COLUMNS[0].to_list()]
    assert are_among(COLUMNS[0], words).to_list() == expected


@pytest.mark.parametrize(
    "texts", [[], ["1", "-2.5e3", ".5"], ["1", "x"], ["x", "1"], ["1\n"], ["1\n", "2"], ["\u0661"]]
)
def test_numbers(texts):
    """The first text alone is tried first, which changes nothing."""
    column = pl.Series(texts, dtype=pl.String)
    assert are_all_numbers(column) == column.str.contains(PLAIN_NUMBER).all()
