"""A model learned of made-up rows, with next to no noise and with much."""

import numpy as np
import pytest

from coded_rows import CodedRows
from indistinct.base.billionths import BILLION
from indistinct.base.randomness import RandomSource
from indistinct.questions.mechanisms import gaussian
from indistinct.questions.synthesis import spending
from indistinct.questions.synthesis.counts import ColumnDomain
from indistinct.questions.synthesis.drawing import draw
from indistinct.questions.synthesis.mst import learn

AMPLE = 10**6 * BILLION


def rows(n: int, sizes: list[int], seed: int = 1) -> np.ndarray:
    """Make rows in which each column follows the one before it, with some chance."""
    chance = np.random.default_rng(seed)
    columns = [chance.integers(0, sizes[0], n)]
    for size in sizes[1:]:
        loose = chance.integers(0, size, n)
        columns.append(np.where(chance.random(n) < 0.6, columns[-1] % size, loose))
    return np.stack(columns, axis=1)


def learned(codes, sizes, budget, *, focus=None, n_focus=1):
    attributes = [ColumnDomain(f"c{i}", size) for i, size in enumerate(sizes)]
    focused = focus is not None
    codes_of_focus = np.zeros(len(codes), np.int64) if focus is None else focus
    spent = spending.divide(budget, len(sizes), 1, focused=focused, paired=True)
    return learn(
        attributes,
        CodedRows(codes, sizes, codes_of_focus, n_focus),
        spent,
        focused=focused,
        pair_scale=spending.expected_pair_scale(budget, len(sizes), 1),
    )


def test_two_columns_without_noise_are_reproduced() -> None:
    sizes = [4, 3]
    codes = rows(500, sizes)
    found, _ = draw(learned(codes, sizes, AMPLE), 500, RandomSource(1))
    exact = CodedRows(codes, sizes, np.zeros(500, np.int64)).pair(0, 1)
    drawn = CodedRows(found, sizes, np.zeros(500, np.int64)).pair(0, 1)
    assert np.abs(exact - drawn).max() <= 1


def test_the_tree_follows_the_chain_that_made_the_rows() -> None:
    sizes = [5, 5, 5, 5]
    model = learned(rows(5000, sizes), sizes, BILLION)
    assert sorted(tuple(sorted(link)) for link in model.links) == [(0, 1), (1, 2), (2, 3)]


def test_every_focus_keeps_its_own_pairs() -> None:
    sizes = [4, 4]
    codes = rows(4000, sizes)
    focus = (codes[:, 0] == codes[:, 1]).astype(np.int64)
    model = learned(codes, sizes, AMPLE, focus=focus, n_focus=2)
    found, of_focus = draw(model, 4000, RandomSource(2))
    assert ((found[:, 0] == found[:, 1]) == (of_focus == 1)).mean() > 0.999


@pytest.mark.parametrize("budget", [10**6, 10**8])
def test_records_follow_the_model_within_one(budget) -> None:
    """For every link and value of the parent, the counts are those of the model, rounded."""
    sizes = [6, 5, 4]
    model = learned(rows(800, sizes), sizes, budget)
    n = model.n_records
    found, _ = draw(model, n, RandomSource(3))
    for a, b in model.links:
        joined = model.joined[a].groups[found[:, a]], model.joined[b].groups[found[:, b]]
        pair = np.zeros((model.joined[a].n_groups, model.joined[b].n_groups))
        np.add.at(pair, joined, 1)
        parent_first = min(
            np.abs(pair - _shares(model.edges[a, b][:, :, 0], pair.sum(axis=1))).max(),
            np.abs(pair - _shares(model.edges[a, b][:, :, 0].T, pair.sum(axis=0)).T).max(),
        )
        assert parent_first < 1 + 1e-6


def _shares(table, records):
    sums = table.sum(axis=1, keepdims=True)
    even = np.full(table.shape, 1 / table.shape[1])
    return np.where(sums > 0, table / np.where(sums > 0, sums, 1), even) * records[:, np.newaxis]


def test_the_worked_example_of_the_scales() -> None:
    """Nine columns and rho 0.011781160: 33.85 on columns, 31.92 on pairs."""
    spent = spending.divide(11_781_160, 9, 1, focused=False, paired=True)
    assert spent.singles.scale == pytest.approx(33.85, abs=0.01)
    assert spent.pairs is not None
    assert spent.pairs.scale == pytest.approx(31.92, abs=0.01)
    assert spent.total <= 11_781_160


def test_the_worked_example_of_asking_instead() -> None:
    """A hundred counts at the same rho: 65.1 on each."""
    assert gaussian.calibrate(100, 11_781_160).scale == pytest.approx(65.1, abs=0.05)
