"""What the values of a column say, and their shape."""

from __future__ import annotations

import re
from collections.abc import Iterator

from indistinct.base.coded_text import CodedText, joined, sentence
from indistinct.tables.core.schema import Role
from indistinct.tables.drafting.counted_column import UNSURE_NUMBERS, CountedColumn
from indistinct.tables.drafting.evidence.calculus import Agreement, Family, Witness
from indistinct.tables.drafting.evidence.of_names import THINGS
from indistinct.tables.drafting.evidence.value_tests import (
    are_dates,
    are_decimals,
    are_names_of_times,
    are_places,
    are_sides,
    is_yes_no,
)
from indistinct.tables.drafting.value_words import meaning_of_values
from indistinct.tables.drafting.values import (
    ALMOST_ALL,
    EMAIL,
    MOST_READ,
    PHONE,
    SSN,
    are_sexes,
    is_amount,
    is_like_a_name,
    share_like,
)
from indistinct.tables.drafting.vocabulary import readings_of, vocabulary

FEW = 20  # values that a column of names or addresses has at least
CODES = 60  # values that a list of codes has at most
MANY_REPEATS = 8  # of none where so many are expected: once in 3,000 columns
GLUED = ("id", "no", "nr", "nbr", "num", "key", "ref")  # ends of names, written in one word
LONG_CODES = 3  # codes longer than this on average are no list of categories
MANY_WORDS, MANY_SHARE = 100, 0.02  # more than categories have
LARGE = 1_000  # least number that is assigned and not counted
FEW_RECORDS = 10  # below which nearly unique says little
CHAPTERS = 5  # of a classification, that codes of it lie in
SET_KIND = "set"
MAY_MEASURE = "unique-integers"
# What leads to a person within a longer text.
INSIDE = {
    "e-mail addresses": re.compile(rf"(?<![^\s<(:;,]){EMAIL.pattern}"),
    "telephone numbers": re.compile(rf"(?<![\w.,/-])(?:{PHONE.pattern})(?![\w/-])"),
    "social security numbers": re.compile(rf"(?<![\w-])(?:{SSN.pattern})(?![\w-])"),
}
FEWEST_PLACES, MOSTLY = 5, 0.8
SHARE_INSIDE, FEWEST_INSIDE = 0.02, 2
MOST_DIFFERENT, MANY_DIFFERENT = 0.5, 0.3


def certain(column: CountedColumn) -> Witness | None:
    """Return the fact that decides whatever the name says; None where there is none."""
    found = (
        rule(column)
        for rule in (
            _odd_cells,
            _one_value,
            _values_of_people,
            _lists_of_items,
            _free_text,
            _people_inside,
        )
    )
    return next((one for one in found if one is not None), None)


def of_values(column: CountedColumn) -> Iterator[Witness]:
    """Yield what the values of a column speak for."""
    for rule in (
        _numbering,
        _numbers_the_rows,
        _sexes,
        _dates,
        _codes,
        _words_of_values,
        _sides,
        _places_and_times,
        _amounts,
        _unique_values,
        _like_names,
    ):
        if (found := rule(column)) is not None:
            yield found


def _fact(  # noqa: PLR0913, PLR0917 - a witness has as many parts
    answer: Role,
    family: Family,
    text: CodedText,
    agreement: Agreement,
    rank: int = 1,
    kind: str = "",
) -> Witness:
    """Return a witness for an answer."""
    return Witness(answer, family, text, agreement, rank, kind)


def _odd_cells(column: CountedColumn) -> Witness | None:
    """Find cells that no rule generalizes: bytes, lists and records."""
    if not column.is_odd or column.form is None:
        return None
    said = sentence("odd-cells", "Anything may stand in its cells.")
    return _fact(Role.IDENTIFIER, "shape", said, Agreement.SHAPE)


def _one_value(column: CountedColumn) -> Witness | None:
    """Find columns that tell nobody from anybody."""
    if column.distinct > 1 or (column.distinct == 1 and column.missing):
        return None
    said = sentence("one-value", "It has one value only.")
    if not column.distinct:
        said = sentence("no-value", "It has no value at all.")
    agreement = Agreement.SHAPE if column.matches else Agreement.ONE_MEANING
    return _fact(Role.INSENSITIVE, "shape", said, agreement)


