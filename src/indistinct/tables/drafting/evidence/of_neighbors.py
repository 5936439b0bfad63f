"""What the other columns of a table say of a column."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from indistinct.base.coded_text import CodedText, sentence
from indistinct.tables.core.schema import Role
from indistinct.tables.drafting.counted_column import CountedColumn
from indistinct.tables.drafting.evidence.calculus import (
    Agreement,
    Decision,
    Witness,
)
from indistinct.tables.drafting.evidence.of_names import TIMES, NameOfColumn
from indistinct.tables.drafting.evidence.value_tests import (
    AGREES,
    TESTS,
    are_dates,
    is_yes_no,
    plain_values,
)
from indistinct.tables.drafting.values import is_like_a_name, share_like
from indistinct.tables.drafting.vocabulary import Match, readings_of, vocabulary

ADDRESS, PLACE = "an address", "place"
# Names of what stands behind a street: the number of the house, the floor, the flat.
OF_HOUSES = frozenset(
    {"nr", "no", "num", "numero", "nummer", "number", "hnr", "hn", "n", "piso", "puerta", "portal",
     "apt", "flat", "floor", "etage", "stiege", "top", "mieszkanie", "dom", "bis"}
)  # fmt: skip
# Names of what leads from one person to another.
OF_OTHERS = frozenset(
    {"by", "from", "por", "von", "par", "infector", "source", "reports", "parent", "contact",
     "mother", "father", "manager", "supervisor", "partner", "spouse", "referrer"}
)  # fmt: skip
OF_HEALTH = frozenset(
    {"health", "mental health", "a treatment", "a measurement of the body",
     "sexual life and reproduction", "use of substances"}
)  # fmt: skip
UNITS = (
    frozenset({"years", "year", "months", "month", "weeks", "week", "days", "day", "hours", "hour",
               "y", "yr", "yrs", "m", "mo", "w", "d", "h", "jahre", "monate", "tage", "wochen",
               "ans", "mois", "jours", "anos", "meses", "dias", "lata", "miesiace", "dni"}),
    frozenset({"kg", "g", "lb", "lbs", "st", "pounds", "kilograms", "grams"}),
    frozenset({"cm", "m", "in", "ft", "inch", "inches", "mm"}),
)  # fmt: skip
QUESTIONNAIRE_ITEM = re.compile(r"[A-Za-z]_?\d+[a-z]?")  # such as q17b
MOST_UNITS = 6
MOSTLY = 0.9
HELD, LONG_IDS, FEWEST_REFERENCES = 0.8, 4, 5
BLOCK, MOST_ANSWERS_OF_SCALE = 5, 12
LEAST_MARK, HALF_OF_MARKS, HIGHEST_MARK = 1, 50, 100  # of marks out of a hundred
MOST_ANSWERS, FEW_ANSWERS = 60, 5
MUCH_HEALTH, SOME_HEALTH = 0.25, 0.1
LONGEST_MARK = 2  # letters by which the names of twins differ


@dataclass(frozen=True, slots=True)
class NamedColumns:
    """The columns of a table, and what was decided of each by itself."""

    columns: Sequence[CountedColumn]
    alone: Sequence[Decision]
    facts: Sequence[Sequence[Witness]]

    @property
    def open_places(self) -> list[int]:
        """The places of the columns that are not decided."""
        return [place for place, one in enumerate(self.alone) if one.chosen is None]

    @property
    def share_of_health(self) -> float:
        """The share of the columns with several values that tell of health by their names."""
        some = [one for one in self.columns if one.distinct > 1 and not one.follows_rows]
        of_health = [
            one for one in some if any(match.meaning.name in OF_HEALTH for match in one.matches)
        ]
        return len(of_health) / len(some) if some else 0.0


def of_neighbors(table: NamedColumns) -> Iterator[tuple[int, Witness]]:
    """Yield the places of columns, and what others say of them."""
    for rule in (
        _references,
        _behind_addresses,
        _twins,
        _families,
        _blocks,
        _marks,
        _answers,
        _in_health,
    ):
        yield from rule(table)


def units_of(columns: Sequence[CountedColumn]) -> Iterator[tuple[int, int]]:
    """Yield the places of numbers, and of the units beside them where there are several."""
    for place, column in enumerate(columns):
        words = plain_values(column, MOST_UNITS + 1)
        are_units = any(words <= units for units in UNITS) and any(len(word) > 1 for word in words)
        if not are_units or not 2 <= len(words) <= MOST_UNITS:  # noqa: PLR2004 - several
            continue
        own = {part for parts in readings_of(column.name) for part in parts}
        for other, number in enumerate(columns):
            of_number = {part for parts in readings_of(number.name) for part in parts}
            is_beside = abs(other - place) == 1 and "unit" in own
            if number.numbers is not None and other != place and (own & of_number or is_beside):
                yield other, place
                break


def _references(table: NamedColumns) -> Iterator[tuple[int, Witness]]:
    """Find columns whose values are those of a column of identifiers."""
    ids = [
        (column, frozenset(column.texts))
        for column, one in zip(table.columns, table.alone, strict=True)
        if one.chosen is not None
        and one.chosen.answer is Role.IDENTIFIER
        and column.is_nearly_unique
        and not column.is_free_text
    ]
    for place, column in enumerate(table.columns):
        if not _may_refer(column, table.alone[place]):
            continue
        for other, values in ids:
            if other is column or not _are_ids_of(column, other):
                continue
            held = sum(
                int(n)
                for text, n in zip(column.texts, column.counts, strict=True)
                if text in values
            )
            if held >= HELD * max(column.known, 1):
                said = sentence(
                    "refers-to-identifiers",
                    '{held:,} of its {known:,} values stand in "{column}", so that it leads to the '
                    "people who are meant there.",
                    held=held,
                    known=column.known,
                    column=other.name,
                )
                yield (
                    place,
                    Witness(
                        Role.IDENTIFIER,
                        "neighbors",
                        said,
                        Agreement.ONE_MEANING,
                        2,
                        records=held,
                        of=column.known,
                    ),
                )
                break


def _may_refer(column: CountedColumn, decision: Decision) -> bool:
    """Return whether a column may hold other records' identifiers."""
    chosen = decision.chosen
    is_declared = chosen is not None and chosen.agreement is Agreement.WHOLE_AND_VALUES
    is_able = column.type in {"text", "integer"} and column.is_whole and not are_dates(column)
    return is_able and not is_declared and column.distinct >= min(FEWEST_REFERENCES, column.known)


