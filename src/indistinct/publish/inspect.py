"""Look at a table before it is published: what each column is, and how much it gives away."""

from __future__ import annotations

import tomllib
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from indistinct.core.arrays import Codes
from indistinct.core.brief import briefly
from indistinct.core.protocols import Progress, no_progress
from indistinct.counting.columns import is_missing
from indistinct.counting.prepare import prepare
from indistinct.drafting.evidence import Evidence
from indistinct.drafting.joint import CodedRecords
from indistinct.drafting.missing import MissingValues, missing_values
from indistinct.engines import files
from indistinct.engines.changed_cells import with_missing
from indistinct.engines.choosing import TO_LOOK, Resources, is_large
from indistinct.engines.column_types import with_types_of_texts
from indistinct.engines.distinct_values import distinct_values
from indistinct.engines.frames import Column, Frame
from indistinct.engines.kinds import type_name
from indistinct.engines.missing_values import kept_its_values, with_one_missing
from indistinct.engines.row_order import fewest_in_order, follows_the_rows
from indistinct.engines.set_forms import ANY_LISTS
from indistinct.errors import ParameterError
from indistinct.policy.given import GivenPolicy, policy_of
from indistinct.policy.policy import Policy
from indistinct.policy.sections.data import DataPolicy
from indistinct.publish.inspect_large import inspect_large
from indistinct.publish.inspected import inspected
from indistinct.publish.inspection import Inspection
from indistinct.search.adaptive.vulnerability import Vulnerability, vulnerability_of

READ = 0.3  # share of the work
# The rest is spent on what the columns tell together.
SHARE_OF_COUNTING = 0.6


def inspect(
    data: Any,
    policy: GivenPolicy | None = None,
    *,
    vulnerability: Literal["sensitive", "identity"] | None = None,
    resources: Resources | None = None,
    progress: Progress = no_progress,
) -> Inspection:
    """Describe every column of a table, and suggest its role.

    Parameters
    ----------
    data : a path, a folder or a pattern of files, the address of a table, or a frame
    policy : its roles are shown instead of suggestions; a policy, or the path of its TOML file
    vulnerability : also weigh the quasi-identifiers by how much they give away: of the first
        sensitive column by a random forest, or of the identity by the unique records
    resources : which engine counts a table that is not read whole
    progress : called with the share done and a message; not for a table that is not read whole

    Raises
    ------
    DataError
        when the table cannot be read
    MissingExtraError
        when a forest is asked for and scikit-learn is not installed
    ParameterError
        when vulnerability is asked of a table that is not read whole

    Notes
    -----
    Source: motwani2007, section 2 (distinction and separation).
    """
    policy = None if policy is None else policy_of(policy)
    resources = resources or Resources()
    if is_large(data, None, resources, share=TO_LOOK):
        if vulnerability is not None:
            raise ParameterError(
                "vulnerability: takes the single records of a table, which an engine does not give",
                "Take the engine memory, or leave it out.",
            )
        return inspect_large(data, policy, resources, progress)
    reading = DataPolicy() if policy is None else policy.data
    source = files.read(
        data,
        missing=reading.missing,
        separator=reading.separator,
        encoding=reading.encoding,
        sets=ANY_LISTS if policy is None else policy.set_forms,
    )
    given = () if policy is None else policy.columns
    counted = count_columns(source, policy, _after_reading(progress), given=given)
    inspection = inspected(counted.columns, counted.words, counted.joint, policy)
    if vulnerability is None:
        return inspection
    return replace(
        inspection,
        vulnerability=_vulnerability(counted.frame, policy, inspection, vulnerability),
    )


def _after_reading(progress: Progress) -> Progress:
    """Say in words how far the count of columns is."""

    def tell(share: float, name: str) -> None:
        doing = f"counting the values of {name}" if name else "looking at columns together"
        progress(READ + (1 - READ) * share, doing)

    return tell


