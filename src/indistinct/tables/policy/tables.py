"""The tables of a policy together, and what follows from several of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, SerializeAsAny

from indistinct.tables.core.schema import NOT_RELEASED, Role
from indistinct.tables.frames.set_forms import SetForms
from indistinct.tables.masks import ClassProtection, Context, Protection
from indistinct.tables.models import BoundedModel
from indistinct.tables.models.bounded import Needs
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.policy_table import PolicyWords
from indistinct.tables.policy.sections.column import ColumnPolicy
from indistinct.tables.policy.sections.context import ContextPolicy
from indistinct.tables.policy.sections.data import DataPolicy
from indistinct.tables.policy.sections.history import HistoryPolicy
from indistinct.tables.policy.sections.method import MethodPolicy
from indistinct.tables.policy.sections.model import model_of
from indistinct.tables.policy.sections.noise import NoisePolicy
from indistinct.tables.policy.sections.population import PopulationPolicy
from indistinct.tables.policy.sections.release import ReleasePolicy
from indistinct.tables.reading.declared_formats import SET, Reading
from indistinct.tables.search import (
    ALGORITHMS_BY_NAME,
    DEFAULT_ALGORITHM,
    EXACT_ALGORITHM,
    Algorithm,
)


class PolicyTables(PolicyWords):
    """Roles of the columns, models, method and form of a release, each table checked by itself."""

    columns: Mapping[str, ColumnPolicy]
    models: tuple[SerializeAsAny[Annotated[BoundedModel, BeforeValidator(model_of)]], ...] = ()
    data: DataPolicy = DataPolicy()
    method: MethodPolicy = MethodPolicy()
    release: ReleasePolicy = ReleasePolicy()
    noise: NoisePolicy = NoisePolicy()
    population: PopulationPolicy | None = None
    history: HistoryPolicy | None = None
    context: ContextPolicy | None = None
    withheld: tuple[str, ...] = ()  # of a public policy: what it leaves out

    def rule_of(self, name: str) -> ColumnRule:
        """Return how the cells of a column are generalized, and a missing one is written."""
        words = self.columns[name]
        rule, ends = words.hierarchy, self.release.range_ends
        if not (self.algorithm.ranges if rule is None else rule.ranges):
            ends = None
        return ColumnRule(
            name,
            words,
            self.data_of_all_columns.missing,
            self._folder,
            is_suggested=False,
            shown_as=self.release.intervals,
            range_ends=ends,
        )

    def named(self, role: Role) -> tuple[str, ...]:
        """Return the columns of a role, in the policy's order."""
        return tuple(name for name, column in self.columns.items() if column.role is role)

    @property
    def algorithm(self) -> type[Algorithm]:
        """The algorithm that searches for the classes: the one named, else the default.

        An algorithm of columns of sets says nothing of the other columns, and leaves them to the
        default, too.
        """
        named = ALGORITHMS_BY_NAME.get(self.method.algorithm or "")
        if named is not None:
            return named
        # The figures of noise by class can be recomputed of full-domain releases alone.
        is_exact = self.needs_divided_classes or self.noises
        return EXACT_ALGORITHM if is_exact else DEFAULT_ALGORITHM

    @property
    def names_algorithm(self) -> bool:
        """Whether the policy itself says how the classes are searched for."""
        return self.method.algorithm in ALGORITHMS_BY_NAME

    @property
    def algorithm_name(self) -> str:
        """The name in ``method.algorithm``, or that of the default."""
        return self.method.algorithm or self.algorithm.name

    @property
    def needs_divided_classes(self) -> bool:
        """Whether some model counts a table of the population as shares of the classes.

        Such a share means something only where nobody belongs to two classes.
        """
        counted = self.population is not None and self.population.data is not None
        return counted and any(
            model.counts_people and model.needs is Needs.POPULATION for model in self.models
        )

    @property
    def protections(self) -> dict[str, Protection]:
        """The protected columns, each with what the whole policy says of its protection."""
        context = Context(
            epsilon=self.noise.epsilon,
            person=self.data.person,
            missing=self.data_of_all_columns.missing,
            folder=self._folder,
        )
        return {
            name: column.protect.within(context)
            for name, column in self.columns.items()
            if column.protect is not None
        }

    @cached_property
    def class_names(self) -> tuple[str, ...]:
        """The quasi-identifiers that form the classes; the others are protected otherwise."""
        return tuple(name for name, column in self.columns.items() if column.in_classes)

    @property
    def people_file(self) -> Path | None:
        """The table that lists the population, if one does."""
        listed = None if self.population is None else self.population.data
        return None if listed is None else self.path(listed)

    @cached_property
    def set_names(self) -> tuple[str, ...]:
        """The columns whose cells are sets of items."""
        return tuple(name for name, column in self.columns.items() if column.type == SET)

    @property
    def set_forms(self) -> SetForms:
        """The form in which tables have their sets."""
        separators = {name: self.columns[name].separator for name in self.set_names}
        long = self.data.long
        if long is None:
            return SetForms(separators)
        left_out = frozenset(self.left_out)
        return SetForms(separators, long.person, long.item, left_out=left_out)

    @cached_property
    def data_of_all_columns(self) -> DataPolicy:
        """How the input is read, with the words for a missing value that hold in all columns.

        The words of single columns are looked for where cells are read, and not afterwards.
        """
        own = [one.missing for one in self.columns.values() if one.missing is not None]
        common = tuple(
            word for word in self.data.missing if not word or all(word in some for some in own)
        )
        return self.data.model_copy(update={"missing": common}) if own else self.data

    @property
    def reading(self) -> Reading:
        """How tables are read: what is said of the file and of its columns.

        A column whose hierarchy masks its values keeps them as they are written.
        """
        columns = self.columns.items()
        return replace(
            self.data.reading(),
            own_missing={name: one.missing for name, one in columns if one.missing is not None},
            formats={name: one.format for name, one in columns if one.format is not None},
            types={name: one.type for name, one in columns if one.type is not None},
            unreadable={
                name: one.unreadable for name, one in columns if one.unreadable is not None
            },
            last_years={name: one.last_year for name, one in columns if one.last_year is not None},
            left_out=frozenset(self.left_out),
            coded=frozenset(
                name
                for name, one in columns
                if one.role is Role.QUASI_IDENTIFIER
                and one.type is None
                and (one.hierarchy is None or one.hierarchy.labels is not None)
            ),
            measured=frozenset(
                name
                for name, one in columns
                if ((rule := one.hierarchy) is not None and (rule.intervals or rule.ranges))
                or ((mask := self.protections.get(name)) is not None and mask.computes)
                or name == self.data.weight
            ),
            listed=frozenset(
                name
                for name, one in columns
                if (rule := one.hierarchy) is not None and rule.lists_values
            ),
            as_written=frozenset(
                name
                for name, one in columns
                if (rule := one.hierarchy) is not None and (rule.labels or rule.mask is not None)
            ),
        )

    @cached_property
    def noises(self) -> dict[str, ClassProtection]:
        """The columns that get noise by their class, and that noise."""
        return {
            name: protection
            for name, protection in self.protections.items()
            if isinstance(protection, ClassProtection)
        }

    @cached_property
    def left_out(self) -> tuple[str, ...]:
        """What is left out, the identifiers that no protection keeps, and columns of persons."""
        unprotected = (
            name
            for name, column in self.columns.items()
            if column.role in NOT_RELEASED and column.protect is None
        )
        units = (self.data.person, self.data.household)
        named = (name for name in units if name is not None)
        tracked = () if self.history is None else (self.history.person,)
        return tuple(dict.fromkeys([*unprotected, *named, *tracked]))

    @property
    def counted(self) -> tuple[str, ...]:
        """The sensitive columns whose values some model counts."""
        read = tuple(dict.fromkeys(name for model in self.models for name in model.columns))
        return self.named(Role.SENSITIVE) if self.divides else read

    @property
    def divides(self) -> bool:
        """Whether some model counts other sensitive columns among the quasi-identifiers."""
        return any(model.divides for model in self.models)

    @property
    def named_files(self) -> tuple[str, ...]:
        """The paths of all files that the policy names, as it names them."""
        rules = [column.hierarchy for column in self.columns.values()]
        found = [rule.csv for rule in rules if rule is not None]
        found += [None if self.population is None else self.population.data]
        found += [
            getattr(protection, name)
            for protection in (column.protect for column in self.columns.values())
            if protection is not None
            for name in protection.files
        ]
        return tuple(path for path in found if path is not None)

    def path(self, relative: str) -> Path:
        """Return a path that the policy names."""
        return self._folder / relative
