"""Tests of values: whether a column can hold what its name says.

Each test returns 2 where the values agree, 1 where they could be it, and 0 where they contradict.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import numpy as np

from indistinct.base.arrays import Floats
from indistinct.tables.drafting.cldr_names import (
    are_codes_of_parts,
    is_part_of_a_country,
    is_time,
)
from indistinct.tables.drafting.counted_column import CountedColumn
from indistinct.tables.drafting.countries import is_country
from indistinct.tables.drafting.value_words import meaning_of_values
from indistinct.tables.drafting.values import are_sexes, share_like
from indistinct.tables.drafting.vocabulary import folded

AGREES, COULD_BE, CONTRADICTS = 2, 1, 0
DATES, BANDS = "dates", "bands"

YES_NO = (
    {"yes", "no"}, {"y", "n"}, {"true", "false"}, {"t", "f"}, {"ja", "nein"}, {"j", "n"},
    {"oui", "non"}, {"o", "n"}, {"si", "no"}, {"s", "n"}, {"tak", "nie"}, {"t", "n"},
    {"sim", "nao"}, {"ano", "ne"}, {"a", "n"}, {"igen", "nem"}, {"i", "n"}, {"ya", "tidak"},
    {"vero", "falso"}, {"verdadeiro", "falso"}, {"verdadero", "falso"}, {"vrai", "faux"},
    {"wahr", "falsch"}, {"はい", "いいえ"}, {"有", "無"}, {"1", "0"},
)  # fmt: skip
SIDES = frozenset(
    {"left", "right", "l", "r", "b", "both", "neither", "either", "bilateral", "hand", "on",
     "links", "rechts", "beide", "beidseitig", "gauche", "droite", "izquierda", "derecha",
     "izquierdo", "derecho", "ambos", "lewa", "prawa", "lewy", "prawy", "esquerda", "direita",
     "esquerdo", "direito", "sinistra", "destra", "sinistro", "destro", "leva", "prava", "bal",
     "jobb", "kiri", "kanan", "左", "右", "両方"}
)  # fmt: skip
LETTERS_OF_ORIGINS = frozenset("wbhaoni")  # white, black, hispanic, asian, other, native
TICKS = frozenset({"x", "1", "yes", "y", "true", "✓", "✔", "ja", "oui", "si", "sim", "○"})
FEWEST_BLANKS = 0.05  # share of the records without a tick, below which it says nothing
FEW_WORDS = 60  # different values that categories have at most
FEW_CODES = 12
OLDEST, OLDEST_IN_MONTHS = 125.0, 1_500.0
FIRST_YEAR, LAST_YEAR = 1_850, 2_100
MANY_NAMES, DIFFERENT_NAMES = 20, 0.3
REPEATED_NAMES, REPEATED_FEW_NAMES, FEW_NAMES = 60.0, 20.0, 100
PLACES, NAMED_PLACES = 6, 12
LARGEST_HOUSEHOLD = 60.0
LIGHTEST, HEAVIEST, MIDDLE_WEIGHT = 2.0, 250.0, 700.0
MOST_HOURS = 200.0
MANY_AMOUNTS, LARGE_AMOUNT = 20, 100.0
SHORTEST_CONTACT, SHORTEST_NUMBER = 6, 100_000.0
NEARLY_ALL = 0.9
HALF = 0.5

MEASURED_PAIR = re.compile(r"\d{1,3}([.,]\d+)?\s?[/x]\s?\d{1,3}([.,]\d+)?")
TIME_OF_DAY = re.compile(r"[0-2]?\d:[0-5]\d(:[0-5]\d(\.\d+)?)?( ?[AaPp]\.?[Mm]\.?)?")

Test = Callable[[CountedColumn], int]


def plain_values(column: CountedColumn, most: int = FEW_WORDS) -> set[str]:
    """Return some values in small letters without accents."""
    return {folded(text.strip()).lower() for text in column.meanings[:most]}


def is_yes_no(column: CountedColumn) -> bool:
    """Return whether a column says yes or no: a pair of words, truth values, 0 and 1, or ticks."""
    if column.type == "boolean":
        return True
    if column.distinct > 2:  # noqa: PLR2004 - yes and no
        return False
    words = plain_values(column)
    if is_tick(column):
        return True
    return len(words) == 2 and any(words == pair for pair in YES_NO)  # noqa: PLR2004 - as above


def are_sides(column: CountedColumn) -> bool:
    """Return whether the values are words for the left and the right side."""
    words = [part for text in plain_values(column) for part in text.split()]
    return 1 < column.distinct <= FEW_CODES and set(words) <= SIDES


def is_tick(column: CountedColumn) -> bool:
    """Return whether the only value is a mark, and blanks are its contrary."""
    n_records = column.known + column.missing
    has_blanks = column.missing > FEWEST_BLANKS * n_records
    return column.distinct == 1 and has_blanks and plain_values(column) <= TICKS


def are_dates(column: CountedColumn) -> bool:
    """Return whether the values are dates."""
    return column.like == DATES


def are_decimals(column: CountedColumn) -> bool:
    """Return whether the values are numbers with decimals."""
    numbers = column.numbers
    return column.type == "number" and numbers is not None and bool((numbers % 1 != 0).any())


def are_whole(column: CountedColumn) -> bool:
    """Return whether the values are whole numbers that mean quantities or codes."""
    return column.numbers is not None and not are_decimals(column) and len(column.numbers) > 0


def are_few(column: CountedColumn) -> bool:
    """Return whether there are as few values as categories have."""
    return 0 < column.distinct <= min(FEW_WORDS, max(column.known // 2, 2))


def are_few_words(column: CountedColumn) -> bool:
    """Return whether the values are a few words."""
    return (column.type == "text" or bool(column.value_labels)) and are_few(column)


def _scaled(number: int, column: CountedColumn) -> int:
    """Return how many values are enough, of a small table fewer."""
    return min(number, max(2, column.known // 2))


def _have_digits(column: CountedColumn) -> bool:
    """Return whether nearly all texts have a digit."""
    return share_like(lambda text: any(map(str.isdigit, text)), column.read) >= NEARLY_ALL


def _letters(text: str) -> bool:
    """Return whether a text is words of letters."""
    return bool(text.strip()) and all(
        part.strip(".,'()-").replace("-", "").replace("'", "").replace("\u2019", "").isalpha()
        for part in text.split()
        if part.strip(".,'()-")
    )


def name_of_a_person(column: CountedColumn) -> int:
    """Names of people: many words of letters that rarely repeat."""
    if column.type != "text" or is_yes_no(column) or are_dates(column) or column.is_free_text:
        return CONTRADICTS
    repeats = column.known / max(column.distinct, 1)
    most = REPEATED_NAMES if column.distinct >= FEW_NAMES else REPEATED_FEW_NAMES
    if column.distinct < _scaled(10, column) or repeats > most:
        return CONTRADICTS
    if column.sets is not None:
        return AGREES
    are_words = share_like(_letters, column.read) >= HALF
    if not are_words:
        return COULD_BE if column.uniqueness >= NEARLY_ALL else CONTRADICTS
    is_many = column.distinct >= _scaled(MANY_NAMES, column)
    return AGREES if is_many and column.uniqueness >= DIFFERENT_NAMES else COULD_BE


def number_of_a_person(column: CountedColumn) -> int:
    """Official numbers: codes that nearly all differ."""
    if column.type in {"boolean", "number"} or is_yes_no(column) or are_dates(column):
        return CONTRADICTS
    if column.is_nearly_unique:
        return AGREES
    return COULD_BE if column.distinct >= _scaled(MANY_NAMES, column) else CONTRADICTS


def way_to_reach(column: CountedColumn) -> int:
    """Addresses and telephone numbers: many long values."""
    if column.type == "boolean" or is_yes_no(column) or are_dates(column) or are_decimals(column):
        return CONTRADICTS
    numbers = column.numbers
    if numbers is not None and len(numbers) and float(numbers[-1]) < SHORTEST_NUMBER:
        return CONTRADICTS
    lengths = [len(text) for text in column.read]
    is_long = bool(lengths) and float(np.mean(lengths)) >= SHORTEST_CONTACT
    if not is_long or column.distinct < _scaled(10, column):
        return CONTRADICTS
    return AGREES if column.uniqueness >= HALF else COULD_BE


def age(column: CountedColumn) -> int:
    """Ages: numbers up to 125, or bands of them."""
    if is_yes_no(column) or are_dates(column) or column.is_free_text:
        return CONTRADICTS
    numbers = column.numbers
    if numbers is None or not len(numbers):
        if column.like == BANDS or _have_digits(column):
            return AGREES
        return COULD_BE if are_few(column) else CONTRADICTS
    if float(numbers[-1]) > OLDEST_IN_MONTHS or float(numbers[0]) < -1:
        return CONTRADICTS
    is_wide = column.distinct >= _scaled(8, column)
    return AGREES if float(numbers[-1]) <= OLDEST and is_wide else COULD_BE


def sex(column: CountedColumn) -> int:
    """Sexes: words of a pair, or two to four codes."""
    if are_sexes(column.meanings[:FEW_WORDS]):
        return AGREES
    return COULD_BE if 1 <= column.distinct <= 4 else CONTRADICTS  # noqa: PLR2004 - with unknown and other


def place(column: CountedColumn) -> int:
    """Places of living: words with a capital, or codes of one or two lengths."""
    if is_yes_no(column) or are_dates(column) or column.is_free_text or are_decimals(column):
        return CONTRADICTS
    are_postcodes = column.like in {"postcodes", "codes of NUTS"}
    if are_postcodes:
        return AGREES
    if column.numbers is None and column.is_nearly_unique and column.distinct > FEW_WORDS:
        return CONTRADICTS
    if column.numbers is None and _are_named_places(column):
        return AGREES
    lengths = {len(text) for text in column.read}
    are_codes = column.distinct >= _scaled(PLACES, column) and len(lengths) <= 2 <= max(lengths)  # noqa: PLR2004 - lengths
    if column.numbers is not None:
        return COULD_BE if are_codes or are_few(column) else CONTRADICTS
    return COULD_BE


def _are_named_places(column: CountedColumn) -> bool:
    """Return whether values are countries or their parts, or twelve words with a capital."""
    return are_places(column, HALF) or _have_capitals(column, NAMED_PLACES)


def are_places(column: CountedColumn, share: float) -> bool:
    """Return whether a share of the values are names or codes of countries, or of their parts."""
    some = [text for text in column.read if len(text.strip()) >= 2]  # noqa: PLR2004 - letters
    return bool(some) and (
        share_like(lambda text: is_country(text) or is_part_of_a_country(text), some) >= share
    )


def _begins_with_a_capital(text: str) -> bool:
    """Return whether a text is a word with a capital, and no code of two letters."""
    return text.strip()[:1].isupper() and len(text.strip()) > 2  # noqa: PLR2004 - letters of a code


def _have_capitals(column: CountedColumn, fewest: int) -> bool:
    """Return whether there are many words, and most of them begin with a capital."""
    is_many = column.distinct >= _scaled(fewest, column)
    begin = share_like(_begins_with_a_capital, column.read)
    return is_many and begin >= HALF


def region(column: CountedColumn) -> int:
    """Regions and states: as places, but words that are no names contradict."""
    found = place(column)
    if found is COULD_BE and column.numbers is None and _have_capitals(column, PLACES):
        return AGREES
    is_text = column.numbers is None
    if found is COULD_BE and is_text:
        are_codes = column.distinct >= _scaled(PLACES, column)
        are_short = all(len(text) in {2, 3} for text in column.read)
        if are_codes_of_parts(column.read):
            return AGREES
        return COULD_BE if are_codes and are_short else CONTRADICTS
    return found


def coordinates(column: CountedColumn) -> int:
    """Latitudes and longitudes: decimals."""
    if is_yes_no(column) or are_dates(column):
        return CONTRADICTS
    return AGREES if are_decimals(column) else COULD_BE


def few_words(column: CountedColumn) -> int:
    """Categories: a few words, or codes of them."""
    if are_dates(column) or column.is_free_text or are_decimals(column):
        return CONTRADICTS
    if are_few_words(column):
        return AGREES
    if column.type == "text":
        return COULD_BE if column.uniqueness < NEARLY_ALL else CONTRADICTS
    return COULD_BE if are_few(column) or column.type == "boolean" else CONTRADICTS


def household(column: CountedColumn) -> int:
    """Households: small whole numbers, or yes and no."""
    if are_dates(column) or are_decimals(column) or column.is_free_text:
        return CONTRADICTS
    numbers = column.numbers
    if is_yes_no(column):
        return AGREES
    if numbers is not None and len(numbers):
        return AGREES if numbers[0] >= 0 and numbers[-1] <= LARGEST_HOUSEHOLD else COULD_BE
    return COULD_BE if are_few(column) or column.like == BANDS else CONTRADICTS


def work(column: CountedColumn) -> int:
    """Occupations and schools: words, codes, hours and years."""
    numbers = column.numbers
    if are_dates(column):
        return COULD_BE
    is_time = numbers is not None and len(numbers) and float(numbers[-1]) <= MOST_HOURS
    if are_decimals(column) or is_time:
        return COULD_BE if is_time else CONTRADICTS
    return few_words(column)


def looks(column: CountedColumn) -> int:
    """Heights and weights of bodies, or a few words for colors."""
    numbers = column.numbers
    if is_yes_no(column) or are_dates(column) or column.is_free_text:
        return CONTRADICTS
    if numbers is None or not len(numbers):
        return COULD_BE if are_few(column) or _have_digits(column) else CONTRADICTS
    mean = float(np.mean(numbers))
    if NEARLY_ALL <= mean <= 1.1 or mean > MIDDLE_WEIGHT:  # noqa: PLR2004 - a survey's weights
        return CONTRADICTS
    if column.distinct < _scaled(8, column):
        return COULD_BE
    return AGREES if 1 <= float(np.median(numbers)) <= HEAVIEST else COULD_BE


def money(column: CountedColumn) -> int:
    """Amounts: many numbers, or bands of them."""
    if are_dates(column) or column.is_free_text:
        return CONTRADICTS
    numbers = column.numbers
    if numbers is None or not len(numbers):
        return AGREES if column.like == BANDS or _have_digits(column) else COULD_BE
    is_amount = column.distinct >= _scaled(MANY_AMOUNTS, column) and numbers[-1] > LARGE_AMOUNT
    return AGREES if is_amount or are_decimals(column) else COULD_BE


def condition(column: CountedColumn) -> int:
    """Illness, substances and offenses: yes and no or a few words; numbers could be codes."""
    if are_dates(column):
        return CONTRADICTS
    if is_yes_no(column) or are_few_words(column):
        return AGREES
    if column.type == "text":
        return COULD_BE if column.uniqueness < NEARLY_ALL or column.like else CONTRADICTS
    return COULD_BE


def quantity(column: CountedColumn) -> int:
    """Scores and measurements: numbers, or two of them, such as 120/80."""
    if column.type == "text" and share_like(is_pair_of_numbers, column.read) >= NEARLY_ALL:
        return AGREES
    if are_dates(column) or (column.type == "text" and column.is_nearly_unique):
        return CONTRADICTS
    if column.numbers is not None and not is_yes_no(column) and column.distinct > FEW_CODES:
        return AGREES
    return COULD_BE


def scale(column: CountedColumn) -> int:
    """Opinions and habits: answers of a scale."""
    if column.is_free_text:
        return CONTRADICTS
    is_scale = 2 < column.distinct <= FEW_CODES and (are_whole(column) or are_few_words(column))  # noqa: PLR2004 - yes and no
    return AGREES if is_scale else COULD_BE


def birth(column: CountedColumn) -> int:
    """Dates, years, months or days of birth."""
    return _dates_or_numbers(column, years=AGREES, others=COULD_BE)


def date(column: CountedColumn) -> int:
    """Dates of events."""
    return _dates_or_numbers(column, years=COULD_BE, others=CONTRADICTS)


def _dates_or_numbers(column: CountedColumn, *, years: int, others: int) -> int:
    """Return how dates fit, and numbers that are years or others."""
    if are_dates(column):
        return AGREES
    if is_yes_no(column) or are_decimals(column) or column.is_free_text:
        return CONTRADICTS
    numbers = column.numbers
    if numbers is not None and len(numbers):
        return years if _are_in_years(numbers) else others
    return COULD_BE if _have_digits(column) else CONTRADICTS


def _are_in_years(numbers: Floats) -> bool:
    """Return whether numbers, ascending, can all be years."""
    return bool(numbers[0] >= FIRST_YEAR and numbers[-1] <= LAST_YEAR)


def anything(column: CountedColumn) -> int:
    """Accept what may be written in many ways."""
    return CONTRADICTS if column.is_free_text else COULD_BE


def time_of_something(column: CountedColumn) -> int:
    """Years, months, days and hours."""
    if is_yes_no(column) or column.is_free_text:
        return CONTRADICTS
    numbers = column.numbers
    if are_dates(column):
        return AGREES
    if numbers is not None and len(numbers):
        return AGREES if _are_in_years(numbers) else COULD_BE
    if share_like(is_time_of_day, column.read) >= NEARLY_ALL or are_names_of_times(column):
        return AGREES
    return COULD_BE if are_few(column) else CONTRADICTS


def are_names_of_times(column: CountedColumn) -> bool:
    """Return whether the values are names of weekdays or months."""
    is_text = column.type == "text" and column.distinct > 1
    return is_text and share_like(is_time, column.read) >= NEARLY_ALL


def is_pair_of_numbers(text: str) -> bool:
    """Return whether a text is two measured numbers."""
    return MEASURED_PAIR.fullmatch(text.strip()) is not None


def is_time_of_day(text: str) -> bool:
    """Return whether a text is hours and minutes."""
    return TIME_OF_DAY.fullmatch(text.strip()) is not None


def stay(column: CountedColumn) -> int:
    """Circumstances of a stay: a few words or dates; yes and no or counts say too little."""
    if are_dates(column) or (are_few_words(column) and not is_yes_no(column)):
        return AGREES
    return COULD_BE if not column.is_free_text else CONTRADICTS


def origin(column: CountedColumn) -> int:
    """Origins: words for them or countries; other words could be."""
    found = few_words(column)
    if found != AGREES:
        return found
    meaning = meaning_of_values(column.meanings)
    are_known = meaning is not None and meaning.name == "origin"
    are_countries = share_like(is_country, column.meanings[:FEW_WORDS]) >= HALF
    are_letters = plain_values(column) <= LETTERS_OF_ORIGINS
    return AGREES if are_known or are_countries or are_letters else COULD_BE


TESTS: Mapping[str, Test] = {
    "name of a person": name_of_a_person,
    "number of a person": number_of_a_person,
    "way to reach": way_to_reach,
    "age": age,
    "sex": sex,
    "place": place,
    "region": region,
    "coordinates": coordinates,
    "few words": few_words,
    "origin": origin,
    "household": household,
    "work": work,
    "looks": looks,
    "money": money,
    "condition": condition,
    "quantity": quantity,
    "birth": birth,
    "date": date,
    "time": time_of_something,
    "stay": stay,
    "scale": scale,
    "anything": anything,
}
