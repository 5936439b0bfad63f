"""Shapes of codes, shares, centuries, lists in brackets and times of day, by plain counting."""

import random
from collections import Counter

import pytest

from indistinct.base.cells.bracket_lists import are_lists, items_of
from indistinct.base.cells.cell_shape import shape_of
from indistinct.base.cells.centuries import OLDEST, centuries, per_decade, whole_year
from indistinct.base.cells.clock_times import hour_of
from indistinct.base.cells.code_shapes import common_length, first_digits
from indistinct.base.cells.missing_words import MissingWords, words_of
from indistinct.base.cells.number_formats import FoundNumbers, find_numbers
from indistinct.base.cells.shares import are_few


def test_one_code_of_another_length_changes_no_shape():
    assert common_length(["2038", "20385"], [299, 1]) == 4
    assert common_length(["2038", "20385"], [97, 3]) is None
    assert common_length([], []) is None


def test_the_first_digits_of_a_label_stand_before_its_stars():
    assert first_digits("203*") == "203"
    assert first_digits("020**") == "020"
    assert first_digits("[20, 30)") == first_digits("2*3") == ""


@pytest.mark.parametrize(
    ("odd", "known", "few"), [(0, 1, True), (1, 3, True), (2, 99, False), (20, 1000, True)]
)
def test_two_percent_of_the_records_are_few(odd, known, few):
    assert are_few(odd, known) is few


def test_years_of_two_digits_are_within_a_century():
    for last_year in range(1950, 2051):
        years = [whole_year(short, last_year) for short in range(100)]
        assert sorted(years) == list(range(last_year - 99, last_year + 1))
        assert all(year % 100 == short for short, year in enumerate(years))


def test_births_are_before_the_deaths_beside_them():
    """The true century is among those found, and is the only one where the deaths decide."""
    chance = random.Random(7)
    for _ in range(60):
        first = chance.randint(1905, 1960)
        births = [chance.randint(first, first + 45) for _ in range(300)]
        deaths = [min(2025, birth + chance.randint(20, 100)) for birth in births]
        records = Counter(birth % 100 for birth in births)
        pairs = Counter(zip((birth % 100 for birth in births), deaths, strict=True))
        found = centuries(records, [pairs], 2026)
        true = tuple(sorted(set(births), key=lambda birth: birth % 100))
        assert true in {one.years for one in found}
        for one in found[:1]:
            bad = sum(
                not 0 <= death - whole_year(birth % 100, one.last_year) <= OLDEST
                for birth, death in zip(births, deaths, strict=True)
            )
            assert bad == one.bad


def test_births_without_another_date_are_left_open():
    records = {50: 10, 16: 10, 60: 10}
    found = centuries(records, [], 2026)
    assert len(found) > 1
    assert per_decade(records, found[1].last_year) in {
        "1910s 10, 1950s 10, 1960s 10",
        "1850s 10, 1860s 10, 1910s 10",
    }


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ('["a", "b;c"]', ["a", "b;c"]),
        ("['a', 'b']", ["a", "b"]),
        ('{a,"b c",NULL}', ["a", "b c"]),
        ("{}", []),
        ("[1, 2, 3]", ["1", "2", "3"]),
        ("[20,40[", None),
        ("[20, 40]", None),
        ("(a, b)", None),
        ("a;b", None),
        ('[["a"], "b"]', None),
    ],
)
def test_lists_in_brackets_are_told_from_intervals(text, items):
    assert items_of(text) == items


def test_columns_of_bands_are_no_lists():
    assert are_lists(["{a,b}", "{c}"], [5, 5])
    assert not are_lists(["[20, 40]", "[40, 60]"], [50, 50])
    assert not are_lists(["[20,40[", "[40,60["], [50, 50])


def test_times_of_day_have_hours():
    assert [hour_of(text) for text in ("08:25", "8h25", "11:05 p.m.", "12:00 am", "24:00")] == [
        8, 8, 23, 0, None,
    ]  # fmt: skip
    assert hour_of("2024-01-01 08:25") is None


def test_shapes_show_no_digit_and_no_letter():
    assert shape_of(["31/12/1999"]) == "dd/mm/yyyy"
    assert shape_of(["Meier 12"]) == "letters nn"


def test_a_column_may_have_words_of_its_own():
    words = MissingWords(("", "NA"), {"country": ("",)})
    assert words_of(words, "country") == ("",)
    assert words_of(words, "age") == ("", "NA")
    assert words_of(["?"], "age") == ["?"]


@pytest.mark.parametrize(
    ("texts", "are_numbers"),
    [
        (["+4930123456", "+49 30 98765", "+1 (212) 555-0100"], False),
        (["+4930123456", "+493098765", "+48221234567"], False),
        (["+4930123456"] * 99 + ["112"], False),
        (["+5", "-3", "+12"], True),
        (["+1500000", "-2500000", "+300000"], True),
    ],
)
def test_telephone_numbers_keep_their_plus_and_differences_are_numbers(
    texts: list[str], are_numbers: bool
) -> None:
    assert (find_numbers(Counter(texts), None) is not None) == are_numbers


def test_numbers_with_a_plus_are_numbers_where_somebody_says_so() -> None:
    assert find_numbers({"+4930123456": 3}, None, given=True) == FoundNumbers()
