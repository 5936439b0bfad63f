"""Which column says whose record each is: named, shaped as numbers of people, owning columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.base.coded_text import CodedText, sentence
from indistinct.tables.core.schema import Role
from indistinct.tables.drafting.counted_column import CountedColumn
from indistinct.tables.drafting.evidence.calculus import WHOLE_NAMES, Agreement
from indistinct.tables.drafting.evidence.of_names import THINGS, NameOfColumn
from indistinct.tables.drafting.evidence.value_tests import are_dates, is_yes_no
from indistinct.tables.drafting.joint import Joint
from indistinct.tables.drafting.questions import GIVEN_AWAY, Doubt, ShownAnswer
from indistinct.tables.drafting.roles import Suggestion
from indistinct.tables.drafting.together import OFFICIAL, JudgedColumn
from indistinct.tables.drafting.vocabulary import readings_of, vocabulary

MISPRINTS = 0.01  # share of the records, so few of which repeat by mistake
KNOWN, FEWEST, MOST_RECORDS = 0.9, 5, 300
LONG_NUMBERS, MOST_LENGTHS, MANY_LENGTHS = 1_000.0, 2, 4
CONSTANT, BY_CHANCE, VARIES = 0.97, 0.7, 0.7
MOST_WORDS = 2
OFFICIAL_NUMBER = "an official number"
MOST_TRIED = 8  # columns of which it is counted what they own
OWNED = frozenset(
    {"a date of birth", "the sex", "an age", "origin or nationality", "the marital status"}
)


@dataclass(frozen=True, slots=True)
class FoundPersons:
    """The column that says whose record each is, or those of which it is asked.

    Parameters
    ----------
    chosen : None where nothing decided
    asked : questions about a column
    is_certain : whether it is named, shaped and owns columns
    """

    chosen: str | None
    asked: tuple[Doubt, ...] = ()
    is_certain: bool = False


def persons_of(judged: Sequence[JudgedColumn], joint: Joint, settle: str | None) -> FoundPersons:
    """Find the column whose repeated values say whose record each is.

    Three things are asked of a column: whether it is named as a number, whether its values are
    shaped as such numbers, and whether it owns other columns, such as the sex. An identifier that
    is named as the number of a person is chosen, and so is a number that owns columns of people.
    With two others it is asked, and else nothing is said.

    Parameters
    ----------
    settle : the column that somebody said, empty for none; None where nobody said anything
    """
    if settle is not None:
        return FoundPersons(settle or None)
    able = [one for one in judged if _may_be(one)]
    asked: list[Doubt] = []
    tried = 0
    for one in able:
        named, shaped = is_named(one.evidence), is_shaped(one.evidence)
        owned = ""
        if named or shaped:
            tried += 1
            owned = _owned_by(one, judged, joint) if tried <= MOST_TRIED else ""
        is_certain = _is_of_a_person(one.evidence) and one.suggestion.role is Role.IDENTIFIER
        if is_certain or (named and owned):
            is_all = named and shaped and bool(owned)
            return FoundPersons(one.evidence.name, is_certain=is_all)
        if named + shaped + bool(owned) >= 2:  # noqa: PLR2004 - of three
            asked.append(_asked(one, named=named, owned=owned))
    return FoundPersons(None, tuple(asked[:1]))


def with_persons(judged: Sequence[JudgedColumn], persons: FoundPersons) -> list[JudgedColumn]:
    """Return the columns, that of the persons left out where nothing else decided its role."""
    names = {persons.chosen, *(name for one in persons.asked for name in one.about)}
    said = sentence(
        "numbers-people", "Its values repeat, and number people, each of whom has several records."
    )
    sure = "high" if persons.is_certain else "medium"
    found = Suggestion(Role.IDENTIFIER, sure, said, 2, agreement=Agreement.NEIGHBORS)
    return [
        replace(one, suggestion=found, cost=None)
        if one.evidence.name in names and one.suggestion.role is Role.UNDECIDED
        else one
        for one in judged
    ]


def _may_be(one: JudgedColumn) -> bool:
    """Return whether the values of a column repeat, and can be people."""
    column, found = one.evidence, one.suggestion
    if column.type in {"boolean", "number", "date"} or are_dates(column) or is_yes_no(column):
        return False
    if column.is_free_text or not column.is_whole or NameOfColumn(column).is_question:
        return False
    if found.agreement in WHOLE_NAMES and found.role is not Role.IDENTIFIER:
        return False
    n_records = column.known + column.missing
    if column.distinct < FEWEST or column.known < KNOWN * n_records:
        return False
    repeated = float(column.counts[column.counts > 1].sum()) / max(column.known, 1)
    return repeated > MISPRINTS and int(column.counts.max()) <= MOST_RECORDS


def is_named(column: CountedColumn) -> bool:
    """Return whether a name is that of a person's number, and of nothing else."""
    if column.like_people in OFFICIAL or _is_of_a_person(column):
        return True
    words = vocabulary()
    parts = {part for one in readings_of(column.name) for part in one}
    is_number = words.numbers_things(column.name, may_count=True) is not None
    is_known = any(match.meaning.role != Role.IDENTIFIER.value for match in column.matches)
    n_words = min((len(one) for one in readings_of(column.name)), default=0)
    return is_number and not is_known and not parts & THINGS and n_words <= MOST_WORDS


