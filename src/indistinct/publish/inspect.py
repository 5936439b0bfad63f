"""Look at a table before it is published: what each column is, and how much it gives away."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import polars as pl

from indistinct.core.arrays import Codes
from indistinct.core.brief import OwnersAlone
from indistinct.core.kernels import group_rows
from indistinct.core.schema import Role
from indistinct.counting.columns import is_missing
from indistinct.counting.prepare import prepare
from indistinct.drafting.evidence import Evidence
from indistinct.drafting.missing import MissingValues, missing_values
from indistinct.drafting.roles import Suggestion, suggest
from indistinct.drafting.together import Judged, judged_together, person_of
from indistinct.engines import files
from indistinct.engines.cell_texts import cell_texts
from indistinct.engines.column_types import with_types
from indistinct.engines.missing_values import with_one_missing
from indistinct.engines.polars import encode
from indistinct.engines.row_order import SHORTEST, follows_the_rows
from indistinct.metrics.separation import (
    ALMOST_ALL,
    distinction,
    separating_sets,
    separation,
    separation_entry,
)
from indistinct.policy.policy import Policy
from indistinct.policy.sections.data import DataPolicy
from indistinct.publish.inspection import ColumnReport, Inspection, SeparatingSet, Together
from indistinct.publish.repeated_identifiers import may_be_people, repeated_share, repetition
from indistinct.search.adaptive.vulnerability import Vulnerability, vulnerability_of

POLICY_SAYS_SO = "the policy says so"


def inspect(
    data: Any,
    policy: Policy | None = None,
    *,
    vulnerability: Literal["sensitive", "identity"] | None = None,
) -> Inspection:
    """Describe every column of a table, and suggest its role.

    Parameters
    ----------
    data : a path, or an eager frame
    policy : its roles are shown instead of suggestions
    vulnerability : also weigh the quasi-identifiers by how much they give away: of the first
        sensitive column by a random forest, or of the identity by the unique records

    Raises
    ------
    DataError
        when the table cannot be read
    MissingExtraError
        when a forest is asked for and scikit-learn is not installed

    Notes
    -----
    Source: motwani2007, section 2 (distinction and separation).
    """
    reading = DataPolicy() if policy is None else policy.data
    source = files.read(
        data, missing=reading.missing, separator=reading.separator, encoding=reading.encoding
    )
    frame = source.frame
    columns = [_evidence(_without_missing(frame[name], policy)) for name in frame.columns]
    words = MissingValues(reading.missing)
    if policy is None:
        words = missing_values(columns)
        frame, columns = _reread(frame, columns, words, is_text=source.separator is not None)
    judged = judged_together(columns, [_suggestion(column, policy) for column in columns])
    counted = person_of(judged) if policy is None else policy.data.person
    is_counted = policy is not None and counted is not None
    reports = tuple(_report(one, frame[one.evidence.name], is_counted=is_counted) for one in judged)
    inspection = Inspection(
        frame.height,
        reports,
        together=_together(judged),
        missing=words.words,
        doubts=words.doubts,
        person=counted,
        owners=OwnersAlone((judged, words)),
    )
    if vulnerability is None:
        return inspection
    return replace(
        inspection, vulnerability=_vulnerability(frame, policy, inspection, vulnerability)
    )


def _vulnerability(
    frame: pl.DataFrame, policy: Policy | None, inspection: Inspection, target: str
) -> Vulnerability:
    """Weigh the quasi-identifiers; of the policy's roles, or the suggested ones."""
    draft = inspection.draft(yes_to_suggestions=True)
    roles = policy or Policy(**tomllib.loads(draft))
    problem = prepare(frame, roles.with_words({"method": {"algorithm": "adaptive"}})).problem
    return vulnerability_of(problem, target)


