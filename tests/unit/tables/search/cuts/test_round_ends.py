"""Ranges that end at round numbers, and what verification makes of them."""

from decimal import Decimal

import polars as pl
import pytest
from hypothesis import example, given, strategies as st

import indistinct as ind
from indistinct.tables.search.cuts.ranked import public_step, rounded_outward

HEIGHTS = pl.DataFrame({"height": [150.13 + 1.37 * row for row in range(40)]})


def policy(range_ends, algorithm="mondrian"):
    return ind.Policy(
        columns={"height": {"role": "quasi-identifier"}},
        models=[{"name": "k-anonymity", "k": 8}],
        method={"algorithm": algorithm},
        release={"range_ends": range_ends},
    )


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (17.31, 88.4, (15, 90)),
        (17, 25, (17, 25)),
        (-3.33, 3.33, (-3.5, 3.5)),
        (0.0012, 0.0019, (0.0012, 0.0019)),
        (1, 99, (0, 100)),
        (-4.883, 34.69, (-5, 35)),
        (-0.04883, 0.3469, (-0.05, 0.35)),
    ],
)
def test_ends_move_outward_to_the_step_of_the_result(low, high, expected):
    assert rounded_outward(low, high) == expected


finite = st.integers(-(10**12), 10**12).map(lambda number: number / 1000)


@given(one=finite, other=finite)
@example(one=-4.883, other=34.69)
def test_the_step_follows_from_the_released_ends_alone(one, other):
    """Each end is a multiple of the step of the result, at most one step away."""
    if one == other:
        return
    low, high = rounded_outward(min(one, other), max(one, other))
    assert low <= min(one, other)
    assert high >= max(one, other)
    step = public_step(Decimal(repr(high)) - Decimal(repr(low)))
    is_odd = any(Decimal(repr(end)) % step != 0 for end in (low, high))
    if is_odd and step.as_tuple().digits[0] == 2:
        step *= Decimal("2.5")
    assert Decimal(repr(low)) % step == 0
    assert Decimal(repr(high)) % step == 0
    assert Decimal(repr(min(one, other))) - Decimal(repr(low)) < step
    assert Decimal(repr(high)) - Decimal(repr(max(one, other))) < step


@pytest.mark.parametrize("original", [None, HEIGHTS])
def test_each_policy_accepts_its_own_ends_alone(original):
    """Exact ends break a policy of rounded ones; with the input the reverse is found, too."""
    exact, rounded = (ind.anonymize(HEIGHTS, policy(ends), seed=1) for ends in ("exact", "rounded"))
    for made, ends in ((rounded, "rounded"), (exact, "exact")):
        known = {"manifest": made.manifest, "original": original}
        assert ind.verify(made.frame, policy(ends), **known).holds is True
    assert ind.verify(exact.frame, policy("rounded"), original=original).holds is False
    if original is not None:
        assert ind.verify(rounded.frame, policy("exact"), original=original).holds is False


def test_ends_further_out_than_one_step_are_no_cells():
    """A publisher may not widen a range at will."""
    release = ind.anonymize(HEIGHTS, policy("rounded"), seed=1).frame
    first = release["height"].sort()[0]
    wide = release.with_columns(pl.col("height").replace({first: "[100, 160]"}))
    assert ind.verify(wide, policy("rounded"), original=HEIGHTS).holds is False
