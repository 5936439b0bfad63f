"""Columns that give the order of the input away are found, in whatever form; others are not."""

import datetime as dt

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.reading.row_order import follows_the_rows
from indistinct.tables.verification.order_traces import tells_order
from shared import longer

N_RECORDS = 40
ROWS = list(range(N_RECORDS))
START = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
DAY = "{:%d.%m.%Y}"
NUMBERING = {
    "rising": ROWS,
    "falling": ROWS[::-1],
    "floats": [row * 1.5 for row in ROWS],
    "zero-padded": [f"{row:04d}" for row in ROWS],
    "with a letter": [f"r{row:04d}" for row in ROWS],
    "not padded": [f"case {row}" for row in ROWS],
    "moments": [START + dt.timedelta(minutes=row) for row in ROWS],
    "moments as text": [str(START + dt.timedelta(hours=row)) for row in ROWS],
    "a gap": [None, *ROWS[1:]],
    "a tie": [1, *ROWS[1:]],
    "nearly": [5, 4, 3, 2, 1, 0, *ROWS[6:]],
    "durations": [dt.timedelta(seconds=row) for row in ROWS],
}
# Reading finds the dates; nobody looks for them in a text.
DATES = {
    "days, months, years": [DAY.format(START + dt.timedelta(days=17 * row)) for row in ROWS],
    "months, days, years, hours": [
        f"{START + dt.timedelta(days=17 * row):%m/%d/%Y %H:%M}" for row in ROWS
    ],
    "names of months": [f"{START + dt.timedelta(days=17 * row):%d %B %Y}" for row in ROWS],
    "a gap in dates": [None, *(DAY.format(START + dt.timedelta(days=9 * row)) for row in ROWS[1:])],
}
TIED = {
    "pairs": [row // 2 for row in ROWS],
    "falling triples": [-(row // 3) for row in ROWS],
    "fours as text": [f"h{row // 4:03d}" for row in ROWS],
    "runs of several lengths": [1] * 9 + ROWS[9:25] + [25] * 15,
}
HARMLESS = {
    "only their second number": [f"ward {row * 7 % 5}, bed {row}" for row in ROWS],
    "Roman numerals of the page": [f"{'ivx'[row % 3]} {row * 7919 % 41}" for row in ROWS],
    "shuffled": np.random.default_rng(3).permutation(N_RECORDS).tolist(),
    "sorted but coarse": [row // 10 for row in ROWS],
    "sorted words, many alike": ["a"] * 20 + ["b"] * 20,
    "words": [f"{row * 7919 % 41} street" for row in ROWS],
    "dates in no order": [DAY.format(START + dt.timedelta(days=row * 7919 % 997)) for row in ROWS],
    "marches": [f"{'march' if row % 3 else 'may'} {row * 7919 % 41}" for row in ROWS],
    "constant": [1] * N_RECORDS,
    "missing": [None] * N_RECORDS,
    "yes or no": [True, False] * 20,
}


@pytest.mark.parametrize("name", NUMBERING)
def test_both_definitions_find_an_order(name):
    """The refusal before the release and the check of the file see the same."""
    column = pl.Series(name, NUMBERING[name])
    assert follows_the_rows(column)
    assert tells_order(column)


@pytest.mark.parametrize("name", HARMLESS)
def test_neither_definition_finds_one_where_there_is_none(name):
    """Coarse, mixed and empty columns are left alone."""
    column = pl.Series(name, HARMLESS[name])
    assert not follows_the_rows(column)
    assert not tells_order(column)


@pytest.mark.parametrize("name", TIED)
def test_both_definitions_find_an_order_with_ties(name):
    """From the number of records on that hide a row among them, the column is let through."""
    column = pl.Series(name, TIED[name])
    assert follows_the_rows(column, alike=5)
    assert tells_order(column, alike=5)
    assert not follows_the_rows(column, alike=2)
    assert not tells_order(column, alike=2)


@pytest.mark.parametrize(("n_records", "n_alike"), longer([(12, 1.2), (20, 2), (40, 4)], [(40, 4)]))
def test_ties_in_an_order_by_chance_are_let_through(n_records, n_alike):
    """Of 200,000 columns in an order by chance 27, none and none were refused."""
    source = np.random.default_rng(12)
    values = [int(row / n_alike) for row in range(n_records)]
    columns = [pl.Series(source.permutation(values)) for _ in range(500)]
    assert sum(follows_the_rows(column, alike=5) for column in columns) <= 3
    assert sum(tells_order(column, alike=5) for column in columns) <= 3


@pytest.mark.parametrize(
    ("n_alike", "k", "is_refused"), [(2, 2, True), (4, 2, True), (5, 2, False), (8, 9, True)]
)
def test_a_sorted_column_hides_a_row_among_as_many_as_a_class_has(tmp_path, n_alike, k, is_refused):
    """Among five at least, whatever the policy asks; shuffling the file by hand does not help."""
    rows = range(n_alike * 12)
    frame = pl.DataFrame({"town": "a", "house": [row // n_alike for row in rows]}, strict=False)
    policy = ind.Policy.from_keywords(quasi_identifiers=["town"], insensitive=["house"], k=k)
    path = tmp_path / "out.csv"
    frame.sort("town", "house").write_csv(path)
    faults = ind.verify(path, policy, original=frame).faults
    assert bool([fault for fault in faults if fault.place == "columns.house"]) == is_refused
    if is_refused:
        with pytest.raises(ind.PolicyError, match=r"columns.house: numbers the records"):
            ind.anonymize(frame, policy)
    else:
        assert ind.anonymize(frame, policy).frame.height == len(rows)


@pytest.mark.parametrize("name", [*NUMBERING, *DATES])
@pytest.mark.parametrize("role", ["sensitive", "insensitive"])
def test_no_release_with_such_a_column(name, role):
    """It is refused in words that name the column and a remedy, and no value."""
    frame = pl.DataFrame(
        {"town": ["a", "b"] * 20, "case": (NUMBERING | DATES)[name], "d": ["x", "y"] * 20}
    )
    words = {"sensitive": ["d"], "insensitive": []}
    words[role] = [*words[role], "case"]
    with pytest.raises(
        ind.PolicyError, match=r"columns.case: numbers the records(.|\n)*identifier"
    ):
        ind.anonymize(frame, quasi_identifiers=["town"], k=2, **words)


def test_verification_finds_it_with_the_original(tmp_path):
    """The released rows stand in canonical order, whatever the input's order was."""
    frame = pl.DataFrame({"town": ["a", "b"] * 20, "case": NUMBERING["with a letter"]})
    policy = ind.Policy.from_keywords(quasi_identifiers=["town"], insensitive=["case"], k=2)
    path = tmp_path / "out.csv"
    frame.sort("town", "case").write_csv(path)
    found = ind.verify(path, policy, original=frame)
    assert [fault.place for fault in found.faults] == ["columns.case"]
    alone = ind.verify(path, policy)
    assert (alone.faults, alone.not_checked) == ((), ("columns.town.cells", "manifest"))
    assert [model["holds"] for model in alone.models] == [True]


@pytest.mark.slow  # orders by chance are let through above
def test_false_alarms_are_rarer_than_one_in_a_thousand():
    """Of 5,000 columns of ten records in an order by chance at most five are refused."""
    source = np.random.default_rng(11)
    columns = [pl.Series(source.permutation(10)) for _ in range(5_000)]
    assert sum(map(follows_the_rows, columns)) <= 8
    assert sum(map(tells_order, columns)) <= 8
