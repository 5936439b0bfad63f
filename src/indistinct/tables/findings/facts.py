"""What the input, the policy and earlier releases tell: detectors of figures that others count."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from indistinct.tables.core.keys import counted_texts
from indistinct.tables.engines.tallies import value_hashes
from indistinct.tables.findings.counted_table import PEOPLE, RECORDS, CountedTable, numbered
from indistinct.tables.findings.finding import Finding, NotExamined
from indistinct.tables.findings.kinds import (
    COMPOSITION,
    CROSSWALK,
    HISTORY,
    JOINED,
    KEEPS_LITTLE,
    KEY,
    NOBODY_RETURNS,
    NOT_JOINED,
    ORIGINAL,
    POLICY,
    RENAMED,
    REPEATED,
    ROWS_LEFT_OUT,
    SHARED_KEY,
    UNSETTLED,
)
from indistinct.tables.findings.singling_out import few_people
from indistinct.tables.frames.texts import cell_texts

HALF = 0.5  # of the rows of a table


def repeated_identifiers(table: CountedTable) -> Iterator[Finding | NotExamined] | None:
    """Yield the identifiers whose values are fewer in a class than the records that it needs."""
    if table.unit != RECORDS or table.spec.data.person or not table.spec.class_names:
        return None
    return _of_few_people(table)


def _of_few_people(table: CountedTable) -> Iterator[Finding | NotExamined]:
    if table.identifiers is None or table.closer is None:
        yield NotExamined(REPEATED, CROSSWALK, "the identifiers are those of the input")
        return
    for name in table.identifiers:
        if table.closer.repeats_people(table, name):
            n_few, n_classes = few_people(table, name)
            if n_few:
                yield Finding(REPEATED, (name,), n_few, n_classes, "classes", table.table)


def unjoined_records(table: CountedTable) -> Iterator[Finding | NotExamined] | None:
    """Yield the column of persons that is left out, where people have several records."""
    person = table.spec.data.person
    if person is None or person in table.columns:
        return None
    return _unjoined(table, person)


def _unjoined(table: CountedTable, person: str) -> Iterator[Finding | NotExamined]:
    if table.identifiers is None:
        yield NotExamined(NOT_JOINED, CROSSWALK, "the input says whose records they are")
        return
    rows = table.count([], [person])
    people = numbered(value_hashes(cell_texts(rows.before[person]), 1))
    if rows.is_real is not None:
        people = people[rows.is_real]
    sizes = np.bincount(people)
    count = int(sizes[sizes > 1].sum())
    if count:
        yield Finding(NOT_JOINED, (person,), count, table.n_records, table=table.table)


def joined_persons(table: CountedTable) -> Iterator[Finding | NotExamined] | None:
    """Yield the column of persons, some of whom are written in several ways."""
    person = table.spec.data.person
    if person is None:
        return None
    return _joined(table, person)


def _joined(table: CountedTable, person: str) -> Iterator[Finding | NotExamined]:
    if table.values_before is None:
        yield NotExamined(JOINED, ORIGINAL, "the input has the persons as they are written")
        return
    gone = {"", *counted_texts(table.spec.data.missing)}
    ways = [one for one in counted_texts(table.values_before(person).to_list()) if one not in gone]
    count = len(ways) - len({*ways})
    if count:
        yield Finding(JOINED, (person,), count, len(ways), PEOPLE, table.table)


def composed_releases(table: CountedTable) -> Iterator[Finding | NotExamined] | None:
    """Yield what two releases tell together of the people in both."""
    if table.facts.composed is None:
        if table.spec.history is None:
            return None
        return iter([NotExamined(COMPOSITION, HISTORY, "the earlier releases are in the history")])
    names, count, of = table.facts.composed
    return iter([Finding(COMPOSITION, names, count, of, PEOPLE, table.table)] if count else [])


def people_who_return(table: CountedTable) -> Iterator[Finding | NotExamined] | None:
    """Yield the column of persons where nobody was in an earlier release."""
    if table.facts.returning is None:
        if table.spec.history is None:
            return None
        return iter([NotExamined(NOBODY_RETURNS, HISTORY, "the earlier people are in the history")])
    person, count, of = table.facts.returning
    is_nobody = of and not count
    return iter([Finding(NOBODY_RETURNS, (person,), 0, of, PEOPLE)] if is_nobody else [])


def shared_keys(table: CountedTable) -> Iterator[Finding | NotExamined] | None:
    """Yield the pseudonyms whose key was there before the release."""
    facts = table.facts
    has_keys = any(mask.name == "pseudonym" for mask in table.spec.protections.values())
    if not has_keys and not facts.shared_keys:
        return None
    if facts.shared_keys is None:
        return iter([NotExamined(SHARED_KEY, KEY, "the owner knows whether the key was there")])
    return (Finding(SHARED_KEY, (one,), 1, 1, "releases", table.table) for one in facts.shared_keys)


def little_kept(table: CountedTable) -> Iterator[Finding | NotExamined] | None:
    """Yield that what quasi-identifiers keep is not counted from the released rows alone."""
    if not table.spec.class_names:
        return None
    return iter([NotExamined(KEEPS_LITTLE, CROSSWALK, "the input has the values")])


def unsettled_hierarchies(table: CountedTable) -> Iterator[Finding | NotExamined] | None:
    """Yield the columns whose values are kept or hidden, since no suggested hierarchy agreed."""
    return _columns_of(table, UNSETTLED, table.facts.given_up)


def renamed_labels(table: CountedTable) -> Iterator[Finding | NotExamined] | None:
    """Yield the columns whose labels got their level behind them."""
    return _columns_of(table, RENAMED, table.facts.renamed)


def _columns_of(
    table: CountedTable, code: str, names: tuple[str, ...] | None
) -> Iterator[Finding | NotExamined] | None:
    if not table.spec.class_names:
        return None
    if names is None:
        return iter([NotExamined(code, POLICY, "the maker of the release knows its hierarchies")])
    of = len(table.spec.class_names)
    return iter([Finding(code, names, len(names), of, "columns", table.table)] if names else [])


def rows_left_out(table: CountedTable) -> Iterator[Finding | NotExamined] | None:
    """Yield one of several tables that lacks half of its rows, or more than all may together."""
    if not table.table:
        return None
    if table.facts.left_out is None:
        why = "the input says how many rows there were"
        return iter([NotExamined(ROWS_LEFT_OUT, ORIGINAL, why)])
    count, of, limit = table.facts.left_out
    names = tuple(one for one in table.spec.class_names if one in table.columns) or (table.table,)
    is_much = count > min(limit, HALF) * of
    return iter(
        [Finding(ROWS_LEFT_OUT, names, count, of, "records", table.table)] if is_much else []
    )
