"""Where chance comes from."""

import numpy as np

from indistinct.base.randomness import RandomSource


def test_a_seed_repeats_and_secrecy_does_not():
    """Two seeded sources agree; two secret ones do not (chance below 2**-600)."""
    assert RandomSource(3).words(10).tolist() == RandomSource(3).words(10).tolist()
    assert RandomSource().words(10).tolist() != RandomSource().words(10).tolist()


def test_a_permutation_has_every_row_once():
    """Seeded or secret, also of nothing and of one row."""
    for source in (RandomSource(), RandomSource(1)):
        for count in (0, 1, 1000):
            assert sorted(source.permutation(count).tolist()) == list(range(count))


def test_permutations_are_uniform():
    """All 6 orders of 3 rows occur equally often; false alarm 1e-6, and a biased shuffle fails."""
    source = RandomSource()
    orders = [tuple(source.permutation(3).tolist()) for _ in range(6000)]
    biased = [order if order[0] < 2 or n % 2 else (0, 1, 2) for n, order in enumerate(orders)]
    limit = 36.0  # chi-square with 5 degrees of freedom: exceeded with probability 1e-6
    assert _chi_square(orders) < limit < _chi_square(biased)


def test_the_runs_of_a_seed_have_words_of_their_own():
    """Neither another run, nor another seed, nor what follows in the same run gives them again."""
    sources = [RandomSource(seed).numbered(run) for seed in (0, 1, 2) for run in range(20)]
    sources += [source.shifted() for source in sources]
    assert len({tuple(source.words(2).tolist()) for source in sources}) == 120
    assert RandomSource().numbered(3).seed is RandomSource().shifted().seed is None


def _chi_square(orders) -> float:
    _, counts = np.unique(np.array(orders), axis=0, return_counts=True)
    return float(((counts - 1000.0) ** 2 / 1000.0).sum())


def test_purposes_have_words_of_their_own():
    """One seed gives every purpose its own words, the same each time."""
    source = RandomSource(3)
    assert source.apart("a").words(4).tolist() == source.apart("a").words(4).tolist()
    assert source.apart("a").words(4).tolist() != source.apart("b").words(4).tolist()
    assert RandomSource().apart("a").seed is None
