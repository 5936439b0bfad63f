"""Models that count people where several records may belong to one person."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast, final

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.tables.core.classes import EquivalenceClasses, Region, count_values
from indistinct.tables.core.frequencies import PERSON, SensitiveColumn, ValueCounts, person_and
from indistinct.tables.core.penalties import Penalty, distinct_penalty
from indistinct.tables.core.protocols import Monotonicity, PlainClass, PrivacyModel, Scope
from indistinct.tables.models.alpha_k_anonymity import AlphaKAnonymity
from indistinct.tables.models.bounded import BoundedModel, SizeModel
from indistinct.tables.models.delta_presence import DeltaPresence
from indistinct.tables.models.k_anonymity import ConfidentKAnonymity, KAnonymity
from indistinct.tables.models.k_map import KMap
from indistinct.tables.models.l_diversity import DistinctLDiversity, ProbabilisticLDiversity

# The number of people in a union is at least that of each part and at most their sum, and so is the
# number of distinct values. Nothing of the kind is true of shares: a person in two classes counts
# once in their union, which is then no mixture of both.
KEPT_BY_MERGING = (KAnonymity, ConfidentKAnonymity, KMap, DeltaPresence, DistinctLDiversity)
# An attacker asks these which share of the people of a class has a value. The others compare whole
# distributions, which are made of (person, value) pairs.
SHARES_OF_PEOPLE = (ProbabilisticLDiversity, AlphaKAnonymity)


@final
@dataclass(frozen=True, slots=True)
class InPeople:
    """A model that is told the people of each class, and the people that have each value.

    The classes it is given must count the column ``PERSON``, and for each sensitive column the
    pairs of person and value; without them it raises a KeyError instead of counting records.

    Parameters
    ----------
    model : what must hold of the people
    """

    model: BoundedModel

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model.name

    @property
    def monotone(self) -> Monotonicity:
        """When generalizing further can never break it."""
        kept = isinstance(self.model, KEPT_BY_MERGING)
        return self.model.monotone if kept else Monotonicity.NEVER

    @property
    def scope(self) -> Scope:
        """What it looks at to judge a class."""
        return self.model.scope

    @property
    def grows(self) -> bool:
        """Whether a greater measure protects more."""
        return self.model.grows

    @property
    def bound(self) -> float:
        """The value that the measure is compared with."""
        return self.model.bound

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns it reads: that of the people always."""
        return (*self.model.columns, PERSON)

    @property
    def least_size(self) -> int:
        """The fewest records that can satisfy it: one of each person."""
        return self.model.least_size

    @property
    def usual_size(self) -> int:
        """The size that a search grows classes to."""
        return self.model.usual_size

    @property
    def divides(self) -> bool:
        """Whether other sensitive columns count among the quasi-identifiers: never here."""
        return False

    def penalty(self, sensitive: Mapping[str, SensitiveColumn]) -> Penalty | None:
        """Return what a search prices: distinct people, or the values as records have them."""
        if not self.model.columns and isinstance(self.model, SizeModel):
            return distinct_penalty(sensitive[PERSON], self.bound, missing_counts=True)
        found = self.model.penalty(sensitive)
        return None if found is None else replace(found, is_exact=False)

    def required(self) -> dict[str, Any]:
        """Return the parameters as the manifest names them."""
        return self.model.required()

    def achieved(self, worst: float) -> dict[str, Any]:
        """Return what the worst measure means, in the parameters' names."""
        return self.model.achieved(worst)

    def measured(self, classes: EquivalenceClasses) -> Floats:
        """Return the model's quantity per class: (n_classes,)."""
        return self.model.measured(counted_in_people(classes, self.model))

    def holds(self, classes: EquivalenceClasses) -> Bools:
        """Return per class whether it satisfies the model: (n_classes,)."""
        return self.model.holds(counted_in_people(classes, self.model))

    def least_suppressed(self, classes: EquivalenceClasses) -> Ints:
        """Bound the records that every partition suppresses: (n_classes,), all 0.

        The bounds of the models add up shares over the parts of a class. A person may be in
        several parts, so nothing of the kind is proven for people.
        """
        return np.zeros(classes.n_classes, np.int64)

    def select(self, classes: EquivalenceClasses, kept: Bools) -> Bools:
        """Return the classes among ``kept`` that may be released: (n_classes,)."""
        return self.model.select(counted_in_people(classes, self.model), kept)

    def measured_plainly(self, one: PlainClass) -> float:
        """Return the model's quantity of one class that was counted in people."""
        return self.model.measured_plainly(one)


