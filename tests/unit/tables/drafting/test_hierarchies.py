"""Hierarchies as a person would draw them, and that a policy takes them."""

import itertools

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from drafted_columns import evidence
from indistinct.tables.drafting.draft import tree_of
from indistinct.tables.drafting.hierarchies import drawn, round_widths


def test_widths_are_round_and_extremes_do_not_stretch_them():
    """Ages: 5, 10, 20. One income of a billion changes nothing."""
    ages = np.arange(18.0, 91.0)
    assert round_widths(ages, np.ones(73, np.int64), is_whole=True) == (5, 10, 20)
    incomes = np.array([*range(1000, 51_000, 50), 10**9], np.float64)
    widths = round_widths(incomes, np.ones(len(incomes), np.int64), is_whole=True)
    assert widths == (5000, 10_000, 20_000)


@pytest.mark.parametrize("spread", [3, 7, 14, 35, 60, 100, 365, 900, 5000, 123_456])
def test_widths_nest(spread):
    widths = round_widths(np.arange(float(spread)), np.ones(spread, np.int64), is_whole=True)
    assert widths
    assert all(wide % narrow == 0 for narrow, wide in itertools.pairwise(widths))


def test_codes_of_categories_are_no_intervals():
    values = [1] * 500 + [2] * 300 + [3] * 190 + [4] * 5 + [9] * 5
    shape = drawn(evidence("region", values), "place")
    assert shape.rule is None
    assert ("4", "other", "*") in (shape.rows or [])
    assert drawn(evidence("age", [*range(20, 90)] * 3), "number").rule == {"intervals": [5, 10, 20]}


def test_bands_are_joined_with_their_neighbors():
    bands = [f"[{a}-{a + 10})" for a in range(0, 80, 10)]
    rows = drawn(evidence("age", bands * 5)).rows
    assert rows is not None
    assert rows[0] == ("[0-10)", "[0-20)", "[0-40)", "*")
    assert rows[-1] == ("[70-80)", "[60-80)", "[40-80)", "*")


def test_open_bands_come_first_and_last():
    rows = drawn(evidence("age", ["25-34", "65+", "35-64", "<25"] * 5)).rows
    assert rows is not None
    assert [row[0] for row in rows] == ["<25", "25-34", "35-64", "65+"]
    assert [row[1] for row in rows] == ["≤34", "≤34", "35+", "35+"]


@pytest.mark.parametrize(
    ("bands", "joined"),
    [
        (["De 18 a 20 años", "De 21 a 24 años", "De 25 a 29 años"], "De 18 a 24 años"),
        (["0-4999", "5000-9999", "10000-14999"], "0-9999"),
        (["unter 20", "20 bis 29", "30 bis 39"], "≤29"),
        (["€1,000-€1,999", "€2,000-€2,999", "€3,000+"], "€1,000-€2,999"),
    ],
)
def test_joined_bands_read_as_bands(bands, joined):
    rows = drawn(evidence("income", bands * 5)).rows
    assert rows is not None
    assert rows[0][1] == joined


def test_overlapping_bands_are_not_joined():
    assert drawn(evidence("age", ["0-19", "0-9", "10-19", "20-29"] * 5)).rows is None


def test_rare_categories_are_grouped_and_other_is_no_value():
    values = ["a"] * 500 + ["b"] * 450 + ["c"] * 30 + ["other"] * 9 + ["d"] * 6 + ["e"] * 5
    rows = {row[0]: row for row in drawn(evidence("job", values)).rows or []}
    assert rows["a"] == ("a", "a", "a", "*")
    assert rows["c"] == ("c", "c", "other values", "*")
    assert rows["d"] == ("d", "other values", "other values", "*")


def test_dates_that_are_written_otherwise():
    rows = drawn(evidence("birth", ["31.12.1975", "01.02.1983"] * 5), "date").rows
    assert rows is not None
    assert sorted(rows)[1] == ("31.12.1975", "1975-12", "1975", "1970s", "*")


def test_diseases_have_chapters():
    codes = [
        f"{letter}{number:02d}.{number % 10}" for letter in "AEFJK" for number in range(10, 16)
    ]
    rows = {row[0]: row for row in drawn(evidence("dx", codes)).rows or []}
    assert rows["E11.1"] == ("E11.1", "E11", "endocrine and metabolic", "*")


def test_a_tree_has_the_rows_of_the_file():
    rows = [("a", "x", "p", "*"), ("b", "x", "p", "*"), ("c", "c", "q", "*")]
    assert tree_of(rows) == {"p": {"x": ["a", "b"]}, "q": {"c": ["c"]}}


