"""Labels are held against the values below them by a reader that knows dates, numbers and codes."""

import csv

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.verification.true_labels import false_labels, is_true_of, names_of_values
from indistinct.tables.verification.value_meanings import ColumnMeaning

TRUE = [
    ("30", "[20, 30]"),
    ("29", "25 to 29 years"),
    ("24", "unter 25"),
    ("70", "65 or older"),
    ("70", "70 y más"),
    ("1200", "1,000 to 1,999"),
    ("311", "31-33"),
    ("[0-10)", "[0-20)"),
    ("De 25 a 29 años", "25-34"),
    (">200", "100+"),
    ("1985", "1980"),
    ("young", "[20, 30)"),
    ("13.04.1975", "1975-04"),
    ("13 avril 1975", "1975-04"),
    ("1987-05-00", "1987-05"),
    ("1987", "1980s"),
    ("2021-01-01", "2020-W53"),
    ("2021-01-01T09:30", "2021-01-01T09"),
    ("April 2015", "2015-Q2"),
    ("1995-05-02", "1990-1999"),
    ("CB1 2AB", "CB1 *"),
    ("cb12ab", "CB1 *"),
    ("20505-1234", "20505*"),
    ("E11.9", "endocrine and metabolic"),
    ("V57", "factors influencing health"),
]
FALSE = [
    ("61", "[20, 30)"),
    ("30", "[20, 30)"),
    ("29", "30-39"),
    ("61", "20 bis 29"),
    ("26", "under 25"),
    ("24", "25+"),
    ("15-24", "20-34"),
    ("13.04.1975", "1975-05"),
    ("2016-03", "04/2015"),
    ("2016-03", "April 2015"),
    ("2016-03", "Q2 2016"),
    ("1987", "1990s"),
    ("2016-03-05", "[20, 30)"),
    ("2021-01-01", "2021-W01"),
    ("2021-01-01T09:30", "2021-01-01T10"),
    ("CB10 2AB", "CB1 *"),
    ("20505", "206*"),
    ("E11.9", "neoplasms"),
    ("B10", "nervous system"),
    ("2016-03", "2015-04 (level 1)"),
]


@pytest.mark.parametrize(("value", "label"), TRUE)
def test_what_lies_below_a_label_makes_it_true(value, label):
    assert is_true_of("x", ColumnMeaning([value]), label, value)


@pytest.mark.parametrize(("value", "label"), FALSE)
def test_what_does_not_lie_below_a_label_makes_it_false(value, label):
    assert not is_true_of("x", ColumnMeaning([value]), label, value)


def test_the_other_values_prove_how_a_date_is_written():
    """3/4 is in April beside a 13/4; alone it may be in March, too, so that no month is true."""
    proved = ColumnMeaning(["3/4/1975", "13/4/1975"])
    assert proved.is_true("1975-04", "3/4/1975")
    assert not proved.is_true("1975-03", "3/4/1975")
    alone = ColumnMeaning(["3/4/1975"])
    assert not alone.is_true("1975-04", "3/4/1975")
    assert alone.is_true("1975", "3/4/1975")


def test_a_place_is_no_disease():
    """The same code lies in a chapter of the classification in one column, and not in the other."""
    paths = {"B10": ("B10", "infections", "*")}
    assert false_labels("postcode_district", paths) == {1: 1}
    assert not false_labels("diagnosis", paths)


def test_a_group_has_no_name_of_another_value():
    paths = {"20505": ("20505", "20505", "*"), "20505-1234": ("20505-1234", "20505", "*")}
    assert names_of_values(paths) == {1: 1}
    assert not names_of_values({"a": ("a", "a", "*"), "b": ("b", "other", "*")})


@pytest.mark.parametrize(
    ("born", "age"),
    [
        ("April 2015", "60-65"),
        ("2016", "20 to 30"),
        ("2015-Q1", "over 60"),
        ("Q1 2016", "20 bis 29"),
    ],
)
def test_verification_finds_levels_that_are_not_true(tmp_path, born, age):
    """The policy, the release and its classes agree with each other, and not with the people."""
    people = [{"born": f"2016-0{n % 4 + 1}", "age": str(61 + n % 5), "ill": "fg"[n % 2]}
              for n in range(40)]  # fmt: skip
    is_true = {"born": born == "2016", "age": age in {"over 60", "60-65"}}
    labels = {"born": born, "age": age}
    for name, label in labels.items():
        values = sorted({one[name] for one in people})
        with (tmp_path / f"{name}.csv").open("w", newline="") as file:
            csv.writer(file, delimiter=";").writerows([value, label, "*"] for value in values)
    words = {
        "columns": {
            name: {"role": "quasi-identifier", "min_level": 1,
                   "hierarchy": {"csv": f"{name}.csv", "separator": ";"}}
            for name in labels
        } | {"ill": {"role": "sensitive"}},
        "models": [{"name": "k-anonymity", "k": 5}],
    }  # fmt: skip
    released = pl.DataFrame([{**one, **labels} for one in people]).sort("born", "age", "ill")
    verdict = ind.verify(
        released, ind.Policy.from_words(words, folder=tmp_path), original=pl.DataFrame(people)
    )
    found = {fault.place for fault in verdict.faults if "not true" in fault.problem}
    assert found == {f"columns.{name}" for name, is_so in is_true.items() if not is_so}
    assert all("level 1" in fault.problem for fault in verdict.faults)
    assert bool(found) != bool(verdict.holds)
    rules = {name: {"labels": [[label, 1, "*"]]} for name, label in labels.items()}
    for name, rule in rules.items():
        words["columns"][name]["hierarchy"] = rule
    public = ind.Policy.from_words(words)
    alone = ind.verify(released, public, original=pl.DataFrame(people))
    places = {fault.place for fault in alone.faults if "true of fewer records" in fault.problem}
    assert places == found
