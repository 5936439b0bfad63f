"""The look at digits that spares columns without dates the search for their formats."""

import polars as pl
import pytest

from indistinct.base.cells.date_formats import FEWEST_DIGITS, SHAPES
from indistinct.tables.reading.date_formats import found_dates

# The shortest dates of each shape.
SHORTEST = {
    "numbers": "1.2.03",
    "year first": "2003-1-2",
    "packed": "20030102",
    "packed, year last": "020103",
    "day and name": "1 May 03",
    "name and day": "May 1 03",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_no_date_of_a_shape_has_fewer_digits(shape):
    text = SHORTEST[shape]
    assert pl.Series([text]).str.contains(SHAPES[shape]).all()
    assert sum(map(str.isdigit, text)) >= FEWEST_DIGITS
    # Without any one of its digits it is of no shape, or has enough digits all the same.
    for place in (place for place, sign in enumerate(text) if sign.isdigit()):
        shorter = pl.Series([text[:place] + text[place + 1 :]])
        if shorter.str.contains(SHAPES[shape]).all():
            assert shorter.str.count_matches(r"\d")[0] >= FEWEST_DIGITS


@pytest.mark.parametrize("day", ["1.2.03", "May 1 03"])
def test_columns_of_the_shortest_dates_are_looked_at(day):
    found = found_dates(
        pl.Series([day, "13.2.03" if "." in day else "May 13 03"]), pl.Series([1, 1])
    )
    assert found is not None


def test_words_and_small_numbers_are_no_dates():
    assert found_dates(pl.Series(["Never-married", "17", "B2"]), pl.Series([5, 4, 1])) is None
