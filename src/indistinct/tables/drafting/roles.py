"""From the evidence of one column to a role, a confidence and a sentence of reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from indistinct.tables.core.schema import Role
from indistinct.tables.drafting.counted_column import UNSURE_NUMBERS, CountedColumn
from indistinct.tables.drafting.value_words import meaning_of_values
from indistinct.tables.drafting.values import ALMOST_ALL, are_sexes, is_like_a_name, share_like
from indistinct.tables.drafting.vocabulary import Match, Meaning, vocabulary

Confidence = Literal["high", "medium", "low"]

FEW = 20  # values that a column of names or addresses has at least
CODES = 60  # values that a list of codes has at most
MANY_REPEATS = 8  # of none where so many are expected: once in 3,000 columns
GLUED = ("id", "no", "nr", "nbr", "num", "key", "ref")  # ends of names, written in one word
LONG_CODES = 3  # codes longer than this on average are no list of categories
MANY_WORDS, MANY_SHARE = 100, 0.02  # more than categories have
LARGE = 1_000  # least number that is assigned and not counted
FEW_RECORDS = 10  # below which nearly unique says little
SET_KIND = "set"
GROUP = "household"
DATES, SEXES = "dates", "words for the sexes"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What a column probably is.

    Parameters
    ----------
    role : suggested; ``undecided`` where the evidence is weak
    confidence : ``low`` for undecided columns only
    reason : a sentence, without any value of a record
    rank : how commonly others know it, or how much harm its disclosure does; 1 to 3
    kind : what its values are: ``number``, ``nominal``, ``date``, ``place``, ``set``, or empty
    likely : for an undecided column the role that the evidence leans to; else the role
    is_hidden : whether a quasi-identifier is hidden, since others know enough others more commonly
    """

    role: Role
    confidence: Confidence
    reason: str
    rank: int = 1
    kind: str = ""
    likely: Role | None = None
    is_hidden: bool = False


def suggest(column: CountedColumn) -> Suggestion:
    """Suggest the role of a column by the first rule that has something to say of it."""
    found = (rule(column) for rule in RULES)
    return next((one for one in found if one is not None), UNKNOWN)


UNKNOWN = Suggestion(Role.UNDECIDED, "low", "Neither its name nor its values say what it is.")


def _one_value(column: CountedColumn) -> Suggestion | None:
    """Find columns that tell nobody from anybody."""
    if column.distinct > 1 or (column.distinct == 1 and column.missing and column.known > 1):
        return None
    if column.distinct == 1 and column.missing:
        return None
    said = "It has one value only." if column.distinct else "It has no value at all."
    return Suggestion(Role.INSENSITIVE, "high", said)


def _odd_cells(column: CountedColumn) -> Suggestion | None:
    """Find cells that no rule generalizes: bytes, lists and records."""
    if not column.is_odd or column.form is None:
        return None
    return Suggestion(Role.IDENTIFIER, "medium", "Anything may stand in its cells.")


def _values_of_people(column: CountedColumn) -> Suggestion | None:
    """Find values that give one person away, whatever the name of their column."""
    if column.like_people is None or not _are_many(column):
        return None
    # Numbers of eleven digits pass the check digit by chance once in ten times, not nearly always.
    said = f"Its values are {column.like_people}, each of which leads to one person."
    return Suggestion(Role.IDENTIFIER, "high", said, rank=2)


def _lists_of_items(column: CountedColumn) -> Suggestion | None:
    """Find lists of items: diagnoses, purchases, places."""
    found = column.sets
    if found is None or _of_role(column, Role.IDENTIFIER) is not None:
        return None
    if found.of_people:
        said = f"Its cells are lists of {found.of_people}, each of which leads to one person."
        return Suggestion(Role.IDENTIFIER, "high", said, rank=2)
    form = "lists" if found.are_lists else f'lists with "{found.separator}" between the items'
    codes = f" The items are codes of {found.codes}, the classification of diseases."
    said = (
        f"Its cells are {form}, with {found.mean:.1f} of {len(found.records):,} items on average, "
        f"and who knows two items of a person often finds the record.{codes if found.codes else ''}"
    )
    return Suggestion(Role.QUASI_IDENTIFIER, "medium", said, 2, SET_KIND)


