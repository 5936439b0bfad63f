"""Composition in exact integers."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from accounts import compose
from indistinct.base.billionths import BILLION, billionths, billionths_up, exact_number
from indistinct.errors import ParameterError
from indistinct.questions.mechanisms.accountant import (
    Account,
    Charge,
    Conversion,
    _rho_at,
    _rho_of_best_order,
    epsilon_of_rho,
    parallel,
    rho_of_epsilon,
    rho_within,
    sequential,
)

KEYS = {"sex": (0, 1, -1), "region": (0, 1, 2, -1)}


@pytest.mark.parametrize(
    ("amount", "expected"),
    [
        (0.1, 100_000_000),
        ("0.1", 100_000_000),
        (1, BILLION),
        (Decimal("0.000000001"), 1),
        (Fraction(1, 8), 125_000_000),
        (1e-9, 1),
    ],
)
def test_decimal_amounts_are_read_exactly(amount, expected):
    """A tenth is a tenth, not the float next to it."""
    assert billionths(amount) == expected


@pytest.mark.parametrize(
    "amount",
    [
        0,
        -1,
        math.nan,
        math.inf,
        "x",
        "",
        "1_0",
        "\uff11",
        "nan",
        None,
        True,
        1e-10,
        "1e999999",
        Fraction(1, 3),
        1e12,
    ],
)
def test_what_is_no_amount_is_refused(amount):
    """Zero, negative, endless, finer than a billionth: none of them is a budget."""
    with pytest.raises(ParameterError):
        billionths(amount)


@pytest.mark.parametrize(
    ("text", "is_number"),
    [("1e400", True), ("9e400", True), ("1e401", False), ("1e-400", True), ("1e-401", False)],
)
def test_a_number_has_at_most_four_hundred_zeros(text, is_number):
    """Else its fraction could fill the memory."""
    assert exact_number(text) == (Fraction(text) if is_number else None)


class Texted:
    """Reads like a number, and is none."""

    def __str__(self):
        return "3"


@pytest.mark.parametrize("amount", [Texted(), [3], None, True, "3 4", "\u0663", "nan", math.inf])
def test_what_only_reads_like_a_number_is_none(amount):
    assert exact_number(amount) is None


def test_a_million_tiny_charges_sum_exactly():
    """Floats would lose count of a tenth a million times; billionths do not."""
    assert reduce(add, [0.1] * 1_000_000) != 100_000  # sum() corrects itself since Python 3.12
    assert sequential([billionths(0.1)] * 1_000_000) == 100_000 * BILLION


def test_rounding_is_against_the_spender():
    """The float above one tenth costs one billionth more."""
    assert billionths_up(0.1) == 100_000_001
    assert billionths_up(math.nextafter(0.1, 0)) == 100_000_000


def test_sequential_adds_and_parallel_takes_the_greatest():
    """Mcsherry's two theorems, on small numbers."""
    assert sequential([1, 2, 3]) == 6
    assert parallel([1, 2, 3]) == 3
    assert parallel([]) == 0


def charges():
    boxes = st.fixed_dictionaries(
        {},
        optional={
            key: st.lists(st.sampled_from(codes), min_size=1, unique=True)
            for key, codes in KEYS.items()
        },
    )
    return st.lists(st.builds(Charge, st.integers(0, 100), boxes), max_size=8)


def dearest_person(asked):
    """Add up, for each kind of person there can be, what concerns that person."""
    return max(
        sum(
            charge.amount
            for charge in asked
            if sex in charge.box.get("sex", KEYS["sex"])
            and region in charge.box.get("region", KEYS["region"])
        )
        for sex in KEYS["sex"]
        for region in KEYS["region"]
    )


@settings(deadline=None)
@given(charges())
def test_nobody_pays_more_than_the_account_says(asked):
    """The account is never below what the dearest person pays, nor above the plain sum."""
    assert dearest_person(asked) <= compose(asked).spent <= sequential(c.amount for c in asked)


@settings(deadline=None)
@given(charges())
def test_spent_never_falls(asked):
    """Each charge leaves the account where it was or higher."""
    account = Account()
    for charge in asked:
        following = account.plus(charge)
        assert following.spent >= account.spent
        account = following


def test_disjoint_values_of_one_key_cost_once():
    """Men and women are asked at one price; everybody is asked at another."""
    asked = [Charge(5, {"sex": (0,)}), Charge(3, {"sex": (1,)}), Charge(2)]
    assert compose(asked).spent == 7


