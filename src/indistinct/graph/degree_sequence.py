"""Target degrees: the cheapest sequence in which every degree occurs at least k times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, final

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.errors import NoSolutionError, ParameterError
from indistinct.graph.degree_sequence_kernels import (
    cheapest_even,
    cheapest_move,
    cheapest_raise,
    greedy_raise,
    levels_of,
)

Mode = Literal["add", "delete", "mixed"]
ADD, DELETE, MIXED = "add", "delete", "mixed"


@final
@dataclass(frozen=True, slots=True, eq=False)
class DegreeTargets:
    """What each vertex's degree shall become.

    Parameters
    ----------
    targets : (n_vertices,), target degree of each vertex; their sum is even
    cost : least sum of absolute changes, whatever the parity of the sum
    even_cost : least sum of absolute changes with an even sum
    """

    targets: Ints
    cost: int
    even_cost: int

    @property
    def lower_bound(self) -> int:
        """Least number of edges that must change: each changes two degrees by one."""
        return -(-self.even_cost // 2)


def check_k(n_vertices: int, k: int) -> None:
    """Raise :class:`ParameterError` unless 2 <= k <= n_vertices."""
    if isinstance(k, bool) or int(k) != k or k < 2:  # noqa: PLR2004 - alone means unprotected
        raise ParameterError("k must be a whole number at least 2", "Set k to 2 or more.")
    if k > n_vertices:
        raise ParameterError(
            f"k is {k}, but the graph has {n_vertices} vertices",
            f"Set k to at most {n_vertices}.",
        )


def cheapest_cost(degrees: Ints, k: int, mode: Mode = ADD) -> int:
    """Return the least sum of changes that makes every degree occur at least k times.

    Parameters
    ----------
    degrees : (n_vertices,), in any order
    k : 1 <= k <= n_vertices
    mode : ``add`` raises only, ``delete`` lowers only, ``mixed`` moves to medians

    Notes
    -----
    Source: liu2008, section 4.1. O(n_vertices) for add and delete, O(n_vertices * k) for mixed.
    """
    return group(np.sort(degrees)[::-1].copy(), k, mode)[0] if len(degrees) else 0


def group(descending: Ints, k: int, mode: Mode) -> tuple[int, Ints]:
    """Return the least cost and the target of each position."""
    if mode == DELETE:
        # Lowering d is raising -d: the same program on the mirrored sequence.
        mirrored = descending[0] - descending[::-1]
        cost, begins = cheapest_raise(mirrored.copy(), k)
        return cost, (descending[0] - levels_of(mirrored, begins, 0))[::-1].copy()
    if mode == ADD:
        cost, begins = cheapest_raise(descending, k)
        return cost, levels_of(descending, begins, 0)
    cost, begins = cheapest_move(descending, k)
    return cost, levels_of(descending, begins, 1)


def group_evenly(descending: Ints, k: int, mode: Mode) -> tuple[int, Ints]:
    """Return the least cost and targets with an even sum; the cost is -1 when there are none."""
    if mode == ADD:
        return cheapest_even(descending, k, 0, 1, True)  # noqa: FBT003 - compiled code takes plain values
    if mode == MIXED:
        return cheapest_even(descending, k, -1, 1, False)  # noqa: FBT003 - the same
    top = len(descending) - 1
    mirrored = top - descending[::-1]
    cost, targets = cheapest_even(mirrored.copy(), k, 0, 1, True)  # noqa: FBT003 - the same
    return cost, (top - targets)[::-1].copy()


def targets_for(
    degrees: Ints, k: int, mode: Mode, order: Ints, *, greedy: bool = False
) -> DegreeTargets:
    """Choose the target degree of each vertex.

    Parameters
    ----------
    degrees : (n_vertices,)
    k : 2 <= k <= n_vertices
    mode : see :func:`cheapest_cost`
    order : (n_vertices,), vertices by descending degree; who comes first among equals decides who
        is raised
    greedy : use the greedy grouping, which only raises

    Raises
    ------
    NoSolutionError : no targets within the mode have an even sum
    """
    descending = degrees[order]
    cost, levels = group(descending, k, mode)
    if greedy:
        _, begins = greedy_raise(descending, k)
        levels = levels_of(descending, begins, 0)
    even_cost = cost
    if int(levels.sum()) % 2:
        even_cost, levels = group_evenly(descending, k, mode)
        if even_cost < 0:
            raise NoSolutionError(
                "no degrees that occur k times each have an even sum",
                "Use another mode or another k.",
            )
    targets = np.empty(len(degrees), np.int64)
    targets[order] = levels
    return DegreeTargets(targets, cost, even_cost)


def by_degree(degrees: Ints, ties: Ints | None = None) -> Ints:
    """Order vertices by descending degree, equal ones by number, or by ``ties``."""
    if ties is None:
        return np.argsort(-degrees, kind="stable")
    return np.lexsort((ties, -degrees))
