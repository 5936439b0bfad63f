"""Columns that are identifiers although a policy treats them otherwise, by what their cells show.

Where identifiers repeat, several records may belong to one person, and records are no people.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from indistinct.tables.core.schema import Role
from indistinct.tables.counting.columns import first_values
from indistinct.tables.engines.tallies import n_repeated, n_values_of
from indistinct.tables.frames.cell_numbers import has_floats
from indistinct.tables.frames.frame import Frame
from indistinct.tables.policy.resolved import Resolved
from indistinct.tables.policy.sections.column import UNDECIDED
from indistinct.tables.policy.sections.data import DataPolicy
from indistinct.tables.reading.missing_values import are_missing, known_cells
from indistinct.tables.release.entries import WarningEntry

REPEATED = "repeated-identifier"
MANY_PEOPLE = 0.1  # different values for each record, below which a column holds categories
SMALL_SHARE = 0.01  # a few repetitions are misprints, or people of one name
LOOKS_LIKE = "looks-like-an-identifier"
FEW = 20  # values that a column of names or numbers of people has at least
SAMPLE = 500  # records that are looked at, from the beginning


def _may_be_people(frame: Frame, missing: Sequence[str], name: str, n_distinct: int) -> bool:
    """Return whether repeated values may be those of people: by the name, or by their shape.

    Words that repeat are places, offices, remarks or names, and say nothing of how many records a
    person has.

    Parameters
    ----------
    n_distinct : different values
    """
    if has_floats(frame[name]) or n_distinct <= 1:
        return False
    from indistinct.tables.drafting.counted_column import CountedColumn
    from indistinct.tables.drafting.persons import is_shaped
    from indistinct.tables.drafting.vocabulary import vocabulary

    words = vocabulary()
    names_people = words.is_of_a_person(name) and not words.matches(name)
    if words.numbers_things(name) is not None or names_people:
        return True
    kind, values = first_values(frame, missing, name, SAMPLE)
    are_many = n_distinct >= MANY_PEOPLE * frame.height
    return are_many and is_shaped(CountedColumn(name, kind, values))


def _repetition(share: float) -> str:
    """Return what a share of records that have the value of another one means, and what to do."""
    if share <= SMALL_SHARE:
        return ""
    return (
        f"{share:.1%} of the records share their value with another record. If each value is one "
        "person, name the column as data.person, so that class sizes count people and not records."
    )


def decided_identifiers(resolved: Resolved) -> Iterator[str]:
    """Yield the identifiers, without what a draft leaves out because nobody decided."""
    for name in resolved.named(Role.IDENTIFIER):
        if not resolved.columns[name].words.reason.endswith(UNDECIDED):
            yield name


def repeated_identifiers(
    frame: Frame, identifiers: Iterable[str], data: DataPolicy
) -> list[WarningEntry]:
    """Warn of identifiers that repeat, where sizes count records.

    Parameters
    ----------
    frame : the input

    Returns
    -------
    a warning per column, with the share of the records in (0, 1], rounded
    """
    if data.person is not None:
        return []
    found: list[WarningEntry] = []
    for name in identifiers:
        column = frame[name]
        known = known_cells(column, are_missing(column, data.missing))
        may_be = _may_be_people(frame, data.missing, name, n_values_of(known))
        share = n_repeated(known) / len(known) if may_be else 0.0
        if said := _repetition(share):
            said = f'identifier "{name}": {said}'
            found.append(WarningEntry(REPEATED, (name,), round(share, 4), said))
    return found


def repeating_person(frame: Frame) -> str | None:
    """Return a column that by its name tells people apart, and whose values repeat; None for none.

    Parameters
    ----------
    frame : the input
    """
    from indistinct.tables.drafting.vocabulary import vocabulary

    words = vocabulary()
    for name in frame.columns:
        names_people = words.is_of_a_person(name) and not words.matches(name)
        if words.numbers_things(name) is None and not names_people:
            continue
        known = known_cells(frame[name], are_missing(frame[name], ("",)))
        n_values = n_values_of(known)
        if not has_floats(known) and n_values > 1 and n_repeated(known) > 0:
            return name
    return None


def doubtful_roles(frame: Any, resolved: Resolved) -> Iterator[WarningEntry]:
    """Warn of released columns that name people or number records, by their name and values.

    Parameters
    ----------
    frame : the input, as a frame of Polars
    """
    for role in (Role.INSENSITIVE, Role.SENSITIVE):
        for name in resolved.named(role):
            is_released_as_it_is = name in frame.columns and name not in resolved.protections
            reason = _reason(frame, resolved.data.missing, name) if is_released_as_it_is else None
            if reason is not None:
                message = (
                    f"{name} (declared {role.value}) is released unchanged, but looks like an "
                    f"identifier: {reason}"
                )
                yield WarningEntry(LOOKS_LIKE, (name,), 1.0, message)


def _reason(frame: Any, missing: Sequence[str], name: str) -> str | None:
    """Return why a column looks like an identifier; None where that is not nearly certain."""
    kind, values = first_values(frame, missing, name, SAMPLE)
    n_known = int(values.records.sum())
    if kind == "number" or len(values.texts) < min(FEW, max(2, n_known // 2)):
        return None
    # To import what drafts are made with takes a twentieth of a second.
    from indistinct.tables.drafting.counted_column import CountedColumn
    from indistinct.tables.drafting.evidence.calculus import WHOLE_NAMES
    from indistinct.tables.drafting.roles import suggest

    found = suggest(CountedColumn(name, kind, values))
    is_named = found.confidence == "high" or found.agreement in WHOLE_NAMES
    return found.reason if found.role is Role.IDENTIFIER and is_named else None