def _free_text(column: CountedColumn) -> Suggestion | None:
    """Find sentences, in which anything may stand."""
    if not column.is_free_text:
        return None
    said = (
        f"It is free text ({column.uniqueness:.0%} of the values differ), which can name people "
        "and which cannot be generalized."
    )
    return Suggestion(Role.IDENTIFIER, "high", said)


def _named_as_identifier(column: CountedColumn) -> Suggestion | None:
    """Find names, addresses and official numbers by the name of the column and enough values."""
    match = _of_role(column, Role.IDENTIFIER)
    if match is None or column.like == DATES or column.type in {"boolean", "number"}:
        return None
    if not _are_many(column):
        return None
    said = f"{_contains(match)}, and it has {column.distinct:,} different values."
    return Suggestion(Role.IDENTIFIER, "high", said, rank=3)


def _numbering(column: CountedColumn) -> Suggestion | None:
    """Find numbers of people and records: nearly unique, or repeated by the records of a person."""
    are_assigned = column.is_nearly_unique or _are_large(column)
    word = vocabulary().numbers_things(column.name, may_count=are_assigned)
    if word is None or column.type in {"boolean", "date", "number"} or column.like == DATES:
        return None
    said = f'The name contains "{word}", and {column.uniqueness:.0%} of its values differ'
    if column.is_nearly_unique and column.known >= 2:  # noqa: PLR2004 - one value says nothing
        return Suggestion(Role.IDENTIFIER, "high", f"{said}, so that it numbers records or people.")
    of_people = vocabulary().is_of_a_person(column.name)
    if column.distinct > (FEW if of_people else max(CODES, 0.02 * column.known)) and (
        of_people or all(match.meaning.rank == 1 for match in column.matches)
    ):
        whose = f"a {GROUP}" if vocabulary().is_of_a_household(column.name) else "a person"
        repeats = f"{said}: its numbers repeat, as those of {whose} with several records do."
        return Suggestion(Role.IDENTIFIER, "high" if of_people else "medium", repeats, rank=2)
    return None


def _numbers_the_rows(column: CountedColumn) -> Suggestion | None:
    """Find columns that give the order of the input away."""
    if not column.follows_rows or column.like == DATES:
        return None
    said = "Its values number the records, and so give the order of the input away."
    return Suggestion(Role.IDENTIFIER, "high", said)


def _named_as_sensitive(column: CountedColumn) -> Suggestion | None:
    """Find what must not be learned of a person; it comes before what others may know."""
    match = _of_role(column, Role.SENSITIVE)
    if match is None or _names_a_place(column, match):
        return None
    if column.like == DATES:
        said = f"{_contains(match)}, but its values are dates, which others may know."
        return Suggestion(Role.QUASI_IDENTIFIER, "medium", said, 2, "date")
    return Suggestion(
        Role.SENSITIVE,
        "high" if match.whole and match.meaning.rank > 1 else "medium",
        f"{_contains(match)}.",
        match.meaning.rank,
    )


def _named_as_known(column: CountedColumn) -> Suggestion | None:
    """Find what others may know of a person."""
    match = _of_role(column, Role.QUASI_IDENTIFIER)
    if match is None:
        return None
    kind = DATE_KIND if column.like == DATES else match.meaning.kind
    return Suggestion(
        Role.QUASI_IDENTIFIER,
        "high" if match.whole and match.meaning.rank > 1 else "medium",
        f"{_contains(match)}.",
        match.meaning.rank,
        kind,
    )


DATE_KIND = "date"


def _names_a_place(column: CountedColumn, match: Match) -> bool:
    """Return whether a name with a sensitive word is that of a place, such as a health board."""
    known = _of_role(column, Role.QUASI_IDENTIFIER)
    if known is None or known.meaning.kind != "place" or known.place != match.place:
        return False
    return not match.whole or known.whole


def _read(column: CountedColumn) -> str:
    """Name what tells what a column is: its values, or the labels that a file gives them."""
    return "labels" if column.value_labels else "values"


