"""MST: noisy columns, a tree of noisy pairs, and counts that agree with each other.

Source: mckenna2021, section 4, with the least squares solved in closed form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import final

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.questions.mechanisms.gaussian import Gaussian
from indistinct.questions.synthesis.compression import Joined, join
from indistinct.questions.synthesis.counts import ColumnDomain, Counts
from indistinct.questions.synthesis.model import Model, Rules, no_rules
from indistinct.questions.synthesis.projection import onto_margins, onto_reachable, onto_total
from indistinct.questions.synthesis.spending import Spending
from indistinct.questions.synthesis.tree import Link, draw, order, score

# A pair of more cells than this, the focus included, is never measured.
MOST_CELLS = 2**22


@final
@dataclass(frozen=True, slots=True)
class NoisyMarginals:
    """Noisy counts of columns and of pairs of joined codes, with the scale of their noise."""

    singles: Sequence[Ints]
    joined: Sequence[Joined]
    pairs: Mapping[Link, Ints]
    scale: float
    pair_scale: float


def learn(  # noqa: PLR0913 - all but the counts is public
    attributes: Sequence[ColumnDomain],
    counts: Counts,
    spending: Spending,
    *,
    focused: bool,
    pair_scale: float = 0.0,
    rules: Rules | None = None,
) -> Model:
    """Learn a model of a table's rows within the budget that ``spending`` divides.

    Parameters
    ----------
    attributes : the columns besides the focus
    focused : True where every marginal also keeps the focus
    pair_scale : the noise that scores expect on pairs, see :func:`spending.expected_pair_scale`
    rules : which codes may occur together; None: all
    """
    singles, focus = _measured(attributes, counts, spending.singles, focused=focused)
    scale = spending.singles.scale
    totals = _totals(singles, focus, scale)
    known = no_rules(attributes, len(totals)) if rules is None else rules
    joined = [
        join(one, noisy, scale, known.families(column))
        for column, (one, noisy) in enumerate(zip(attributes, singles, strict=True))
    ]
    own = known.joined(joined)
    first = [
        _node(each.sums(noisy), np.asarray(each.widths * scale**2, np.float64), totals, allowed)
        for each, noisy, allowed in zip(joined, singles, own.singles, strict=True)
    ]
    links: list[Link] = []
    pairs: dict[Link, Ints] = {}
    if spending.pairs is not None:
        links = list(own.pairs)
        if spending.choice is not None:
            scores = {
                (a, b): score(_pair(counts, a, b, joined), first[a], first[b], totals, pair_scale)
                for a, b in candidates(attributes, len(totals))
            }
            links = draw(scores, len(attributes), spending.choice, links)
        pairs = _pairs_measured(links, counts, joined, spending.pairs)
    pair_noise = 0.0 if spending.pairs is None else spending.pairs.scale
    measured = NoisyMarginals(singles, joined, pairs, scale, pair_noise)
    projected = [_agreed(at, measured, totals, own.singles[at]) for at in range(len(attributes))]
    nodes = _reachable(projected, links, own)
    return Model(
        attributes=attributes,
        singles=singles,
        focus=focus,
        totals=totals,
        joined=joined,
        fine=[_fine(noisy, float(totals.sum())) for noisy in singles],
        links=links,
        pairs=pairs,
        projected=projected,
        nodes=nodes,
        edges={(a, b): _edge(pairs[a, b], nodes[a], nodes[b], own.table((a, b))) for a, b in links},
        rules=own,
    )


def candidates(attributes: Sequence[ColumnDomain], n_focus: int) -> Iterator[Link]:
    """List the pairs of columns that are small enough to be measured: a public matter."""
    for (a, one), (b, other) in combinations(enumerate(attributes), 2):
        if one.n_codes * other.n_codes * n_focus <= MOST_CELLS:
            yield a, b


def _measured(
    attributes: Sequence[ColumnDomain], counts: Counts, noise: Gaussian, *, focused: bool
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


def _node(noisy: Floats | Ints, variances: Floats, totals: Floats, allowed: Bools) -> Floats:
    """Project a column's counts, per code of the focus, onto its total."""
    found = np.zeros(noisy.shape)
    for t, total in enumerate(totals):
        kept = allowed[:, t]
        found[kept, t] = onto_total(
            noisy[kept, t].astype(np.float64), variances[kept], float(total)
        )
    return found


def _pair(counts: Counts, a: int, b: int, joined: Sequence[Joined]) -> Ints:
    """Count the pairs of joined codes exactly."""
    by_one = joined[a].sums(counts.pair(a, b))
    return joined[b].sums(by_one.swapaxes(0, 1)).swapaxes(0, 1)


def _pairs_measured(
    links: Sequence[Link], counts: Counts, joined: Sequence[Joined], noise: Gaussian
) -> dict[Link, Ints]:
    blocks = [_pair(counts, a, b, joined) for a, b in links]
    return dict(zip(links, _noisy(blocks, noise), strict=True))


def _agreed(column: int, measured: NoisyMarginals, totals: Floats, allowed: Bools) -> Floats:
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
    return _node(weighted / weights[:, np.newaxis], 1.0 / weights, totals, allowed)


def _reachable(nodes: Sequence[Floats], links: Sequence[Link], rules: Rules) -> list[Floats]:
    """Move counts that forbidden pairs leave no room for, parents before their children."""
    moved = list(nodes)
    for column, parent in order(links, len(nodes)):
        link = (min(column, parent), max(column, parent)) if parent is not None else (0, 0)
        if parent is not None and link in rules.pairs:
            table = rules.table(link)
            by_parent = table if link[0] == parent else table.swapaxes(0, 1)
            parts = [
                onto_reachable(moved[parent][:, t], moved[column][:, t], by_parent[:, :, t])
                for t in range(table.shape[2])
            ]
            moved[column] = np.stack(parts, axis=1)
    return moved


def _fine(noisy: Ints, total: float) -> Floats:
    """Project the counts of a column's codes, the focus summed over."""
    sums = noisy.sum(axis=1).astype(np.float64)
    return onto_total(sums, np.ones(len(sums)), total)


def _edge(noisy: Ints, one: Floats, other: Floats, allowed: Bools) -> Floats:
    """Project a pair's counts, per code of the focus, onto the counts of its columns."""
    parts = [
        onto_margins(
            noisy[:, :, t].astype(np.float64),
            one[:, t],
            other[:, t],
            None if allowed[:, :, t].all() else allowed[:, :, t],
        )
        for t in range(noisy.shape[2])
    ]
    return np.stack(parts, axis=2)
