"""Distances between two distributions once more, from their definitions, value by value."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise

from indistinct.errors import Fault, ParameterError
from indistinct.tables.core.distances import Distance
from indistinct.tables.core.protocols import PlainColumn

ValueShares = Mapping[str, float]


def check_distance(distance: Distance) -> None:
    """Refuse a line of values that is to be ordered along a tree.

    Raises
    ------
    ParameterError
        when it is
    """
    if distance.kind == "ordered" and distance.ground == "tree":
        remedy = 'Set ground to "rank" or "value", or distance to "hierarchical".'
        raise ParameterError([Fault("ground", "is not an order of the values", remedy)])


def words_of(distance: Distance) -> dict[str, str | float]:
    """Return the words that tell something of a distance: those that matter, or no default."""
    usual = Distance()
    words: dict[str, str | float] = {"distance": distance.kind}
    for word in ("ground", "bandwidth", "smoothing"):
        given: str | float = getattr(distance, word)
        if distance.kind == "kernel" or given != getattr(usual, word):
            words[word] = given
    return words


def transport_doubt(distance: Distance, n_gone: float, n_all: float) -> float:
    """Bound how far a distance moves when records join the distribution that is compared with.

    Both distributions differ by a total variation of at most the share of the records that join,
    and an earth mover's distance is at most the total variation. Of a divergence nothing is known.

    Parameters
    ----------
    n_gone : records that join
    n_all : records of the distribution with them, at least 1
    """
    if distance.kind == "kernel" or math.isinf(n_gone):
        return math.inf if n_gone else 0.0
    return n_gone / n_all


def plain_distance(
    first: ValueShares, second: ValueShares, table: PlainColumn, distance: Distance
) -> float:
    """Return the distance of two distributions over the values of a column.

    Parameters
    ----------
    first, second : share of each value; one that is left out has none
    table : the column in the whole table
    """
    values = list(table.order)
    surplus = {value: first.get(value, 0.0) - second.get(value, 0.0) for value in values}
    match distance.kind:
        case "equal":
            return sum(abs(extra) for extra in surplus.values()) / 2
        case "ordered":
            return _carried(surplus, plain_positions(table, distance.ground))
        case "hierarchical":
            return _settled(surplus, table)
        case _:
            weights = _kernel(table, distance)
            return _divergence(
                _smoothed([first.get(value, 0.0) for value in values], weights, distance),
                _smoothed([second.get(value, 0.0) for value in values], weights, distance),
            )


def shares_of(counts: Mapping[str, int]) -> ValueShares:
    """Divide counts by their sum."""
    records = sum(counts.values())
    return {value: count / records for value, count in counts.items()}


def plain_positions(table: PlainColumn, ground: str) -> list[float]:
    """Place the values on a line from 0 to 1; a missing one a mean step behind the last number."""
    last = max(len(table.order) - 1, 1)
    ranks = [index / last for index in range(len(table.order))]
    known = sorted(table.numbers[value] for value in table.order if value in table.numbers)
    if ground != "value" or len(known) <= 1:
        return ranks
    step = (known[-1] - known[0]) / (len(known) - 1)
    # A missing value lies as far behind the greatest number as numbers lie apart on average.
    placed = [table.numbers.get(value, known[-1] + step) for value in table.order]
    return [(number - known[0]) / (placed[-1] - known[0]) for number in placed]


def _carried(surplus: ValueShares, line: Sequence[float]) -> float:
    """Carry the surplus from value to value along the line."""
    carried = list(accumulate(surplus.values()))[:-1]
    gaps = [after - before for before, after in pairwise(line)]
    return sum(abs(extra) * gap for extra, gap in zip(carried, gaps, strict=True))


def _settled(surplus: ValueShares, table: PlainColumn) -> float:
    """Settle what can be settled under each node, and carry the rest upwards."""
    height = len(next(iter(table.paths.values())))
    extras: dict[tuple[str, ...], float] = {
        (value, *table.paths[value]): extra for value, extra in surplus.items()
    }
    cost = 0.0
    for level in range(1, height + 1):
        children: dict[tuple[str, ...], list[float]] = defaultdict(list)
        for node, extra in extras.items():
            children[node[1:]].append(extra)
        for below in children.values():
            surplus_below = sum(extra for extra in below if extra > 0)
            # Under a node, what is too much here fills what lacks there, for the level of the node;
            # what remains goes up.
            lack_below = -sum(extra for extra in below if extra < 0)
            cost += level / height * min(surplus_below, lack_below)
        extras = {node: sum(below) for node, below in children.items()}
    return cost


def _kernel(table: PlainColumn, distance: Distance) -> list[list[float]]:
    """Return Epanechnikov's kernel of the ground distance of any two values."""
    line = plain_positions(table, distance.ground)
    weights: list[list[float]] = []
    for i, value in enumerate(table.order):
        row: list[float] = []
        for j, other in enumerate(table.order):
            ground = abs(line[i] - line[j])
            if distance.ground == "tree":
                ground = _common_level(table.paths, value, other)
            reach = ground / distance.bandwidth
            row.append(3 / (4 * distance.bandwidth) * (1 - reach**2) if reach < 1 else 0.0)
        weights.append(row)
    return weights


def _common_level(paths: Mapping[str, Sequence[str]], first: str, second: str) -> float:
    """Return the level of the lowest common ancestor / height."""
    above, other = [first, *paths[first]], [second, *paths[second]]
    lowest = next(level for level in range(len(above)) if above[level:] == other[level:])
    return lowest / max(len(above) - 1, 1)


def _smoothed(
    shares: Sequence[float], weights: Sequence[Sequence[float]], distance: Distance
) -> list[float]:
    """Return Nadaraya and Watson's weighted means, or the shares that neighbours hand on."""
    everyone = range(len(shares))
    if distance.smoothing == "mass":
        given = [sum(weights[other][value] for other in everyone) for value in everyone]
        return [sum(shares[j] * weights[i][j] / given[j] for j in everyone) for i in everyone]
    means = [sum(shares[j] * weights[i][j] for j in everyone) / sum(weights[i]) for i in everyone]
    total = sum(means)
    return [mean / total for mean in means]


def _divergence(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the Jensen-Shannon divergence, base 2."""
    total = 0.0
    for a, b in zip(first, second, strict=True):
        middle = (a + b) / 2
        total += a * math.log2(a / middle) if a > 0 else 0.0
        total += b * math.log2(b / middle) if b > 0 else 0.0
    return max(total / 2, 0.0)
