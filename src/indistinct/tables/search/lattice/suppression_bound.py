"""How many records no finer node releases."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Bools
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.protocols import Monotonicity, PrivacyModel, Problem, Scope

# Where more of the records may be suppressed, bounds on parts of classes cost more than they save.
MOST_BUDGET = 0.25


@dataclass(frozen=True, slots=True)
class SuppressionBound:
    """How many records stay suppressed at every finer node.

    A class that is too small, or fails a monotone model, only splits into classes that fail as
    well. Models that are monotone without suppression count when nothing may be suppressed. Where
    something may be, a failing class may split into parts that hold and parts that fail; models
    bound the records in the latter (``PrivacyModel.least_suppressed``).

    Parameters
    ----------
    least_size : records of the smallest class that can hold
    models : those that every part of a failing class fails
    others : those that some part of a failing class fails
    is_everything : whether all models are of the first kind
    """

    least_size: int
    models: tuple[PrivacyModel, ...]
    others: tuple[PrivacyModel, ...]
    is_everything: bool

    @classmethod
    def of(cls, problem: Problem) -> SuppressionBound:
        """Collect what can be believed."""
        believed = {Monotonicity.ALWAYS}
        if problem.budget == 0:
            believed.add(Monotonicity.WITHOUT_SUPPRESSION)
        in_order = sorted(problem.models, key=lambda model: model.scope)
        monotone = tuple(model for model in in_order if model.monotone in believed)
        others = tuple(
            model
            for model in in_order
            if model not in monotone and model.scope == Scope.CLASS and not model.divides
        )
        if problem.budget > MOST_BUDGET * problem.table.n_records:
            others = ()
        return cls(
            problem.least_size,
            monotone,
            others,
            len(monotone) == len(problem.models),
        )

    def n_least_suppressed(
        self, classes: EquivalenceClasses, released: Bools, n_suppressed: int
    ) -> int:
        """Bound the records that every finer node suppresses.

        Parameters
        ----------
        released : (n_classes,), the classes that hold now
        n_suppressed : records of the others
        """
        if self.is_everything:
            return n_suppressed
        verdict = classes.sizes >= self.least_size
        for model in self.models:
            verdict = model.select(classes, verdict)
        return int(classes.sizes[~verdict].sum()) + self._n_in_parts(classes, verdict & ~released)

    def _n_in_parts(self, classes: EquivalenceClasses, failing: Bools) -> int:
        """Bound the records that are suppressed of failing classes whose parts may hold."""
        if not self.others or not failing.any():
            return 0
        chosen = classes.chosen(failing)
        return int(
            np.maximum.reduce([model.least_suppressed(chosen) for model in self.others]).sum()
        )
