"""What a number is, is said once for all who read cells; verification finds the same by its own."""

import polars as pl
import pytest
from hypothesis import given, strategies as st

from indistinct.aggregates.dimensions import natural
from indistinct.base.billionths import exact_number
from indistinct.base.cells.plain_numbers import PLAIN_NUMBER, RANGE, is_plain_number
from indistinct.tables.core.keys import number_key
from indistinct.tables.verification.texts import is_finite

NUMBERS = ["0", "007", "+5", "-5", "5.", ".5", "-.5", "1e5", "1E-5", "+5.e+03", "1e999999999"]
OTHERS = ["", "+", ".", "e5", "5e", "1_0", "\uff11\uff12", "\u22125", "1,5", "1e1234567890", "NaN",
          " 5", "5\n", "0x1F", "--5", "5.5.5"]  # fmt: skip
ENDS = {
    "[20, 30)": ("[", "20", "30", ")"),
    "( 20,30 ]": ("(", "20", "30", "]"),
    "]0,5; 1,5[": ("]", "0,5", "1,5", "["),
    "[1,5]": ("[", "1", "5", "]"),
    "[.5, 1e3)": ("[", ".5", "1e3", ")"),
}


@pytest.mark.parametrize("read", [is_plain_number, is_finite, number_key])
def test_every_reader_takes_the_same_numbers(read):
    assert [text for text in NUMBERS + OTHERS if read(text) not in {None, False}] == NUMBERS


@given(st.text(st.sampled_from("012.+-eE ,\uff11\u2212_"), max_size=7))
def test_readers_of_cells_of_columns_and_of_releases_agree(text):
    is_number = is_plain_number(text)
    assert is_number == is_finite(text) == (number_key(text) is not None)
    assert is_number == pl.Series([text]).str.contains(PLAIN_NUMBER).item()
    assert is_plain_number(text.strip()) == (exact_number(text) is not None)


@pytest.mark.parametrize("text", ENDS)
def test_the_ends_of_a_range_are_found_in_all_countries(text):
    found = RANGE.fullmatch(text)
    assert found is not None
    assert found.group("opens", "low", "high", "closes") == ENDS[text]


@pytest.mark.parametrize(
    "text", ["[a, b]", "20, 30", "[20, 30", "[20 30]", "[\uff11, 2]", "[1, 2]\n"]
)
def test_other_texts_are_no_ranges(text):
    assert RANGE.fullmatch(text) is None


def test_labels_of_dimensions_are_sorted_by_any_plain_number():
    labels = ["b", "1e3", "5.", "18 to 64", "below .5", ".75 and over", "below us"]
    in_order = ["below .5", ".75 and over", "5.", "18 to 64", "1e3", "b", "below us"]
    assert sorted(labels, key=natural) == in_order