def _is_of_a_person(column: CountedColumn) -> bool:
    """Return whether a name says that people are numbered."""
    words = vocabulary()
    is_number = words.numbers_things(column.name, may_count=True) is not None
    is_official = any(match.meaning.name == OFFICIAL_NUMBER and match.whole
                      for match in column.matches)  # fmt: skip
    return is_official or (is_number and words.is_of_a_person(column.name))


def is_shaped(column: CountedColumn) -> bool:
    """Return whether values are texts with digits of few lengths, or long whole numbers."""
    lengths = {len(text.strip()) for text in column.read}
    if column.numbers is not None:
        is_long = len(column.numbers) > 0 and float(column.numbers[0]) >= LONG_NUMBERS
        return is_long and len(lengths) <= MOST_LENGTHS
    have_digits = all(any(map(str.isdigit, text)) for text in column.read)
    if any(len(text.split()) > MOST_WORDS for text in column.read):
        return False
    # Numbers behind one letter look like codes of diseases, of which there are more chapters.
    is_other = column.like is not None and len({text[:1] for text in column.read}) > 1
    return have_digits and not is_other and len(lengths) <= MANY_LENGTHS


def _owned_by(one: JudgedColumn, judged: Sequence[JudgedColumn], joint: Joint) -> str:
    """Name a column of people that has one value for each value of a column; empty for none.

    Another column has to vary within them, since copies of records are no people.
    """
    person = one.evidence
    owned, varies = "", False
    for other in judged:
        column = other.evidence
        if column is person or not column.is_whole or column.distinct <= 1:
            continue
        is_of_people = any(match.meaning.name in OWNED for match in column.matches)
        if not (is_of_people and not owned) and varies:
            continue
        constant, by_chance = _constant(person, column, joint)
        varies = varies or constant < VARIES
        if is_of_people and constant >= CONSTANT and by_chance <= BY_CHANCE:
            owned = owned or column.name
    return owned if varies else ""


def _constant(person: CountedColumn, column: CountedColumn, joint: Joint) -> tuple[float, float]:
    """Return the share of repeats in which a column is constant, and that by chance."""
    (first, _), sizes = joint.distinct([person.name, column.name])
    codes = np.asarray(first)
    n_pairs = np.bincount(codes)
    records = np.bincount(codes, weights=sizes).astype(np.int64)
    repeats = records > 1
    if not repeats.any():
        return 0.0, 1.0
    constant = float((n_pairs[repeats] == 1).mean())
    return constant, _by_chance(column, records[repeats])


def _by_chance(column: CountedColumn, records: Ints) -> float:
    """Return how often as many records have one value where values are drawn at random."""
    shares = column.sizes / max(int(column.sizes.sum()), 1)
    sizes, often = np.unique(records, return_counts=True)
    same = np.array([float((shares**size).sum()) for size in sizes.tolist()])
    return float((same * often).sum() / often.sum())


def _asked(one: JudgedColumn, *, named: bool, owned: str) -> Doubt:
    """Ask whether each value of a column is one person."""
    column = one.evidence
    repeated = int(column.counts[column.counts > 1].sum())
    why = reduce(_both, _why(column, named=named, owned=owned))
    text = sentence(
        "repeats",
        "{count:,} of {of:,} records share their value with another one: {why}. If each value is "
        "one person, sizes have to count people.",
        count=repeated,
        of=column.known,
        why=why,
    )
    return Doubt(
        (column.name,),
        "person",
        GIVEN_AWAY,
        text,
        (
            ShownAnswer(column.name, (text,), settle={"data.person": column.name}),
            ShownAnswer("records"),
        ),
        meanwhile="records are counted",
        records=column.known,
        of=column.known + column.missing,
    )


def _why(column: CountedColumn, *, named: bool, owned: str) -> Iterator[CodedText]:
    """Yield what speaks for people."""
    if named:
        yield sentence("is-named", '"{column}" is named as a number', column=column.name)
    if is_shaped(column):
        yield sentence("is-shaped", "its values are shaped as numbers of people")
    if owned:
        yield sentence("owns", 'each has one value of "{column}"', column=owned)


def _both(first: CodedText, second: CodedText) -> CodedText:
    """Join two facts."""
    return sentence("both", "{first} and {second}", first=first, second=second)
