"""From the witnesses for one column to a role, a confidence and a sentence of reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from indistinct.base.coded_text import CodedText, joined, sentence
from indistinct.tables.core.schema import Role
from indistinct.tables.drafting.counted_column import CountedColumn
from indistinct.tables.drafting.evidence.calculus import (
    Agreement,
    Candidate,
    Confidence,
    Decision,
    Witness,
    decide,
    two_shown,
)
from indistinct.tables.drafting.evidence.of_names import (
    NameOfColumn,
    SpokenLanguages,
    contains,
    of_names,
)
from indistinct.tables.drafting.evidence.of_values import certain, of_values
from indistinct.tables.drafting.evidence.value_tests import are_decimals, is_yes_no
from indistinct.tables.drafting.values import is_like_a_name, share_like

ONE_LENGTH_DIGITS = 3
MANY_CAPITALS = 20
MOSTLY = 0.8
SET_KIND = "set"
EVERY_LANGUAGE = SpokenLanguages()


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What a column probably is.

    Parameters
    ----------
    role : suggested; ``undecided`` where the facts do not decide
    confidence : ``low`` for undecided columns only
    reason : in sentences, without any value of a record
    rank : how commonly others know it, or how much harm its disclosure does; 1 to 3
    kind : what its values are: ``number``, ``nominal``, ``date``, ``place``, ``set``, or empty
    is_minor : whether eight other quasi-identifiers are more commonly known
    candidates : of an undecided column the two roles that are shown, the better founded first
    agreement : how the facts agree that decided
    is_apart : whether it is asked for a reason that no other column has
    """

    role: Role
    confidence: Confidence
    reason: str
    rank: int = 1
    kind: str = ""
    is_minor: bool = False
    candidates: tuple[Candidate, ...] = ()
    agreement: Agreement = Agreement.NONE
    is_apart: bool = False

    @property
    def answers(self) -> tuple[Role, ...]:
        """The two roles that are shown."""
        return tuple(one.answer for one in self.candidates)


NOTHING_KNOWN = sentence("nothing-known", "Neither its name nor its values say what it is.")
STRICTER = sentence("stricter", "It is taken for what others may know, the stricter of two.")
# What each role asks of a column, as the end of a sentence.
ASKS = {
    Role.IDENTIFIER: "it leads to one person",
    Role.QUASI_IDENTIFIER: "others may know it of a person",
    Role.SENSITIVE: "nobody may learn it of a person",
    Role.INSENSITIVE: "it tells nothing of a person",
}


def suggest(column: CountedColumn) -> Suggestion:
    """Suggest the role of a column by its own name and values."""
    return concluded(column, list(witnesses_of(column)))


def witnesses_of(
    column: CountedColumn, spoken: SpokenLanguages = EVERY_LANGUAGE
) -> Iterator[Witness]:
    """Yield what the name and the values of a column speak for and against."""
    if (found := certain(column)) is not None:
        yield found
        return
    matches = tuple(match for match in column.matches if spoken.has(match))
    yield from of_names(NameOfColumn(column, matches))
    yield from of_values(column)


def concluded(
    column: CountedColumn, witnesses: Sequence[Witness], *, in_health: bool = False
) -> Suggestion:
    """Return what follows from the witnesses for a column.

    Parameters
    ----------
    in_health : whether much of the table tells of health
    """
    if (designed := _designed(column)) is not None:
        return designed
    decision = decide(witnesses)
    chosen = decision.chosen
    if chosen is not None:
        return Suggestion(
            chosen.answer,
            decision.confidence,
            chosen.text,
            chosen.rank,
            chosen.kind,
            agreement=chosen.agreement,
        )
    return _asked(column, decision, in_health=in_health)


def _designed(column: CountedColumn) -> Suggestion | None:
    """Find variables of a survey's design, whose names often hold a word of another meaning."""
    found = [one for one in column.matches if one.meaning.role == Role.UNDECIDED.value]
    if not found or column.numbers is None:
        return None
    return asked_between(contains(found[0]), Role.IDENTIFIER, Role.INSENSITIVE)


def _asked(column: CountedColumn, decision: Decision, *, in_health: bool) -> Suggestion:
    """Show two answers and what decides between them, or take the stricter one."""
    usual = by_type(column, in_health=in_health)
    may_number = any(one.answer is Role.IDENTIFIER and one.for_ for one in decision.candidates)
    if may_number and not column.is_nearly_unique:
        usual = Role.QUASI_IDENTIFIER, Role.INSENSITIVE  # a number of a group measures nothing
    shown = two_shown(decision.candidates, usual)
    first, second = shown
    is_stricter = {first.answer, second.answer} == {Role.QUASI_IDENTIFIER, Role.INSENSITIVE}
    is_known = any(one.answer is Role.INSENSITIVE and one.for_ for one in shown)
    if is_stricter and not is_known and len(column.name) > 1:
        said = joined(_what_speaks(shown), STRICTER)
        return Suggestion(Role.QUASI_IDENTIFIER, "medium", said, agreement=Agreement.STRICTER)
    said = joined(_what_speaks(shown), what_decides(first.answer, second.answer))
    return Suggestion(Role.UNDECIDED, "low", said, candidates=shown)


def asked_between(reason: str, first: Role, second: Role) -> Suggestion:
    """Ask between two roles, for a reason that no witness has."""
    shown = (Candidate(first), Candidate(second))
    said = joined(reason, what_decides(first, second))
    return Suggestion(Role.UNDECIDED, "low", said, candidates=shown, is_apart=True)


def what_decides(first: Role, second: Role) -> CodedText:
    """Return what decides between two roles."""
    return sentence(
        "decides",
        "It is {first} if {first_asks}, and {second} if {second_asks}.",
        first=first.value,
        first_asks=ASKS[first],
        second=second.value,
        second_asks=ASKS[second],
    )


def _what_speaks(shown: tuple[Candidate, ...]) -> CodedText:
    """Return the strongest facts for and against the answers, in a sentence or two."""
    best = [one.best for one in shown if one.best is not None]
    against = [fact for one in shown for fact in one.against]
    said = dict.fromkeys([*(one.text for one in best), *(one.text for one in against)])
    return joined(*list(said)[:2]) if said else NOTHING_KNOWN


def by_type(column: CountedColumn, *, in_health: bool = False) -> tuple[Role, Role]:
    """Return the two roles that a column's type suggests where nothing else speaks."""
    if is_yes_no(column):
        is_coded = column.numbers is not None or in_health
        return (
            (Role.SENSITIVE, Role.QUASI_IDENTIFIER)
            if is_coded
            else (Role.QUASI_IDENTIFIER, Role.INSENSITIVE)
        )
    if are_decimals(column):
        return Role.SENSITIVE, Role.INSENSITIVE
    if column.numbers is not None:
        lengths = {len(text) for text in column.read}
        are_codes = len(lengths) == 1 and max(lengths) >= ONE_LENGTH_DIGITS
        if column.is_nearly_unique and are_codes:
            return Role.IDENTIFIER, Role.SENSITIVE
        return Role.SENSITIVE, Role.QUASI_IDENTIFIER
    has_capitals = share_like(is_like_a_name, column.read) >= MOSTLY
    if column.distinct >= MANY_CAPITALS and (has_capitals or column.is_nearly_unique):
        return Role.IDENTIFIER, Role.QUASI_IDENTIFIER
    return Role.QUASI_IDENTIFIER, Role.SENSITIVE
