"""A release in the order of its input is found, even where nobody stands out."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import indistinct as ind
from indistinct.reader.verify.evidence import Reading
from indistinct.reader.verify.hidden_order import follows_values
from indistinct.reader.verify.order import keeps_order, repeats_sequence
from indistinct.reader.verify.verify import verify_frame

SOURCE = np.random.default_rng(5)
INPUT = pl.DataFrame({"age": SOURCE.integers(20, 60, 60), "ill": SOURCE.integers(0, 4, 60)})
POLICY = ind.Policy.from_keywords(
    quasi_identifiers=["age"], sensitive=["ill"], k=5, max_suppression=0.1
)


def order_is_found(rows: list[int]) -> bool:
    """Publish some rows of the input in a given order, all ages hidden, and verify."""
    released = INPUT[rows].with_columns(age=pl.lit("*"))
    return "order" in {fault.place for fault in ind.verify(released, POLICY, original=INPUT).faults}


@pytest.mark.parametrize(
    "rows",
    [list(range(60)), list(range(60))[::-1], [row for row in range(60) if row not in {7, 31}]],
    ids=["as it was", "reversed", "two rows left out"],
)
def test_a_column_of_four_values_tells_the_order(rows):
    assert order_is_found(rows)


def test_shuffled_rows_are_in_no_order():
    """Of 200 shuffled releases none is refused; the bound is one in 5e11."""
    assert not any(
        order_is_found(np.random.default_rng(seed).permutation(60).tolist()) for seed in range(20)
    )
    before = INPUT["ill"].to_numpy().astype(np.int64)
    for seed in range(180):
        order = np.random.default_rng(seed).permutation(60)[:57]
        assert not repeats_sequence(before[order], before)


def test_rows_that_are_alike_may_stand_together():
    """As they do in a release that is sorted by a hash, of an input that was sorted itself."""
    patients = pl.DataFrame({"ill": np.repeat(range(14), 20), "age": np.arange(280) % 40 + 20})
    for seed in range(200):
        blocks = np.random.default_rng(seed).permutation(14).tolist()
        released = pl.concat([patients.filter(pl.col("ill") == block) for block in blocks])
        released = released.with_columns(age=pl.lit("*"))
        assert ind.verify(released, POLICY, original=patients).holds is True


def test_what_chance_may_do_is_not_refused():
    """Rows that are nearly all alike stand in the input's order whatever one does."""
    alike = np.zeros(60, np.int64)
    assert not repeats_sequence(alike, alike)
    alike[3] = 1
    assert not repeats_sequence(alike, alike)
    few = np.arange(12) % 2
    assert not repeats_sequence(few, few)


AGES = pl.DataFrame(
    {"age": SOURCE.permutation(400) % 80 + 10, "code": [f"c{n}" for n in SOURCE.permutation(400)]}
)
TENS = ind.Policy.from_words(
    {
        "columns": {
            "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10]}},
            "code": {"role": "identifier"},
        },
        "models": [{"name": "k-anonymity", "k": 2}],
    }
)


def faults_of_rows(rows) -> set[str]:
    """Publish the ages of some records in tens, and verify with the input and the crosswalk."""
    ages = AGES["age"].gather(rows)
    low = ages - ages % 10
    released = pl.DataFrame({"age": [f"[{one}, {one + 10})" for one in low]})
    crosswalk = pl.DataFrame({"row": range(len(rows)), "input_row": list(rows)})
    found = verify_frame(
        Reading(released, TENS, AGES, crosswalk["input_row"].to_list(), original_is_masked=True)
    )
    return {fault.place for fault in found.faults}


@pytest.mark.parametrize("name", ["age", "code"])
@pytest.mark.parametrize("falling", [False, True])
def test_rows_in_the_order_of_a_hidden_value_are_found(name, falling):
    """Sorted by the exact ages or by the identifiers, whatever the classes' own order."""
    rows = AGES[name].arg_sort(descending=falling).to_list()
    assert f"columns.{name}" in faults_of_rows(rows)
    decades = (AGES["age"].gather(rows) // 10 * 37 % 11).arg_sort()
    assert f"columns.{name}" in faults_of_rows([rows[place] for place in decades])


def test_shuffled_rows_follow_no_hidden_value():
    """Of 200 shuffled releases none is refused: each column by chance once in 4e11."""
    for seed in range(200):
        assert not faults_of_rows(np.random.default_rng(seed).permutation(400).tolist())


@given(st.integers(2, 200), st.integers(1, 5), st.integers(0, 80), st.integers(0, 2**32 - 1))
def test_the_order_within_groups_as_it_is_defined(n_rows, n_groups, noise, seed):
    """The weighted sum of the groups' own correlations; about half of these are in an order."""
    source = np.random.default_rng(seed)
    groups = source.integers(0, n_groups, n_rows)
    values = (np.arange(n_rows) + source.integers(0, noise + 1, n_rows)) // 3.0
    total = weights = 0.0
    for group in range(n_groups):
        places = np.flatnonzero(groups == group)
        own = values[places]
        if len(places) > 1 and np.ptp(own) > 0:
            total += (len(places) - 1) * float(np.corrcoef(own, places)[0, 1])
            weights += len(places) - 1
    assert follows_values(values, groups) is (weights > 0 and abs(total) / weights**0.5 > 7)


@pytest.mark.parametrize("n_rows", [21, 22, 23, 35, 50])
def test_as_many_ascents_as_chance_gives_are_in_no_order(n_rows):
    """Up to 7 standard deviations in exact fractions; no correlation of so few rows is beyond 7."""
    for n_ascents in range(n_rows):
        ends = np.linspace(0, n_rows, n_ascents + 2).round().astype(int)
        falling = [range(high - 1, low - 1, -1) for low, high in pairwise(ends.tolist())]
        places = np.array([place for run in falling for place in run])
        assert np.count_nonzero(np.diff(places) > 0) == n_ascents
        far = n_ascents - Fraction(n_rows - 1, 2)
        is_far = n_ascents in {0, n_rows - 1} or far**2 > 49 * Fraction(n_rows + 1, 12)
        assert keeps_order(places) == is_far, n_ascents
