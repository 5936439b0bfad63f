"""A release in the order of its input is found, even where nobody stands out."""

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.reader.verify.order import repeats_sequence

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


def test_what_chance_may_do_is_not_refused():
    """Rows that are nearly all alike stand in the input's order whatever one does."""
    alike = np.zeros(60, np.int64)
    assert not repeats_sequence(alike, alike)
    alike[3] = 1
    assert not repeats_sequence(alike, alike)
    few = np.arange(12) % 2
    assert not repeats_sequence(few, few)
