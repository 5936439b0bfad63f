"""Look at a table before it is published: what each column is, and how much it gives away."""

from __future__ import annotations

import tomllib
from collections.abc import Container, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar, Unpack

import numpy as np

from indistinct.base.brief import Confidential, short_repr
from indistinct.base.cells.missing_words import MissingWords
from indistinct.base.coded_text import joined
from indistinct.errors import ParameterError
from indistinct.tables.core.protocols import Progress, no_progress
from indistinct.tables.core.schema import Role
from indistinct.tables.counting.preparation import prepare
from indistinct.tables.drafting.counted_column import CountedColumn
from indistinct.tables.drafting.counted_records import CountedRecords
from indistinct.tables.drafting.joint import Joint, RecordsInMemory
from indistinct.tables.drafting.judged_table import (
    NOTHING_SETTLED,
    SaidByPolicy,
    judged_table,
)
from indistinct.tables.drafting.missing import MissingValues, missing_values
from indistinct.tables.drafting.questions import encoding_of
from indistinct.tables.drafting.together import JudgedColumn
from indistinct.tables.engines.choosing import (
    TO_LOOK,
    Resources,
    is_large,
    open_table,
    resources_of,
)
from indistinct.tables.engines.opened_table import OpenedTable
from indistinct.tables.frames.frame import Frame
from indistinct.tables.metrics.separation import (
    ALMOST_ALL,
    distinction,
    separating_sets,
    separation,
    separation_entry,
)
from indistinct.tables.policy.given import GivenPolicy
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.specification import resolve
from indistinct.tables.publish.checks_before_search import Faults, checks_of
from indistinct.tables.publish.given_reading import (
    GivenReading,
    check_in_parts,
    given_reading,
)
from indistinct.tables.publish.inspection import ColumnReport, Inspection, JointRisk, SeparatingSet
from indistinct.tables.reading.declared_formats import ReadingKeywords
from indistinct.tables.search.adaptive.vulnerability import Vulnerability, vulnerability_of

READ = 0.3  # share of the work
# The rest is spent on what the columns tell together.
SHARE_OF_COUNTING = 0.6
Records = TypeVar("Records", bound=Joint)


