"""Numbers are put in order as numpy puts them."""

import numpy as np
import pytest

from indistinct.base.compiled.ordering_kernels import ascending


@pytest.mark.parametrize("size", [0, 1, 15, 16, 17, 100, 3000])
def test_every_place_is_listed_once_from_the_least_number_on(size):
    """The order is a permutation that sorts, with few and with many equal numbers."""
    for distinct in (1, 3, 10**6):
        scores = np.random.default_rng(size).integers(0, distinct, size).astype(float)
        order = ascending(scores)
        assert sorted(order.tolist()) == list(range(size))
        assert scores[order].tolist() == sorted(scores.tolist())


def test_few_equal_numbers_keep_their_order():
    """Up to 15 numbers are sorted by insertion, which is stable."""
    scores = np.array([2.0, 1.0, 2.0, 1.0, 0.0, 2.0, 1.0])
    assert ascending(scores).tolist() == np.argsort(scores, kind="stable").tolist()
