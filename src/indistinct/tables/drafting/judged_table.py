"""The roles of a table's columns: suggested, settled by answers, or said by a policy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from indistinct.base.coded_text import sentence
from indistinct.tables.core.schema import Role
from indistinct.tables.drafting.counted_column import CountedColumn
from indistinct.tables.drafting.evidence.calculus import Agreement
from indistinct.tables.drafting.joint import Joint
from indistinct.tables.drafting.missing import MissingValues
from indistinct.tables.drafting.persons import FoundPersons, persons_of, with_persons
from indistinct.tables.drafting.questions import (
    GIVEN_AWAY,
    PERSON,
    SAID,
    Doubt,
    ShownAnswer,
    questions_of,
    settled,
)
from indistinct.tables.drafting.roles import Suggestion
from indistinct.tables.drafting.survey import weight_of
from indistinct.tables.drafting.table_roles import suggest_all
from indistinct.tables.drafting.together import JudgedColumn, judged_together
from indistinct.tables.drafting.vocabulary import vocabulary

NOTHING_SETTLED: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class SaidByPolicy:
    """What a policy says of a table's columns.

    Parameters
    ----------
    roles : per column that it names, its role and the reason
    person, weight : the columns that it counts by
    """

    roles: Mapping[str, tuple[Role, str]]
    person: str | None = None
    weight: str | None = None


@dataclass(frozen=True, slots=True)
class DecidedOtherwise:
    """A column of which a policy says something else than what is suggested.

    Parameters
    ----------
    name : the column
    role : what the policy says
    suggested, reason : what is suggested, and why
    words : of the name, in plain form, as the glossary has them
    """

    name: str
    role: str
    suggested: str
    reason: str
    words: str


@dataclass(frozen=True, slots=True)
class JudgedTable:
    """The roles of a table's columns, and what is asked.

    Parameters
    ----------
    judged : the columns
    cost : share of the records in groups smaller than 5 by the quasi-identifiers alone
    person, weight : the columns that are counted by; None for none
    doubts : what is asked
    otherwise : the columns of which a policy says something else than what is suggested
    """

    judged: Sequence[JudgedColumn]
    cost: float
    person: str | None
    weight: str | None
    doubts: tuple[Doubt, ...] = field(default=())
    otherwise: tuple[DecidedOtherwise, ...] = field(default=())


def judged_table(
    columns: Sequence[CountedColumn],
    words: MissingValues,
    joint: Joint,
    said: SaidByPolicy | None = None,
    settle: Mapping[str, str] = NOTHING_SETTLED,
) -> JudgedTable:
    """Suggest a role for each column, and ask what is not decided.

    Parameters
    ----------
    columns : as they were counted
    words : for missing values
    joint : the records
    said : by a policy, whose roles are not asked for
    settle : answers to what is asked

    Raises
    ------
    ParameterError
        for an answer about a column that is not there, or that is no role
    """
    suggested = suggest_all(columns, joint)
    if said is not None:
        return _as_said(columns, suggested, words, joint, said)
    judged, cost = judged_together(columns, suggested, joint)
    if settle:
        names = [column.name for column in columns]
        roles = settled(settle, names, questions_of(judged, words))
        settled_ones = [
            _with_answer(one, roles.get(name)) for name, one in zip(names, suggested, strict=True)
        ]
        judged, cost = judged_together(columns, settled_ones, joint)
    persons = persons_of(judged, joint, settle.get(PERSON))
    judged = with_persons(judged, persons)
    doubts = questions_of(judged, words, persons.asked, joint.found.doubts)
    return JudgedTable(judged, cost, persons.chosen, weight_of(columns), doubts)


def _as_said(
    columns: Sequence[CountedColumn],
    suggested: Sequence[Suggestion],
    words: MissingValues,
    joint: Joint,
    said: SaidByPolicy,
) -> JudgedTable:
    """Return the roles of a policy, and what contradicts them."""
    alone = [
        _of_policy(column.name, said) or one for column, one in zip(columns, suggested, strict=True)
    ]
    judged, cost = judged_together(columns, alone, joint, is_declared=True)
    against = _contradictions(columns, suggested, said)
    doubts = (*against, *questions_of(judged, words, readings=joint.found.doubts))
    persons = FoundPersons(said.person)
    otherwise = tuple(_otherwise(suggested, columns, said))
    return JudgedTable(judged, cost, persons.chosen, said.weight, doubts, otherwise)


def _otherwise(
    suggested: Sequence[Suggestion], columns: Sequence[CountedColumn], said: SaidByPolicy
) -> Iterator[DecidedOtherwise]:
    """Yield the columns of which a policy says something else than what is suggested."""
    for column, found in zip(columns, suggested, strict=True):
        role = said.roles.get(column.name, (found.role, ""))[0]
        if role is not found.role and role is not Role.UNDECIDED:
            words = vocabulary().telling_words(column.name)
            yield DecidedOtherwise(
                column.name, role.value, found.role.value, found.reason, " ".join(words)
            )


def _of_policy(name: str, said: SaidByPolicy) -> Suggestion | None:
    """Return the role that a policy gives a column; None where it gives it none."""
    if name in said.roles:
        role, reason = said.roles[name]
        return Suggestion(role, "high", reason, agreement=Agreement.SAID)
    if said.person == name:
        reason = sentence("counts-people", "the policy counts its people")
        return Suggestion(Role.IDENTIFIER, "high", reason, agreement=Agreement.SAID)
    return None


def _contradictions(
    columns: Sequence[CountedColumn], suggested: Sequence[Suggestion], said: SaidByPolicy
) -> Iterator[Doubt]:
    """Yield the released columns of a policy whose values are certainly identifiers."""
    for column, found in zip(columns, suggested, strict=True):
        role = said.roles.get(column.name, (Role.UNDECIDED, ""))[0]
        is_released = role in {Role.SENSITIVE, Role.INSENSITIVE}
        if is_released and found.role is Role.IDENTIFIER and found.confidence == "high":
            yield Doubt(
                (column.name,),
                SAID,
                GIVEN_AWAY,
                found.reason,
                (
                    ShownAnswer(role.value),
                    ShownAnswer(
                        Role.IDENTIFIER.value,
                        settle={f"columns.{column.name}.role": Role.IDENTIFIER.value},
                    ),
                ),
                chosen=role.value,
                meanwhile=role.value,
                records=column.known,
                of=column.known + column.missing,
            )


def _with_answer(suggestion: Suggestion, role: str | None) -> Suggestion:
    """Return a suggestion with the role that was answered."""
    if role is None:
        return suggestion
    facts = [fact for shown in suggestion.candidates for fact in shown.for_]
    rank = max([suggestion.rank, *(fact.rank for fact in facts)])
    kinds = [fact.kind for fact in facts if fact.answer.value == role and fact.kind]
    return Suggestion(
        Role(role),
        "high",
        sentence("settled", "Said with --settle."),
        rank,
        next(iter(kinds), suggestion.kind),
        agreement=Agreement.SAID,
    )
