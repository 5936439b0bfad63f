"""Who is found by somebody who knows a few of the quasi-identifiers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import polars as pl

from indistinct.base.arrays import Floats, Ints
from indistinct.base.compiled.kernels import compiled, group_rows
from indistinct.errors import Fault, ParameterError
from indistinct.tables.evaluation.utility.learning import LearningRecords, records_of
from indistinct.tables.policy.policy import Policy
from indistinct.tables.release.released import column_scale, count_release


@dataclass(frozen=True, slots=True)
class IdentityDisclosure:
    """What somebody who knows some quasi-identifiers of a person finds out.

    Parameters
    ----------
    chance : that a guess among the released records which fit is the person's, the mean over all
        persons, in [0, 1]; 0 for a person whom no released record fits
    exposed : share of the persons whom fewer than k records fit, but at least one
    """

    chance: float
    exposed: float


def identity_disclosure(
    released: pl.DataFrame,
    original: pl.DataFrame,
    policy: Policy,
    known: Iterable[Sequence[str]],
    k: int = 2,
) -> IdentityDisclosure:
    """Measure re-identification by background knowledge of a subset of the quasi-identifiers.

    The attacker knows the original values of a person in some columns, picks the released records
    whose cells cover them, and guesses one of them. Of several subsets the mean is given.

    Parameters
    ----------
    released : the released records
    original : the records they were made from
    policy : tells the columns and their hierarchies
    known : subsets of the quasi-identifiers; see :func:`subsets_of`
    k : records that must fit a person

    Raises
    ------
    ParameterError
        when there is no subset, or one names a column that is no quasi-identifier
    DataError
        when a cell is no generalization of the original's values

    Notes
    -----
    The persons of suppressed records are asked for, too, though no guess finds them: an upper
    bound where records are suppressed. Per subset O(distinct values * distinct cells * columns).

    Source: majeed2017, section 5: the mean of 1 / class, for the class that the attacker sees.
    """
    names = policy.class_names
    subsets = [tuple(subset) for subset in known]
    unknown = sorted({name for subset in subsets for name in subset} - set(names))
    if unknown or not subsets or not all(subsets):
        raise ParameterError([_no_subset(unknown, names)])
    lines = [column_scale(original, policy.rule_of(name)) for name in names]
    before = records_of(lines, count_release(original, lines))
    after = records_of(lines, count_release(released, lines))
    found = [_fitting(before, after, [names.index(name) for name in subset]) for subset in subsets]
    chances = [np.where(fitting > 0, 1 / np.maximum(fitting, 1), 0.0).mean() for fitting in found]
    exposed = [((fitting > 0) & (fitting < k)).mean() for fitting in found]
    return IdentityDisclosure(float(np.mean(chances)), float(np.mean(exposed)))


def subsets_of(policy: Policy, size: int) -> list[tuple[str, ...]]:
    """List every subset of ``size`` quasi-identifiers, or all of them where there are fewer."""
    names = policy.class_names
    return list(combinations(names, min(size, len(names))))


def _fitting(before: LearningRecords, after: LearningRecords, columns: list[int]) -> Ints:
    """Count the released records that fit each original one in some columns: (n_records,)."""
    people, first, _ = group_rows(np.ascontiguousarray(before.codes[:, columns].astype(np.int32)))
    if len(after.codes) == 0:
        return np.zeros(len(people), np.int64)
    _, members, sizes = group_rows(np.ascontiguousarray(after.codes[:, columns].astype(np.int32)))
    starts, ends = before.spans(first.astype(np.int64))
    class_starts, class_ends = after.spans(members.astype(np.int64))
    counted = fitting_records(
        np.ascontiguousarray(starts[:, columns]),
        np.ascontiguousarray(ends[:, columns]),
        np.ascontiguousarray(class_starts[:, columns]),
        np.ascontiguousarray(class_ends[:, columns]),
        sizes,
    )
    return counted[people]


def _no_subset(unknown: Sequence[str], names: Sequence[str]) -> Fault:
    """Return what is wrong with the subsets."""
    problem = (
        f"{', '.join(unknown)} are no quasi-identifiers" if unknown else "there is no column in it"
    )
    return Fault("known", problem, f"Name some of these: {', '.join(names)}.")


@compiled
def fitting_records(
    starts: Floats, ends: Floats, class_starts: Floats, class_ends: Floats, sizes: Ints
) -> Ints:
    """Count the records in the classes whose cells cover a person's values: (n_people,).

    Parameters
    ----------
    starts, ends : (n_people, n_columns), spans of the values known of each person
    class_starts, class_ends : (n_classes, n_columns), spans of the released cells
    sizes : (n_classes,), records per class

    Notes
    -----
    O(n_people * n_classes * n_columns) at worst.
    """
    n_people, n_columns = starts.shape
    found = np.zeros(n_people, np.int64)
    for person in range(n_people):
        for candidate in range(len(sizes)):
            column = 0
            while (
                column < n_columns
                and class_starts[candidate, column] <= starts[person, column]
                and ends[person, column] <= class_ends[candidate, column]
            ):
                column += 1
            if column == n_columns:
                found[person] += sizes[candidate]
    return found