def _are_ids_of(column: CountedColumn, ids: CountedColumn) -> bool:
    """Return whether equal values are no chance: long ones, or a name that leads to others."""
    leads = {part for parts in readings_of(column.name) for part in parts} & OF_OTHERS
    if leads:
        return True
    lengths = [len(text) for text in ids.read]
    is_long = sum(lengths) >= LONG_IDS * len(lengths)
    if ids.numbers is None:
        return is_long and any(mark.isdigit() for text in ids.read[:9] for mark in text)
    return False


def _behind_addresses(table: NamedColumns) -> Iterator[tuple[int, Witness]]:
    """Find what stands behind a street or a postal code."""
    for place in table.open_places:
        if not place:
            continue
        before, column = table.columns[place - 1], table.columns[place]
        chosen = table.alone[place - 1].chosen
        if chosen is None:
            continue
        is_street = chosen.answer is Role.IDENTIFIER and any(
            match.meaning.name == ADDRESS for match in before.matches
        )
        is_named = any(set(parts) <= OF_HOUSES for parts in readings_of(column.name))
        if is_street and is_named:
            said = sentence(
                "behind-street",
                'It stands behind "{column}", as the number of a house or a flat does.',
                column=before.name,
            )
            yield place, _said(Role.IDENTIFIER, said, Agreement.NEIGHBORS)
        are_names = column.type == "text" and share_like(is_like_a_name, column.read) >= MOSTLY
        is_code = chosen.kind == PLACE and before.known > 0 and _is_code(before.texts[0])
        if is_code and are_names:
            said = sentence(
                "behind-code",
                'It stands behind "{column}", and has words with a capital, as towns have.',
                column=before.name,
            )
            yield place, _said(Role.QUASI_IDENTIFIER, said, Agreement.NEIGHBORS, 2, PLACE)


