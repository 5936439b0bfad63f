"""Protect a family: hide cells, let the auditor look at what is left to see, and repair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from indistinct.aggregates.audit import Audit, audit
from indistinct.aggregates.contributors import Contributors, Repair, known_inside, repaired
from indistinct.aggregates.family import Family
from indistinct.aggregates.problem import Reduced, SuppressionProblem, reduced
from indistinct.aggregates.shown import CountPromise, shown_of
from indistinct.aggregates.suppression import DOWN, MODELS_OF_IMPROVING, UP, Need, Suppression
from indistinct.base.arrays import Bools, Ints
from indistinct.base.brief import short_repr
from indistinct.errors import UndecidedError

ROUNDS = 20


@dataclass(frozen=True, slots=True)
class ProtectedFamily:
    """A pattern that the auditor proved to protect.

    Parameters
    ----------
    hidden : (n_cells,), which cells are hidden
    audit : complete tables that prove it
    repair : moves that contributors cannot exclude, over the variables
    reduced : which variable each cell is
    """

    hidden: Bools
    audit: Audit
    repair: Repair
    reduced: Reduced

    __repr__ = short_repr


class NoPattern(Exception):  # noqa: N818 - no error: its catcher says what is wrong
    """Some cells cannot be protected; no cells that may be hidden would do."""

    def __init__(self, cells: Ints) -> None:
        super().__init__()
        self.cells = cells


def protect(
    family: Family,
    problem: SuppressionProblem,
    promise: CountPromise,
    *,
    models: int = MODELS_OF_IMPROVING,
) -> ProtectedFamily:
    """Hide cells until the promise is proven, against outsiders and contributors.

    Parameters
    ----------
    models : that are solved to find cheaper cells

    Raises
    ------
    NoPattern
        when no cells that may be hidden protect all that has to be
    UndecidedError
        when neither a proof nor a further cell to hide was found
    """
    whole = reduced(problem)
    if len(stuck := whole.stuck(problem)):
        raise NoPattern(stuck)
    search = Suppression(whole.problem)
    if impossible := search.meet(search.needs):
        cells = np.array([need.cell for need in impossible])
        raise NoPattern(np.flatnonzero(np.isin(whole.variable, cells) & (problem.needs > 0)))
    search.improve(models)
    contributors = Contributors(family, whole)
    # Their moves change hidden cells alone, and stay what they are if more cells are hidden.
    repair = repaired(search, contributors, known_inside(problem).problem)
    if repair.open_needs:
        cells = np.array([need.cell for need, _ in repair.open_needs])
        raise NoPattern(np.flatnonzero(np.isin(whole.variable, cells) & (problem.needs > 0)))
    for _ in range(ROUNDS):
        hidden = (whole.variable >= 0) & search.pattern.hidden[whole.variable]
        found = audit(shown_of(family.counts, hidden, problem.lower, family.equations), promise)
        if found.holds:
            return ProtectedFamily(hidden, found, repair, whole)
        failing = np.flatnonzero(hidden)[np.concatenate([found.refuted, found.undecided])]
        before = int(search.pattern.hidden.sum())
        _hide_more(search, whole.variable[failing], problem.values[failing], promise)
        if int(search.pattern.hidden.sum()) == before:
            break
    raise UndecidedError(
        "neither a proof was found that the hidden cells are protected, nor cells to hide besides",
        "Leave out a table or a dimension, or raise the lowest level of one.",
    )


def _hide_more(search: Suppression, variables: Ints, values: Ints, promise: CountPromise) -> None:
    """Hide what makes cells uncertain that the auditor found to be known too well."""
    for variable, value in zip(variables.tolist(), values.tolist(), strict=True):
        amount = max(promise.reaches - value, promise.width)
        ways: Sequence[Need] = [Need(variable, UP, amount)]
        if value >= promise.reaches:
            ways = [*ways, Need(variable, DOWN, promise.width)]
        # A cell that is known although a real move exists needs one in whole numbers.
        if not any(search.short_move(need) for need in ways):
            any(search.hide_for(need) for need in ways)