def _values_of_people(column: CountedColumn) -> Witness | None:
    """Find values that give one person away, whatever the name of their column."""
    if column.like_people is None or not _are_many(column):
        return None
    # Numbers of eleven digits pass the check digit by chance once in ten times, not nearly always.
    said = sentence(
        "of-people",
        "Its values are {what}, each of which leads to one person.",
        what=column.like_people,
    )
    return _fact(Role.IDENTIFIER, "values", said, Agreement.ONE_MEANING, 2)


def _lists_of_items(column: CountedColumn) -> Witness | None:
    """Find lists of items: diagnoses, purchases, places."""
    found = column.sets
    if found is None or any(
        match.meaning.role == Role.IDENTIFIER.value for match in column.matches
    ):
        return None
    if found.of_people:
        said = sentence(
            "lists-of-people",
            "Its cells are lists of {what}, each of which leads to one person.",
            what=found.of_people,
        )
        return _fact(Role.IDENTIFIER, "values", said, Agreement.ONE_MEANING, 2)
    separator = "" if found.are_lists else ' with "{separator}" between the items'
    said = sentence(
        "lists" if found.are_lists else "separated-lists",
        f"Its cells are lists{separator}, with {{mean:.1f}} of {{count:,}} items on average, and "
        "who knows two items of a person often finds the record.",
        separator=found.separator,
        mean=round(found.mean, 1),
        count=len(found.records),
    )
    if found.codes:
        codes = "The items are codes of {codes}, the classification of diseases."
        said = joined(said, sentence("items-are-codes", codes, codes=found.codes))
    return _fact(Role.QUASI_IDENTIFIER, "values", said, Agreement.SHAPE, 2, SET_KIND)


def _free_text(column: CountedColumn) -> Witness | None:
    """Find sentences, in which anything may stand."""
    if not column.is_free_text:
        return None
    said = sentence(
        "free-text",
        "It is free text ({share:.0%} of the values differ), which can name people and which "
        "cannot be generalized.",
        share=column.uniqueness,
    )
    is_certain = column.uniqueness >= MOST_DIFFERENT
    agreement = Agreement.ONE_MEANING if is_certain else Agreement.SHAPE
    return _fact(Role.IDENTIFIER, "values", said, agreement)


def _people_inside(column: CountedColumn) -> Witness | None:
    """Find texts that hold telephone numbers, addresses or official numbers of people."""
    found = people_inside(column)
    if found is None:
        return None
    kind, records = found
    said = sentence(
        "names-in-text",
        "{share:.0%} of its cells hold {what}, each of which leads to one person.",
        share=records / column.known,
        what=kind,
    )
    return Witness(
        Role.IDENTIFIER, "values", said, Agreement.SHAPE, 2,
        records=records, of=column.known,
    )  # fmt: skip