def _is_code(text: str) -> bool:
    """Return whether a value is a postal code rather than the number of a district."""
    return sum(map(str.isdigit, text)) >= LONG_IDS


def _said(
    answer: Role, text: CodedText, agreement: Agreement, rank: int = 1, kind: str = ""
) -> Witness:
    """Return a witness of the neighbors."""
    return Witness(answer, "neighbors", text, agreement, rank, kind)


def _twins(table: NamedColumns) -> Iterator[tuple[int, Witness]]:
    """Find names that are a known word with a letter or two before it, as those of others are."""
    cores = {
        place: dict(_cores(column.name))
        for place, column in enumerate(table.columns)
        if len(readings_of(column.name)) and not column.matches
    }
    known = {column.name.lower() for column in table.columns}
    for place in table.open_places:
        for mark, match in cores.get(place, {}).items():
            others = [one for other, one in cores.items() if other != place]
            is_twin = match.word in known or any(
                mark in one or any(m.word == match.word for m in one.values()) for one in others
            )
            column = table.columns[place]
            found = TESTS[match.meaning.test](column)
            if is_twin and found:
                said = sentence(
                    "twin",
                    'The name is "{word}" with another letter, as that of another column is: '
                    "{meaning}.",
                    word=match.word,
                    meaning=match.meaning.name,
                )
                yield (
                    place,
                    _said(
                        Role(match.meaning.role),
                        said,
                        Agreement.PART_AND_VALUES if found == AGREES else Agreement.HINT,
                        match.meaning.rank,
                        match.meaning.kind,
                    ),
                )
                break


def _cores(name: str) -> Iterator[tuple[str, Match]]:
    """Yield marks of one or two letters before a name, and what the rest of it means."""
    for length in range(1, LONGEST_MARK + 1):
        mark, core = name[:length].lower(), name[length:]
        if len(core) >= 3 and mark.isalpha():  # noqa: PLR2004 - letters of the shortest word
            whole = [match for match in vocabulary().matches(core) if match.alone]
            sure = [match for match in whole if match.meaning.sure and not match.is_doubtful]
            if sure and sure[0].meaning.role != Role.UNDECIDED.value:
                yield mark, sure[0]


def _blocks(table: NamedColumns) -> Iterator[tuple[int, Witness]]:
    """Find five neighbors and more with one set of values, whose names say nothing whole."""
    for run in _runs(table):
        columns = [table.columns[place] for place in run]
        if any(_hints_at_known(table.facts[place]) for place in run):
            continue
        if is_yes_no(columns[0]) and table.share_of_health < SOME_HEALTH:
            continue
        said = sentence(
            "block",
            "{count} columns beside one another have the same few answers, as a block of "
            "questions has, and answers are told in confidence.",
            count=len(run),
        )
        for place in run:
            yield place, _said(Role.SENSITIVE, said, Agreement.LIKE_COLUMNS)


def _families(table: NamedColumns) -> Iterator[tuple[int, Witness]]:
    """Find names that begin as those of two decided columns with one meaning and such values."""
    firsts: dict[str, list[int]] = {}
    for place, column in enumerate(table.columns):
        parts = readings_of(column.name)[:1]
        if parts and len(parts[0]) > 1:
            firsts.setdefault(parts[0][0], []).append(place)
    for some in firsts.values():
        known = [place for place in some if table.alone[place].chosen is not None]
        meanings = {_meaning_of(table.columns[place]) for place in known}
        if len(known) < 2 or len(meanings) != 1 or None in meanings:  # noqa: PLR2004 - several
            continue
        like, chosen = table.columns[known[0]], table.alone[known[0]].chosen
        for place in some:
            column = table.columns[place]
            is_open = table.alone[place].chosen is None and not column.matches
            if is_open and chosen is not None and frozenset(column.texts) == frozenset(like.texts):
                said = sentence(
                    "family",
                    'Its name begins as that of "{column}" does, and its values are the same.',
                    column=like.name,
                )
                yield (
                    place,
                    _said(chosen.answer, said, Agreement.NEIGHBORS, chosen.rank, chosen.kind),
                )