def _words_of_values(column: CountedColumn) -> Suggestion | None:
    """Find what the values, or their labels, are words for."""
    if column.type != "text" and not column.value_labels:
        return None
    found = meaning_of_values(column.meanings)
    if found is None:
        return None
    said = f"Its {_read(column)} are words for {found.name}, {found.why}."
    return Suggestion(found.role, "medium", said, found.rank, found.kind)


def _values_of_things(column: CountedColumn) -> Suggestion | None:
    """Find sexes, dates, postcodes and codes of diseases by the values alone."""
    if (column.type == "text" or column.value_labels) and are_sexes(column.meanings[:FEW]):
        said = f"Its {_read(column)} are {SEXES}, which everybody who meets a person knows."
        return Suggestion(Role.QUASI_IDENTIFIER, "high", said, 3, "nominal")
    if column.like == DATES:
        said = "Its values are dates, and others may know what happened when."
        return Suggestion(Role.QUASI_IDENTIFIER, "medium", said, 2, "date")
    if column.distinct < FEW:
        return None
    if column.like == "codes of ICD-10" and len({text[0] for text in column.texts}) >= 5:  # noqa: PLR2004 - chapters
        said = "Its values are codes of ICD-10, the classification of diseases."
        return Suggestion(Role.SENSITIVE, "medium", said, 3)
    if column.like in {"postcodes", "codes of NUTS"} and not column.is_nearly_unique:
        said = f"Its values look like {column.like}, and neighbors know where a person lives."
        return Suggestion(Role.QUASI_IDENTIFIER, "medium", said, 3, "place")
    return None


def _unique_values(column: CountedColumn) -> Suggestion | None:
    """Find texts and codes that nearly all differ, although nothing is known of them."""
    if not column.is_nearly_unique or column.known < FEW_RECORDS:
        return None
    said = f"{column.uniqueness:.0%} of its values differ, so that each leads to one record"
    if column.type == "text" and column.like != UNSURE_NUMBERS:
        return Suggestion(Role.IDENTIFIER, "medium", f"{said}.")
    if column.type == "integer":
        by_chance = _repeats_by_chance(column)
        if column.distinct == column.known and by_chance >= MANY_REPEATS:
            drawn = f"none repeats, while as many random numbers would about {by_chance:.0f} times"
            return Suggestion(Role.IDENTIFIER, "medium", f"{said}; {drawn}.")
        # Numbers that repeat about as often as random ones do are measured, not assigned.
        is_measured = column.known - column.distinct <= MANY_REPEATS * by_chance
        if _are_of_one_length(column) and (column.distinct == column.known or not is_measured):
            return Suggestion(Role.IDENTIFIER, "medium", f"{said}, and all have one length.")
        if column.distinct == column.known and _ends_as_a_number_does(column.name):
            return Suggestion(Role.IDENTIFIER, "medium", f"{said}, and its name ends as those do.")
    said = f"{said}; it may be a number of the record or a measurement."
    return Suggestion(Role.UNDECIDED, "low", said, likely=Role.IDENTIFIER)


def _like_names(column: CountedColumn) -> Suggestion | None:
    """Find many words with capitals of which nothing is known: names of people look like this."""
    many = column.distinct >= max(MANY_WORDS, MANY_SHARE * column.known)
    if column.type != "text" or not many or share_like(is_like_a_name, column.read) < ALMOST_ALL:
        return None
    said = f"Its {column.distinct:,} values are words with a capital, as names of people are."
    return Suggestion(Role.IDENTIFIER, "medium", said)


def _hinted(column: CountedColumn) -> Suggestion | None:
    """Find names that say something, but not enough."""
    fitting = [match for match in column.matches if _fits(column, match.meaning)]
    hints = [match for match in fitting if not match.meaning.sure]
    if not hints:
        return None
    hint = min(hints, key=lambda match: match.meaning.role != Role.UNDECIDED)
    if hint.meaning.role == Role.UNDECIDED:
        return Suggestion(Role.UNDECIDED, "low", f"{_contains(hint)}.", hint.meaning.rank)
    kind = DATE_KIND if column.like == DATES else hint.meaning.kind
    return Suggestion(
        Role(hint.meaning.role), "medium", f"{_contains(hint)}.", hint.meaning.rank, kind
    )