@dataclass(frozen=True, slots=True)
class CountedColumns:
    """A table whose columns were counted, one by one; the roles of a policy are not looked at.

    Parameters
    ----------
    frame : the records, with every way of writing a missing value as one
    columns : a table's columns as they were counted
    words : for missing values
    joint : the records, by the codes of their values
    """

    frame: Frame
    columns: Sequence[Evidence]
    words: MissingValues
    joint: CodedRecords

    __repr__ = briefly


def count_columns(
    source: files.Source,
    policy: Policy | None = None,
    progress: Progress = no_progress,
    *,
    given: Container[str] = (),
) -> CountedColumns:
    """Count the values of every column.

    Parameters
    ----------
    policy : its words for missing values are taken; without one, words are looked for
    progress : called with the share done of :func:`inspect`, and the column that is counted
    given : columns whose role is given, so that their order need not suggest one
    """
    frame, lists = source.frame, source.lists
    labels: Mapping[str, str] = {} if source.labels is None else source.labels.columns
    found: list[tuple[Evidence, Codes]] = []
    for number, name in enumerate(frame.columns):
        progress(SHARE_OF_COUNTING * number / frame.width, name)
        column = _without_missing(frame[name], policy)
        one, codes = _evidence(column, lists.get(name), has_role=name in given)
        found.append((replace(one, label=labels.get(name, "")), codes))
    progress(SHARE_OF_COUNTING, "")
    if policy is None:
        words = missing_values([column for column, _ in found])
        frame, found = _reread(frame, found, words, is_text=source.separator is not None)
    else:
        words = MissingValues(policy.data.missing)
    codes = {column.name: own for column, own in found}
    columns = [column for column, _ in found]
    return CountedColumns(frame, columns, words, CodedRecords(codes, frame.height))


def _vulnerability(
    frame: Frame, policy: Policy | None, inspection: Inspection, target: str
) -> Vulnerability:
    """Weigh the quasi-identifiers; of the policy's roles, or the suggested ones."""
    draft = inspection.draft(yes_to_suggestions=True)
    roles = policy or Policy(**tomllib.loads(draft))
    problem = prepare(frame, roles.with_words({"method": {"algorithm": "adaptive"}})).problem
    return vulnerability_of(problem, target)


def _without_missing(column: Column, policy: Policy | None) -> Column:
    """Give a column with every way of writing a missing value as one."""
    if policy is None:
        return column
    return with_missing(column, is_missing(column, policy))


def _reread(
    frame: Frame,
    found: Sequence[tuple[Evidence, Codes]],
    words: MissingValues,
    *,
    is_text: bool,
) -> tuple[Frame, list[tuple[Evidence, Codes]]]:
    """Give the table and its columns anew where words for missing values stand in them.

    Parameters
    ----------
    is_text : whether the table was a text file, whose columns have other types without these words
    """
    if len(words.words) == 1:
        return frame, list(found)
    known = with_types_of_texts(frame, words.words) if is_text else frame
    known = with_one_missing(known, words.words)
    return known, [
        one
        if kept_its_values(frame[one[0].name], known[one[0].name])
        else _counted_anew(known[one[0].name], one[0])
        for one in found
    ]


def _counted_anew(column: Column, before: Evidence) -> tuple[Evidence, Codes]:
    """Count a column whose words for missing values are gone."""
    found, codes = _evidence(column, before.separator)
    return replace(found, label=before.label), codes


def _evidence(
    column: Column, separator: str | None = None, *, has_role: bool = False
) -> tuple[Evidence, Codes]:
    """Count the values of a column, and give the code of each record's.

    Parameters
    ----------
    has_role : whether its role is given, so that its order suggests none
    """
    values, codes = distinct_values(column)
    follows = not has_role and follows_the_rows(column, fewest_in_order(column.dtype))
    kind = type_name(column.dtype)
    return Evidence(column.name, kind, values, follows, separator=separator), codes