def test_a_policy_takes_every_kind(tmp_path):
    """Bands, groups with a missing value, files beside the policy, dates and intervals."""
    n = 400
    chance = np.random.default_rng(5)
    frame = pl.DataFrame(
        {
            "age": chance.choice(["0-17", "18-34", "35-64", "65+"], n),
            "job": [None if i % 9 == 0 else f"job {min(i % 40, 25)}" for i in range(n)],
            "region": chance.choice([1, 2, 3, 4, 16], n, p=[0.6, 0.3, 0.085, 0.01, 0.005]),
            "birth_date": [
                f"{day:02d}.0{day % 9 + 1}.19{50 + place % 40}"
                for place, day in enumerate(chance.integers(1, 13, n))
            ],
            "zip": [f"{code}" for code in chance.integers(10_100, 10_140, n)],
            "height": chance.integers(150, 200, n),
        }
    )
    draft = ind.inspect(frame).drafted("people")
    assert draft.undecided == ()
    assert {"people.job.csv", "people.birth_date.csv"} <= set(draft.files)
    for name, text in draft.files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "people.toml").write_text(draft.text)
    policy = ind.Policy.load(tmp_path / "people.toml")
    release = ind.anonymize(frame, policy, seed=1)
    assert release.manifest["models"][0]["achieved"]["k"] >= 5


@pytest.mark.parametrize(
    ("name", "values", "rule"),
    [
        ("birth_year", [*range(1930, 2006)], {"dates": ["decade"]}),
        ("Zuzugsjahr", [*range(1970, 2006)], {"dates": ["decade"]}),
        ("año_nacimiento", [*range(1930, 2006)], {"dates": ["decade"]}),
        ("kcal", [*range(930, 1206)], {"intervals": [10, 20, 40, 80]}),
        ("school_decade", ["1970s", "1980s", "1990s"], {"labels": []}),
        ("seen", ["2024-02-13T11:20", "2024-02-28T09:00"], {"dates": ["day", "week"]}),
        ("seen", ["2024-02-13T11:20", "2024-02-14T09:00"], {"dates": ["hour", "day"]}),
        ("seen", ["2024-02-13", "2024-02-28"], {"dates": ["week"]}),
        ("seen", ["2024-02-13", "2024-12-28"], {"dates": ["month", "quarter", "year"]}),
        ("seen", ["1984-02-13", "2024-12-28"], {"dates": ["month", "year", "decade"]}),
    ],
)
def test_steps_of_dates_follow_from_their_precision_and_span(name, values, rule):
    assert drawn(evidence(name, values)).rule == rule


@pytest.mark.parametrize(
    ("values", "row"),
    [
        (["2011-05", "2012-06", "2013-01"], ("2011-05", "2011-Q2", "2011", "*")),
        (["1979-Q1", "2019-Q2", "2020-Q1"], ("1979-Q1", "1979", "1970s", "*")),
        (["2011-W05", "2012-W06"], ("2011-W05", "2011", "*")),
    ],
)
def test_periods_alone_have_longer_ones_above(values, row):
    assert (drawn(evidence("visit", values)).rows or [()])[0] == row


@pytest.mark.parametrize(
    ("name", "kind", "values", "row"),
    [
        ("postcode", "place", ["CB1 2AB", "CB10 2AB", "cb13ad", "N1 8EE"],
         ("CB1 2AB", "CB1 *", "CB*")),
        ("district", "place", ["B10", "B11", "M13", "W14"], ("B10", "B*")),
        ("zip", "place", ["20505", "20505-1234", "20510", "94105"], ("20505", "20505*", "205*")),
        ("plz", "place", [1067, 1069, 1100, 10115, 10117], ("1067", "10**", "1***")),
        ("nace", "", ["01", "01.1", "01.11", "01.12", "02"], ("01.11", "01*")),
        ("nuts", "place", ["DE", "DE1", "DE11", "DE12", "FR1"], ("DE11", "DE1*", "DE*")),
        ("postal_code", "place", ["K1A 0B1", "K1A 2C2", "K2B 0B1", "V5K 0A1"],
         ("K1A 0B1", "K1A*", "K*")),
        ("hts", "", ["0101.21.00", "0101.21.90", "0101.29.00", "0102.21.10"],
         ("0101.21.00", "0101.21*", "0101*")),
    ],
)  # fmt: skip
def test_codes_of_several_lengths_keep_their_beginnings(name, kind, values, row):
    rows = {one[0]: one for one in drawn(evidence(name, values * 3), kind).rows or ()}
    assert rows[row[0]][: len(row)] == row


@pytest.mark.parametrize(
    ("name", "kind", "values"),
    [("isco", "", [1110, 1120, 2310]), ("employer", "", [10123, 10345, 20777]),
     ("district_code", "place", [11, 12, 45]), ("cod_municipio", "place", [28079, 28006, 45168])],
)  # fmt: skip
def test_codes_are_no_quantities(name, kind, values):
    assert "intervals" not in (drawn(evidence(name, values * 9), kind).rule or {})


def test_codes_of_unknown_meaning_are_no_diseases():
    """The same codes lie in chapters where the name tells of a diagnosis."""
    codes = [f"{letter}{number}" for letter in "AEFJK" for number in range(10, 16)]
    assert all("infections" not in row for row in drawn(evidence("seat", codes)).rows or ())
    assert any("infections" in row for row in drawn(evidence("diagnosis", codes)).rows or ())
