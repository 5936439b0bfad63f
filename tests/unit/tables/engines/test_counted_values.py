"""Values and people that read alike get one code."""

from datetime import date

import polars as pl
import pytest

from indistinct.tables.frames.encoding import counted_alike, encode, n_joined, persons_in

NAN = float("nan")


@pytest.mark.parametrize(
    ("cells", "expected", "joined"),
    [
        (["10", "9", None, "-", "9"], [1, 0, 2, 2, 0], 0),
        (["P1", "P1 ", "\u200bP1", "P2", " "], [0, 0, 0, 1, 2], 2),
        (["7", "007", "7.0", "+7", "8"], [0, 0, 0, 0, 1], 3),
        (["e\u0301", "\u00e9", "E\u0301"], [1, 1, 0], 1),
        ([10, 9, None, 9], [1, 0, 2, 0], 0),
        ([0.5, NAN, None, 0.5], [0, 1, 1, 0], 0),
        ([date(2020, 2, 1), date(2020, 1, 1)], [1, 0], 0),
        ([True, False], [1, 0], 0),
    ],
)
def test_people_are_numbered_by_how_they_read(cells, expected, joined):
    """All who are missing are one person, however that is written."""
    column = pl.Series(cells, strict=False)
    assert persons_in(column, ["-"]).tolist() == expected
    assert n_joined(column, ["-"]) == joined


def test_a_value_is_written_as_in_the_table():
    """Canonically if some cell has it so, else as the least text; numbers in their order."""
    column = encode(pl.Series([" 10", "9\u00a0", "9.0", " ", None, "10", "NA "]), "")
    found = counted_alike(column, ["NA"])
    assert found.texts == ("9.0", "10", "")
    assert found.codes.tolist() == [1, 0, 0, 2, 2, 1, 2]
    assert found.is_missing.tolist() == [False, False, True]


def test_a_column_without_spellings_is_what_it_was():
    for cells in (["a", "b", None], [1, 2, 2], ["1", "2"]):
        column = encode(pl.Series(cells), "")
        assert counted_alike(column) is column