def people_inside(column: CountedColumn) -> tuple[str, int] | None:
    """Return what of people the texts of a column hold, and in how many records.

    Returns
    -------
    None where fewer than 2 of 100 records do, or fewer than two
    """
    if column.type != "text" or column.like_people is not None or are_dates(column):
        return None
    step = max(1, len(column.texts) // MOST_READ)
    texts, counts = column.texts[::step], column.counts[::step]
    for kind, pattern in INSIDE.items():
        held = [
            int(n) for text, n in zip(texts, counts, strict=True)
            if any(map(str.isalpha, text)) and pattern.search(text)
        ]  # fmt: skip
        if len(held) >= FEWEST_INSIDE and sum(held) >= SHARE_INSIDE * int(counts.sum()):
            return kind, min(sum(held) * step, column.known)
    return None


def _numbering(column: CountedColumn) -> Witness | None:
    """Find numbers of people and records: nearly unique, or repeated by the records of a person."""
    are_assigned = column.is_nearly_unique or _are_large(column)
    word = vocabulary().numbers_things(column.name, may_count=are_assigned)
    is_number = column.type in {"text", "integer", "number"} and not are_decimals(column)
    if word is None or not is_number or are_dates(column) or is_yes_no(column):
        return None
    if column.is_nearly_unique and column.known >= 2:  # noqa: PLR2004 - one value says nothing
        said = _numbers(column, word, "numbering", ", so that it numbers records or people.")
        return _fact(Role.IDENTIFIER, "values", said, Agreement.WHOLE_AND_VALUES)
    return _repeated_numbers(column, word)


def _numbers(column: CountedColumn, word: str, code: str, ending: str) -> CodedText:
    """Begin the sentence of a reason with the word for a number, and how many values differ."""
    english = f'The name contains "{{word}}", and {{share:.0%}} of its values differ{ending}'
    return sentence(code, english, word=word, share=column.uniqueness)


def _repeated_numbers(column: CountedColumn, word: str) -> Witness | None:
    """Return what tells numbers of people that repeat from codes of categories."""
    of_people = vocabulary().is_of_a_person(column.name)
    has_sense = any(match.meaning.rank != 1 for match in column.matches)
    are_few = column.distinct <= (FEW if of_people else max(CODES, 0.02 * column.known))
    if are_few or (not of_people and (has_sense or _is_of_a_thing(column))):
        if not vocabulary().is_key(column.name) or column.distinct < FEW:
            return None
        said = _numbers(column, word, "key", ": it may number the records of a group.")
        return _fact(Role.IDENTIFIER, "name", said, Agreement.HINT)
    whose = "household" if vocabulary().is_of_a_household(column.name) else "person"
    repeat = f": its numbers repeat, as those of a {whose} with several records do."
    said = _numbers(column, word, f"repeated-numbers-of-{whose}", repeat)
    are_many = of_people or column.uniqueness >= MANY_DIFFERENT
    agreement = Agreement.WHOLE_AND_VALUES if are_many else Agreement.WHOLE
    return _fact(Role.IDENTIFIER, "values", said, agreement, 2)


def _is_of_a_thing(column: CountedColumn) -> bool:
    """Return whether a name says that a thing is numbered."""
    return any(part in THINGS for parts in readings_of(column.name) for part in parts)


def _numbers_the_rows(column: CountedColumn) -> Witness | None:
    """Find columns that give the order of the input away."""
    if not column.follows_rows or are_dates(column):
        return None
    said = sentence(
        "row-numbers", "Its values number the records, and so give the order of the input away."
    )
    return _fact(Role.IDENTIFIER, "shape", said, Agreement.ONE_MEANING)


def _sexes(column: CountedColumn) -> Witness | None:
    """Find words for the sexes; single letters need the name of the column, too."""
    is_text = column.type == "text" or bool(column.value_labels)
    if not is_text or not are_sexes(column.meanings[:FEW]):
        return None
    said = _words_for(column, "the sexes", "which everybody who meets a person knows")
    are_letters = all(len(text.strip(". ")) == 1 for text in column.meanings[:FEW])
    agreement = Agreement.HINT if are_letters else Agreement.ONE_MEANING
    return _fact(Role.QUASI_IDENTIFIER, "values", said, agreement, 3, "nominal")


def _dates(column: CountedColumn) -> Witness | None:
    """Find dates."""
    if not are_dates(column):
        return None
    said = sentence("dates", "Its values are dates, and others may know what happened when.")
    return _fact(Role.QUASI_IDENTIFIER, "values", said, Agreement.PART_AND_VALUES, 2, "date")


def _codes(column: CountedColumn) -> Witness | None:
    """Find postcodes and codes of diseases by the values alone."""
    if column.distinct < FEW:
        return None
    if column.like == "codes of ICD-10" and len({text[0] for text in column.texts}) >= CHAPTERS:
        said = sentence("icd-10", "Its values are codes of ICD-10, the classification of diseases.")
        return _fact(Role.SENSITIVE, "values", said, Agreement.SHAPE, 3)
    if column.like in {"postcodes", "codes of NUTS"} and not column.is_nearly_unique:
        said = sentence(
            "postcodes",
            "Its values look like {what}, and neighbors know where a person lives.",
            what=column.like,
        )
        return _fact(Role.QUASI_IDENTIFIER, "values", said, Agreement.SHAPE, 3, "place")
    return None


def _words_for(column: CountedColumn, what: str, why: str) -> CodedText:
    """Return what the values are words for, or the labels that a file gives them."""
    read = "labels" if column.value_labels else "values"
    return sentence(
        f"{read}-mean", f"Its {read} are words for {{what}}, {{why}}.", what=what, why=why
    )


def _words_of_values(column: CountedColumn) -> Witness | None:
    """Find what the values, or their labels, are words for."""
    if column.type != "text" and not column.value_labels:
        return None
    found = meaning_of_values(column.meanings)
    if found is None:
        return None
    said = _words_for(column, found.name, found.why)
    return _fact(found.role, "values", said, Agreement.PART_AND_VALUES, found.rank, found.kind)


def _sides(column: CountedColumn) -> Witness | None:
    """Find left and right, such as those of a hand."""
    if column.type != "text" or not are_sides(column):
        return None
    said = sentence(
        "sides", "Its values are words for left and right, which tell little of a person."
    )
    return _fact(Role.INSENSITIVE, "values", said, Agreement.HINT)


def _places_and_times(column: CountedColumn) -> Witness | None:
    """Find names of countries and their parts, of weekdays and of months, whatever the name."""
    if column.type != "text":
        return None
    if are_names_of_times(column):
        said = sentence(
            "times",
            "Its values are names of weekdays or months, and others may know what happened when.",
        )
        return _fact(Role.QUASI_IDENTIFIER, "values", said, Agreement.SHAPE)
    are_words = share_like(lambda text: len(text.strip()) > LONG_CODES, column.read) >= ALMOST_ALL
    if column.distinct >= FEWEST_PLACES and are_words and are_places(column, MOSTLY):
        said = sentence(
            "places",
            "Its values are names of countries or their parts, which others may know of a person.",
        )
        return _fact(Role.QUASI_IDENTIFIER, "values", said, Agreement.SHAPE, 2, "place")
    return None


def _amounts(column: CountedColumn) -> Witness | None:
    """Find amounts with the sign of a currency."""
    if column.type != "text" or share_like(is_amount, column.read) < ALMOST_ALL:
        return None
    said = sentence("amounts", "Its values are amounts of money.")
    return _fact(Role.SENSITIVE, "values", said, Agreement.PART_AND_VALUES, 2)


def _unique_values(column: CountedColumn) -> Witness | None:
    """Find texts and codes that nearly all differ, although nothing is known of them."""
    if not column.is_nearly_unique or column.known < FEW_RECORDS:
        return None
    return _unique_integers(column) if column.type == "integer" else _unique_texts(column)


def _differ(column: CountedColumn, code: str, ending: str, **parts: object) -> Witness:
    """Begin the sentence of a reason with how many values differ."""
    said = sentence(
        code,
        f"{{share:.0%}} of its values differ, so that each leads to one record{ending}",
        share=column.uniqueness,
        **parts,
    )
    agreement = Agreement.HINT if code == MAY_MEASURE else Agreement.SHAPE
    return _fact(Role.IDENTIFIER, "shape", said, agreement)


def _unique_texts(column: CountedColumn) -> Witness | None:
    """Find texts that nearly all differ."""
    if column.type != "text" or column.like == UNSURE_NUMBERS or are_dates(column):
        return None
    return _differ(column, "unique", ".")


def _unique_integers(column: CountedColumn) -> Witness:
    """Return what tells numbers that were assigned from those that are measured."""
    by_chance = _repeats_by_chance(column)
    if column.distinct == column.known and by_chance >= MANY_REPEATS:
        drawn = "; none repeats, while as many random numbers would about {count} times."
        return _differ(column, "no-repeats", drawn, count=round(by_chance))
    # Numbers that repeat about as often as random ones do are measured, not assigned.
    is_measured = column.known - column.distinct <= MANY_REPEATS * by_chance
    if _are_of_one_length(column) and (column.distinct == column.known or not is_measured):
        return _differ(column, "one-length", ", and all have one length.")
    if column.distinct == column.known and _ends_as_a_number_does(column.name):
        return _differ(column, "unique-number", ", and its name ends as those do.")
    return _differ(column, MAY_MEASURE, "; it may be a number of the record or a measurement.")


def _like_names(column: CountedColumn) -> Witness | None:
    """Find many words with capitals of which nothing is known: names of people look like this."""
    many = column.distinct >= max(MANY_WORDS, MANY_SHARE * column.known)
    if column.type != "text" or not many or share_like(is_like_a_name, column.read) < ALMOST_ALL:
        return None
    said = sentence(
        "capitals",
        "Its {count:,} values are words with a capital, as names of people are.",
        count=column.distinct,
    )
    return _fact(Role.IDENTIFIER, "shape", said, Agreement.SHAPE)


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
