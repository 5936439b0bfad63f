"""Adaptive generalization: diverse classes keep detail, the others are generalized further."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, final

import numpy as np

from indistinct.core.arrays import Bools, Codes, Floats, Ints
from indistinct.core.classes import EquivalenceClasses, count_values
from indistinct.core.hierarchy import GeneralizationHierarchy
from indistinct.core.kernels import group_rows
from indistinct.core.parameters import check, parameter
from indistinct.core.protocols import Deadline, Problem, Progress, Solution, no_progress
from indistinct.core.recoding import Recoding, cell_numbers, cell_per_text, hierarchy_cells
from indistinct.errors import Fault, NoSolutionError, PolicyError
from indistinct.models import KAnonymity
from indistinct.search.adaptive.joining import Classes, Joining, joining_costs
from indistinct.search.adaptive.similarity import (
    LARGEST_WHOLE,
    MEASURES,
    Similarity,
    similarity_of,
)
from indistinct.search.adaptive.tree_importance import Forest
from indistinct.search.adaptive.vulnerability import TARGETS, vulnerability_of
from indistinct.search.cuts.information_gain import InformationGainMondrian
from indistinct.search.lattice.feasibility import beyond_the_table, too_many_suppressed
from indistinct.search.local.local import Local

GROUPINGS = ("similar", "local", "informative")
DIVERSITY_SHARE = 0.8  # of the whole table's diversity, the threshold where none is given
LEAST_DIVERSITY = 1.0001
EVENNESS = 0.5
EQUAL_SHARE = 0.1  # of the weights, shared alike: what gives nothing away is not lost for nothing


@final
@dataclass(frozen=True, slots=True)
class Adaptive:
    """Generalize by vulnerability and diversity.

    Records are grouped by similarity, weighted with how much each quasi-identifier gives away. A
    class whose sensitive values are diverse and even is released at the lowest level that makes it
    uniform; another one is generalized further.

    Source: majeed2017, algorithms 1 and 2.
    """

    target: str = parameter(
        str, choices=TARGETS, default="sensitive", help="what vulnerability is measured by"
    )
    trees: int = parameter(int, at_least=1, default=500, help="trees of the random forest")
    diversity: float | None = parameter(
        float, at_least=1, default=None, help="least Simpson diversity of a diverse class"
    )
    evenness: float = parameter(
        float, at_least=0, at_most=1, default=EVENNESS, help="least evenness of a diverse class"
    )
    grouping: str = parameter(
        str,
        choices=GROUPINGS,
        default="similar",
        help="first classes: similar records, or those of local recoding or information gain",
    )
    similarity: str = parameter(
        str, choices=MEASURES, default="hierarchy", help="how records are compared"
    )
    step: str = parameter(
        str,
        choices=("needed", "fixed"),
        default="needed",
        help="how far classes of little diversity rise: until they are diverse, or 1 and 2 levels",
    )

    name: ClassVar[str] = "adaptive"

    def __post_init__(self) -> None:
        """Check the parameters."""
        check(self)

    def search(self, problem: Problem, deadline: Deadline, progress: Progress) -> Solution:
        """Group, measure and generalize.

        Raises
        ------
        PolicyError
            when no sensitive column tells diverse classes from others
        NoSolutionError
            when more records than the policy allows are in no class that satisfies the models
        MissingExtraError
            when the forest is asked for and scikit-learn is not installed
        """
        if not problem.table.sensitive_in_file:
            raise PolicyError([_no_sensitive_column()])
        progress(0.1, "measuring vulnerability")
        found = vulnerability_of(problem, self.target, Forest(trees=self.trees))
        weights = (1 - EQUAL_SHARE) * found.weights + EQUAL_SHARE / len(found.weights)
        similarity = similarity_of(problem, weights, self.similarity)
        progress(0.4, "grouping similar records")
        records, labels = self._grouped(problem, similarity, deadline)
        progress(0.7, "generalizing")
        space = Levels.of(problem)
        common = space.common(problem.table.codes[records], labels)
        fits: Bools = np.all(common <= space.highest, axis=1)
        inside: Bools = fits[labels]
        place = (np.cumsum(fits) - 1).astype(np.int32)
        grouping = Grouping(problem, space, records[inside], place[labels[inside]])
        raised, levels, facts = self._raised(grouping, common[fits], similarity)
        recoding = _recoding(raised, levels, records[~inside])
        return Solution(_checked(problem, recoding), {"vulnerability": found.document(), **facts})

    def _grouped(
        self, problem: Problem, similarity: Similarity, deadline: Deadline
    ) -> tuple[Ints, Codes]:
        """Group the records into classes of the least size that the models need.

        Returns
        -------
        records : (n_records,), tuple of each record
        labels : (n_records,), class of each record
        """
        size = self._least_size(problem)
        if self.grouping != "similar" and size > 1:
            other = Local() if self.grouping == "local" else InformationGainMondrian()
            alone = replace(problem, models=(KAnonymity(size),))
            found = other.search(alone, deadline, no_progress).recoding
            return (
                np.repeat(found.tuples, found.weights).astype(np.int64),
                np.repeat(found.labels, found.weights).astype(np.int32),
            )
        records = np.repeat(np.arange(problem.table.n_tuples), problem.table.weights)
        codes = np.ascontiguousarray(problem.table.codes[records])
        if len(codes) <= max(LARGEST_WHOLE, 2 * size):
            return records, similarity.classes(codes, min(size, len(codes)))
        return records, similarity.classes_by_blocks(codes, size)

    def _least_size(self, problem: Problem) -> int:
        """Give the records that every class needs."""
        return max((model.least_size for model in problem.models), default=1)

    def _raised(
        self, grouping: Grouping, common: Ints, similarity: Similarity
    ) -> tuple[Grouping, Ints, dict[str, Any]]:
        """Generalize the classes of little diversity.

        Parameters
        ----------
        common : (n_classes, n_columns), lowest level at which the records of a class agree

        Returns
        -------
        grouping : the records in the classes that are left
        levels : (n_classes, n_columns), level of each, before the top is looked at
        facts : what was measured on the way
        """
        shares = next(iter(grouping.problem.table.sensitive_in_file.values())).shares
        least = self.diversity or default_diversity(shares, self._least_size(grouping.problem))
        classes = grouping.classes(common)
        diverse = classes.diverse(least, self.evenness)
        facts = {"first_classes": len(common), "diverse_classes": int(diverse.sum())}
        is_within_reach = least * float((shares**2).sum()) <= 1 + 1e-12
        if self.step == "needed" and is_within_reach and len(common):
            joining = Joining(
                similarity,
                joining_costs(grouping.space.hierarchies, similarity),
                grouping.space.highest,
                least,
                self.evenness,
            )
            owners, classes = joining.joined(classes)
            diverse = classes.diverse(least, self.evenness)
            grouping = replace(grouping, labels=owners[grouping.labels].astype(np.int32))
            facts["joined_classes"] = len(common) - len(diverse)
        return grouping, adaptive_levels(classes.levels, diverse, similarity.weights), facts


def default_diversity(shares: Floats, size: int) -> float:
    """Give the least Simpson diversity of a diverse class where the policy names none.

    Parameters
    ----------
    shares : (n_values,), distribution in the whole table
    size : k, records of the smallest classes

    Notes
    -----
    Eight tenths of the whole table's. Where the table is more diverse than k records can be, eight
    tenths of what k records drawn from it have by chance: no class could else be diverse.
    """
    concentration = float((shares**2).sum())
    if 1 / concentration > size:
        concentration = 1 / size + (1 - 1 / size) * concentration
    return max(DIVERSITY_SHARE / concentration, LEAST_DIVERSITY)


def adaptive_levels(common: Ints, diverse: Bools, weights: Floats) -> Ints:
    """Give the level each class is released at, before the top of the hierarchies is looked at.

    Parameters
    ----------
    common : (n_classes, n_columns), lowest level at which the records of a class agree
    diverse : (n_classes,), classes that stay there
    weights : (n_columns,), vulnerability; columns at or above the mean rise two levels, others one

    Source: majeed2017, algorithm 2.
    """
    steps = np.where(weights < weights.mean() - 1e-12, 1, 2)
    return common + np.where(diverse[:, None], 0, steps)


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels that each column may be released at.

    Parameters
    ----------
    hierarchies : with one root on top
    numbers : per column, (n_levels, n_values), number of each cell
    lowest, highest : (n_columns,), levels allowed
    """

    hierarchies: tuple[GeneralizationHierarchy, ...]
    numbers: tuple[Codes, ...]
    lowest: Ints
    highest: Ints

    @classmethod
    def of(cls, problem: Problem) -> Levels:
        """Read the levels of a problem; a column that is not limited may rise to the root."""
        hierarchies = tuple(hierarchy.with_root() for hierarchy in problem.hierarchies)
        highest = [
            whole.height if last == own.height else last
            for whole, own, last in zip(
                hierarchies, problem.hierarchies, problem.max_levels, strict=True
            )
        ]
        return cls(
            hierarchies,
            tuple(
                _written_alike(hierarchy, problem.table.value_weights(column))
                for column, hierarchy in enumerate(hierarchies)
            ),
            np.array(problem.min_levels, np.int64),
            np.array(highest, np.int64),
        )

    def common(self, codes: Codes, labels: Codes) -> Ints:
        """Give the lowest level at which each class agrees: (n_classes, n_columns).

        Parameters
        ----------
        codes : (n_records, n_columns)
        labels : (n_records,), no class empty
        """
        order = np.argsort(labels, kind="stable")
        starts = np.searchsorted(labels[order], np.arange(int(labels.max()) + 1))
        found = np.empty((len(starts), len(self.hierarchies)), np.int64)
        for column, hierarchy in enumerate(self.hierarchies):
            differs = np.zeros(len(starts), np.int64)
            for level in hierarchy.codes[:-1]:
                cells = level[codes[order, column]]
                least = np.minimum.reduceat(cells, starts)
                differs += least != np.maximum.reduceat(cells, starts)
            found[:, column] = differs
        return np.maximum(found, self.lowest)

    def cells(self, codes: Codes, levels: Ints) -> Codes:
        """Give the cell of values at their levels, both (n_classes, n_columns)."""
        return np.stack(
            [
                numbers[levels[:, column], codes[:, column]]
                for column, numbers in enumerate(self.numbers)
            ],
            axis=1,
        ).astype(np.int32)


