"""Which pairs of columns are measured: a tree, drawn link by link."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.questions.mechanisms.selection import Selection
from indistinct.questions.synthesis.spending import SCORE_STEPS

Link = tuple[int, int]


def score(pair: Ints, one: Floats, other: Floats, totals: Floats, scale: float) -> int:
    """Score a pair: how far it is from independence, less what its noise would add.

    Parameters
    ----------
    pair : exact counts, shape (a, b, focus)
    one, other : projected counts of both columns, shapes (a, focus) and (b, focus)
    totals : noisy numbers of records, shape (focus,)
    scale : of the noise that the pair will get

    Returns
    -------
    whole : in steps of 1 / 2**16 record, so that one row moves it by at most 2**16 exactly

    Notes
    -----
    Source: mckenna2021, algorithm 1; the correction for noise is that of mckenna2022, section 3.
    """
    safe = np.where(totals > 0, totals, 1.0)
    # Counts are at most their total, so a share first: no product is ever beyond the counts.
    shares = np.minimum(other / safe, 1.0)
    expected = np.rint(SCORE_STEPS * one[:, np.newaxis, :] * shares[np.newaxis, :, :])
    distance = np.abs(pair * SCORE_STEPS - expected.astype(np.int64)).sum()
    noise = SCORE_STEPS * math.sqrt(2 / math.pi) * scale * pair.size
    return int(distance) - int(np.rint(noise))


def draw(
    scores: dict[Link, int], n_columns: int, choice: Selection, given: Sequence[Link] = ()
) -> list[Link]:
    """Draw links of high scores until all columns hang together.

    Parameters
    ----------
    scores : per pair that may be measured
    n_columns : at least 2
    given : links without a circle that are in the tree from the start

    Notes
    -----
    Source: mckenna2021, algorithm 1: the exponential mechanism in each step of Kruskal's algorithm.
    """
    part = list(range(n_columns))
    links = list(given)
    for one, other in links:
        part = [part[one] if label == part[other] else label for label in part]
    while len(links) < n_columns - 1:
        open_links = [link for link in scores if part[link[0]] != part[link[1]]]
        one, other = open_links[choice.choose([scores[link] for link in open_links])]
        links.append((one, other))
        part = [part[one] if label == part[other] else label for label in part]
    return links


def hangs_together(links: Sequence[Link], n_columns: int) -> bool:
    """Return whether the links connect all columns."""
    reached = {0}
    for _ in range(n_columns):
        reached |= {end for link in links if reached & set(link) for end in link}
    return len(reached) == n_columns


def order(links: Sequence[Link], n_columns: int) -> list[tuple[int, int | None]]:
    """List the columns with their parent, parents first; the first column is the root."""
    listed: list[tuple[int, int | None]] = []
    seen: set[int] = set()
    for root in range(n_columns):
        waiting: list[tuple[int, int | None]] = [(root, None)] if root not in seen else []
        while waiting:
            column, parent = waiting.pop(0)
            seen.add(column)
            listed.append((column, parent))
            neighbors = (b if a == column else a for a, b in links if column in {a, b})
            waiting += [(end, column) for end in neighbors if end not in seen]
    return listed
