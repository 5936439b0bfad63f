"""Words and numbers for missing values: by what they are, how often and where they come."""

import tomllib
from dataclasses import dataclass

import pytest

import indistinct as ind
from drafted_columns import evidence
from indistinct.tables.drafting.missing import missing_values


def words(*columns):
    return missing_values([evidence(name, values) for name, values in columns])


def test_words_that_mean_nothing_else():
    assert words(("job", ["cook", "?", "nurse", "n/a"] * 5)).words == ("", "?", "n/a")


def test_none_is_a_value_unless_the_others_are_numbers_or_few():
    assert words(("insurance", ["none", "public", "private"] * 9)).words == ("",)
    found = words(("test", ["None"] * 9 + [">200"]))
    assert found.words == ("",)
    assert [(one.word, one.missing_in, one.records) for one in found.doubts] == [
        ("None", ("test",), 9)
    ]


def test_a_word_that_can_be_either_is_asked_where_another_column_has_it_as_missing():
    towns = [*["Zug", "Bern", "Chur"] * 9, "n.d.", "n.d.", "n.d."]
    sizes = [*map(str, range(27)), "n.d.", "n.d.", "n.d."]
    found = words(("size", sizes), ("town", towns))
    assert found.of("size") == ("", "n.d.")
    assert found.of("town") == ("",)
    assert [(one.word, one.missing_in, one.records) for one in found.doubts] == [
        ("n.d.", ("town",), 3)
    ]
    assert words(("town", towns)).doubts == ()


@dataclass
class Rows:
    """Two columns as they stand beside each other."""

    columns: dict[str, list[str]]

    def follows(self, column, other):
        pairs = set(zip(self.columns[other.name], self.columns[column.name], strict=True))
        return len(pairs) == len({first for first, _ in pairs})

    def groups(self, finer, coarser):
        return dict(zip(self.columns[finer.name], self.columns[coarser.name], strict=True))


def of_rows(columns):
    return missing_values([evidence(name, cells) for name, cells in columns.items()], Rows(columns))


def test_na_among_codes_of_countries_is_asked():
    found = words(("country", ["AT", "ZA", "NA", "BW"] * 9))
    assert found.words == ("",)
    assert [(one.word, one.records) for one in found.doubts] == [("NA", 9)]
    assert words(("answer", ["NA", "yes", "no"])).words == ("", "NA")


def test_a_word_that_another_column_names_is_a_value():
    codes, names = ["BW", "NA", "ZA"] * 9, ["Botswana", "Namibia", "South Africa"] * 9
    assert of_rows({"land": codes, "name": names}) == missing_values([])
    # The name stands beside another code, too, so that it does not name the word.
    names = ["Botswana", "South Africa", "South Africa"] * 9
    assert [one.word for one in of_rows({"land": codes, "name": names}).doubts] == ["NA"]
    signs = ["-", "a", "b"] * 9
    assert of_rows({"sign": signs, "said": ["NA", "x", "y"] * 9}).words == ("", "-", "NA")


def test_frequent_answers_are_asked_and_rare_ones_are_missing():
    rare = ["yes", "no"] * 30 + ["Don't know"] * 3
    assert words(("help", rare)).words == ("", "Don't know")
    often = ["yes", "no"] * 30 + ["Don't know"] * 4
    assert words(("help", often)).words == ("",)
    assert [one.word for one in words(("help", often)).doubts] == ["Don't know"]
    assert words(("age", ["12", "40", "Don't know"] * 9)).words == ("", "Don't know")


def test_many_words_leave_a_column_of_numbers_one():
    nothing = ["n/a", ".", "?", "k.A.", "missing", "None", "NULL", "-", "#N/A", "unknown", "\\N"]
    found = words(("age", [str(age) for age in range(18, 90)] * 3 + nothing))
    assert set(found.words) == {"", *nothing}


@pytest.mark.parametrize(
    "values", [[-1, 0, 1] * 9, [-1, 1, 2, 3, 2, 1, -1, 1], [1, 2, 3, 4, 99] * 9, [-1, 0, 1, 1] * 9]
)
def test_a_number_with_a_fifth_of_the_records_or_of_a_scale_is_asked(values):
    found = words(("opinion", values))
    assert found.words == ("",)
    assert len(found.doubts) == 1


def test_negative_codes_below_answers_and_none_among_real_negative_numbers():
    assert words(("children", [0, 1, 2, -8, -8, 3, 2, 2, 1, 0, 1])).words == ("", "-8")
    assert words(("balance", [-8, -8, -250, 10, 1200])).words == ("",)


def test_a_number_of_a_record_is_no_code():
    assert words(("number", [*range(1, 40), 99])).words == ("",)


def test_nines_far_above_all_others_or_much_more_frequent():
    assert words(("score", [*[*range(10)] * 2, 99, 99])).words == ("", "99")
    assert words(("age", [*range(20, 100), 99])).words == ("",)
    amounts = [*range(5_000, 25_000, 50), *[9999] * 30]
    assert words(("income", amounts)).words == ("", "9999")


def test_a_code_that_is_a_value_of_another_column_has_a_list_of_its_own():
    found = words(
        ("vote", [1, 2, 3, 1, 2, 3, 1, 2, 3, 99, 99]), ("weight", [*range(80, 100), 99, 98] * 3)
    )
    assert found.words == ("",)
    assert found.own == {"vote": ("", "99")}
    assert not found.doubts


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
    assert words(("answer", ["yes", "no"] * 10 + [word])).words == ("", word)


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
    assert not words((name, values)).doubts


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ([1, 2, 3, 4, 5, 99] * 9, "99"),
        ([*[*range(60)] * 3, 999, 999], "999"),
        ([1, 2, -99, 3, 4, 5] * 9, "-99"),
        ([*[*range(1, 40)] * 2, 9999, 9999], "9999"),
        (["12", "15", "keine", "17"] * 9, "keine"),
        (["12", "15", "x", "17"] * 9, "x"),
    ],
)
def test_a_code_apart_from_all_values_is_missing(values, code):
    assert words(("answer", values)).words == ("", code)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_dates_beside_many_words_for_nothing_are_dates(tmp_path, engine):
    """Fifteen of a hundred people whose birth nobody knows; their town may be called so."""
    days = [f"{1 + n % 28:02}/{1 + n % 12:02}/{1950 + n % 40}" for n in range(85)]
    born = [*days, *["unknown"] * 15]
    towns = [*["unknown", "Hull", "York", "Bath"] * 25]
    lines = ["born,town", *map(",".join, zip(born, towns, strict=True))]
    (tmp_path / "in.csv").write_text("\n".join(lines) + "\n")
    found = ind.inspect(tmp_path / "in.csv", engine=engine)
    column = next(one for one in found.columns if one.name == "born")
    assert (column.type, column.missing) == ("date", 15)
    drafted = tomllib.loads(found.draft(yes_to_suggestions=True))["columns"]["born"]
    assert drafted["missing"] == ["", "unknown"]
    assert drafted["hierarchy"] == {"dates": ["month", "year", "decade"]}


def test_errors_of_a_spreadsheet_are_missing_values():
    """They leave a column of numbers a column of numbers."""
    cells = ["0.5", "0.25", "#DIV/0!", "#REF!", "#BEZUG!", "#¡VALOR!"] * 5
    assert words(("rate", cells)).words == ("", "#BEZUG!", "#DIV/0!", "#REF!", "#¡VALOR!")
