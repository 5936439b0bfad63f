"""What one person moves, how the noise is spread, how pairs are drawn, and bugs that were planted.

False-alarm rates: each statistical test fails without cause once in a million runs or less.
"""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import chi2

from coded_rows import CodedRows
from indistinct.base.billionths import BILLION
from indistinct.questions.mechanisms import gaussian, selection
from indistinct.questions.mechanisms.accountant import Accounting
from indistinct.questions.synthesis import spending
from indistinct.questions.synthesis.mst import _noisy
from indistinct.questions.synthesis.tree import draw, score

ALARM = 1e-6
SIZES = (4, 3, 5)
CELLS = 100_000


@st.composite
def neighbors(made):
    """Make up a table, and the same table with up to five rows of one more person."""
    row = st.tuples(*(st.integers(0, size - 1) for size in SIZES), st.integers(0, 1))
    rows = made(st.lists(row, min_size=1, max_size=30))
    own = made(st.lists(row, min_size=1, max_size=5))
    return np.array(rows), np.array(rows + own), len(own)


def counted(rows):
    return CodedRows(rows[:, :3], SIZES, rows[:, 3], 2)


@settings(max_examples=40, deadline=None)
@given(neighbors())
def test_one_person_moves_no_vector_beyond_its_sensitivity(pair):
    less, more, c = counted(pair[0]), counted(pair[1]), pair[2]
    columns = [(more.single(j) - less.single(j)) for j in range(3)] + [more.focus() - less.focus()]
    links = [(0, 1), (1, 2)]
    pairs = [more.pair(a, b) - less.pair(a, b) for a, b in links]
    spent = spending.divide(BILLION, 3, c, focused=True, paired=True)
    assert spent.pairs is not None
    assert sum(int((part**2).sum()) for part in columns) <= spent.singles.sensitivity_squared
    assert sum(int((part**2).sum()) for part in pairs) <= spent.pairs.sensitivity_squared


@settings(max_examples=40, deadline=None)
@given(neighbors(), st.integers(0, 1000), st.sampled_from([20.0, 1.0, 5e-324]))
def test_one_person_moves_no_score_beyond_its_sensitivity(pair, seed, total):
    less, more, c = counted(pair[0]), counted(pair[1]), pair[2]
    chance = np.random.default_rng(seed)
    totals = np.array([total, 0.0])
    one, other = (chance.dirichlet(np.ones(n), 2).T * totals for n in (4, 3))
    scores = [score(one_table.pair(0, 1), one, other, totals, 2.5) for one_table in (less, more)]
    assert abs(scores[0] - scores[1]) <= c * spending.SCORE_STEPS


@given(
    st.integers(10**5, 10**11), st.integers(1, 40), st.integers(1, 9), st.booleans(), st.booleans()
)
def test_charges_never_exceed_the_budget(budget, columns, c, focused, paired):
    spent = spending.divide(budget, columns, c, focused=focused, paired=paired)
    assert spent.total <= budget


def is_noise_of(scale, noise):
    """Judge whole numbers by the discrete Gaussian of a scale: chi-square over about 40 parts."""
    reach = math.ceil(6 * scale)
    values = np.arange(-reach, reach + 1)
    chances = np.exp(-(values**2) / (2 * scale**2))
    chances /= chances.sum()
    edges = np.unique(np.searchsorted(np.cumsum(chances), np.linspace(0, 1, 41)[1:-1]))
    parts = np.searchsorted(values[edges], noise, side="left")
    observed = np.bincount(parts, minlength=len(edges) + 1)
    owners = np.searchsorted(values[edges], values, side="left")
    expected = np.bincount(owners, chances, minlength=len(edges) + 1) * len(noise)
    statistic = float(((observed - expected) ** 2 / expected).sum())
    return chi2.sf(statistic, len(observed) - 1) > ALARM


@pytest.mark.parametrize("scale", [2.5, 33.85])
def test_noise_is_that_of_the_stated_scale_and_of_no_other(scale):
    """A scale 3 % wrong passes by chance in fewer than one of a million runs."""
    noise = gaussian.Gaussian(9, scale)
    drawn = np.concatenate(_noisy([np.zeros((CELLS // 2, 2), np.int64)], noise)).ravel()
    assert is_noise_of(scale, drawn)
    assert not is_noise_of(scale / 0.97, drawn)


@pytest.mark.parametrize("runs", [2000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_links_are_drawn_by_the_exponential_mechanism(runs):
    """Three columns, thousands of trees: the first link follows the exact chances of its score.

    Of three links any two make a tree, so the ordered pairs have the chances of two draws without
    replacement.
    """
    scores = {(0, 1): 0, (0, 2): 60_000, (1, 2): 120_000}
    choice = selection.calibrate(spending.SCORE_STEPS, BILLION, Accounting.ZCDP)
    weights = {link: math.exp(own / choice.scale) for link, own in scores.items()}
    found = dict.fromkeys(itertools.permutations(scores, 2), 0)
    for _ in range(runs):
        one, other = draw(scores, 3, choice)
        found[one, other] += 1
    total = sum(weights.values())
    chances = {(a, b): weights[a] / total * weights[b] / (total - weights[a]) for a, b in found}
    assert is_drawn_by(chances, found, runs)
    even = dict.fromkeys(found, 1 / 6)
    assert not is_drawn_by(even, found, runs)


def is_drawn_by(chances, found, runs):
    statistic = sum((found[k] - runs * chances[k]) ** 2 / (runs * chances[k]) for k in found)
    return chi2.sf(statistic, len(found) - 1) > ALARM