def in_people(models: Iterable[BoundedModel]) -> tuple[PrivacyModel, ...]:
    """Let models count people instead of records."""
    return tuple(cast("PrivacyModel", InPeople(model)) for model in models)


def people_per_class(classes: EquivalenceClasses) -> Ints:
    """Count the distinct people of each class: (n_classes,)."""
    return np.diff(classes.value_counts[PERSON].starts)


def counted_in_people(classes: EquivalenceClasses, model: BoundedModel) -> EquivalenceClasses:
    """Return classes as a model sees them that counts people.

    A person counts once in a class, and once for each value that some record of theirs has there.

    Parameters
    ----------
    classes : with the people, and the pairs of person and value of the model's columns
    model : says whether sizes are people, or (person, value) pairs that make a distribution
    """
    sizes = people_per_class(classes)
    counts: dict[str, ValueCounts] = {}
    sensitive: dict[str, SensitiveColumn] = {}
    known_sizes: dict[str, Ints] = {}
    for name in model.columns:
        counts[name], sensitive[name] = _people_with_values(classes, name)
        if isinstance(model, SHARES_OF_PEOPLE):
            known_sizes[name] = _people_with_any_value(classes, name)
        else:
            sizes = np.diff(classes.value_counts[person_and(name)].starts)
    regions = None if classes.regions is None else _regions(classes.regions, model)
    return EquivalenceClasses(
        sizes, counts, sensitive, classes.costs, classes.population, regions, known_sizes
    )


def _people_with_values(
    classes: EquivalenceClasses, name: str
) -> tuple[ValueCounts, SensitiveColumn]:
    """Count the people that have each value of a column, per class and in the whole table."""
    pairs, column = classes.value_counts[person_and(name)], classes.sensitive[name]
    value_of_pair = classes.sensitive[person_and(name)].joins[name].own
    counts = count_values(
        pairs.owners.astype(np.int32),
        value_of_pair[pairs.values],
        np.ones(len(pairs.values), np.int64),
        classes.n_classes,
        column.n_values,
    )
    whole = np.bincount(value_of_pair, minlength=column.n_values)
    return counts, replace(column, counts=whole)


def _people_with_any_value(classes: EquivalenceClasses, name: str) -> Ints:
    """Count the people of each class who have a known value of a column in it: (n_classes,)."""
    pairs, share = (
        classes.value_counts[person_and(name)],
        classes.sensitive[person_and(name)].joins[name],
    )
    column = classes.sensitive[name]
    is_known = share.own[pairs.values] < column.n_values - column.has_missing
    owners, persons = pairs.owners[is_known], share.rest[pairs.values[is_known]]
    once = np.unique(np.stack([owners, persons.astype(np.int64)]), axis=1)
    return np.bincount(once[0], minlength=classes.n_classes).astype(np.int64)


@dataclass(frozen=True, slots=True)
class _RegionInPeople:
    """A region whose parts are counted in people.

    Parameters
    ----------
    parts : of the region
    part_of : gives the part that contains each of some finer classes
    """

    parts: EquivalenceClasses
    part_of: Callable[[Ints], Ints]


def _regions(
    regions: Callable[[], Iterator[Region]], model: BoundedModel
) -> Callable[[], Iterator[Region]]:
    """Count the parts of regions in people, each when it is asked for."""

    def counted() -> Iterator[Region]:
        for region in regions():
            parts = counted_in_people(replace(region.parts, regions=None), model)
            yield cast("Region", _RegionInPeople(parts, region.part_of))

    return counted
