"""Words and numbers for missing values: by what they are, how often and where they come."""

import pytest

from drafted_columns import evidence
from indistinct.tables.drafting.missing import missing_values


def words(*columns):
    return missing_values([evidence(name, values) for name, values in columns])


def test_words_that_mean_nothing_else():
    assert words(("job", ["cook", "?", "nurse", "n/a"] * 5)).words == ("", "?", "n/a")


def test_none_is_a_value_unless_the_others_are_numbers_or_few():
    assert words(("insurance", ["none", "public", "private"] * 9)).words == ("",)
    assert words(("test", ["None"] * 9 + [">200"])).words == ("", "None")


def test_na_is_a_country_among_countries():
    codes = [
        "AT",
        "BE",
        "CH",
        "CZ",
        "DE",
        "DK",
        "ES",
        "FI",
        "FR",
        "GB",
        "IT",
        "LU",
        "NA",
        "NL",
        "PL",
        "PT",
        "SE",
        "ZA",
    ]
    assert words(("country", codes)).words == ("",)
    assert words(("answer", ["NA", "yes", "no"])).words == ("", "NA")


def test_negative_codes_below_answers_and_none_among_real_negative_numbers():
    assert words(("children", [0, 1, 2, -8, -8, 3])).words == ("", "-8")
    assert words(("balance", [-8, -8, -250, 10, 1200])).words == ("",)


def test_nines_far_above_all_others_or_much_more_frequent():
    assert words(("score", [*range(10), 99, 99])).words == ("", "99")
    assert words(("age", [*range(20, 100), 99])).words == ("",)
    amounts = [*range(5_000, 25_000, 50), *[9999] * 30]
    assert words(("income", amounts)).words == ("", "9999")


def test_a_code_that_is_a_value_of_another_column_is_a_doubt():
    found = words(("vote", [1, 2, 3, 99, 99]), ("weight", [*range(80, 100), 99, 98] * 3))
    assert found.words == ("",)
    assert "vote" in found.doubts[0].said
    assert "weight" in found.doubts[0].said


@pytest.mark.parametrize(
    "word",
    [
        "NA", "n.a.", "#N/A", "NaN", "NULL", "(null)", "<NA>", "nil", "UNK", "Unknown",
        "not mapped",
        "Refused", "don't know", "Prefer not to say", "declined", "Not stated", "not asked",
        "undisclosed", "unbekannt", "k. A.", "keine Angabe", "weiß nicht", "inconnu",
        "non renseigné", "Ne sait pas", "NS/NC", "sin datos", "brak danych", "nie wiem",
        "trudno powiedzieć", "odmowa", "-", "..",
    ],
)  # fmt: skip
def test_each_word_for_a_missing_value_is_found_as_it_is_written(word):
    """Case and spaces around it make no difference, and the draft has the word of the table."""
    assert words(("answer", ["yes", "no", word] * 9)).words == ("", word)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("insurance", ["None", "public", "private"] * 9),
        ("injury", ["keine"] * 9 + ["Fraktur", "Prellung"]),
        ("disorder", ["aucun"] * 9 + ["lexie", "praxie"]),
        ("rating", ["NR", "AAA", "BB"] * 9),
        ("grade", ["x", "a", "b"] * 9),
        ("surname", ["Nil Unknown", "Missing Person", "Refused Entry"] * 9),
        ("postcode", [*range(9_900, 10_000)] * 3),
        ("age", [*range(20, 99), 99, 99]),
        ("degrees", [-12, -9, -5, -1, 0, 3, 8] * 4),
        ("yes", [0, 1, 9] * 2 + [0, 1]),
        ("price", [19, 49, 79, 99, 99, 199] * 9),
        ("year", [*range(1990, 2020)] * 3),
    ],
)
def test_a_value_that_looks_like_a_code_stays_a_value(name, values):
    """Categories called *none*, the greatest of evenly spread numbers, temperatures below zero."""
    assert words((name, values)).words == ("",)


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ([1, 2, 3, 4, 99] * 9, "99"),
        ([*range(60), 999, 999], "999"),
        ([1, 2, -99, 3] * 9, "-99"),
        ([*range(1, 40), 9999, 9999], "9999"),
        (["12", "15", "keine", "17"] * 9, "keine"),
        (["12", "15", "x", "17"] * 9, "x"),
    ],
)
def test_a_code_apart_from_all_values_is_missing(values, code):
    assert words(("answer", values)).words == ("", code)


def test_errors_of_a_spreadsheet_are_missing_values():
    """They leave a column of numbers a column of numbers."""
    cells = ["0.5", "0.25", "#DIV/0!", "#REF!", "#BEZUG!", "#¡VALOR!"] * 5
    assert words(("rate", cells)).words == ("", "#BEZUG!", "#DIV/0!", "#REF!", "#¡VALOR!")
