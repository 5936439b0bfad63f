"""Target degrees: exact optima, their published and brute-force values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from graphs import public
from indistinct.errors import ParameterError
from indistinct.graph.degree_sequence import (
    by_degree,
    cheapest_cost,
    check_k,
    group_evenly,
    targets_for,
)
from indistinct.graph.degree_sequence_kernels import greedy_raise
from shared import examples

KS = (2, 5, 10, 25, 50, 100)
OPTIMA = {
    "karate": ((7, 25, 86, 422), (5, 17, 44, 80)),
    "lesmis": ((19, 86, 225, 646, 2264), (18, 37, 64, 126, 344)),
    "jazz": ((17, 165, 502, 1593, 3825, 14316), (15, 115, 239, 501, 1101, 2690)),
    "celegans_metabolic": ((132, 674, 1650, 4691, 10117, 21562), (132, 241, 439, 837, 1201, 1556)),
    "email-Eu-core": ((173, 815, 1843, 5614, 12310, 26668), (163, 294, 690, 1556, 2580, 5000)),
    "polblogs": ((151, 604, 1629, 5190, 12033, 26443), (110, 311, 807, 1923, 3184, 5294)),
    "FB": ((582, 2032, 6140, 19585, 42785, 89953), (522, 1149, 2486, 3610, 5118, 8004)),
    "power": ((1, 16, 55, 169, 449, 988), (1, 9, 19, 35, 92, 159)),
    "ca-GrQc": ((13, 88, 232, 757, 2031, 4612), (13, 59, 121, 339, 763, 1482)),
    "hep-th": ((16, 52, 144, 497, 1174, 2872), (11, 25, 60, 146, 354, 593)),
    "email-enron": (
        (345, 2183, 5772, 17858, 44221, 100514),
        (318, 1360, 3255, 8644, 15024, 23493),
    ),
}


def greedy_cost(degrees, k):
    """Return the cost of the greedy grouping of liu2008, section 4.2."""
    return greedy_raise(np.sort(degrees)[::-1].copy(), k)[0]


@pytest.mark.parametrize("name", OPTIMA)
def test_public_networks_have_the_published_optima(name):
    degrees = public(name).degrees
    add, mixed = OPTIMA[name]
    assert tuple(cheapest_cost(degrees, k, "add") for k in KS[: len(add)]) == add
    assert tuple(cheapest_cost(degrees, k, "mixed") for k in KS[: len(mixed)]) == mixed


@pytest.mark.parametrize(
    ("degrees", "k", "add", "mixed", "greedy"),
    [
        ((5, 4, 4, 3, 2, 2, 2), 2, 2, 2, None),
        ((5, 4, 4, 3, 2, 2, 2), 3, 4, 2, None),
        ((8, 7, 5, 3, 3, 2, 2, 1, 1, 1), 2, 4, 3, 5),
        ((8, 7, 5, 3, 3, 2, 2, 1, 1, 1), 3, 6, 5, 6),
        ((9, 5, 5, 5, 5, 1, 1, 1), 2, 4, 4, None),
        ((3, 1, 1, 1), 2, 2, 2, None),
        ((6, 6, 5, 5, 5, 4, 2), 2, 2, None, 4),
    ],
)
def test_worked_examples(degrees, k, add, mixed, greedy):
    array = np.array(degrees)
    assert cheapest_cost(array, k, "add") == add
    assert mixed is None or cheapest_cost(array, k, "mixed") == mixed
    assert greedy is None or greedy_cost(array, k) == greedy


@pytest.mark.parametrize(
    ("degrees", "k", "targets"),
    [
        ((5, 4, 4, 3, 2, 2, 2), 2, (5, 5, 4, 4, 2, 2, 2)),
        ((5, 4, 4, 3, 2, 2, 2), 3, (5, 5, 5, 5, 2, 2, 2)),
        ((9, 5, 5, 5, 5, 1, 1, 1), 2, (9, 9, 5, 5, 5, 1, 1, 1)),
        ((3, 1, 1, 1), 2, (3, 3, 1, 1)),
    ],
)
def test_worked_targets(degrees, k, targets):
    array = np.array(degrees)
    assert tuple(targets_for(array, k, "add", by_degree(array)).targets) == targets


def brute(descending, k, mode):
    """Try every grouping and every level: (least cost, least cost with an even sum)."""
    size = len(descending)
    best = {0: None, 1: None}

    def extend(begin, parity, cost):
        if all(found is not None and cost >= found for found in best.values()):
            return  # whatever follows costs at least nothing
        if begin == size:
            if best[parity] is None or cost < best[parity]:
                best[parity] = cost
            return
        for end in range(begin + k, size + 1):
            group = descending[begin:end]
            for one in range(size):
                if (mode == "add" and one < group[0]) or (mode == "delete" and one > group[-1]):
                    continue
                change = sum(abs(value - one) for value in group)
                extend(end, (parity + len(group) * one) % 2, cost + change)

    extend(0, 0, 0)
    found = [cost for cost in best.values() if cost is not None]
    return min(found), -1 if best[0] is None else best[0]


@examples(150)
@given(st.data(), st.sampled_from(["add", "mixed", "delete"]))
def test_the_programs_are_exact(data, mode):
    size = data.draw(st.integers(1, 7))
    degrees = data.draw(st.lists(st.integers(0, size - 1), min_size=size, max_size=size))
    k = data.draw(st.integers(1, size))
    array = np.array(sorted(degrees, reverse=True), np.int64)
    plain, even = brute(array.tolist(), k, mode)
    assert cheapest_cost(array, k, mode) == plain
    cost, targets = group_evenly(array, k, mode)
    assert cost == even
    if cost >= 0:
        assert np.abs(targets - array).sum() == cost
        assert targets.sum() % 2 == 0


@examples(100)
@given(st.lists(st.integers(0, 60), min_size=1, max_size=60), st.randoms())
def test_cost_grows_with_k_and_does_not_depend_on_order(degrees, random):
    array = np.array(degrees, np.int64)
    costs = [cheapest_cost(array, k) for k in range(1, len(degrees) + 1)]
    assert costs[0] == 0
    assert costs == sorted(costs)
    random.shuffle(degrees)
    for k, cost in enumerate(costs, 1):
        assert cheapest_cost(np.array(degrees), k) == cost <= greedy_cost(array, k)
        assert cheapest_cost(array, k, "mixed") <= cost


@pytest.mark.parametrize("k", [0, 1, 8, 2.5, True])
def test_a_k_out_of_range_is_refused(k):
    with pytest.raises(ParameterError):
        check_k(7, k)
