"""Decide between candidates by witnesses: the name and the values must agree, and against wins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from indistinct.base.coded_text import CodedText
from indistinct.tables.core.schema import Role

Confidence = Literal["high", "medium", "low"]
Family = Literal["name", "values", "shape", "neighbors", "tables", "dictionary", "user"]


class Agreement(StrEnum):
    """How witnesses agree, which is what the confidence of a decision depends on."""

    WHOLE_AND_VALUES = "whole name and values agree"
    ONE_MEANING = "values with one meaning"
    WHOLE = "whole name, values could be"
    PART_AND_VALUES = "part of a name, values agree"
    LIKE_COLUMNS = "block of like columns"
    ANSWERS = "question with few answers"
    PART_OF_TIME = "age or year by a part of the name"
    NEIGHBORS = "neighboring columns"
    IN_HEALTH = "few values in a table of health"
    SHAPE = "shape of the values"
    STRICTER = "stricter of two"
    SAID = "said"
    HINT = "hint"
    NONE = ""


HIGH = {Agreement.WHOLE_AND_VALUES, Agreement.ONE_MEANING, Agreement.SAID}
WHOLE_NAMES = {Agreement.WHOLE_AND_VALUES, Agreement.WHOLE}
# What outweighs what: a later one never decides against an earlier one.
ORDER = tuple(Agreement)


@dataclass(frozen=True, slots=True)
class Witness:
    """A fact that speaks for or against an answer.

    Parameters
    ----------
    answer : the role that it speaks of
    family : what the fact is one of
    text : the fact in a sentence, without any value of a record
    agreement : how it agrees with others; a hint alone decides nothing
    rank : how commonly others know the column, or how much harm its disclosure does; 1 to 3
    kind : what the values are: ``number``, ``nominal``, ``date``, ``place``, ``set``, or empty
    is_against : whether it contradicts the answer
    records, of : the records that it holds for, of those that were weighed; 0 where not counted
    """

    answer: Role
    family: Family
    text: CodedText
    agreement: Agreement = Agreement.HINT
    rank: int = 1
    kind: str = ""
    is_against: bool = False
    records: int = 0
    of: int = 0

    @property
    def code(self) -> str:
        """The name of the fact."""
        return self.text.sentences[0].code


@dataclass(frozen=True, slots=True)
class Candidate:
    """One answer, and what speaks for and against it."""

    answer: Role
    for_: tuple[Witness, ...] = ()
    against: tuple[Witness, ...] = ()

    @property
    def best(self) -> Witness | None:
        """The strongest witness for it; None where nothing speaks for it."""
        return min(self.for_, key=lambda one: ORDER.index(one.agreement), default=None)

    @property
    def families(self) -> frozenset[str]:
        """The families of the witnesses for it."""
        return frozenset(one.family for one in self.for_)


@dataclass(frozen=True, slots=True)
class Decision:
    """What follows from the witnesses.

    Parameters
    ----------
    chosen : the witness that decided; None where it is asked
    candidates : those that something speaks for or against, the strongest first
    confidence : ``low`` where it is asked
    """

    chosen: Witness | None
    candidates: tuple[Candidate, ...]
    confidence: Confidence


def decide(witnesses: Iterable[Witness]) -> Decision:
    """Choose an answer, or ask.

    An answer is chosen where one fact decides and no other answer has a fact of the same weight.
    It is certain where the whole name and the values agree, or the values have one meaning, nothing
    is against it, and no other answer has a whole name or facts of two families.
    """
    candidates = candidates_of(witnesses)
    able = [one for one in candidates if one.best is not None]
    deciding = [one for one in able if _decides(one)]
    if not deciding:
        return Decision(None, candidates, "low")
    first, *others = deciding
    best = first.best
    rivals = [one for one in others if one.best is not None]
    if best is None or any(_as_strong(best, one.best) for one in rivals if one.best is not None):
        return Decision(None, candidates, "low")
    is_alone = not any(
        one.best is not None and one.best.agreement in WHOLE_NAMES for one in able if one != first
    )
    certain = best.agreement in HIGH and is_alone and not first.against
    return Decision(best, candidates, "high" if certain else "medium")


def candidates_of(witnesses: Iterable[Witness]) -> tuple[Candidate, ...]:
    """Collect the witnesses of each answer; those that nothing contradicts come first."""
    by_answer: dict[Role, list[Witness]] = {}
    for one in witnesses:
        by_answer.setdefault(one.answer, []).append(one)
    found = [
        Candidate(
            answer,
            tuple(one for one in some if not one.is_against),
            tuple(one for one in some if one.is_against),
        )
        for answer, some in by_answer.items()
    ]
    return tuple(sorted(found, key=_weight))


def _weight(candidate: Candidate) -> int:
    """Return the place of a candidate among others."""
    best = candidate.best
    return len(ORDER) if best is None else ORDER.index(best.agreement)


def _decides(candidate: Candidate) -> bool:
    """Return whether anything but a hint speaks for a candidate."""
    return candidate.best is not None and candidate.best.agreement is not Agreement.HINT


def _as_strong(one: Witness, other: Witness) -> bool:
    """Return whether two witnesses weigh the same."""
    return one.agreement is other.agreement


def two_shown(
    candidates: Sequence[Candidate], by_type: Sequence[Role]
) -> tuple[Candidate, Candidate]:
    """Return the two candidates that are shown where it is asked.

    Parameters
    ----------
    candidates : as they were weighed
    by_type : what the type of the column suggests, two roles or more
    """
    known = {one.answer: one for one in candidates}
    able = [one.answer for one in candidates if one.for_]
    first, second = list(dict.fromkeys(_in_order(able, by_type, known)))[:2]
    return known.get(first, Candidate(first)), known.get(second, Candidate(second))


def _in_order(
    able: Sequence[Role], by_type: Sequence[Role], known: dict[Role, Candidate]
) -> Iterator[Role]:
    """Yield the roles to show: those with facts, those of the type, and contradicted ones last."""
    out = {role for role, one in known.items() if one.against and not one.for_}
    yield from able
    yield from (role for role in by_type if role not in out)
    yield from by_type
    yield from (Role.QUASI_IDENTIFIER, Role.SENSITIVE)
