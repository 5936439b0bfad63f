"""What has to be hidden, and how far a reader must be wrong about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from indistinct.aggregates.family import Family, steps_of
from indistinct.aggregates.policy import TablesPolicy
from indistinct.aggregates.problem import UNLIMITED, SuppressionProblem
from indistinct.aggregates.shown import CountPromise
from indistinct.base.arrays import Bools, Ints
from indistinct.base.brief import short_repr
from indistinct.errors import Fault, NoSolutionError, TablesError


@dataclass(frozen=True, slots=True)
class Ruled:
    """A family by the rules of a policy.

    Parameters
    ----------
    primary : (n_cells,), which cells are too small
    kept : (n_cells,), which are never hidden
    problem : for a search
    promise : what is promised of each hidden cell
    """

    primary: Bools
    kept: Bools
    problem: SuppressionProblem
    promise: CountPromise

    __repr__ = short_repr


def ruled(family: Family, policy: TablesPolicy) -> Ruled:
    """Find the cells that are too small, and what is promised of them.

    Raises
    ------
    NoSolutionError
        when the grand total is too small, or a cell that is never hidden
    """
    minimum, counts = policy.minimum, family.counts
    primary = counts < minimum
    if counts[0] < minimum:
        raise NoSolutionError(
            "the grand total is smaller than the smallest count that is shown",
            "Publish no table of so few people, or count more of them.",
        )
    kept = _kept(family, policy.kept())
    kept[0] = True
    if n_small := int((kept & primary).sum()):
        raise NoSolutionError(
            [
                Fault(
                    "publish.keep",
                    f"{n_small} cells that are never hidden are below {minimum}",
                    "Take them out of keep, or raise the lowest level of a dimension.",
                )
            ]
        )
    costs = np.ones(len(counts)) if policy.publish.cost == "cells" else np.maximum(counts, 1.0)
    problem = SuppressionProblem(
        counts,
        known_at_least(family, hides_zeros=policy.hides_zeros),
        np.full(len(counts), UNLIMITED),
        costs,
        np.where(primary, np.maximum(1, minimum - counts), 0),
        np.zeros(len(counts), np.int64),
        ~kept,
        family.equations,
    )
    return Ruled(primary, kept, problem, CountPromise(policy.publish.width, minimum))


def known_at_least(family: Family, *, hides_zeros: bool) -> Ints:
    """Return what everybody knows of each hidden cell at least: (n_cells,).

    Where zeros are shown, somebody is in every hidden cell. Else only of a label that no hierarchy
    lists: it is shown because somebody has it.
    """
    if not hides_zeros:
        return np.ones(len(family.counts), np.int64)
    least = np.zeros(len(family.counts), np.int64)
    for dimension, step in zip(family.dimensions, steps_of(family.dimensions), strict=True):
        alone = np.flatnonzero(dimension.open_labels) * step
        least[np.isin(family.keys, alone)] = 1
    return least


def _kept(family: Family, entries: Sequence[Mapping[str, str]]) -> Bools:
    """Return the cells that are never hidden.

    Raises
    ------
    TablesError
        when an entry names a label that no table shows
    """
    kept = np.zeros(len(family.counts), np.bool_)
    numbers = {dimension.name: number for number, dimension in enumerate(family.dimensions)}
    for place, entry in enumerate(entries):
        is_meant = np.ones(len(family.counts), np.bool_)
        for name, label in entry.items():
            labels = family.dimensions[numbers[name]].labels
            if label not in labels:
                raise TablesError([_no_label(place, name)])
            is_meant &= family.nodes(numbers[name]) == labels.index(label)
        kept |= is_meant
    return kept


def _no_label(place: int, name: str) -> Fault:
    """Return the fault of an entry that names no label of a dimension."""
    problem = f"names a label that {name} does not have"
    return Fault(f"publish.keep.{place}", problem, "Check the spelling.")


def no_pattern(family: Family, cells: Ints, keep: Sequence[str]) -> NoSolutionError:
    """Return the error that some cells cannot be protected, and what would help."""
    n_cells = len(cells)
    while_kept = f" while keep holds {', '.join(keep)}" if keep else ""
    found = "1 cell" if n_cells == 1 else f"{n_cells} cells"
    # The dimension whose labels are the most, of those that these cells do not sum over.
    sizes = [
        (dimension.size, dimension.name)
        for number, dimension in enumerate(family.dimensions)
        if (family.nodes(number)[cells] > 0).any()
    ]
    name = max(sizes)[1] if sizes else family.dimensions[0].name
    return NoSolutionError(
        f"no pattern protects {found}{while_kept}",
        f"Raise the lowest level of {name}, give it bands, or leave it out.",
    )
