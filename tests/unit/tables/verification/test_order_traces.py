"""A column that numbers the rows is found by the reader, in whatever form it does so."""

import datetime as dt

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.verification.order_traces import least_alike, tells_order

DAYS = [dt.date(2019, 12, 20) + dt.timedelta(days=7 * number) for number in range(40)]


def shuffled(column: pl.Series) -> pl.Series:
    return column.gather(np.random.default_rng(3).permutation(len(column)))


FORMS = {
    "numbers": pl.Series(range(40)),
    "falling numbers": pl.Series([-number / 7 for number in range(40)]),
    "decimals": pl.Series([f"{number}.5" for number in range(40)]).cast(pl.Decimal(6, 1)),
    "days": pl.Series(DAYS),
    "texts": pl.Series([f"{number:03}" for number in range(40)]),
    "numbers as texts": pl.Series([str(number) for number in range(-20, 20)]),
    "a number in a text": pl.Series([f"visit {number} of 40" for number in range(5, 45)]),
    "a category": pl.Series([f"{number:03}" for number in range(40)], dtype=pl.Categorical),
    "with missing cells": pl.Series([None if number % 4 == 0 else number for number in range(40)]),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_an_order_is_told_in_every_form(form):
    """Forwards and backwards; not once the rows are shuffled."""
    assert tells_order(FORMS[form])
    assert tells_order(FORMS[form].reverse())
    assert not tells_order(shuffled(FORMS[form]))


@pytest.mark.parametrize("column", [[0] * 40, ["2020-01-01"] * 40, [None] * 40, [True, False] * 20])
def test_a_column_of_few_values_tells_no_order(column):
    assert not tells_order(pl.Series(column))


def test_ten_rows_have_an_order_and_nine_have_none():
    assert tells_order(pl.Series(range(10)))
    assert not tells_order(pl.Series(range(9)))
    assert not tells_order(pl.Series([*range(9), *[None] * 9]))
    assert tells_order(pl.Series([*range(10), *[None] * 9]))


@pytest.mark.parametrize(
    "texts",
    [
        [f"room {n % 3}, bed {n}" for n in range(5, 45)],
        [f"{9 + n % 3}:05 {day:%d.%m.%Y}" for n, day in enumerate(DAYS)],
        [f"{n * 7 % 10}{n:02}" for n in range(40)],  # a check digit in front
    ],
)
def test_what_a_reader_has_to_take_apart_is_not_looked_for(texts):
    assert not tells_order(pl.Series(texts))


def test_nine_of_ten_differ_or_ten_values_have_few_records_each():
    """Sorted numbers: 36 values in 40 rows; 35; ten of 4 records each; nine of 4 or 5."""
    assert tells_order(pl.Series([*range(36), *[35] * 4]))
    assert not tells_order(pl.Series([*range(35), *[34] * 5]))
    tens = pl.Series([number // 4 for number in range(40)])
    assert tells_order(tens, alike=5)
    assert not tells_order(tens, alike=4)
    assert not tells_order(pl.Series([min(number // 4, 8) for number in range(40)]), alike=5)


@pytest.mark.parametrize(("other", "is_order"), [(20, True), (25, False)])
def test_a_correlation_of_nine_tenths_is_enough(other, is_order):
    """Two of forty ranks exchanged: 1 - 12 d**2 / 63,960, which is .925 at 20 and .883 at 25."""
    ranks = np.arange(40)
    ranks[[0, other]] = ranks[[other, 0]]
    assert tells_order(pl.Series(ranks)) == is_order
    assert tells_order(pl.Series(-ranks)) == is_order


@pytest.mark.parametrize(("k", "alike"), [(2, 5), (5, 5), (12, 12)])
def test_a_value_is_as_common_as_a_class_and_at_least_five_times_there(k, alike):
    policy = ind.Policy.from_keywords(quasi_identifiers=["age"], k=k)
    assert least_alike(policy.models) == alike
