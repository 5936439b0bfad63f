"""Adaptive generalization: diverse classes keep detail, the others are generalized further."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.compiled.kernels import group_rows
from indistinct.tables.core.classes import EquivalenceClasses, count_values
from indistinct.tables.core.protocols import Deadline, Problem, Progress, no_progress
from indistinct.tables.core.recoding import Recoding, hierarchy_cells
from indistinct.tables.models import KAnonymity
from indistinct.tables.search.adaptive.joining import CandidateClasses, Joining, joining_costs
from indistinct.tables.search.adaptive.levels import Levels
from indistinct.tables.search.adaptive.settings import Settings
from indistinct.tables.search.adaptive.similarity import (
    LARGEST_WHOLE,
    RecordSimilarity,
    similarity_of,
)
from indistinct.tables.search.adaptive.tree_importance import RandomForest
from indistinct.tables.search.adaptive.vulnerability import vulnerability_of
from indistinct.tables.search.algorithm import SearchResult, check_sensitive
from indistinct.tables.search.cuts.information_gain import InformationGainMondrian
from indistinct.tables.search.finish import solve
from indistinct.tables.search.local.local import Local

DIVERSITY_SHARE = 0.8  # of the whole table's diversity, the threshold where none is given
LEAST_DIVERSITY = 1.0001
EQUAL_SHARE = 0.1  # of the weights, shared alike: what gives nothing away is not lost for nothing


def find_adaptive(
    asked: Settings, problem: Problem, deadline: Deadline, progress: Progress
) -> SearchResult:
    """Group, measure and generalize.

    Raises
    ------
    PolicyError
        when no sensitive column tells diverse classes from others
    MissingExtraError
        when the forest is asked for and scikit-learn is not installed
    """
    check_sensitive(problem, '"adaptive" generalizes by the diversity of a sensitive column')
    progress(0.1, "measuring vulnerability")
    found = vulnerability_of(problem, asked.target, RandomForest(trees=asked.trees))
    weights = (1 - EQUAL_SHARE) * found.weights + EQUAL_SHARE / len(found.weights)
    similarity = similarity_of(problem, weights, asked.similarity)
    progress(0.4, "grouping similar records")
    records, labels = _grouped(asked, problem, similarity, deadline)
    progress(0.7, "generalizing")
    space = Levels.of(problem)
    common = space.common(problem.table.codes[records], labels)
    fits: Bools = np.all(common <= space.highest, axis=1)
    inside: Bools = fits[labels]
    place = (np.cumsum(fits) - 1).astype(np.int32)
    grouping = GeneralizedRecords(problem, space, records[inside], place[labels[inside]])
    raised, levels, facts = _raised(asked, grouping, common[fits], similarity)
    recoding = _recoding(raised, levels, records[~inside])
    facts = {"vulnerability": found.document(), **facts}
    return SearchResult(recoding, "adaptive generalization needs", facts)


def _grouped(
    asked: Settings, problem: Problem, similarity: RecordSimilarity, deadline: Deadline
) -> tuple[Ints, Codes]:
    """Group the records into classes of the least size that the models need.

    Returns
    -------
    records : (n_records,), tuple of each record
    labels : (n_records,), class of each record
    """
    size = problem.least_size
    if asked.grouping != "similar" and size > 1:
        other = Local() if asked.grouping == "local" else InformationGainMondrian()
        alone = replace(problem, models=(KAnonymity(size),))
        found = solve(other, alone, deadline, no_progress).recoding
        return (
            np.repeat(found.tuples, found.weights).astype(np.int64),
            np.repeat(found.labels, found.weights).astype(np.int32),
        )
    records = np.repeat(np.arange(problem.table.n_tuples), problem.table.weights)
    codes = np.ascontiguousarray(problem.table.codes[records])
    if len(codes) <= max(LARGEST_WHOLE, 2 * size):
        return records, similarity.classes(codes, min(size, len(codes)))
    return records, similarity.classes_by_blocks(codes, size)


def _raised(
    asked: Settings, grouping: GeneralizedRecords, common: Ints, similarity: RecordSimilarity
) -> tuple[GeneralizedRecords, Ints, dict[str, Any]]:
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
    least = asked.diversity or default_diversity(shares, grouping.problem.least_size)
    classes = grouping.classes(common)
    diverse = classes.diverse(least, asked.evenness)
    facts = {"first_classes": len(common), "diverse_classes": int(diverse.sum())}
    is_within_reach = least * float((shares**2).sum()) <= 1 + 1e-12
    if asked.step == "needed" and is_within_reach and len(common):
        joining = Joining(
            similarity,
            joining_costs(grouping.space.hierarchies, similarity),
            grouping.space.highest,
            least,
            asked.evenness,
        )
        owners, classes = joining.joined(classes)
        diverse = classes.diverse(least, asked.evenness)
        grouping = replace(grouping, labels=owners[grouping.labels].astype(np.int32))
        facts["joined_classes"] = len(common) - len(diverse)
    return grouping, adaptive_levels(classes.levels, diverse, similarity.weights), facts


def default_diversity(shares: Floats, size: int) -> float:
    """Return the least Simpson diversity of a diverse class where the policy names none.

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
    """Return the level each class is released at, before the top of the hierarchies is looked at.

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
class GeneralizedRecords:
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
        """Return the values of one record of each class: (n_classes, n_columns)."""
        first = np.zeros(n_classes, np.int64)
        first[self.labels[::-1]] = self.records[::-1]
        return self.problem.table.codes[first]

    def classes(self, levels: Ints) -> CandidateClasses:
        """Count the first sensitive column in classes at their levels, (n_classes, n_columns)."""
        table = self.problem.table
        name, column = next(iter(table.sensitive_in_file.items()))
        values = table.sensitive_codes[name][self.records]
        places = self.labels.astype(np.int64) * column.n_values + values
        counts = np.bincount(places, minlength=len(levels) * column.n_values)
        return CandidateClasses(
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


def _recoding(grouping: GeneralizedRecords, levels: Ints, outside: Ints) -> Recoding:
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