def _meaning_of(column: CountedColumn) -> str | None:
    """Return the one meaning of a name; None for others."""
    names = {match.meaning.name for match in column.matches}
    return next(iter(names)) if len(names) == 1 else None


def _marks(table: NamedColumns) -> Iterator[tuple[int, Witness]]:
    """Find five neighbors and more with numbers up to a hundred, as the marks of a school are."""
    run: list[int] = []
    for place in [*range(len(table.columns)), -1]:
        is_open = place >= 0 and table.alone[place].chosen is None
        if is_open and _are_marks(table.columns[place]):
            run.append(place)
            continue
        if len(run) >= BLOCK:
            said = sentence(
                "marks",
                "{count} columns beside one another have numbers up to a hundred, as marks or "
                "scores have, which judge the person.",
                count=len(run),
            )
            for one in run:
                yield one, _said(Role.SENSITIVE, said, Agreement.LIKE_COLUMNS)
        run = []


def _are_marks(column: CountedColumn) -> bool:
    """Return whether numbers can be marks out of a hundred."""
    numbers = column.numbers
    if numbers is None or len(numbers) <= 2 or column.follows_rows:  # noqa: PLR2004 - yes and no
        return False
    is_high = HALF_OF_MARKS < numbers[-1] <= HIGHEST_MARK
    return bool(numbers[0] >= LEAST_MARK and is_high and np.median(numbers) >= HALF_OF_MARKS)


def _hints_at_known(facts: Sequence[Witness]) -> bool:
    """Return whether a name speaks of something that others know."""
    return any(
        one.answer is Role.QUASI_IDENTIFIER and one.family == "name" and not one.is_against
        for one in facts
    )


def _runs(table: NamedColumns) -> Iterator[list[int]]:
    """Yield places of neighboring open columns with the same values."""
    run: list[int] = []
    before: frozenset[str] | None = None
    for place in [*range(len(table.columns)), -1]:
        column = table.columns[place]
        values = frozenset(column.texts) if column.distinct <= MOST_ANSWERS_OF_SCALE else None
        is_open = place >= 0 and table.alone[place].chosen is None and values is not None
        if is_open and before is not None and _are_alike(values or frozenset[str](), before):
            run.append(place)
            before = before | (values or frozenset[str]())
            continue
        if len(run) >= BLOCK:
            yield run
        run, before = ([place], values) if is_open and column.distinct > 1 else ([], None)


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether two sets of answers are one scale, of which one answer may not be given."""
    return len(one ^ other) <= (1 if min(len(one), len(other)) > 3 else 0)  # noqa: PLR2004 - answers of a scale


def _answers(table: NamedColumns) -> Iterator[tuple[int, Witness]]:
    """Find questions with few answers."""
    for place in table.open_places:
        column = table.columns[place]
        is_question = NameOfColumn(column).is_question
        if is_question and 1 < column.distinct <= MOST_ANSWERS and not are_dates(column):
            said = sentence(
                "answers",
                "The name is a question with {count:,} answers, told in confidence.",
                count=column.distinct,
            )
            yield place, _said(Role.SENSITIVE, said, Agreement.ANSWERS)


def _in_health(table: NamedColumns) -> Iterator[tuple[int, Witness]]:
    """Find few values in a table of which much tells of health."""
    if table.share_of_health < MUCH_HEALTH:
        return
    for place in table.open_places:
        column = table.columns[place]
        is_coded = column.numbers is not None and column.distinct <= FEW_ANSWERS
        is_item = QUESTIONNAIRE_ITEM.fullmatch(column.name) is not None
        is_time = bool(NameOfColumn(column).parts & TIMES)
        if (
            (is_yes_no(column) or is_coded)
            and not (is_item or is_time)
            and not _hints_at_known(table.facts[place])
        ):
            said = sentence(
                "in-health", "It has few values in a table of which much tells of health."
            )
            yield place, _said(Role.SENSITIVE, said, Agreement.IN_HEALTH)
