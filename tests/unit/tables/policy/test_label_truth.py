"""Labels of lists are held against the values below them: ranges, periods and masks."""

import csv

import polars as pl
import pytest
from hypothesis import given, strategies as st

import indistinct as ind
from indistinct.errors import HierarchyError
from indistinct.tables.counting.table_faults import list_notes
from indistinct.tables.drafting.checked import names_of_values
from indistinct.tables.policy.label_truth import false_labels
from indistinct.tables.policy.specification import resolve

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
    ("E11.9", "neoplasms"),  # names are taken at their word
    ("21", "2*-3*"),
    ("1200", "1,000 to 1,999"),  # thousands or decimals: nobody knows
    ("3/4/1975", "1975-05"),  # March or April: nobody knows
    ("S05", "S00-S99"),
    ("10", "room 10 - 20"),
    ("20", "0-19"),  # lists that everybody uses have it there
    ("10-20", "[0, 20)"),
    ("2.4", "under 2.5"),
    ("24", "under-25"),  # a hyphen, and no minus
    ("AB-16.5", "[20, 30)"),  # a code, and not from -16.5 on in German
    ("0.7", "[.5, 1e0)"),
    ("2015-03", "2015.0"),
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
    ("-5", "-4 to 4"),
    ("7", "from 5 to 6,5 kg"),
    ("2016-03", "2015-04 (level 1)"),
    ("2.6", "under 2,5"),
    ("2.4", "2.5+"),
    ("0.4", "[.5, 1e0)"),
    ("0.4", "[0,5; 1["),
    ("2016-03", "2015.0"),
    ("2016-03", "2015 W12"),
]


@pytest.mark.parametrize(("value", "label"), TRUE)
def test_what_lies_below_a_label_makes_it_true(value, label):
    assert not false_labels([(value, label)])


@pytest.mark.parametrize(("value", "label"), FALSE)
def test_what_does_not_lie_below_a_label_makes_it_false(value, label):
    (found,) = false_labels([(value, label, "*")])
    assert found[:3] == (1, label, value)


CLOSED = [
    "{}-{}",
    "[{}, {}]",
    "[{};{}]",
    "from {} to {} years",
    "{} bis {} Jahre",
    "de {} à {} ans",
]
HALF_OPEN = ["[{}, {})", "[{}; {}[", "[{} - {})"]


@given(
    st.sampled_from(CLOSED + HALF_OPEN), st.integers(10, 99), st.integers(0, 40), st.integers(0, 99)
)
def test_a_range_is_true_of_the_numbers_between_its_ends(writing, low, width, number):
    high = min(low + width, 99)
    is_true = low <= number <= high - (writing in HALF_OPEN)
    paths = [(str(number), writing.format(low, high))]
    assert bool(false_labels(paths, exact=True)) is not is_true
    assert not false_labels(paths, are_codes=True)


def test_the_other_values_prove_how_a_date_is_written():
    """3/4 is in April beside a 13/4."""
    proved = [("3/4/1975", "1975-04"), ("13/4/1975", "1975-03")]
    assert [(one.label, one.value) for one in false_labels(proved)] == [("1975-03", "13/4/1975")]


def test_each_false_value_and_level_is_told():
    paths = [("21", "20-29", "under 50"), ("61", "20-29", "under 50"), ("22", "20-29", "over 50")]
    found = {(one.level, one.label, one.value) for one in false_labels(paths)}
    assert found == {(1, "20-29", "61"), (2, "under 50", "61"), (2, "over 50", "22")}


def test_a_label_that_got_its_level_is_beside_one_without():
    paths = [("2016-03", "2015-04", "2016"), ("2016-04", "2016-04 (level 1)", "2016")]
    assert [one.label for one in false_labels(paths)] == ["2015-04"]


def test_the_level_behind_a_label_is_no_part_of_its_length():
    """The code 0123 has lost its zero; it begins as its group shows."""
    assert not false_labels([("123", "012* (level 1)"), ("0123", "012* (level 1)")])
    assert false_labels([("123", "001* (level 1)")])


