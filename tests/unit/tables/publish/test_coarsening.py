"""Where the search for levels begins at which the distinct rows of a table fit into memory."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from indistinct.tables.publish.coarsening import HOPEFUL, _first_that_may_fit, _guess


@given(
    st.lists(st.integers(1, 10**6), min_size=1, max_size=20),
    st.lists(st.floats(0.01, 3.0), min_size=20, max_size=20),
    st.integers(1, 10**6),
)
def test_the_finest_levels_that_fit_are_found_whatever_a_sample_says(sizes, errors, at_most):
    """Guesses choose where to begin, and nothing else; the coarsest levels are never asked for."""
    sizes = sorted(sizes, reverse=True)
    guesses = [size * error for size, error in zip(sizes, errors, strict=False)]
    asked = []

    def estimate(place):
        asked.append(place)
        return sizes[place]

    found = _first_that_may_fit(estimate, guesses, at_most, sizes[0])
    fitting = [place for place, size in enumerate(sizes) if size <= HOPEFUL * at_most]
    assert found == min([*fitting, len(sizes) - 1])
    assert len(sizes) - 1 not in asked
    assert len(set(asked)) == len(asked)


def test_an_engine_without_estimates_begins_where_the_sample_says():
    """It would else count in vain from the finest levels on."""

    def never(place):
        raise AssertionError(place)

    assert _first_that_may_fit(never, [900, 500, 90, 5], 100, None) == 2
    assert _first_that_may_fit(never, [900, 500, 400], 100, None) == 2


@pytest.mark.parametrize("n_kinds", [50, 3_000, 40_000])
def test_a_sample_of_equal_frequencies_tells_the_whole(n_kinds):
    """Within a twentieth, where a tenth of the records is sampled; far more kinds are a floor."""
    chance = np.random.default_rng(3)
    rows = chance.integers(0, n_kinds, 200_000)
    sample = chance.choice(rows, 20_000, replace=False)
    guess = _guess(len(np.unique(sample)), len(sample), len(rows))
    assert guess == pytest.approx(len(np.unique(rows)), rel=0.05)


def test_a_sample_without_repetitions_may_be_of_a_table_without():
    """Then nothing is known but the number of records."""
    assert _guess(1000, 1000, 10**6) == 10**6
