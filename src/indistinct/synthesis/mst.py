"""MST: noisy columns, a tree of noisy pairs, and counts that agree with each other.

Source: mckenna2021, section 4, with the least squares solved in closed form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import final

import numpy as np

from indistinct.core.arrays import Floats, Ints
from indistinct.mechanisms.gaussian import Gaussian
from indistinct.synthesis.compression import Joined, join
from indistinct.synthesis.counts import Attribute, Counts
from indistinct.synthesis.model import Model
from indistinct.synthesis.projection import onto_margins, onto_total
from indistinct.synthesis.spending import Spending
from indistinct.synthesis.tree import Link, draw, score

# A pair of more cells than this, per code of the focus, is never measured.
MOST_CELLS = 2**22


@final
@dataclass(frozen=True, slots=True)
class Measured:
    """Noisy counts of columns and of pairs of joined codes, with the scale of their noise."""

    singles: Sequence[Ints]
    joined: Sequence[Joined]
    pairs: Mapping[Link, Ints]
    scale: float
    pair_scale: float


def learn(
    attributes: Sequence[Attribute],
    counts: Counts,
    spending: Spending,
    *,
    focused: bool,
    pair_scale: float = 0.0,
) -> Model:
    """Learn a model of a table's rows within the budget that ``spending`` divides.

    Parameters
    ----------
    attributes : the columns besides the focus
    focused : True where every marginal also keeps the focus
    pair_scale : the noise that scores expect on pairs, see :func:`spending.expected_pair_scale`
    """
    singles, focus = _measured(attributes, counts, spending.singles, focused=focused)
    scale = spending.singles.scale
    totals = _totals(singles, focus, scale)
    joined = [join(one, noisy, scale) for one, noisy in zip(attributes, singles, strict=True)]
    first = [
        _node(each.sums(noisy), np.asarray(each.widths * scale**2, np.float64), totals)
        for each, noisy in zip(joined, singles, strict=True)
    ]
    links: list[Link] = []
    pairs: dict[Link, Ints] = {}
    if spending.choice is not None and spending.pairs is not None:
        scores = {
            (a, b): score(_pair(counts, a, b, joined), first[a], first[b], totals, pair_scale)
            for a, b in candidates(attributes)
        }
        links = draw(scores, len(attributes), spending.choice)
        pairs = _pairs_measured(links, counts, joined, spending.pairs)
    pair_noise = 0.0 if spending.pairs is None else spending.pairs.scale
    measured = Measured(singles, joined, pairs, scale, pair_noise)
    nodes = [_agreed(column, measured, totals) for column in range(len(attributes))]
    return Model(
        attributes=attributes,
        singles=singles,
        focus=focus,
        totals=totals,
        joined=joined,
        fine=[_fine(noisy, float(totals.sum())) for noisy in singles],
        links=links,
        pairs=pairs,
        nodes=nodes,
        edges={(a, b): _edge(pairs[a, b], nodes[a], nodes[b]) for a, b in links},
    )


def candidates(attributes: Sequence[Attribute]) -> Iterator[Link]:
    """List the pairs of columns that are small enough to be measured: a public matter."""
    for (a, one), (b, other) in combinations(enumerate(attributes), 2):
        if one.n_codes * other.n_codes <= MOST_CELLS:
            yield a, b


def _measured(
    attributes: Sequence[Attribute], counts: Counts, noise: Gaussian, *, focused: bool
) -> tuple[list[Ints], Ints | None]:
    """Add noise to the counts of all columns, as one vector."""
    exact = [counts.single(column) for column in range(len(attributes))]
    blocks = [*exact, counts.focus()] if focused else exact
    noisy = _noisy(blocks, noise)
    return noisy[: len(exact)], noisy[-1] if focused else None


def _noisy(blocks: Sequence[Ints], noise: Gaussian) -> list[Ints]:
    """Add noise to all blocks in one draw and give each its shape back."""
    vector = noise.sample(np.concatenate([block.ravel() for block in blocks]).tolist())
    ends = np.cumsum([block.size for block in blocks])[:-1]
    parts = np.split(np.array(vector, np.int64), ends)
    return [part.reshape(block.shape) for part, block in zip(parts, blocks, strict=True)]


def _totals(singles: Sequence[Ints], focus: Ints | None, scale: float) -> Floats:
    """Estimate the records per code of the focus: each block's sum, by inverse variance."""
    blocks = list(singles) if focus is None else [*singles, focus[np.newaxis, :]]
    weights = np.array([1.0 / (len(block) * scale**2) for block in blocks])
    sums = np.array([block.sum(axis=0) for block in blocks], np.float64)
    return np.maximum(0.0, weights @ sums / weights.sum())


def _node(noisy: Floats | Ints, variances: Floats, totals: Floats) -> Floats:
    """Project a column's counts, per code of the focus, onto its total."""
    parts = [
        onto_total(noisy[:, t].astype(np.float64), variances, float(total))
        for t, total in enumerate(totals)
    ]
    return np.stack(parts, axis=1)


def _pair(counts: Counts, a: int, b: int, joined: Sequence[Joined]) -> Ints:
    """Count the pairs of joined codes exactly."""
    by_one = joined[a].sums(counts.pair(a, b))
    return joined[b].sums(by_one.swapaxes(0, 1)).swapaxes(0, 1)


def _pairs_measured(
    links: Sequence[Link], counts: Counts, joined: Sequence[Joined], noise: Gaussian
) -> dict[Link, Ints]:
    blocks = [_pair(counts, a, b, joined) for a, b in links]
    return dict(zip(links, _noisy(blocks, noise), strict=True))


def _agreed(column: int, measured: Measured, totals: Floats) -> Floats:
    """Project the mean of all that was measured of a column, by inverse variance.

    With all totals fixed, the nearest consistent tree of pairs falls apart into its columns: each
    is this mean, so nothing has to be iterated over the tree.
    """
    own = measured.joined[column]
    weights: Floats = np.asarray(1.0 / (own.widths * measured.scale**2), np.float64)
    weighted: Floats = own.sums(measured.singles[column]) * weights[:, np.newaxis]
    for (a, b), noisy in measured.pairs.items():
        if column in {a, b}:
            axis, other = (1, b) if column == a else (0, a)
            share = 1.0 / (measured.joined[other].n_groups * measured.pair_scale**2)
            weighted = weighted + share * noisy.sum(axis=axis)
            weights = weights + share
    return _node(weighted / weights[:, np.newaxis], 1.0 / weights, totals)


def _fine(noisy: Ints, total: float) -> Floats:
    """Project the counts of a column's codes, the focus summed over."""
    sums = noisy.sum(axis=1).astype(np.float64)
    return onto_total(sums, np.ones(len(sums)), total)


def _edge(noisy: Ints, one: Floats, other: Floats) -> Floats:
    """Project a pair's counts, per code of the focus, onto the counts of its columns."""
    parts = [
        onto_margins(noisy[:, :, t].astype(np.float64), one[:, t], other[:, t])
        for t in range(noisy.shape[2])
    ]
    return np.stack(parts, axis=2)
