"""Which classes no finer node releases."""

from __future__ import annotations

from dataclasses import dataclass

from indistinct.core.arrays import Bools
from indistinct.core.classes import EquivalenceClasses
from indistinct.core.protocols import Monotonicity, PrivacyModel, Problem


@dataclass(frozen=True, slots=True)
class DoomRule:
    """Which classes stay suppressed at every finer node: the monotone part of the models.

    A class that is too small, or fails a monotone model, only splits into classes that fail as
    well. Models that are monotone without suppression count when nothing may be suppressed.
    """

    least_size: int
    models: tuple[PrivacyModel, ...]
    is_everything: bool

    @classmethod
    def of(cls, problem: Problem) -> DoomRule:
        """Collect what can be believed."""
        believed = {Monotonicity.ALWAYS}
        if problem.budget == 0:
            believed.add(Monotonicity.WITHOUT_SUPPRESSION)
        in_order = sorted(problem.models, key=lambda model: model.scope)
        monotone = tuple(model for model in in_order if model.monotone in believed)
        return cls(
            max((model.least_size for model in problem.models), default=1),
            monotone,
            len(monotone) == len(problem.models),
        )

    def spared(self, classes: EquivalenceClasses, released: Bools) -> Bools:
        """Tell which classes some finer node may still release: (n_classes,)."""
        if self.is_everything:
            return released
        verdict = classes.sizes >= self.least_size
        for model in self.models:
            verdict = model.select(classes, verdict)
        return verdict
