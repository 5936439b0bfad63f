"""Columns that follow from each other: a reader knows more sums than the keys of the cells tell.

If every town lies in one region, a table by town and one by region are linked, although no cell
has the same key in both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np

from indistinct.aggregates.dimensions import Dimension
from indistinct.aggregates.family import CountedGroups, TableShape
from indistinct.errors import Fault


def following_faults(
    dimensions: Sequence[Dimension],
    tables: Sequence[TableShape],
    counted: CountedGroups,
    apart: Sequence[tuple[str, str]],
) -> Iterator[Fault]:
    """Find columns that follow from others and are counted in tables that no key links.

    Parameters
    ----------
    apart : pairs of which no reader can know it, as the policy says
    """
    said = {frozenset(pair) for pair in apart}
    found: set[tuple[str, str]] = set()
    for first, second in permutations(tables, 2):
        for upper in first.dimensions:
            for lower in second.dimensions:
                names = dimensions[lower].name, dimensions[upper].name
                if upper in second.dimensions or lower in first.dimensions or names in found:
                    continue
                if frozenset(names) in said or _are_linked(tables, first, second, upper, lower):
                    continue
                if _follows(dimensions, counted, first, second, upper, lower):
                    found.add(names)
                    yield _fault(*names)


def _fault(lower: str, upper: str) -> Fault:
    """Return the fault of two such columns."""
    return Fault(
        f"columns.{lower}",
        f"{lower} lies within {upper}: each of its labels has one of {upper}",
        f"Make {upper} a level of the hierarchy of {lower}, or write "
        f'apart = [["{lower}", "{upper}"]] if no reader can know it.',
    )


def _are_linked(
    tables: Sequence[TableShape], first: TableShape, second: TableShape, upper: int, lower: int
) -> bool:
    """Return whether a table has both columns, and all that the two tables share."""
    shared = {*first.dimensions} & {*second.dimensions} | {upper, lower}
    return any(shared <= {*table.dimensions} for table in tables)


def _follows(  # noqa: PLR0913, PLR0917 - two columns of two tables
    dimensions: Sequence[Dimension],
    counted: CountedGroups,
    first: TableShape,
    second: TableShape,
    upper: int,
    lower: int,
) -> bool:
    """Return whether each lowest shown label of one column has one label of the other."""
    low = second.lowest[second.dimensions.index(lower)]
    parts = dimensions[lower].nodes[low, counted.values[:, lower]]
    for level in range(first.lowest[first.dimensions.index(upper)], dimensions[upper].n_levels):
        wholes = dimensions[upper].nodes[level, counted.values[:, upper]]
        pairs = np.unique(np.stack([parts, wholes]), axis=1)
        if len(np.unique(wholes)) > 1 and pairs.shape[1] == len(np.unique(parts)):
            return True
    return False
