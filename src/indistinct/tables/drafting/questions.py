"""What a file leaves open, as few questions: one for all columns that one answer settles."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from indistinct.base.coded_text import CodedText, joined, sentence
from indistinct.errors import ParameterError
from indistinct.tables.core.schema import Role
from indistinct.tables.drafting.counted_column import CountedColumn
from indistinct.tables.drafting.evidence.calculus import Candidate, Witness
from indistinct.tables.drafting.evidence.value_tests import is_yes_no
from indistinct.tables.drafting.missing import DoubtfulWord, MissingValues
from indistinct.tables.drafting.roles import NOTHING_KNOWN, what_decides
from indistinct.tables.drafting.together import JudgedColumn
from indistinct.tables.reading.declared_formats import (
    DATE,
    FALSE_CELLS,
    FILE,
    NUMBER,
    ReadingDoubt,
)

MOST = 12  # questions of a file
SEVERAL = 3  # columns of one stem that have a question of their own
NAMED = 3  # columns of a question whose names are shown
PERSON = "(person)"
ROLE, MISSING, SAID, PERSON_KIND = "role", "missing", "said", "person"
# What a wrong answer does: released cells are false, somebody is given away, sizes of classes are
# wrong, a promise too many or too few.
GIVEN_AWAY, CLASS_SIZES, PROMISES = 3, 4, 5  # after those of reading
RUNNING = re.compile(r"\d+[a-z]?$|_[a-z]$")
DAYS = "days since 1899-12-30"  # as spreadsheets count them
FIRST_DAY, LAST_DAY = 2100, 55_153  # of 1905, so that it is no year, and of 2050
FEWEST_DAYS = 12  # different ones
CATEGORIES = 60  # different words at most


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """One of the two answers that a question shows.

    Parameters
    ----------
    answer : a role, a column of persons, or ``value`` and ``missing`` of a word
    for_, against : the facts, each a sentence; no value of a record
    settle : words of the policy that say it
    """

    answer: str
    for_: tuple[CodedText, ...] = ()
    against: tuple[CodedText, ...] = ()
    settle: Mapping[str, object] = field(default_factory=dict[str, object])

    def document(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        facts = {
            word: [{"code": text.sentences[0].code, "text": text} for text in some]
            for word, some in (("for", self.for_), ("against", self.against))
        }
        return {"answer": self.answer, **facts, "settle": dict(self.settle)}


@dataclass(frozen=True, slots=True)
class Doubt:
    """A question about a file.

    Parameters
    ----------
    about : the columns that its answer settles, or ``(file)``
    kind : ``role``, ``person``, ``missing``, ``said``, or one of a :class:`ReadingDoubt`
    order : what a wrong answer does, 1 (nothing is read) to 5 (a promise too many or too few)
    text : what speaks for the answers, and what decides between them
    candidates : two answers, the better founded first
    chosen : what is said, where the values contradict it; None of an open question
    meanwhile : what a draft does until it is answered
    records, of : the records that have a value of these columns, and all records
    """

    about: tuple[str, ...]
    kind: str
    order: int
    text: str
    candidates: tuple[ShownAnswer, ShownAnswer]
    chosen: str | None = None
    meanwhile: str = "left out"
    records: int = 0
    of: int = 0

    @property
    def columns(self) -> str:
        """The columns, in short."""
        if len(self.about) <= NAMED:
            return ", ".join(self.about)
        return f"{self.about[0]} .. {self.about[-1]} ({len(self.about)} columns)"

    @property
    def answers(self) -> str:
        """The two answers, as a question."""
        first, second = self.candidates
        return f"{first.answer} or {second.answer}?"

    @property
    def how(self) -> str:
        """How it is settled at the command line; empty where a policy alone does that."""
        if self.kind == SAID:
            return ""
        if self.kind not in {ROLE, PERSON_KIND} and self.about != (FILE,):
            return " | ".join(
                ", ".join(
                    f"{word} = {json.dumps(said, ensure_ascii=False)}"
                    for word, said in one.settle.items()
                )
                for one in self.candidates
            )
        subject = PERSON if self.kind == PERSON_KIND else self.about[0]  # its column is the answer
        plus = "+" if self.kind == ROLE and len(self.about) > 1 else ""
        word = f"{subject}{plus}={self.candidates[0].answer}"
        is_plain = re.fullmatch(r"[\w.+=-]+", word, re.ASCII) is not None
        return f"--settle {word}" if is_plain else f'--settle "{word}"'

    def is_open(self, words: Mapping[str, Any]) -> bool:
        """Return whether a policy gives none of the two answers.

        Another word about the same column, such as a list for another missing value, is none.
        """
        is_answered = any(
            one.settle and all(_said_at(words, place) == said for place, said in one.settle.items())
            for one in self.candidates
        )
        return self.chosen is None and not is_answered

    def document(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "about": list(self.about),
            "kind": self.kind,
            "order": self.order,
            "text": self.text,
            "chosen": self.chosen,
            "meanwhile": self.meanwhile,
            "candidates": [one.document() for one in self.candidates],
            "records": self.records,
            "of": self.of,
        }


def _said_at(words: Mapping[str, Any], place: str) -> Any:
    """Return what a policy says at a place; None for nothing.

    Parameters
    ----------
    place : as in ``columns.age.missing`` and ``data.person``; a word of ``[data]`` may stand alone
    """
    table, _, rest = place.partition(".") if "." in place else ("data", "", place)
    column, _, word = rest.rpartition(".")
    said: Mapping[str, Any] = words.get(table, {})
    return (said.get(column, {}) if column else said).get(word)


def questions_of(
    judged: Sequence[JudgedColumn],
    words: MissingValues,
    persons: Sequence[Doubt] = (),
    readings: Sequence[ReadingDoubt] = (),
) -> tuple[Doubt, ...]:
    """Ask as few questions as possible, those first whose wrong answer does most harm.

    Parameters
    ----------
    judged : the columns, some of them undecided
    words : for missing values, some of them doubtful
    persons : questions about columns of persons
    readings : questions about how the file is read
    """
    of_roles = [_about_roles(group) for group in _groups(judged)]
    of_readings = [*map(_about_reading, readings), *_about_days(judged)]
    found = sorted([*of_readings, *_about_words(words), *persons, *of_roles], key=_harm)
    return tuple(_at_most(found))


def _harm(doubt: Doubt) -> tuple[int, int]:
    """Order questions by what a wrong answer does, then by their cells."""
    return doubt.order, -doubt.records


def _groups(judged: Sequence[JudgedColumn]) -> list[list[JudgedColumn]]:
    """Return the groups of undecided columns of which one answer settles all."""
    open_ones = [one for one in judged if one.suggestion.role is Role.UNDECIDED]
    stems: dict[tuple[object, ...], list[JudgedColumn]] = {}
    for one in open_ones:
        stems.setdefault((_stem(one), one.suggestion.answers), []).append(one)
    groups: dict[tuple[object, ...], list[JudgedColumn]] = {}
    for key, some in stems.items():
        for one in some:
            is_block = len(some) >= SEVERAL and _may_share(one)
            like = ("stem", *key) if is_block else _alike(one)
            groups.setdefault(like, []).append(one)
    return list(groups.values())


def _stem(one: JudgedColumn) -> str:
    """Return a name without its running number or letter."""
    return RUNNING.sub("", one.evidence.name)


def _alike(one: JudgedColumn) -> tuple[object, ...]:
    """Return what columns of one question have in common; a known one has a question alone."""
    if _is_apart(one):
        return ("apart", one.suggestion.reason)
    if not _may_share(one):
        return ("alone", one.evidence.name)
    return (type_of(one), one.suggestion.answers)


def _may_share(one: JudgedColumn) -> bool:
    """Return whether nothing is known of a column that would need an answer of its own."""
    return not any(fact.family == "neighbors" for shown in one.suggestion.candidates
                   for fact in (*shown.for_, *shown.against)) and (
        not _is_apart(one)
    )  # fmt: skip


def _is_apart(one: JudgedColumn) -> bool:
    """Return whether a column is asked for a reason of its own: a weight, a copy, two units."""
    return one.suggestion.is_apart


def type_of(one: JudgedColumn) -> str:
    """Name what the values of a column are."""
    column = one.evidence
    if is_yes_no(column):
        return "yes and no"
    if column.numbers is not None:
        return "numbers"
    return "words" if column.distinct <= CATEGORIES else "many words"


def _about_roles(group: Sequence[JudgedColumn]) -> Doubt:
    """Ask for the role of some columns."""
    first, second = group[0].suggestion.candidates
    names = tuple(one.evidence.name for one in group)
    known = sum(one.evidence.known for one in group)
    cells = sum(one.evidence.known + one.evidence.missing for one in group)
    answers = {first.answer, second.answer}
    order = PROMISES
    if Role.QUASI_IDENTIFIER in answers:
        order = CLASS_SIZES
    if Role.IDENTIFIER in answers and not group[0].suggestion.is_apart:
        order = GIVEN_AWAY
    return Doubt(
        names,
        ROLE,
        order,
        _said(group),
        (_answer(first, names), _answer(second, names)),
        records=known,
        of=cells,
    )


def _said(group: Sequence[JudgedColumn]) -> str:
    """Return what speaks for the answers, and what decides."""
    if len(group) == 1 or _is_apart(group[0]):
        return group[0].suggestion.reason
    first, second = group[0].suggestion.answers
    is_unknown = all(one.suggestion.reason.startswith(NOTHING_KNOWN) for one in group)
    what = "of which nothing is known" if is_unknown else "whose names and values say too little"
    said = sentence(
        "unknown-columns" if is_unknown else "vague-columns",
        f"{{count}} columns of {{cells}} {what}.",
        count=len(group),
        cells=type_of(group[0]),
    )
    return joined(said, what_decides(first, second))


def _answer(candidate: Candidate, names: Sequence[str]) -> ShownAnswer:
    """Return an answer with its facts, and the words of the policy that say it."""
    role = candidate.answer.value
    settle: dict[str, object] = {f"columns.{name}.role": role for name in names}
    return ShownAnswer(role, _facts(candidate.for_), _facts(candidate.against), settle)


def _facts(witnesses: Sequence[Witness]) -> tuple[CodedText, ...]:
    """Return facts in sentences."""
    return tuple(one.text for one in witnesses)


def _about_reading(one: ReadingDoubt) -> Doubt:
    """Ask how a file or some of its columns are read."""
    first, second = (ShownAnswer(answer, settle=settle) for answer, settle in one.answers)
    return Doubt(
        one.about,
        one.kind,
        one.order,
        one.text,
        (first, second),
        meanwhile=one.meanwhile,
        records=one.records,
        of=one.of,
    )


def _about_days(judged: Sequence[JudgedColumn]) -> Iterator[Doubt]:
    """Ask whether whole numbers of a column of dates are the days of a spreadsheet."""
    for one in judged:
        column = one.evidence
        is_given = column.form is not None and (column.form.type or column.form.format)
        kinds = {one.suggestion.kind, *(match.meaning.kind for match in column.matches)}
        if DATE not in kinds or not are_days(column) or is_given:
            continue
        text = sentence(
            "days",
            "The name says that these are dates, and all {count:,} values are whole numbers that a "
            "spreadsheet writes for days of 1905 to 2050.",
            count=column.known,
        )
        settle = {f"columns.{column.name}.format": DAYS}
        yield Doubt(
            (column.name,),
            "type",
            FALSE_CELLS,
            text,
            (
                ShownAnswer("date", settle=settle),
                ShownAnswer(NUMBER, settle={f"columns.{column.name}.type": NUMBER}),
            ),
            meanwhile=NUMBER,
            records=column.known,
            of=column.known + column.missing,
        )


def are_days(column: CountedColumn) -> bool:
    """Return whether the values of a column may be days as a spreadsheet counts them."""
    numbers = column.numbers
    if column.type != "integer" or numbers is None or column.distinct < FEWEST_DAYS:
        return False
    return bool(numbers.min() > FIRST_DAY and numbers.max() <= LAST_DAY)


def _about_words(words: MissingValues) -> Iterator[Doubt]:
    """Ask whether words are values or missing, once for several columns of one stem."""
    alike: dict[tuple[str, tuple[str, ...]], list[DoubtfulWord]] = {}
    for one in words.doubts:
        stems = tuple(RUNNING.sub("", name) for name in one.missing_in)
        alike.setdefault((one.word, stems), []).append(one)
    for one in _once(alike.values()):
        yield Doubt(
            one.missing_in,
            MISSING,
            FALSE_CELLS,
            one.said,
            (
                ShownAnswer("value", settle=_with_word(one, words, ())),
                ShownAnswer("missing", settle=_with_word(one, words, (one.word,))),
            ),
            meanwhile="a value",
            records=one.records,
        )


def _once(groups: Iterable[Sequence[DoubtfulWord]]) -> Iterator[DoubtfulWord]:
    """Yield one word for the columns of a block, and each word of few columns alone."""
    for some in groups:
        if len(some) < SEVERAL:
            yield from some
            continue
        said = sentence(
            "word-of-columns",
            "{count} columns have the same word or number as a frequent cell, which can be an "
            "answer or a missing value.",
            count=len(some),
        )
        names = tuple(name for one in some for name in one.missing_in)
        yield DoubtfulWord(some[0].word, names, said, sum(one.records for one in some))


def _with_word(one: DoubtfulWord, words: MissingValues, more: Sequence[str]) -> dict[str, object]:
    """Return the words of a policy that say what is missing in the columns of a doubtful word."""
    return {f"columns.{name}.missing": [*words.of(name), *more] for name in one.missing_in}


def _at_most(doubts: Sequence[Doubt]) -> Iterator[Doubt]:
    """Yield few questions: the last about roles become one."""
    roles = [one for one in doubts if one.kind == ROLE]
    n_more = len(doubts) - MOST
    if n_more <= 0:
        yield from doubts
        return
    last = roles[-(n_more + 1) :]
    kept = [one for one in doubts if one not in last]
    names = tuple(name for one in last for name in one.about)
    first, second = last[0].candidates
    yield from kept
    yield replace(
        last[0],
        about=names,
        text=sentence(
            "other-columns",
            "The other {count} columns stay out until you say what they are.",
            count=len(names),
        ),
        candidates=(_for_all(first, names), _for_all(second, names)),
        records=sum(one.records for one in last),
        of=sum(one.of for one in last),
    )


def _for_all(answer: ShownAnswer, names: Sequence[str]) -> ShownAnswer:
    """Return an answer for more columns."""
    return ShownAnswer(
        answer.answer, settle={f"columns.{name}.role": answer.answer for name in names}
    )


def encoding_of(settle: Mapping[str, str]) -> str | None:
    """Return the encoding that an answer about the file names; None where there is none.

    A column that is really called ``(file)`` has a role as its answer, which is no encoding.
    """
    answer = settle.get(FILE)
    return None if answer in {role.value for role in Role} else answer


def settled(
    given: Mapping[str, str], names: Sequence[str], doubts: Sequence[Doubt]
) -> dict[str, str]:
    """Return the role of each column that is settled.

    Parameters
    ----------
    given : answers by column, by a column with ``+`` for all columns of its question, by
        ``(person)`` or by ``(file)``
    names : the columns
    doubts : the questions without these answers

    Raises
    ------
    ParameterError
        for a column that is not there, and an answer that is no role
    """
    roles = [role.value for role in Role if role is not Role.UNDECIDED]
    found: dict[str, str] = {}
    for subject, answer in given.items():
        if subject == PERSON and subject not in names:
            _check_person(answer, names)
            continue
        if subject == FILE and subject not in names and encoding_of(given) is not None:
            continue  # it was read so
        about = [subject] if subject in names else _about(subject, doubts)
        if not about:
            asked = "; ".join(f"{one.columns}: {one.answers}" for one in doubts[:MOST])
            raise ParameterError(
                f"--settle: {subject} is not a column", f"What is asked: {asked or 'nothing'}."
            )
        if answer not in roles:
            shown = next((one.answers for one in doubts if set(about) & set(one.about)), "")
            raise ParameterError(
                f"--settle: {subject} cannot be {answer}",
                f"Choose one of {', '.join(roles)}{f' ({shown})' if shown else ''}.",
            )
        found |= dict.fromkeys(about, answer)
    return found


def _check_person(answer: str, names: Sequence[str]) -> None:
    """Refuse a column of persons that is not there."""
    if answer and answer not in names:
        raise ParameterError(
            f"--settle: {answer} is not a column", "Name the column that says whose record each is."
        )


def _about(subject: str, doubts: Sequence[Doubt]) -> tuple[str, ...]:
    """Return the columns of the question of a column."""
    name = subject.removesuffix("+")
    if name == subject:
        return ()
    return next((one.about for one in doubts if one.kind == ROLE and name in one.about), ())