def test_an_empty_box_confines_nothing():
    """A contradiction concerns nobody, and is charged to everybody all the same."""
    assert compose([Charge(5, {"sex": ()}), Charge(5, {"sex": (0,)})]).spent == 10


def test_pure_epsilon_grants_half_its_square_of_rho():
    """Epsilon 1 is rho 1/2, rounded down."""
    assert rho_of_epsilon(BILLION) == BILLION // 2
    assert rho_of_epsilon(billionths("0.00001")) == 0


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0, 20.0])
@pytest.mark.parametrize("delta", [1e-3, 1e-6, 1e-12])
def test_the_greatest_rho_within_an_epsilon_is_sharp(epsilon, delta):
    """A little more rho would be a little too much."""
    rho = rho_within(epsilon, delta)
    assert epsilon_of_rho(rho, delta) <= epsilon < epsilon_of_rho(rho * 1.000001, delta)


EPSILONS = st.floats(0.01, 20)
DELTAS = st.floats(1e-12, 1e-3)


@pytest.mark.parametrize(
    ("epsilon", "delta"), [(0.566, 1e-7), (1.108, 1e-8), (0.333, 1e-5), (1.568, 1e-9), (30.0, 1e-5)]
)
def test_a_rho_that_rounding_raised_is_lowered_again(epsilon, delta):
    """The formula alone gives a rho for the first four whose epsilon is above the one asked for."""
    assert epsilon_of_rho(rho_within(epsilon, delta), delta) <= epsilon


def test_the_better_conversion_grants_what_its_source_does():
    """Epsilon 1 at delta 1e-9: .011781160 by proposition 1.3, .014973057 by corollary 13."""
    assert floor_of(rho_within(1, 1e-9)) == 11_781_160
    assert floor_of(rho_within(1, 1e-9, Conversion.CANONNE2020)) == 14_973_057


def floor_of(rho):
    return math.floor(rho * BILLION)


def least_logarithm(rho, epsilon):
    """Return the logarithm of corollary 13's delta at the best of many orders."""
    orders = 1 + np.geomspace(1e-3, 1e7, 20_001)
    return float(
        np.min(
            (orders - 1) * (orders * rho - epsilon)
            - np.log(orders - 1)
            + orders * np.log1p(-1 / orders)
        )
    )


@given(EPSILONS, DELTAS)
def test_the_better_conversion_grants_more_and_never_too_much(epsilon, delta):
    """The exact delta of what is granted, at the best of many orders, is within the delta."""
    rho = rho_within(epsilon, delta, Conversion.CANONNE2020)
    assert rho > rho_within(epsilon, delta)
    assert least_logarithm(rho, epsilon) <= math.log(delta) + 1e-4


@given(EPSILONS, DELTAS)
def test_a_slightly_greater_rho_needs_a_greater_delta(epsilon, delta):
    """Nothing is left on the table: one thousandth more breaks the promise at every order."""
    rho = rho_within(epsilon, delta, Conversion.CANONNE2020) * 1.001
    assert least_logarithm(rho, epsilon) > math.log(delta)


@pytest.mark.parametrize(("epsilon", "delta"), [(1, 1e-9), (0.1, 1e-6), (5, 1e-5)])
def test_the_rho_of_the_best_order_stays_below_what_that_order_allows(epsilon, delta):
    """Rounding errors cost budget, and never privacy."""
    logarithms = np.linspace(-3, 8, 200_001)
    above = np.exp(logarithms)
    orders = 1 + above
    within = math.log(delta) + logarithms - orders * np.log(above / orders)
    greatest = ((epsilon + within / above) / orders).max()
    rho = rho_within(epsilon, delta, Conversion.CANONNE2020)
    assert greatest * (1 - 1e-7) < rho < greatest


@pytest.mark.parametrize("epsilon", [0.001, 0.01, 1.0, 30.0])
def test_the_best_order_is_found_far_from_two(epsilon):
    """No order on a fine grid allows more; a small epsilon has its best one in the thousands."""
    orders = np.arange(-20.0, 20.0, 0.01)
    most = max(_rho_at(logarithm, epsilon, 1e-6) for logarithm in orders)
    assert _rho_of_best_order(epsilon, 1e-6) >= most * (1 - 1e-6)
