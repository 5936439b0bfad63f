"""The detector of each code, and the search for all of them in the tables of a release."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from indistinct.errors import CapacityError
from indistinct.tables.findings import cells, facts, singling_out
from indistinct.tables.findings.counted_table import CountedTable, in_records
from indistinct.tables.findings.finding import Finding, NotExamined, ReleaseFindings
from indistinct.tables.findings.kinds import (
    COMPOSITION,
    ENGINE,
    IN_TEXT,
    INSENSITIVE,
    JOINED,
    KEEPS_LITTLE,
    KINDS,
    LOOKS_LIKE,
    MISSING,
    MOSTLY_HIDDEN,
    NOBODY_RETURNS,
    NOT_JOINED,
    ONE_VALUE,
    READ_ALIKE,
    READ_BACK,
    REFERS,
    RELEASE,
    RENAMED,
    REPEATED,
    REPEATED_PSEUDONYM,
    ROWS_LEFT_OUT,
    SENSITIVE,
    SHARED_KEY,
    TOGETHER,
    UNSETTLED,
    WHOLLY_HIDDEN,
)

# Yields what it finds and what it cannot examine; None where a table cannot have the finding.
Detector: TypeAlias = Callable[[CountedTable], "Iterator[Finding | NotExamined] | None"]
DETECTORS: Mapping[str, Detector] = {
    REPEATED: facts.repeated_identifiers,
    INSENSITIVE: singling_out.insensitive_columns,
    SENSITIVE: singling_out.sensitive_columns,
    TOGETHER: singling_out.columns_together,
    LOOKS_LIKE: cells.unchanged_identifiers,
    REPEATED_PSEUDONYM: cells.repeated_pseudonyms,
    IN_TEXT: cells.names_in_texts,
    REFERS: cells.references,
    JOINED: facts.joined_persons,
    COMPOSITION: facts.composed_releases,
    SHARED_KEY: facts.shared_keys,
    READ_BACK: cells.cells_read_back,
    ONE_VALUE: cells.classes_of_one_value,
    READ_ALIKE: cells.values_that_read_alike,
    WHOLLY_HIDDEN: cells.hidden_columns,
    KEEPS_LITTLE: facts.little_kept,
    MOSTLY_HIDDEN: cells.mostly_hidden_columns,
    ROWS_LEFT_OUT: facts.rows_left_out,
    NOT_JOINED: facts.unjoined_records,
    MISSING: cells.missing_values,
    UNSETTLED: facts.unsettled_hierarchies,
    RENAMED: facts.renamed_labels,
    NOBODY_RETURNS: facts.people_who_return,
}


def look_for_all(tables: Sequence[CountedTable]) -> ReleaseFindings:
    """Return what is found in the tables of a release, each code in one place.

    Parameters
    ----------
    tables : one, or those of related tables
    """
    found: list[Finding] = []
    looked_for: list[str] = []
    not_examined: list[NotExamined] = []
    does_not_apply: list[str] = []
    partly: set[str] = set()
    for code in DETECTORS:
        told = [one for table in tables for one in _told_by(code, table)]
        own = [one for one in told if isinstance(one, Finding)]
        missed = [one for one in told if isinstance(one, NotExamined)]
        found += own
        if own:
            partly.update(one.code for one in missed)
        elif missed:
            not_examined.append(missed[0])
        elif told:
            looked_for.append(code)
        else:
            does_not_apply.append(code)
    return ReleaseFindings(
        *(tuple(found), tuple(looked_for), tuple(not_examined), tuple(does_not_apply)),
        frozenset(partly),
    )


def _told_by(code: str, table: CountedTable) -> Iterator[Finding | NotExamined | None]:
    """Yield what a detector says of a table, and None before it; nothing if it does not apply."""
    try:
        told = DETECTORS[code](table) if table.n_records else None
        if told is not None:
            yield None
            yield from told
    except CapacityError:
        why = "its rows do not fit into the memory that is allowed: give more --memory"
        yield NotExamined(code, ENGINE, why)


def counted_by_anybody(
    tables: Sequence[CountedTable], exact: ReleaseFindings
) -> tuple[Finding, ...]:
    """Return what anybody finds who has the release alone.

    Parameters
    ----------
    exact : what its owner finds
    """
    are_alike = all(one.are_units_shown and not one.random_masks for one in tables)
    public = exact.among(RELEASE)
    again = {one.code for one in public} & {IN_TEXT}
    if not are_alike:
        again = {code for code, kind in KINDS.items() if kind.needs == RELEASE}
    kept = [one for one in public if one.code not in again]
    alone = [replace(in_records(one), identifiers=None, values_before=None) for one in tables]
    codes = [code for code in DETECTORS if code in again]
    told = [one for code in codes for table in alone for one in _told_by(code, table)]
    return (*kept, *(one for one in told if isinstance(one, Finding)))
