"""From columns that were counted, wherever they are, to what an inspection says of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from indistinct.core.brief import OwnersAlone
from indistinct.core.schema import Role
from indistinct.drafting.evidence import DECIMAL_COMMAS, Evidence
from indistinct.drafting.joint import Joint
from indistinct.drafting.missing import MissingValues
from indistinct.drafting.roles import Suggestion, suggest
from indistinct.drafting.together import Judged, judged_together, person_of
from indistinct.metrics.separation import (
    ALMOST_ALL,
    distinction,
    separating_sets,
    separation,
    separation_entry,
)
from indistinct.policy.policy import Policy
from indistinct.publish.inspection import ColumnReport, Inspection, SeparatingSet, Together
from indistinct.publish.repeated_identifiers import repeated_among, repetition

POLICY_SAYS_SO = "the policy says so"
COMMAS_ARE_TEXT = (
    "Its values are numbers with a decimal comma, which are read as text. Write them with a "
    "decimal point, so that they can be grouped by intervals."
)


def inspected(
    columns: Sequence[Evidence], words: MissingValues, joint: Joint, policy: Policy | None
) -> Inspection:
    """Suggest a role for each column, and say what the quasi-identifiers show together.

    Parameters
    ----------
    columns : as they were counted
    words : for missing values
    joint : the records
    policy : its roles are shown instead of suggestions
    """
    alone = [_suggestion(column, policy) for column in columns]
    judged, cost = judged_together(columns, alone, joint, is_said=policy is not None)
    counted = person_of(judged) if policy is None else policy.data.person
    is_counted = policy is not None and counted is not None
    return Inspection(
        columns[0].known + columns[0].missing if columns else 0,
        tuple(_report(one, is_counted=is_counted) for one in judged),
        together=together_of(
            [one.evidence.name for one in judged if one.suggestion.role is Role.QUASI_IDENTIFIER],
            joint,
        ),
        missing=words.words,
        doubts=words.doubts,
        person=counted,
        owners=OwnersAlone((judged, words, cost)),
    )


def _suggestion(column: Evidence, policy: Policy | None) -> Suggestion:
    """Take the role of the policy, or suggest one."""
    if policy is not None and column.name in policy.columns:
        said = policy.columns[column.name]
        return Suggestion(said.role, "high", said.reason or POLICY_SAYS_SO)
    if policy is not None and policy.data.person == column.name:
        return Suggestion(Role.IDENTIFIER, "high", "the policy counts its people")
    return suggest(column)


def _report(one: Judged, *, is_counted: bool) -> ColumnReport:
    """Measure one column, and say what it probably is.

    Parameters
    ----------
    is_counted : whether the policy counts people already
    """
    evidence, found = one.evidence, one.suggestion
    reason = found.reason
    if found.role is Role.IDENTIFIER and not is_counted and evidence.is_whole:
        said = repetition(repeated_among(evidence))
        reason = f"{reason} {said}" if said else reason
    if evidence.like == DECIMAL_COMMAS:
        reason = f"{reason} {COMMAS_ARE_TEXT}"
    likely = found.likely or (None if found.role is Role.UNDECIDED else found.role)
    n_records = evidence.known + evidence.missing
    is_whole, sizes = evidence.is_whole, evidence.sizes
    return ColumnReport(
        evidence.name,
        evidence.type,
        evidence.distinct,
        evidence.missing,
        distinction(sizes) if is_whole else evidence.distinct / max(n_records, 1),
        separation(sizes if is_whole else evidence.counts),
        found.role.value,
        reason,
        found.confidence,
        None if likely is None else likely.value,
        one.cost,
    )


def together_of(names: Sequence[str], joint: Joint) -> Together | None:
    """Measure some columns as a set, and find the smallest sets that do as well.

    Parameters
    ----------
    names : of the columns that others may know; without any there is nothing to measure
    """
    if not names:
        return None
    columns, sizes = joint.distinct(names)
    return Together(
        tuple(names),
        **separation_entry(sizes),
        at_least=ALMOST_ALL,
        sets=tuple(
            SeparatingSet(
                tuple(names[column] for column in one.columns),
                one.distinction,
                one.separation,
                one.unique,
            )
            for one in separating_sets(columns, sizes.astype(np.int64))
        ),
    )