def inspect_table(  # noqa: PLR0913 - each is a word of the command
    data: Any,
    policy: GivenPolicy | None = None,
    *,
    vulnerability: Literal["sensitive", "identity"] | None = None,
    engine: str = "auto",
    memory: str | None = None,
    temp: str | Path | None = None,
    progress: Progress = no_progress,
    settle: Mapping[str, str] | None = None,
    **reading: Unpack[ReadingKeywords],
) -> Inspection:
    """Describe every column of a table, and suggest its role.

    Parameters
    ----------
    data : a path, a folder or a pattern of files, the address of a table, a frame, or a table that
        was read
    policy : its roles are shown instead of suggestions; a policy, or the path of its TOML file. One
        that has ``[data]`` alone says how the file is read
    vulnerability : also weigh the quasi-identifiers by how much they give away: of the first
        sensitive column by a random forest, or of the identity by the unique records
    engine : ``memory``, ``polars``, ``duckdb`` or ``spark``; left out, the size of the table
        decides
    memory : what an engine may take, such as ``2GB``; left out, half of what is free
    temp : folder for data that do not fit into memory
    progress : called with the share done and a message
    settle : answers to what is asked: roles by column, by a column with ``+`` for all columns of
        its question, the column of persons by ``(person)``, empty for none, or the encoding by
        ``(file)``
    reading : how a file is read, where that is not to be found: the words of ``[data]``, such as
        ``encoding``, and ``formats`` and ``types`` of columns

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
    if (encoding := encoding_of(settle or {})) is not None:
        reading = {**reading, "encoding": reading.get("encoding") or encoding}
    given = given_reading(policy, reading)
    resources = resources_of(engine, memory, temp)
    if not is_large(data, None, resources, share=TO_LOOK):
        counted = _counted(RecordsInMemory(given.read(data)), given, progress)
        inspection = counted.inspection(given, settle or {})
        if vulnerability is None:
            return inspection
        weighed = _vulnerability(counted.joint.frame, given.policy, inspection, vulnerability)
        return replace(inspection, vulnerability=weighed)
    if vulnerability is not None:
        raise ParameterError(
            "vulnerability: takes the single records of a table, which an engine does not give",
            "Take the engine memory, or leave it out.",
        )
    with ExitStack() as stack:
        check_in_parts(given.reading)
        records = _opened(data, given, resources, progress, stack)
        return _counted(records, given, progress).inspection(given, settle or {})


def _opened(
    data: Any, given: GivenReading, resources: Resources, progress: Progress, stack: ExitStack
) -> CountedRecords:
    """Open a table that is not read whole, for as long as the stack is open."""
    reading = given.reading

    def opened(words: MissingWords) -> OpenedTable:
        said = replace(reading, own_missing=words.own)
        opening = resources.opening(words.everywhere, reading.separator, progress, said)
        return open_table(data, opening, resources.engine)

    capacity = resources.capacity
    words = MissingWords(reading.missing or ("",), reading.own_missing)
    return CountedRecords(opened, words, capacity, stack)


@dataclass(frozen=True, slots=True)
class CountedColumns(Generic[Records]):
    """A table whose columns were counted, one by one; the roles of a policy are not looked at.

    Parameters
    ----------
    columns : a table's columns as they were counted
    words : for missing values
    joint : the records, with every way of writing a missing value as one
    """

    columns: Sequence[CountedColumn]
    words: MissingValues
    joint: Records

    __repr__ = short_repr

    @classmethod
    def of(
        cls,
        records: Records,
        missing: tuple[str, ...] | None = None,
        progress: Progress = no_progress,
        *,
        given: Container[str] = (),
    ) -> CountedColumns[Records]:
        """Count the values of every column.

        Parameters
        ----------
        records : of the table, read with these words for missing values
        missing : the words, where somebody said them; without, they are looked for
        progress : called with the share done of :func:`inspect`, and the column that is counted
        given : columns whose role is given, so that their order need not suggest one
        """
        states = records.states()
        found: dict[str, CountedColumn] = {}
        for number, name in enumerate(states):
            progress(SHARE_OF_COUNTING * number / len(states), name)
            found[name] = records.counted(name, has_role=name in given)
        progress(SHARE_OF_COUNTING, "")
        if missing is not None:
            return CountedColumns(list(found.values()), MissingValues(missing), records)
        words = missing_values(list(found.values()), records)
        if len(words.words) > 1 or words.own:
            records = records.reread(words.per_column)
            for name, state in records.states().items():
                if state != states[name]:
                    found[name] = records.counted(name, has_role=False)
        return CountedColumns(list(found.values()), words, records)

    def inspection(
        self,
        given: GivenReading | None = None,
        settle: Mapping[str, str] = NOTHING_SETTLED,
    ) -> Inspection:
        """Suggest a role for each column, and say what the quasi-identifiers show together.

        Parameters
        ----------
        given : what was said of the reading; the roles of its policy are shown instead of
            suggestions
        settle : answers to what is asked
        """
        columns, joint = self.columns, self.joint
        found = joint.found if given is None else given.with_found(joint.found)
        said = None if given is None or given.policy is None else _said(columns, given.policy)
        table = judged_table(columns, self.words, joint, said, settle)
        known = [
            one.evidence.name
            for one in table.judged
            if one.suggestion.role is Role.QUASI_IDENTIFIER and not one.suggestion.is_minor
        ]
        return Inspection(
            columns[0].known + columns[0].missing if columns else 0,
            tuple(_report(one) for one in table.judged),
            together=_together_of(known, joint),
            missing=self.words.words,
            doubts=table.doubts,
            otherwise=table.otherwise,
            person=table.person,
            weight=table.weight,
            reading=tuple(found.file_sentences()),
            records=Confidential(joint.frame if isinstance(joint, RecordsInMemory) else None),
            owners=Confidential((table.judged, self.words, table.cost, found)),
        )

    def checks(self, policy: Policy) -> tuple[Faults, Faults]:
        """Return what is wrong with a policy by these counts; nothing of a table out of memory.

        Returns
        -------
        what every search refuses; and what a release may give away, or a search may refuse
        """
        if not isinstance(self.joint, RecordsInMemory):
            return (), ()
        return checks_of(policy, self.columns, self.joint)

    def together(self, names: Sequence[str]) -> JointRisk | None:
        """Measure some columns as a set, and find the smallest sets that do as well.

        Parameters
        ----------
        names : of the columns that others may know; without any there is nothing to measure
        """
        return _together_of(names, self.joint)


def _counted(records: Records, given: GivenReading, progress: Progress) -> CountedColumns[Records]:
    """Count every column, and say in words how far the count is."""

    def tell(share: float, name: str) -> None:
        doing = f"counting the values of {name}" if name else "looking at columns together"
        progress(READ + (1 - READ) * share, doing)

    if (policy := given.policy) is None:
        return CountedColumns[Records].of(records, None, tell)
    return CountedColumns[Records].of(records, policy.data.missing, tell, given=policy.columns)


def _vulnerability(
    frame: Frame, policy: Policy | None, inspection: Inspection, target: str
) -> Vulnerability:
    """Weigh the quasi-identifiers; of the policy's roles, or the suggested ones."""
    draft = inspection.draft(yes_to_suggestions=True)
    roles = policy or Policy(**tomllib.loads(draft))
    problem = prepare(
        frame, resolve(roles.with_words({"method": {"algorithm": "adaptive"}}))
    ).problem
    return vulnerability_of(problem, target)


def _said(columns: Sequence[CountedColumn], policy: Policy) -> SaidByPolicy:
    """Return what a policy says of some columns."""
    roles = {
        column.name: (said.role, said.reason or ColumnReport.POLICY_SAYS_SO)
        for column in columns
        if (said := policy.columns.get(column.name)) is not None
    }
    return SaidByPolicy(roles, policy.data.person, policy.data.weight)


def _report(one: JudgedColumn) -> ColumnReport:
    """Measure one column, and say what it probably is."""
    evidence, found = one.evidence, one.suggestion
    reason = found.reason
    if evidence.form is not None:
        reason = joined(reason, evidence.form.said)
    n_records = evidence.known + evidence.missing
    is_whole, sizes = evidence.is_whole, evidence.sizes
    return ColumnReport(
        evidence.name,
        evidence.form.kind if evidence.is_odd and evidence.form else evidence.type,
        evidence.distinct,
        evidence.missing,
        distinction(sizes) if is_whole else evidence.distinct / max(n_records, 1),
        separation(sizes if is_whole else evidence.counts),
        found.role.value,
        reason,
        found.confidence,
        tuple(answer.value for answer in found.answers),
        found.agreement.value,
        one.cost,
    )


def _together_of(names: Sequence[str], joint: Joint) -> JointRisk | None:
    """Measure some columns as a set, and find the smallest sets that do as well.

    Parameters
    ----------
    names : of the columns that others may know; without any there is nothing to measure
    """
    if not names:
        return None
    columns, sizes = joint.distinct(names)
    return JointRisk(
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
