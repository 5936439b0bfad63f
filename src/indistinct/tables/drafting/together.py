"""What columns do together: copies of others, too many quasi-identifiers, and what each costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.base.coded_text import joined, sentence
from indistinct.tables.core.schema import Role
from indistinct.tables.drafting.coarser import CoarserColumn, as_level, coarser_of
from indistinct.tables.drafting.counted_column import CountedColumn
from indistinct.tables.drafting.evidence.calculus import Candidate
from indistinct.tables.drafting.joint import Joint, follows
from indistinct.tables.drafting.roles import SET_KIND, Suggestion

MOST_QUASI_IDENTIFIERS = 8
MOST_COMPARED = 40
SMALL_GROUP = 5
QUARTERS = 4
OFFICIAL = {"Polish national numbers", "social security numbers"}
ONE_OF_SETS = sentence(
    "one-of-sets",
    "One column of lists is possible in a release, and another comes before it: leave one of them "
    "out (role identifier).",
)
MINOR = sentence(
    "minor",
    "{count} columns that others know more commonly come before it, so that its detail matters "
    "less.",
    count=MOST_QUASI_IDENTIFIERS,
)


@dataclass(frozen=True, slots=True)
class JudgedColumn:
    """A column, what it probably is, and what it would cost as a quasi-identifier.

    Parameters
    ----------
    evidence, suggestion : see there
    cost : share of the records in groups smaller than 5, with the column and coarsely grouped;
        None for columns that are decided, or that have too many values to count
    levels : the columns whose values stand above those of this one, the finest first
    """

    evidence: CountedColumn
    suggestion: Suggestion
    cost: float | None = None
    levels: tuple[CoarserColumn, ...] = ()


def judged_together(
    columns: Sequence[CountedColumn],
    alone: Sequence[Suggestion],
    joint: Joint,
    *,
    is_declared: bool = False,
) -> tuple[list[JudgedColumn], float]:
    """Correct the suggestions for single columns by what the columns do together.

    A quasi-identifier that follows from another one is its level above, or undecided; those beyond
    the eight that others most commonly know matter less; each undecided column gets its cost.

    Parameters
    ----------
    is_declared : whether the roles are said by a policy, which nothing corrects

    Returns
    -------
    the columns, and the share of the records in groups smaller than 5 by the drafted
    quasi-identifiers alone
    """
    if is_declared:
        return _with_costs(columns, alone, joint)
    compared = _compared(alone)
    some = [columns[place] for place in compared]
    levels = coarser_of(some, [alone[place] for place in compared], joint)
    above = {level.name: finer for finer, found in levels.items() for level in found}
    named = [
        as_level(one, above[column.name]) if column.name in above else one
        for column, one in zip(columns, alone, strict=True)
    ]
    alike = _one_of_sets(_without_copies(columns, named, joint, above, compared))
    found = _at_most(columns, alike, above)
    judged, cost = _with_costs(columns, found, joint)
    return [replace(one, levels=levels.get(one.evidence.name, ())) for one in judged], cost


def _without_copies(
    columns: Sequence[CountedColumn],
    suggestions: Sequence[Suggestion],
    joint: Joint,
    above: Mapping[str, str],
    compared: Sequence[int],
) -> list[Suggestion]:
    """Leave a quasi-identifier undecided where another one already says it.

    Parameters
    ----------
    compared : places of the columns that are compared with each other
    """
    found = list(suggestions)
    for index in compared:
        column = columns[index]
        if column.name in above or found[index].kind == SET_KIND:
            continue
        for other in compared:
            one = columns[other]
            is_other = other != index and found[other].role is Role.QUASI_IDENTIFIER
            if is_other and follows(column, one, joint, comes_later=index > other):
                said = sentence(
                    "follows",
                    'It follows from "{column}": keep one of the two, and leave the other out '
                    "(role identifier).",
                    column=one.name,
                )
                found[index] = _better_left_out(found[index], said)
                break
    return found


def _one_of_sets(suggestions: Sequence[Suggestion]) -> list[Suggestion]:
    """Leave columns of lists undecided behind the first: a release protects one."""
    found = list(suggestions)
    sets = [i for i, one in enumerate(found) if one.kind == SET_KIND]
    for index in sets[1:]:
        said = joined(found[index].reason, ONE_OF_SETS)
        found[index] = replace(_better_left_out(found[index], said), kind="")
    return found


def _better_left_out(suggestion: Suggestion, reason: str) -> Suggestion:
    """Leave a column undecided that is best left out of the release."""
    shown = (Candidate(suggestion.role), Candidate(Role.IDENTIFIER))
    return replace(
        suggestion,
        role=Role.UNDECIDED,
        confidence="low",
        reason=reason,
        candidates=shown,
        is_apart=True,
    )


def _ranked(suggestions: Sequence[Suggestion], places: Sequence[int]) -> list[int]:
    """Return the places of columns, those first that others most commonly know."""
    return sorted(places, key=lambda i: (-suggestions[i].rank, suggestions[i].confidence, i))


def _compared(suggestions: Sequence[Suggestion]) -> list[int]:
    """Return the places of the quasi-identifiers that may be shown, in the table's order.

    Columns are compared in pairs, of which a wide table has too many.
    """
    places = [i for i, one in enumerate(suggestions) if one.role is Role.QUASI_IDENTIFIER]
    return sorted(_ranked(suggestions, places)[:MOST_COMPARED])


def _at_most(
    columns: Sequence[CountedColumn], suggestions: Sequence[Suggestion], above: Mapping[str, str]
) -> list[Suggestion]:
    """Return the suggestions, with the quasi-identifiers beyond the eighth marked as minor.

    Those that are the level above another one tell nothing more, and do not count.
    """
    quasi = [
        i
        for i, one in enumerate(suggestions)
        if one.role is Role.QUASI_IDENTIFIER
        and one.kind != SET_KIND
        and columns[i].name not in above
    ]
    found = list(suggestions)
    for index in _ranked(suggestions, quasi)[MOST_QUASI_IDENTIFIERS:]:
        said = joined(found[index].reason, MINOR)
        found[index] = replace(found[index], reason=said, is_minor=True)
    return found


def _with_costs(
    columns: Sequence[CountedColumn], suggestions: Sequence[Suggestion], joint: Joint
) -> tuple[list[JudgedColumn], float]:
    """Return how many records each undecided column would endanger as a quasi-identifier."""
    of_role: dict[Role, dict[str, Ints]] = {Role.QUASI_IDENTIFIER: {}, Role.UNDECIDED: {}}
    for column, one in zip(columns, suggestions, strict=True):
        is_counted = column.is_whole and one.kind != SET_KIND and not one.is_minor
        if one.role in of_role and is_counted:
            groups = 2 if one.role is Role.QUASI_IDENTIFIER else QUARTERS
            of_role[one.role][column.name] = _grouped(column, groups)
    drafted = of_role[Role.QUASI_IDENTIFIER]
    alone = dict(list(drafted.items())[:1])  # once more, which tells nothing more
    undecided = of_role[Role.UNDECIDED]
    sizes = joint.group_sizes(drafted, {**undecided, **alone})
    judged = [
        JudgedColumn(column, one, _small(sizes[column.name]) if column.name in undecided else None)
        for column, one in zip(columns, suggestions, strict=True)
    ]
    return judged, _small(next((sizes[name] for name in alone), np.zeros(0, np.int64)))


def _grouped(column: CountedColumn, groups: int) -> Ints:
    """Group the values of a column coarsely: numbers by quantiles, words by frequency.

    Returns
    -------
    (n_values,), group of each value, the missing one last
    """
    counts = column.sizes
    if column.numbers is not None or column.like == "dates":
        before = np.cumsum(counts) - counts
        return (before * groups // max(int(counts.sum()), 1)).astype(np.int64)
    rank = np.empty(len(counts), np.int64)
    rank[np.argsort(-counts, kind="stable")] = np.arange(len(counts))
    return np.minimum(rank, groups - 1)


def _small(sizes: Ints) -> float:
    """Return the share of the records in groups smaller than 5."""
    total = float(sizes.sum())
    return float(sizes[sizes < SMALL_GROUP].sum()) / total if total else 0.0
