"""What a history says of the people of a table, as the search needs it."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from indistinct.base.brief import short_repr
from indistinct.errors import DataError, Fault, HistoryError, PolicyError
from indistinct.tables.core.keys import counted_text, counted_texts
from indistinct.tables.frames.frame import texts_of
from indistinct.tables.history.entries import Past, TableFacts, Tie
from indistinct.tables.history.writing import opened, settle_pending
from indistinct.tables.models.bounded import BoundedModel
from indistinct.tables.policy.sections.history import HistoryPolicy
from indistinct.tables.policy.settings import invariant_model
from indistinct.tables.policy.specification import Specification
from indistinct.tables.reading.column_types import ColumnType, kind_of
from indistinct.tables.search.invariant.person_history import NOBODY, NONE, Cohort, PersonHistory

DIGITS_OR_TEXTS = {ColumnType.WHOLE, ColumnType.TEXT}


@dataclass(frozen=True, slots=True)
class PersonCodes:
    """The people of a version, as the history codes them.

    Parameters
    ----------
    codes : per record
    """

    codes: tuple[bytes, ...]

    __repr__ = short_repr


def read_past(path: str | Path, spec: Specification) -> Past:
    """Read a history, and refuse one that this policy does not continue.

    A release that is pending is completed where its file stands as it was written.

    Raises
    ------
    EngineError
        when the file is damaged or no history
    HistoryError
        when the history is of another promise, or a release is pending
    PolicyError
        when the policy does not say who is who
    """
    if spec.history is None:
        raise PolicyError(
            [
                Fault(
                    "history.person",
                    "is missing, and a history must know who is who in all releases",
                    'Add the table [history] with person = "COLUMN" to the policy.',
                )
            ]
        )
    past = Past.empty()
    if Path(path).exists():
        with opened(path) as history:
            settle_pending(history)
            past = history.past()
    asked = facts_of(spec.models, spec.history)
    if past.facts is None:
        return replace(past, facts=asked)
    _refuse_other_facts(past.facts, asked)
    return past


def facts_of(models: Iterable[BoundedModel], words: HistoryPolicy) -> TableFacts:
    """Return the facts of a history that begins with this policy."""
    model = invariant_model(models)
    if model is None:
        return TableFacts(words.person)
    return TableFacts(words.person, model.column, model.m, words.companions)


def _refuse_other_facts(had: TableFacts, asked: TableFacts) -> None:
    """Refuse to continue a history with another promise."""
    faults = [
        Fault(
            place,
            f"is {said or 'nothing'}, but the history was begun with {before or 'nothing'}",
            "Keep the first, or begin another history for releases of other people.",
        )
        for place, before, said in (
            ("history.person", had.person, asked.person),
            ("models.m-invariance.column", had.sensitive, asked.sensitive),
            ("models.m-invariance.m", had.m, asked.m),
            ("history.companions", had.companions, asked.companions),
        )
        if before != said
    ]
    if faults:
        raise HistoryError(faults)


def people_of(
    frame: Any, facts: TableFacts, missing: Sequence[str], known: AbstractSet[bytes] = frozenset()
) -> PersonCodes:
    """Code the person of every record, by the canonical writing of the cell that says who it is.

    Parameters
    ----------
    frame : the whole table
    missing : texts that stand for a missing value
    known : people of earlier releases. The first ones of some histories were made when the code was
        that of the text as it is written: who is known by it keeps it

    Raises
    ------
    DataError
        when a person is missing or has two records; no person is named
    HistoryError
        when the cells that say who is who changed their type
    """
    _refuse_other_ids(frame, facts)
    written = [text or "" for text in texts_of(frame, facts.person)]
    texts, gone = counted_texts(written), {"", *counted_texts(missing)}
    n_missing = sum(text in gone for text in texts)
    n_twice = len(texts) - len(set(texts)) - max(n_missing - 1, 0)
    faults: list[Fault] = []
    if n_missing:
        problem = f"{n_missing} records say no person"
        faults.append(Fault(f"columns.{facts.person}", problem, "Complete them or leave them out."))
    if n_twice > 0:
        problem = f"{n_twice} records are of a person who has another one"
        faults.append(Fault(f"columns.{facts.person}", problem, "Keep one record per person."))
    if faults:
        raise DataError(faults)
    codes = tuple(
        _code_of(own, text, facts.key, known) for own, text in zip(texts, written, strict=True)
    )
    return PersonCodes(codes)


def refuse_strangers(codes: Sequence[bytes], facts: TableFacts, known: AbstractSet[bytes]) -> None:
    """Refuse a version of which nobody was in an earlier release.

    Parameters
    ----------
    known : people of earlier releases

    Raises
    ------
    HistoryError
        when there are some, and none of them returns
    """
    if known and known.isdisjoint(codes):
        raise HistoryError(
            nobody_returns(facts),
            f"Write {facts.person} as in the earlier releases; if all people are new, begin "
            "another history.",
            code="nobody-returns",
            column=facts.person,
        )


def nobody_returns(facts: TableFacts) -> str:
    """Return the warning that the people of a release are all new to the history."""
    return f"no person in this table was in an earlier release, by the column {facts.person}"


def ids_of(frame: Any, facts: TableFacts) -> str:
    """Return what the cells are that say who is who."""
    return str(kind_of(frame[facts.person].dtype))


def _refuse_other_ids(frame: Any, facts: TableFacts) -> None:
    """Refuse ids of another type than those of the earlier releases.

    A text file does not say whether digits are numbers or texts, and both are written alike.
    """
    now = ids_of(frame, facts)
    if facts.ids and now != facts.ids and {now, facts.ids} != DIGITS_OR_TEXTS:
        raise HistoryError(
            f"{facts.person} says who is who by cells of the type {now}, but in the earlier "
            f"releases by cells of the type {facts.ids}",
            "Give this column the type that it had.",
        )


def _code_of(own: str, written: str, key: bytes, known: AbstractSet[bytes]) -> bytes:
    """Code a person by the canonical writing of the id, or as it is written if known by that."""
    code = hmac.digest(key, own.encode(), "sha256")
    if own == written or not known or code in known:
        return code
    old = hmac.digest(key, written.encode(), "sha256")
    return old if old in known else code


def with_counted_values(past: Past) -> Past:
    """Return the past with the sensitive values of signatures in their canonical writing."""

    def counted(tie: Tie) -> Tie:
        value = None if tie.value is None else counted_text(tie.value)
        return replace(tie, values=tuple(sorted(counted_texts(tie.values))), value=value)

    ties = {person: [counted(tie) for tie in ties] for person, ties in past.ties.items()}
    return replace(past, ties=ties)


def values_of_all(past: Past, present: Sequence[str]) -> tuple[str, ...]:
    """List the sensitive values of this version, then those that only earlier releases showed."""
    known = {value for ties in past.ties.values() for tie in ties for value in tie.values}
    return (*present, *sorted(known - set(present)))


def person_history_of(
    past: Past, people: Sequence[bytes], values: Any, texts: Sequence[str], *, fixed: bool
) -> PersonHistory:
    """Return what earlier releases demand of the people of a version.

    Parameters
    ----------
    people : (n_people,), their codes
    values : (n_people,), code of the sensitive value of each
    texts : the values, by code
    fixed : whether companions stay together
    """
    code = {text: number for number, text in enumerate(texts)}
    numbers: dict[tuple[str, ...], int] = {}
    rows: dict[frozenset[str], int] = {frozenset(): 0}
    signature = np.full(len(people), NONE, np.int64)
    past_row = np.zeros(len(people), np.int64)
    for person, own in enumerate(people):
        ties = past.ties.get(own, ())
        for tie in ties:
            if tie.until is None:
                signature[person] = numbers.setdefault(tie.values, len(numbers))
        seen = frozenset(value for tie in ties for value in tie.values)
        past_row[person] = rows.setdefault(seen, len(rows))
    forbidden = np.zeros((len(rows), len(texts)), np.bool_)
    for seen, row in rows.items():
        forbidden[row, [code[text] for text in seen]] = True
    return PersonHistory(
        values,
        len(texts),
        tuple(tuple(sorted(code[text] for text in one)) for one in numbers),
        signature,
        past_row,
        forbidden,
        _cohorts(past, people, values, code) if fixed else (),
    )


def _cohorts(
    past: Past, people: Sequence[bytes], values: Any, code: Mapping[str, int]
) -> tuple[Cohort, ...]:
    """Return the cohorts with somebody who is present and has the value of the own place."""
    held: dict[int, dict[int, int]] = {}
    signatures: dict[int, tuple[int, ...]] = {}
    for person, own in enumerate(people):
        tie = tie_in_force(past.ties.get(own, ()))
        if tie is None or tie.cohort is None or tie.value is None:
            continue
        if code[tie.value] != int(values[person]):
            continue
        signatures[tie.cohort] = tuple(sorted(code[text] for text in tie.values))
        held.setdefault(tie.cohort, {})[int(values[person])] = person
    return tuple(
        Cohort(number, values_, tuple(held[number].get(value, NOBODY) for value in values_))
        for number, values_ in sorted(signatures.items())
    )


def tie_in_force(ties: Sequence[Tie]) -> Tie | None:
    """Return the signature of a person that is in force."""
    return next((tie for tie in ties if tie.until is None), None)


def next_cohort(past: Past) -> int:
    """Return the first number that no cohort has."""
    numbers = (tie.cohort for ties in past.ties.values() for tie in ties)
    return max((number for number in numbers if number is not None), default=-1) + 1
