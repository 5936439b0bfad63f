"""What the name of a column says, held against its values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from indistinct.base.coded_text import CodedText, sentence
from indistinct.tables.core.schema import Role
from indistinct.tables.drafting.counted_column import CountedColumn
from indistinct.tables.drafting.evidence.calculus import Agreement, Witness
from indistinct.tables.drafting.evidence.value_tests import (
    AGREES,
    CONTRADICTS,
    TESTS,
    age,
    are_dates,
    coordinates,
    time_of_something,
)
from indistinct.tables.drafting.vocabulary import Match, readings_of, vocabulary

DATE_KIND, NUMBER_KIND, PLACE_KIND = "date", "number", "place"
LETTERS_OF_MANY = 2
SHORT = 4  # letters of a word that may be one of many languages
LONG_NAME = 5  # words of a name that is a question
AGES = frozenset({"age", "alter", "edad", "wiek", "idade", "umur", "usia"})
TIMES = frozenset(
    {"year", "yr", "date", "datum", "month", "day", "jahr", "annee", "ano", "anno", "fecha", "data",
     "rok", "tahun", "anio", "ev", "yob", "wk", "week", "weeks", "mes", "mois", "monat", "tanggal",
     "weekday", "time"}
)  # fmt: skip
ENDS_OF_TIMES = ("jahr", "datum", "year", "date", "年", "年月", "月日")
COORDINATES = frozenset(
    {"lat", "latitude", "lon", "lng", "longitude", "easting", "northing", "utm", "hochwert",
     "rechtswert"}
)  # fmt: skip
# What a name or a number is of, if it is no person's.
THINGS = frozenset(
    {"clinic", "school", "company", "team", "tract", "county", "test", "product", "hospital",
     "file", "item", "brand", "shop", "store", "station", "device", "course", "drug", "country",
     "city", "state", "region", "district", "event", "project", "plan", "program", "category",
     "escuela", "empresa", "equipo", "producto", "schule", "firma", "ecole", "scuola", "skola",
     "sekolah", "iskola", "escola", "party", "partido", "village", "street", "university"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SpokenLanguages:
    """The languages that the names of a table's columns are in.

    Parameters
    ----------
    found : those of which a long word was found; None takes every word of every language
    """

    found: frozenset[str] | None = None

    @classmethod
    def of(cls, columns: Sequence[CountedColumn]) -> SpokenLanguages:
        """Find the languages of which a column's name has a word of more than four letters."""
        return cls(
            frozenset(
                language
                for column in columns
                for match in column.matches
                if len(match.word) > SHORT or not match.word.isascii()
                for language in match.languages
            )
        )

    def has(self, match: Match) -> bool:
        """Return whether a word counts: short ones only where another column speaks so."""
        is_short = bool(match.languages) and len(match.word) <= SHORT and match.word.isascii()
        return not is_short or self.found is None or bool(match.languages & self.found)


@dataclass(frozen=True, slots=True)
class NameOfColumn:
    """The words of a name that have a meaning, and what else the name is.

    Parameters
    ----------
    matches : those that count
    is_question : whether it is a sentence, whose words say little alone
    """

    column: CountedColumn
    matches: tuple[Match, ...] = field(default=())

    @property
    def is_question(self) -> bool:
        """Whether the name is a question or a sentence."""
        name = self.column.name
        return name.rstrip().endswith("?") or len(name.split()) >= LONG_NAME

    @property
    def parts(self) -> frozenset[str]:
        """The parts of the name, in every reading of it."""
        return frozenset(part for parts in readings_of(self.column.name) for part in parts)


def fits(column: CountedColumn, match: Match) -> bool:
    """Return whether numbers lie in the range that a meaning has."""
    meaning, numbers = match.meaning, column.numbers
    if meaning.fits is None or numbers is None or not len(numbers):
        return True
    least, greatest = meaning.fits
    return bool(numbers[0] >= least and numbers[-1] <= greatest)


def tested(column: CountedColumn, match: Match) -> int:
    """Hold the values of a column against a meaning of its name."""
    if not fits(column, match):
        return CONTRADICTS
    parts = {part for parts in readings_of(column.name) for part in parts}
    if match.meaning.kind == PLACE_KIND and parts & COORDINATES:
        return coordinates(column)
    return TESTS[match.meaning.test](column)


def of_names(name: NameOfColumn) -> Iterator[Witness]:
    """Yield what the words of a name speak for, and what its values contradict."""
    column = name.column
    deciding = _without_covered(name.matches)
    has_head = any(match.is_head and tested(column, match) == AGREES for match in deciding)
    has_time = _speaks_of_time(name) or bool(name.parts & AGES) or are_dates(column)
    for match in deciding:
        if match.meaning.role == Role.UNDECIDED.value:
            continue
        found = tested(column, match)
        role = Role(match.meaning.role)
        if role is Role.SENSITIVE and are_dates(column):
            yield _date_of(match)
            continue
        if found == CONTRADICTS:
            yield Witness(role, "values", _but(match), is_against=True)
            continue
        if match.meaning.alone and not match.whole and found != AGREES:
            continue
        is_part_of_time = has_time and role is Role.SENSITIVE
        says_more = has_head and not match.is_head and not match.whole
        yield _speaks(name, match, found, is_part=is_part_of_time or says_more)
    if time := _part_of_time(name, deciding):
        yield time


