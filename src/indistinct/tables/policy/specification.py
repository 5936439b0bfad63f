"""The resolved rules of a policy: all that counting, searching, writing and judging ask of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from indistinct.base.brief import Confidential, short_repr
from indistinct.tables.core.keys import Meaning
from indistinct.tables.core.schema import Role
from indistinct.tables.frames.set_forms import SetForms
from indistinct.tables.masks import ClassProtection, Protection
from indistinct.tables.models import BoundedModel
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.policy import Policy, sha256_of
from indistinct.tables.policy.sections.data import DataPolicy
from indistinct.tables.policy.sections.hierarchy import HierarchyRule
from indistinct.tables.policy.sections.history import HistoryPolicy
from indistinct.tables.policy.sections.method import MethodPolicy
from indistinct.tables.policy.sections.noise import NoisePolicy
from indistinct.tables.policy.sections.population import PopulationPolicy
from indistinct.tables.policy.sections.release import ReleasePolicy
from indistinct.tables.reading.declared_formats import Reading
from indistinct.tables.search import Algorithm


@dataclass(frozen=True, slots=True)
class Specification:
    """What becomes of each column, what must hold, and how it is searched for.

    Parameters
    ----------
    columns : the rule of each, in the policy's order
    class_names : the quasi-identifiers that form the classes
    left_out : the columns that no release has
    counted : the sensitive columns whose values some model counts
    models : as they are asked, and ``divides`` whether one counts sensitive columns together
    history : how releases of the same people follow each other
    population, people_file : who else there is, and the table that lists them, if any does
    algorithm, is_default : what searches, and whether the policy leaves that open
    protections : the masks of the columns that have one, and ``set_forms`` how sets are written
    reading : what is said of how the cells are written
    data, method, release, noise : how the table is read, searched, written and made noisy
    written : the words of the policy, defaults left out, as somebody wrote them
    withheld : of a public policy, what it leaves out: ``population.data``, ``hierarchies.NAME``
    """

    columns: Mapping[str, ColumnRule]
    class_names: tuple[str, ...]
    left_out: tuple[str, ...]
    counted: tuple[str, ...]
    models: tuple[BoundedModel, ...]
    divides: bool
    history: HistoryPolicy | None
    population: PopulationPolicy | None
    people_file: Path | None
    algorithm: type[Algorithm]
    is_default: bool
    protections: Mapping[str, Protection]
    set_forms: SetForms
    reading: Reading
    data: DataPolicy
    method: MethodPolicy
    release: ReleasePolicy
    noise: NoisePolicy
    written: Mapping[str, Any]
    withheld: tuple[str, ...] = ()

    __repr__ = short_repr

    def named(self, role: Role) -> tuple[str, ...]:
        """Return the columns of a role."""
        return tuple(name for name, rule in self.columns.items() if rule.words.role is role)

    @property
    def class_rules(self) -> tuple[ColumnRule, ...]:
        """The rules of the quasi-identifiers that form the classes."""
        return tuple(self.columns[name] for name in self.class_names)

    @property
    def suggested_names(self) -> tuple[str, ...]:
        """The columns whose rule nobody wrote: the cells of the release suggest it."""
        return tuple(name for name, rule in self.columns.items() if rule.is_suggested)

    @property
    def set_names(self) -> tuple[str, ...]:
        """The columns whose cells are sets of items."""
        return tuple(self.set_forms.separators)

    @property
    def noises(self) -> dict[str, ClassProtection]:
        """The columns that get noise by their class, and that noise."""
        masks = self.protections.items()
        return {name: mask for name, mask in masks if isinstance(mask, ClassProtection)}

    @property
    def algorithm_name(self) -> str:
        """The name in ``method.algorithm``, or that of the default."""
        return self.method.algorithm or self.algorithm.name

    @property
    def withholds(self) -> bool:
        """Whether records may be left out before anything is searched."""
        masks = self.protections.values()
        return self.data.missing_as == "suppress" or any(mask.withholds for mask in masks)

    @property
    def read_names(self) -> tuple[str, ...]:
        """The sensitive columns that a model, the algorithm or the weights look at."""
        everything = self.algorithm.reads_sensitive or self.method.weights == "vulnerability"
        named = self.named(Role.SENSITIVE) if everything else ()
        return tuple(dict.fromkeys([*self.counted, *named]))

    @property
    def counted_names(self) -> tuple[str, ...]:
        """The columns whose distinct rows are counted: those that decide about a record."""
        read = self.read_names
        if self.data.missing_as == "suppress":
            # Whether a record takes part then depends on all sensitive columns.
            read = tuple(dict.fromkeys([*read, *self.named(Role.SENSITIVE)]))
        return (*self.class_names, *read)

    @property
    def important(self) -> frozenset[str]:
        """The columns whose importance is above the usual one."""
        return frozenset(
            name for name, rule in self.columns.items() if rule.words.importance_number > 1
        )

    @property
    def words(self) -> dict[str, Any]:
        """The words of the policy with the hierarchies that nobody wrote."""
        found = {
            name: self.columns[name].words.model_dump(mode="json", exclude_defaults=True)
            for name in self.suggested_names
        }
        return {**self.written, "columns": {**self.written["columns"], **found}}

    @property
    def sha256(self) -> str:
        """Hash of what is promised, as :attr:`Policy.sha256` is."""
        return sha256_of(self.words)

    def with_suggestions(self, rules: Mapping[str, HierarchyRule]) -> Specification:
        """Return the same with the rules of some columns that nobody wrote."""
        found = {name: self.columns[name].suggested(rule) for name, rule in rules.items()}
        return replace(self, columns={**self.columns, **found})

    def with_code_labels(self, labels: Mapping[str, Mapping[str, str]]) -> Specification:
        """Return the same, knowing what a file says of the codes of its sensitive columns.

        Codes whose labels read alike are one value wherever values are counted.
        """
        found = {
            name: replace(self.columns[name], coded=Confidential(labels[name]))
            for name in self.named(Role.SENSITIVE)
            if labels.get(name)
        }
        return replace(self, columns={**self.columns, **found}) if found else self

    def with_meanings(self, meanings: Mapping[str, Meaning]) -> Specification:
        """Return the same, knowing what the values of some columns are."""
        found = {
            name: replace(self.columns[name], meaning=meaning) for name, meaning in meanings.items()
        }
        return replace(self, columns={**self.columns, **found})


def resolve(policy: Policy | Specification) -> Specification:
    """Find the rules of a policy; those that were found are returned as they are."""
    if isinstance(policy, Specification):
        return policy
    return Specification(
        columns={name: policy.rule_of(name) for name in policy.columns},
        class_names=policy.class_names,
        left_out=policy.left_out,
        counted=policy.counted,
        models=policy.models,
        divides=policy.divides,
        history=policy.history,
        population=policy.population,
        people_file=policy.people_file,
        algorithm=policy.algorithm,
        is_default=not policy.names_algorithm,
        protections=policy.protections,
        set_forms=policy.set_forms,
        reading=policy.reading,
        data=policy.data_of_all_columns,
        method=policy.method,
        release=policy.release,
        noise=policy.noise,
        written=policy.words(),
        withheld=policy.withheld,
    )
