"""Attacks by an insider: what the sensitive values of a person's candidates give away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.base.arrays import Codes
from indistinct.base.parameters import parameter
from indistinct.base.success import SuccessRate
from indistinct.tables.core.frequencies import SensitiveColumn
from indistinct.tables.evaluation.attacks.candidates import candidates
from indistinct.tables.evaluation.attacks.entry import ColumnAttack, Outcome
from indistinct.tables.evaluation.attacks.scenario import CONTROL, AttackScenario
from indistinct.tables.metrics.disclosure import (
    exposed_by_background,
    exposed_by_similarity,
    groups_at_level,
    homogeneous,
    skewness as skewness_of,
)


@final
@dataclass(frozen=True, slots=True)
class Homogeneity(ColumnAttack):
    """Learn the sensitive value of everybody whose candidates agree; one outcome per column.

    On a control group an attempt succeeds when the candidates agree and are right by chance.

    Source: machanavajjhala2007, section 2 (homogeneity attack).
    """

    name: ClassVar[str] = "homogeneity"

    def on_column(self, scenario: AttackScenario, column: str) -> Outcome:
        """Attack one column."""
        found = candidates(scenario, column)
        exposed = homogeneous(found.classes, column)
        return Outcome(
            self.name,
            found.rate(scenario, exposed),
            control=_control(scenario, column),
            details={"column": column, "classes": int(exposed.sum())},
            uncontrolled=scenario.uncontrolled([column]),
        )


def _control(scenario: AttackScenario, name: str) -> SuccessRate | None:
    """Attack people who are not in the release, where their values are known."""
    if not scenario.has(CONTROL) or name not in scenario.people[CONTROL].columns:
        return None
    found = candidates(scenario, name, CONTROL)
    counts = found.classes.value_counts[name]
    firsts = counts.values[counts.starts[:-1]] if found.classes.n_classes else np.zeros(0)
    right = homogeneous(found.classes, name) & (firsts == found.values)
    return scenario.rate(int(right.sum()), len(found.targets))


@final
@dataclass(frozen=True, slots=True)
class Background(ColumnAttack):
    """Learn the value of everybody of whom ``excluded`` values are ruled out and one is left.

    The attacker is taken to rule out the values that help him most, at least one. One outcome per
    sensitive column.

    Source: machanavajjhala2007, section 2 (background knowledge attack).
    """

    excluded: int = parameter(
        int, at_least=0, default=0, help="sensitive values that the attacker can rule out"
    )

    name: ClassVar[str] = "background"

    @property
    def leads(self) -> bool:
        """Whether the attacker was said to rule values out."""
        return self.excluded > 0

    def on_column(self, scenario: AttackScenario, column: str) -> Outcome:
        """Attack one column."""
        excluded = max(1, self.excluded)
        found = candidates(scenario, column)
        exposed = exposed_by_background(found.classes, column, excluded)
        details = {"column": column, "excluded": excluded, "classes": int(exposed.sum())}
        return Outcome(self.name, found.rate(scenario, exposed), details=details)


@final
@dataclass(frozen=True, slots=True)
class SkewnessAttack(ColumnAttack):
    """Raise the belief in some value of everybody whose candidates have it often.

    An attempt succeeds when the share of some value among the candidates exceeds its share in the
    whole table by at least ``gain``. One outcome per sensitive column.

    Source: li2010, section 3 (skewness attack); the threshold is ours.
    """

    gain: float = parameter(
        float, above=0, at_most=1, default=0.25, help="rise of a belief that counts, 0 to 1"
    )

    name: ClassVar[str] = "skewness"

    def on_column(self, scenario: AttackScenario, column: str) -> Outcome:
        """Attack one column."""
        found = candidates(scenario, column)
        skewed = skewness_of(found.classes, column)
        exposed = skewed.difference >= self.gain - 1e-12
        details = {
            "column": column,
            "gain": self.gain,
            "greatest_difference": float(skewed.difference.max(initial=0.0)),
            "greatest_ratio": float(skewed.ratio.max(initial=1.0)),
        }
        return Outcome(self.name, found.rate(scenario, exposed), details=details)


@final
@dataclass(frozen=True, slots=True)
class SimilarityAttack(ColumnAttack):
    """Learn the group of everybody whose candidates' values all fall into one.

    Groups are the labels of the first level of the sensitive column's hierarchy that joins values
    without joining all. One outcome per column that has such a hierarchy.

    Source: li2010, section 3 (similarity attack).
    """

    name: ClassVar[str] = "similarity"

    def on_column(self, scenario: AttackScenario, column: str) -> Outcome | None:
        """Attack one column; None where no level of its hierarchy has groups."""
        found = candidates(scenario, column)
        groups = _groups(found.classes.sensitive[column])
        if groups is None:
            return None
        exposed = exposed_by_similarity(found.classes, column, groups)
        n_groups, n_exposed = len(np.unique(groups)), int(exposed.sum())
        details = {"column": column, "groups": n_groups, "classes": n_exposed}
        return Outcome(self.name, found.rate(scenario, exposed), details=details)


def _groups(column: SensitiveColumn) -> Codes | None:
    """Return the code of the group of each value; None where no level has groups."""
    if column.hierarchy is None:
        return None
    for level in range(1, column.hierarchy.n_levels):
        groups = groups_at_level(column, level)
        if 1 < len(np.unique(groups)) < column.n_values:
            return groups
    return None
