"""Look at a table before it is published: what each column is, and how much it gives away."""

from __future__ import annotations

import tomllib
from collections.abc import Container, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, TypeVar

from indistinct.core.brief import briefly
from indistinct.core.protocols import Progress, no_progress
from indistinct.counting.prepare import prepare
from indistinct.drafting.counted_records import CountedRecords
from indistinct.drafting.evidence import Evidence
from indistinct.drafting.joint import Joint, RecordsInMemory
from indistinct.drafting.missing import MissingValues, missing_values
from indistinct.engines import files
from indistinct.engines.choosing import TO_LOOK, Resources, is_large, open_table
from indistinct.engines.frames import Frame
from indistinct.engines.set_forms import ANY_LISTS
from indistinct.engines.sources import Capacity, Source
from indistinct.errors import ParameterError
from indistinct.policy.given import GivenPolicy, policy_of
from indistinct.policy.policy import Policy
from indistinct.policy.sections.data import DataPolicy
from indistinct.publish.inspected import inspected
from indistinct.publish.inspection import Inspection
from indistinct.search.adaptive.vulnerability import Vulnerability, vulnerability_of

READ = 0.3  # share of the work
# The rest is spent on what the columns tell together.
SHARE_OF_COUNTING = 0.6
Records = TypeVar("Records", bound=Joint)


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
    progress : called with the share done and a message

    Raises
    ------
    DataError
        when the table cannot be read
    CapacityError
        when the quasi-identifiers of a table that is not read whole have more combinations than
        fit
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
    if not is_large(data, None, resources, share=TO_LOOK):
        counted = _counted(RecordsInMemory(_read(data, policy)), policy, progress)
        inspection = inspected(counted.columns, counted.words, counted.joint, policy)
        if vulnerability is None:
            return inspection
        weighed = _vulnerability(counted.joint.frame, policy, inspection, vulnerability)
        return replace(inspection, vulnerability=weighed)
    if vulnerability is not None:
        raise ParameterError(
            "vulnerability: takes the single records of a table, which an engine does not give",
            "Take the engine memory, or leave it out.",
        )
    with ExitStack() as stack:
        records = _opened(data, policy, resources, progress, stack)
        large = _counted(records, policy, progress)
        return inspected(large.columns, large.words, large.joint, policy)


def _read(data: Any, policy: Policy | None) -> files.Source:
    """Read a table whole."""
    reading = DataPolicy() if policy is None else policy.data
    return files.read(
        data,
        missing=reading.missing,
        separator=reading.separator,
        encoding=reading.encoding,
        sets=ANY_LISTS if policy is None else policy.set_forms,
    )


def _opened(
    data: Any, policy: Policy | None, resources: Resources, progress: Progress, stack: ExitStack
) -> CountedRecords:
    """Open a table that is not read whole, for as long as the stack is open."""
    reading = DataPolicy() if policy is None else policy.data

    def opened(words: tuple[str, ...]) -> Source:
        opening = resources.opening(words, reading.separator, progress)
        return open_table(data, opening, resources.engine)

    capacity = Capacity(resources.bytes, resources.most_rows)
    return CountedRecords(opened, reading.missing, capacity, stack)


@dataclass(frozen=True, slots=True)
class CountedColumns(Generic[Records]):
    """A table whose columns were counted, one by one; the roles of a policy are not looked at.

    Parameters
    ----------
    columns : a table's columns as they were counted
    words : for missing values
    joint : the records, with every way of writing a missing value as one
    """

    columns: Sequence[Evidence]
    words: MissingValues
    joint: Records

    __repr__ = briefly


def count_columns(
    records: Records,
    policy: Policy | None = None,
    progress: Progress = no_progress,
    *,
    given: Container[str] = (),
) -> CountedColumns[Records]:
    """Count the values of every column.

    Parameters
    ----------
    records : of the table, read with the policy's words for missing values
    policy : without one, words for missing values are looked for
    progress : called with the share done of :func:`inspect`, and the column that is counted
    given : columns whose role is given, so that their order need not suggest one
    """
    states = records.states()
    found: dict[str, Evidence] = {}
    for number, name in enumerate(states):
        progress(SHARE_OF_COUNTING * number / len(states), name)
        found[name] = records.counted(name, has_role=name in given)
    progress(SHARE_OF_COUNTING, "")
    if policy is not None:
        return CountedColumns(list(found.values()), MissingValues(policy.data.missing), records)
    words = missing_values(list(found.values()))
    if len(words.words) > 1:
        records = records.reread(words.words)
        for name, state in records.states().items():
            if state != states[name]:
                found[name] = records.counted(name, has_role=False)
    return CountedColumns(list(found.values()), words, records)


def _counted(
    records: Records, policy: Policy | None, progress: Progress
) -> CountedColumns[Records]:
    """Count every column, and say in words how far the count is."""

    def tell(share: float, name: str) -> None:
        doing = f"counting the values of {name}" if name else "looking at columns together"
        progress(READ + (1 - READ) * share, doing)

    return count_columns(records, policy, tell, given=() if policy is None else policy.columns)


def _vulnerability(
    frame: Frame, policy: Policy | None, inspection: Inspection, target: str
) -> Vulnerability:
    """Weigh the quasi-identifiers; of the policy's roles, or the suggested ones."""
    draft = inspection.draft(yes_to_suggestions=True)
    roles = policy or Policy(**tomllib.loads(draft))
    problem = prepare(frame, roles.with_words({"method": {"algorithm": "adaptive"}})).problem
    return vulnerability_of(problem, target)
