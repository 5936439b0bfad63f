"""Words and numbers for missing values: by what they are, how often and where they come."""

from drafted_columns import evidence
from indistinct.drafting.missing import missing_values


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
    assert "vote" in found.doubts[0]
    assert "weight" in found.doubts[0]