def _together(judged: Sequence[Judged]) -> Together | None:
    """Measure the quasi-identifiers as a set, and find the smallest sets that do as well."""
    codes: Mapping[str, Codes] = {
        one.evidence.name: one.evidence.encoded.codes
        for one in judged
        if one.suggestion.role is Role.QUASI_IDENTIFIER
    }
    if not codes:
        return None
    names = tuple(codes)
    rows = np.stack([codes[name] for name in names], axis=1).astype(np.int32)
    found = separating_sets(list(codes.values()))
    return Together(
        names,
        **separation_entry(group_rows(rows)[2]),
        at_least=ALMOST_ALL,
        sets=tuple(
            SeparatingSet(
                tuple(names[column] for column in one.columns),
                one.distinction,
                one.separation,
                one.unique,
            )
            for one in found
        ),
    )


def _without_missing(column: pl.Series, policy: Policy | None) -> pl.Series:
    """Give a column with every way of writing a missing value as one."""
    if policy is None:
        return column
    return column.set(is_missing(column, policy), None)


def _reread(
    frame: pl.DataFrame, columns: Sequence[Evidence], words: MissingValues, *, is_text: bool
) -> tuple[pl.DataFrame, list[Evidence]]:
    """Give the table and its columns anew where words for missing values stand in them.

    Parameters
    ----------
    is_text : whether the table was a text file, whose columns have other types without these words
    """
    if len(words.words) == 1:
        return frame, list(columns)
    texts = [name for name, dtype in frame.schema.items() if is_text and dtype == pl.String]
    known = frame.with_columns(with_types(frame.select(texts), words.words)) if texts else frame
    known = with_one_missing(known, words.words)
    return known, [
        column
        if _is_as_it_was(frame[column.name], known[column.name])
        else _evidence(known[column.name])
        for column in columns
    ]


def _is_as_it_was(before: pl.Series, after: pl.Series) -> bool:
    """Tell whether a column lost no value to the words for missing ones."""
    return before.dtype == after.dtype and before.null_count() == after.null_count()


def _evidence(column: pl.Series) -> Evidence:
    """Count the values of a column."""
    is_plain = column.dtype.is_numeric() or column.dtype.is_temporal()
    values = column if is_plain else cell_texts(column)
    is_count = column.dtype.is_integer() or column.dtype.is_temporal()
    return Evidence(
        column.name,
        _type_name(column.dtype),
        encode(values, ""),
        follows_rows=follows_the_rows(column, 2 if is_count else SHORTEST),
    )


def _suggestion(column: Evidence, policy: Policy | None) -> Suggestion:
    """Take the role of the policy, or suggest one."""
    if policy is not None and column.name in policy.columns:
        said = policy.columns[column.name]
        return Suggestion(said.role, "high", said.reason or POLICY_SAYS_SO)
    if policy is not None and policy.data.person == column.name:
        return Suggestion(Role.IDENTIFIER, "high", "the policy counts its people")
    return suggest(column)


def _report(one: Judged, column: pl.Series, *, is_counted: bool) -> ColumnReport:
    """Measure one column, and say what it probably is.

    Parameters
    ----------
    is_counted : whether the policy counts people already
    """
    evidence, found = one.evidence, one.suggestion
    sizes = np.bincount(evidence.encoded.codes)
    reason = found.reason
    if found.role is Role.IDENTIFIER and not is_counted:
        known = column.drop_nulls()
        said = repetition(repeated_share(known)) if may_be_people(known) else ""
        reason = f"{reason.removesuffix('.')}; {said}" if said else reason
    likely = found.likely or (None if found.role is Role.UNDECIDED else found.role)
    return ColumnReport(
        evidence.name,
        evidence.type,
        evidence.distinct,
        evidence.missing,
        distinction(sizes),
        separation(sizes),
        found.role.value,
        reason,
        found.confidence,
        None if likely is None else likely.value,
        one.cost,
    )


def _type_name(dtype: pl.DataType) -> str:
    """Name a type in plain words."""
    if dtype.is_integer():
        return "integer"
    if dtype.is_float() or dtype.is_decimal():
        return "number"
    if dtype.is_temporal():
        return "date"
    return "boolean" if dtype == pl.Boolean else "text"