def test_a_group_has_no_name_of_another_value():
    paths = {"20505": ("20505", "20505", "*"), "20505-1234": ("20505-1234", "20505", "*")}
    assert names_of_values(paths) == {1: 1}
    assert not names_of_values({"a": ("a", "a", "*"), "b": ("b", "other", "*")})


def policy_of_codes(tmp_path, rows, **words):
    """Write a list, and return a policy of one column with it."""
    with (tmp_path / "codes.csv").open("w", newline="") as file:
        csv.writer(file, delimiter=";").writerows(rows)
    column = {"role": "quasi-identifier", "hierarchy": {"csv": "codes.csv", "separator": ";"}}
    return ind.Policy.from_words(
        {"columns": {"code": column | words}, "models": [{"name": "k-anonymity", "k": 3}]}, tmp_path
    )


def test_a_list_is_refused_for_a_value_that_a_record_has(tmp_path):
    """A list may have more values than a table; what it says of these is told, and no refusal."""
    rows = [["21", "20-29", "*"], ["22", "20-29", "*"], ["61", "20-29", "*"]]
    policy = policy_of_codes(tmp_path, rows)
    release = ind.anonymize(pl.DataFrame({"code": [21, 22] * 5}), policy)
    assert ind.verify(release.data, policy, original=pl.DataFrame({"code": [21, 22] * 5})).holds
    (note,) = list_notes(resolve(policy))
    assert note.startswith("columns.code.hierarchy: level 1 has 1 label that is not true")
    assert "20-29" not in note
    with pytest.raises(HierarchyError, match="level 1 has 1 label that is not true") as raised:
        ind.anonymize(pl.DataFrame({"code": [21, 22, 61] * 5}), policy)
    assert "61" not in str(raised.value)


def test_codes_below_ranges_of_numbers_are_released_by_the_remedy_that_is_named(tmp_path):
    rows = [["61", "20-29", "*"], ["62", "20-29", "*"], ["7", "30-39", "*"]]
    frame = pl.DataFrame({"code": [61, 62, 7] * 5})
    with pytest.raises(HierarchyError, match='set type = "nominal"'):
        ind.anonymize(frame, policy_of_codes(tmp_path, rows))
    policy = policy_of_codes(tmp_path, rows, type="nominal", min_level=1)
    release = ind.anonymize(frame, policy)
    assert {*release.data["code"]} == {"20-29", "30-39"}
    assert ind.verify(release.data, policy, original=frame, manifest=release.manifest).holds


def test_a_published_example_with_stars_between_digits_is_taken(tmp_path):
    rows = [["21", "2*-3*", "*"], ["31", "2*-3*", "*"]]
    policy = policy_of_codes(tmp_path, rows, min_level=1)
    assert {*ind.anonymize(pl.DataFrame({"code": [21, 31] * 5}), policy).data["code"]} == {"2*-3*"}


BORN_AND_AGE = [("2015-04", "[20, 30)"), ("2016", "[60, 66)"), ("2015-Q1", "[60, 62)"),
                ("2010s", "[61, 65]")]  # fmt: skip


@pytest.mark.parametrize(("born", "age"), BORN_AND_AGE)
def test_verification_finds_levels_that_are_not_true(tmp_path, born, age):
    """The policy, the release and its classes agree with each other, and not with the people."""
    people = [{"born": f"2016-0{n % 4 + 1}-01", "age": str(61 + n % 5), "ill": "fg"[n % 2]}
              for n in range(40)]  # fmt: skip
    is_true = {"born": born in {"2016", "2010s"}, "age": age in {"[60, 66)", "[61, 65]"}}
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
    original = pl.DataFrame(people)
    listed = ind.Policy.from_words(words, folder=tmp_path)
    verdict = ind.verify(released, listed, original=original)
    found = {fault.place for fault in verdict.faults if "not true" in fault.problem}
    assert found == {f"columns.{name}" for name, is_so in is_true.items() if not is_so}
    assert all("level 1" in fault.problem for fault in verdict.faults)
    assert bool(found) != bool(verdict.holds)
    # Nothing is known of the people: what the list says of its own values is told apart.
    alone = ind.verify(released, listed)
    assert not [fault for fault in alone.faults if "not true" in fault.problem]
    assert bool(list_notes(resolve(listed))) is bool(found)