def _few_names(column: CountedColumn) -> Suggestion | None:
    """Find names that promise people, over fewer values than people have."""
    match = _of_role(column, Role.IDENTIFIER)
    if match is None:
        return None
    said = f"{_contains(match)}, but it has {column.distinct:,} different values only."
    return Suggestion(Role.UNDECIDED, "low", said, likely=Role.IDENTIFIER)


def _designed(column: CountedColumn) -> Suggestion | None:
    """Find variables of a survey's design, whose names often hold a word of another meaning."""
    match = next((m for m in column.matches if m.meaning.role == Role.UNDECIDED.value), None)
    is_number = column.numbers is not None
    if match is None or not is_number:
        return None
    return Suggestion(Role.UNDECIDED, "low", f"{_contains(match)}.")


RULES: tuple[Callable[[CountedColumn], Suggestion | None], ...] = (
    _odd_cells,
    _one_value,
    _values_of_people,
    _lists_of_items,
    _free_text,
    _named_as_identifier,
    _numbering,
    _designed,
    _numbers_the_rows,
    _named_as_sensitive,
    _named_as_known,
    _values_of_things,
    _words_of_values,
    _unique_values,
    _like_names,
    _hinted,
    _few_names,
)


def _of_role(column: CountedColumn, role: Role) -> Match | None:
    """Return the meaning of a role that the name has: whole names first, then the highest rank."""
    found = [
        match
        for match in column.matches
        if match.meaning.role == role.value and match.meaning.sure and _fits(column, match.meaning)
    ]
    return max(found, key=lambda m: (m.whole, len(m.word.split()), m.meaning.rank), default=None)


def _fits(column: CountedColumn, meaning: Meaning) -> bool:
    """Return whether the values of a column can be what its name says."""
    if meaning.kind == DATE_KIND and column.like != DATES:
        is_year = column.type == "integer" and meaning.rank == 3  # noqa: PLR2004 - of a birth
        return is_year or (meaning.rank == 3 and column.type == "text")  # noqa: PLR2004 - of a birth
    if meaning.fits is None or column.numbers is None or not len(column.numbers):
        return True
    least, greatest = meaning.fits
    return bool(column.numbers[0] >= least and column.numbers[-1] <= greatest)


def _are_many(column: CountedColumn) -> bool:
    """Return whether a column has as many values as names or addresses have."""
    return column.distinct >= min(FEW, max(2, column.known // 2))


def _are_large(column: CountedColumn) -> bool:
    """Return whether whole numbers are too large to count anything that a person has."""
    numbers = column.numbers
    return numbers is not None and len(numbers) > FEW and bool(numbers[0] >= LARGE)


def _repeats_by_chance(column: CountedColumn) -> float:
    """Expect how often values repeat in as many whole numbers, evenly spread over their range.

    Numbers that are measured repeat at least as often, since they are not spread evenly; numbers
    that were assigned to records, each to one, do not.
    """
    if column.numbers is None or not len(column.numbers):
        return 0.0
    width = float(column.numbers[-1] - column.numbers[0]) + 1
    return column.known * (column.known - 1) / 2 / width


def _ends_as_a_number_does(name: str) -> bool:
    """Return whether a name ends like that of a number of records, such as ``custno``."""
    return name.lower().endswith(GLUED)


def _are_of_one_length(column: CountedColumn) -> bool:
    """Return whether whole numbers have one number of digits, and many of them."""
    lengths = {len(text) for text in column.read}
    return len(lengths) == 1 and max(lengths) > LONG_CODES


def _contains(match: Match) -> str:
    """Begin the sentence of a reason with the word that was found."""
    where = f"The {match.place} {'is' if match.alone else 'contains'}"
    return f'{where} "{match.word}"{_what(match.meaning)}, {match.meaning.why}'


def _what(meaning: Meaning) -> str:
    """Return what a column of a meaning holds, where the end of the sentence does not say it."""
    says_it = meaning.role in {Role.IDENTIFIER.value, Role.SENSITIVE.value} and meaning.sure
    return "" if says_it else f": {meaning.name}"