def _written_alike(hierarchy: GeneralizationHierarchy, value_weights: Ints) -> Codes:
    """Give the number of each cell, one for all that read the same: (n_levels, n_values)."""
    same = cell_per_text(hierarchy_cells(hierarchy, value_weights))
    return same[cell_numbers(hierarchy)].astype(np.int32)


@dataclass(frozen=True, slots=True)
class Grouping:
    """Records in classes, each of which can be released.

    Parameters
    ----------
    problem : what was asked
    space : the levels allowed
    records : (n_records,), tuple of each record
    labels : (n_records,), class of each record
    """

    problem: Problem
    space: Levels
    records: Ints
    labels: Codes

    def first_codes(self, n_classes: int) -> Codes:
        """Give the values of one record of each class: (n_classes, n_columns)."""
        first = np.zeros(n_classes, np.int64)
        first[self.labels[::-1]] = self.records[::-1]
        return self.problem.table.codes[first]

    def classes(self, levels: Ints) -> Classes:
        """Count the first sensitive column in classes at their levels, (n_classes, n_columns)."""
        table = self.problem.table
        name, column = next(iter(table.sensitive_in_file.items()))
        values = table.sensitive_codes[name][self.records]
        places = self.labels.astype(np.int64) * column.n_values + values
        counts = np.bincount(places, minlength=len(levels) * column.n_values)
        return Classes(
            self.first_codes(len(levels)), levels, counts.reshape(len(levels), column.n_values)
        )

    def joined(self, merged: Codes, n_merged: int) -> EquivalenceClasses:
        """Count the classes after some were joined."""
        table, labels = self.problem.table, merged[self.labels].astype(np.int32)
        weights = np.ones_like(self.records)
        counts = {
            name: count_values(
                labels, codes[self.records], weights, n_merged, table.sensitive[name].n_values
            )
            for name, codes in table.sensitive_codes.items()
        }
        sizes = np.bincount(labels, minlength=n_merged)
        return EquivalenceClasses(sizes, counts, table.sensitive)

    def settled(self, levels: Ints) -> tuple[Codes, Codes, Bools]:
        """Join classes that read alike, and raise those that fail a model until none can rise.

        Parameters
        ----------
        levels : (n_classes, n_columns), where each class starts

        Returns
        -------
        merged : (n_classes,), released class of each class
        cells : (n_merged, n_columns)
        holds : (n_merged,), whether it satisfies the models
        """
        codes = self.first_codes(len(levels))
        while True:
            levels = np.minimum(levels, self.space.highest)
            cells = np.ascontiguousarray(self.space.cells(codes, levels))
            merged, first, _ = group_rows(cells)
            holds = self.problem.holds(self.joined(merged, len(first)))
            may_rise = (levels < self.space.highest).any(axis=1)
            rising = ~holds[merged] & may_rise
            if not rising.any():
                return merged, cells[first], holds
            levels = levels + rising[:, None]