def _speaks_of_time(name: NameOfColumn) -> bool:
    """Return whether a part of a name is a word for a time, or ends with one."""
    parts = (*name.parts, name.column.name.lower())
    return bool(name.parts & TIMES) or any(part.endswith(ENDS_OF_TIMES) for part in parts)


def _speaks(name: NameOfColumn, match: Match, found: int, *, is_part: bool) -> Witness:
    """Return how strongly a word speaks for its meaning."""
    is_whole = match.whole and not match.is_doubtful and not name.is_question and not is_part
    is_whole = is_whole and match.place == "name" and not _is_of_a_thing(name, match)
    agrees = found == AGREES
    # Two letters alone are an abbreviation of many things.
    is_short = match.alone and match.word.isascii() and len(match.word) <= LETTERS_OF_MANY
    is_whole = is_whole and (agrees or not is_short)
    if is_whole:
        is_sure = match.meaning.sure and agrees
        agreement = Agreement.WHOLE_AND_VALUES if is_sure else Agreement.WHOLE
    elif is_part or name.is_question or _is_of_a_thing(name, match):
        agreement = Agreement.HINT
    elif agrees:
        agreement = Agreement.PART_AND_VALUES
    elif match.is_head and match.meaning.sure and not match.is_doubtful and not is_short:
        agreement = Agreement.WHOLE
    else:
        agreement = Agreement.HINT
    kind = DATE_KIND if are_dates(name.column) else match.meaning.kind
    return Witness(
        Role(match.meaning.role),
        "dictionary" if match.place == "label" else "name",
        contains(match),
        agreement,
        match.meaning.rank,
        kind,
    )


def _date_of(match: Match) -> Witness:
    """Return that a date of something sensitive is a date."""
    said = _about(match, "date-of", ", but its values are dates, which others may know.")
    return Witness(Role.QUASI_IDENTIFIER, "values", said, Agreement.PART_AND_VALUES, 2, DATE_KIND)


def _part_of_time(name: NameOfColumn, deciding: Sequence[Match]) -> Witness | None:
    """Return that a name speaks of an age, a year or a date, and its values can be that."""
    column, parts = name.column, name.parts
    is_taken = any(match.meaning.role == Role.QUASI_IDENTIFIER.value for match in deciding)
    if is_taken and any(tested(column, match) == AGREES for match in deciding):
        return None
    is_age = bool(parts & AGES) and age(column) == AGREES
    is_time = _speaks_of_time(name) and time_of_something(column) == AGREES
    if not is_age and not is_time:
        return None
    what, kind = ("an age", NUMBER_KIND) if is_age else ("a date or a year", DATE_KIND)
    said = sentence(
        "part-of-time",
        "A part of the name says that it is {what}, and its values can be that.",
        what=what,
    )
    has_sensitive = any(match.meaning.role == Role.SENSITIVE.value for match in deciding)
    agreement = Agreement.HINT if has_sensitive else Agreement.PART_OF_TIME
    return Witness(Role.QUASI_IDENTIFIER, "name", said, agreement, 2, kind)


def _is_of_a_thing(name: NameOfColumn, match: Match) -> bool:
    """Return whether a name or a number is that of a thing."""
    is_person = match.meaning.role == Role.IDENTIFIER.value
    return (
        is_person
        and bool(name.parts & THINGS)
        and not vocabulary().is_of_a_person(name.column.name)
    )


def _without_covered(matches: Sequence[Match]) -> list[Match]:
    """Leave out words that stand within a longer one, or within that of a place."""
    longest = {match.word for match in matches}
    places = {match.word for match in matches if match.meaning.kind == PLACE_KIND and match.whole}
    return [
        match
        for match in matches
        if (match.meaning.kind == PLACE_KIND or match.word not in places)
        and not any(other != match.word and _stands_within(match.word, other) for other in longest)
    ]


def _stands_within(word: str, other: str) -> bool:
    """Return whether the parts of a word are parts of a longer one."""
    parts, others = word.split(), other.split()
    return len(parts) < len(others) and any(
        others[start : start + len(parts)] == parts for start in range(len(others))
    )


def contains(match: Match) -> CodedText:
    """Return in words which part of a name has which meaning."""
    return _about(match, "means", ".")


def _about(match: Match, code: str, ending: str) -> CodedText:
    """Return which part of a name means what; its meaning where the reason does not say it."""
    meaning = match.meaning
    says_it = meaning.role in {Role.IDENTIFIER.value, Role.SENSITIVE.value} and meaning.sure
    code, what = (f"{code}-that", "") if says_it else (code, ": {meaning}")
    english = '{where} "{word}"' + what + ", {why}" + ending
    return sentence(
        code, english, where=_where(match), word=match.word, meaning=meaning.name, why=meaning.why
    )


def _where(match: Match) -> str:
    """Begin a sentence with where a word stands."""
    return f"The {match.place} {'is' if match.alone else 'contains'}"


def _but(match: Match) -> CodedText:
    """Return in words that the values contradict a word of the name."""
    return sentence(
        "means-not",
        '{where} "{word}", but its values are not {meaning}.',
        where=_where(match),
        word=match.word,
        meaning=match.meaning.name,
    )
