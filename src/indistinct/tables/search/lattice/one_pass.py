"""Nodes that are checked in one pass: where all that the models ask of a class are counts in bins.

What is kept of a node for coarser ones are the tuple, the size, the key and the counts of each
class, one node behind the other, so that nothing is allocated when a node is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Self

import numpy as np

from indistinct.base.arrays import Bools, Codes, Ints, slack
from indistinct.base.compiled.kernels import slots_for
from indistinct.tables.core.frequencies import FrequencyTable
from indistinct.tables.core.penalties import DISTANCE, SQUARES, Penalty
from indistinct.tables.core.protocols import PrivacyModel, Problem, Scope, is_sized
from indistinct.tables.search.lattice.node_kernels import (
    KeptClasses,
    NodeColumns,
    NodePenalties,
    NodeRoom,
    check_node,
    check_sizes,
    nearest_below,
)
from indistinct.tables.search.lattice.nodes import (
    SNAPSHOT_BYTES,
    WORTH_KEEPING,
    Node,
    NodeClasses,
)

STEPS = 3  # more cost more than they save
MOST_KEPT = 2**15  # nodes
MOST_BINS = 64  # beyond it, classes hold few of the values, and runs of these are shorter


@dataclass(frozen=True, slots=True)
class ModelPenalty:
    """What a model demands.

    Parameters
    ----------
    is_monotone : whether every part of a class fails where the class does
    """

    penalty: Penalty
    is_monotone: bool


def model_penalties(
    problem: Problem, monotone: Sequence[PrivacyModel]
) -> list[ModelPenalty] | None:
    """Return what the models demand of a class beside its size; None where no loop can.

    Parameters
    ----------
    monotone : the models that every part of a class fails that fails them
    """
    if problem.population is not None:
        return None
    found: list[ModelPenalty] = []
    for model in problem.models:
        if is_sized(model):
            continue
        penalty = model.penalty(problem.table.sensitive)
        if penalty is None or not penalty.is_exact or model.scope != Scope.CLASS:
            return None
        found.append(ModelPenalty(penalty, model in monotone))
    n_bins = sum(one.penalty.n_bins for one in found)
    return found if n_bins <= MOST_BINS else None


def laid_out(penalties: Sequence[ModelPenalty]) -> NodePenalties:
    """Lay demands out for compiled loops, bounds moved by rounding errors in favor of a class."""
    each = [one.penalty for one in penalties]
    starts = np.cumsum([0, *(penalty.n_bins for penalty in each)]).astype(np.int64)
    laid = {name: np.zeros(int(starts[-1])) for name in ("weights", "lowest", "greatest")}
    for penalty, start in zip(each, starts.tolist(), strict=False):
        for name, numbers in laid.items():
            given = getattr(penalty, name)
            numbers[start : start + penalty.n_bins] = given[: penalty.n_bins] if len(given) else 0.0
        if penalty.kind != DISTANCE:
            laid["lowest"][start : start + penalty.n_bins] -= slack(1.0)
            laid["greatest"][start : start + penalty.n_bins] += slack(1.0)
    return NodePenalties(
        np.array([penalty.kind for penalty in each], np.int32),
        np.array([_tolerant_bound(penalty) for penalty in each], np.float64),
        np.array([penalty.rank for penalty in each], np.int32),
        np.array([penalty.carry for penalty in each], np.float64),
        starts,
        np.array([int(penalty.places[0].max(initial=-1)) + 1 for penalty in each], np.int64),
        np.array([bool((penalty.places[0] < 0).any()) for penalty in each], np.bool_),
        np.array([one.is_monotone for one in penalties], np.bool_),
        laid["weights"],
        laid["lowest"],
        laid["greatest"],
    )


def _tolerant_bound(penalty: Penalty) -> float:
    """Return the bound of a demand, moved by rounding errors in favor of a class.

    Of a tail against it: there the bound itself is too much.
    """
    is_from_below = penalty.kind not in {DISTANCE, SQUARES}
    return penalty.bound + (-slack(penalty.bound) if is_from_below else slack(penalty.bound))


def counts_of(
    table: FrequencyTable, labels: Codes, n_classes: int, penalties: Sequence[ModelPenalty]
) -> Codes:
    """Count the records of each class in the bins of all demands: (n_classes, n_bins).

    Parameters
    ----------
    labels : (n_tuples,), class of each tuple
    """
    each = [one.penalty for one in penalties]
    counts = np.zeros((n_classes, sum(penalty.n_bins for penalty in each)), np.int32)
    start = 0
    for penalty in each:
        end = start + penalty.n_bins
        for row in penalty.places:
            bins = row[table.sensitive_codes[penalty.column]]
            held = bins >= 0
            places = labels[held].astype(np.int64) * penalty.n_bins + bins[held]
            found = np.bincount(places, table.weights[held], n_classes * penalty.n_bins)
            counts[:, start:end] += found.reshape(n_classes, -1).astype(np.int32)
        start = end
    return counts


@dataclass(frozen=True, slots=True)
class JudgedClasses:
    """The classes of a node.

    Parameters
    ----------
    representatives : (n_classes,), a tuple of each class
    sizes : (n_classes,), records
    released : (n_classes,), the classes that satisfy every model
    n_suppressed : records in the other classes
    n_least_suppressed : records that are suppressed at every finer node, too
    """

    representatives: Codes
    sizes: Ints
    released: Bools
    n_suppressed: int
    n_least_suppressed: int


@dataclass(slots=True)
class OnePassNodes:
    """The nodes of a lattice that were counted, and what the models demand.

    Parameters
    ----------
    columns, penalties, least_size : as the loops take them
    kept : the finest node is the first
    n_kept : nodes
    """

    columns: NodeColumns
    penalties: NodePenalties
    least_size: int
    kept: KeptClasses
    room: NodeRoom
    n_kept: int = 1

    @classmethod
    def of(
        cls,
        problem: Problem,
        columns: NodeColumns,
        monotone: Sequence[PrivacyModel],
        finest: NodeClasses,
        labels: Codes,
    ) -> Self | None:
        """Make room, and keep the finest node; None where the models need more passes.

        Parameters
        ----------
        monotone : the models that every part of a class fails that fails them
        finest : its classes
        labels : (n_tuples,), the one of each tuple
        """
        penalties = model_penalties(problem, monotone)
        if penalties is None:
            return None
        counts = counts_of(problem.table, labels, finest.classes.n_classes, penalties)
        n_classes, n_bins = counts.shape
        per_class = 20 + 4 * n_bins
        levels = zip(problem.min_levels, problem.max_levels, strict=True)
        n_nodes = prod(high - low + 1 for low, high in levels)
        most = min(n_nodes + len(finest.node), MOST_KEPT)
        n_room = n_classes + max(n_classes, min(most * n_classes, SNAPSHOT_BYTES // per_class))
        # Pages of memory that nothing is written to take none.
        kept = KeptClasses(
            np.zeros((most + 1, len(finest.node)), np.int32),
            np.zeros(most + 2, np.int64),
            np.empty(n_room, np.int32),
            np.empty(n_room, np.int64),
            np.empty(n_room, np.uint64),
            np.empty((n_room, n_bins), np.int32),
        )
        kept.starts[1] = n_classes
        kept.representatives[:n_classes] = finest.representatives
        kept.sizes[:n_classes] = finest.classes.sizes
        kept.keys[:n_classes] = finest.keys
        kept.counts[:n_classes] = counts
        room = NodeRoom(
            np.empty(slots_for(n_classes), np.int32),
            np.empty(n_classes, np.uint64),
            np.empty(n_classes, np.int32),
            np.empty(n_classes, np.bool_),
            np.zeros(n_bins + max([0, *(one.penalty.rank for one in penalties)]), np.int64),
        )
        return cls(columns, laid_out(penalties), problem.least_size, kept, room)

    def check(
        self, node: Codes, half_way: Callable[[], Node | None], *, is_last: bool
    ) -> JudgedClasses:
        """Count and judge the classes of a node.

        Parameters
        ----------
        is_last : whether nobody asks how many records every finer node suppresses
        half_way : the node by way of which it is rolled up from the finest, if any
        """
        finer = nearest_below(self.kept, self.n_kept, node)
        if finer == 0 and (passed := half_way()) is not None:
            finer = self._roll_up(np.array(passed, np.int32))
        n_suppressed, n_least_suppressed = self._judged(node, finer, 0 if is_last else STEPS)
        begin, end = self.kept.starts[self.n_kept : self.n_kept + 2].tolist()
        found = JudgedClasses(
            self.kept.representatives[begin:end],
            self.kept.sizes[begin:end],
            self.room.released[: end - begin].copy(),
            n_suppressed,
            n_least_suppressed,
        )
        if self._keep():
            return found
        # The next node is written to the same place.
        return replace(
            found, representatives=found.representatives.copy(), sizes=found.sizes.copy()
        )

    def _judged(self, node: Codes, finer: int, n_steps: int) -> tuple[int, int]:
        """Return the records that a node suppresses, and those that every finer one does."""
        place = self.columns, self.kept, self.n_kept, finer, node
        if not len(self.penalties.kinds):
            n_suppressed = check_sizes(*place, self.least_size, self.room)
            return n_suppressed, n_suppressed
        return check_node(*place, self.penalties, self.least_size, n_steps, self.room)

    def _roll_up(self, node: Codes) -> int:
        """Roll a node up from the finest one; return from where to go on."""
        check_sizes(self.columns, self.kept, self.n_kept, 0, node, self.least_size, self.room)
        n_classes = self.kept.starts[self.n_kept + 1] - self.kept.starts[self.n_kept]
        is_worth = n_classes <= WORTH_KEEPING * self.kept.starts[1]
        return self.n_kept - 1 if is_worth and self._keep() else 0

    def _keep(self) -> bool:
        """Return whether what was written last is kept: whether another node fits behind it."""
        n_left = len(self.kept.sizes) - int(self.kept.starts[self.n_kept + 1])
        if n_left < self.kept.starts[1] or self.n_kept + 1 >= len(self.kept.nodes):
            return False
        self.n_kept += 1
        return True