def _recoding(grouping: Grouping, levels: Ints, outside: Ints) -> Recoding:
    """Write classes at their levels as a recoding.

    Parameters
    ----------
    grouping : the records whose class can be released
    levels : (n_classes, n_columns), where each class starts
    outside : (n_outside,), tuple of each record that is in no such class
    """
    merged, cells, holds = grouping.settled(levels)
    hierarchies = grouping.space.hierarchies
    root = [[int(numbers.max()) for numbers in grouping.space.numbers]]
    labels = np.concatenate([merged[grouping.labels], np.full(len(outside), len(cells))])
    if len(outside):
        cells = np.concatenate([cells, np.array(root, np.int32)])
        holds = np.append(holds, np.False_)
    table = grouping.problem.table
    pairs, counts = np.unique(
        labels * np.int64(table.n_tuples) + np.concatenate([grouping.records, outside]),
        return_counts=True,
    )
    return Recoding(
        (pairs % table.n_tuples).astype(np.int32),
        (pairs // table.n_tuples).astype(np.int32),
        counts.astype(np.int64),
        cells,
        holds,
        tuple(
            hierarchy_cells(hierarchy, table.value_weights(column))
            for column, hierarchy in enumerate(hierarchies)
        ),
    )


def _checked(problem: Problem, recoding: Recoding) -> Recoding:
    """Refuse a recoding that suppresses more than the policy allows."""
    if recoding.n_suppressed <= problem.budget:
        return recoding
    needs = "adaptive generalization needs"
    raise NoSolutionError(
        beyond_the_table(problem) or [too_many_suppressed(problem, recoding.n_suppressed, needs)]
    )


def _no_sensitive_column() -> Fault:
    """Say that nothing tells diverse classes from others."""
    return Fault(
        "method.algorithm",
        '"adaptive" generalizes by the diversity of a sensitive column, and there is none',
        'Give a column the role "sensitive", or choose another algorithm.',
    )
