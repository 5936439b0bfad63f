"""The cells of a released file as a reader compares them: as text that loses nothing.

Some texts are numbers or ranges of numbers. Others look the same to a person: they are one value,
and one person. Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Context, Decimal, InvalidOperation

import polars as pl

from indistinct.errors import Fault
from indistinct.tables.frames.frame import Column
from indistinct.tables.frames.small_columns import distinct, present_cells

HIDDEN = "*"
OPENING, CLOSING = frozenset("[(]"), frozenset("])[")  # of ranges, as any country writes them
EXACT = (pl.String, pl.Boolean, pl.Categorical, pl.Enum, pl.Date, pl.Null)
# Letters, marks and fillers without a shape, beside the categories of controls and formats.
SHAPELESS = re.compile(
    r"[\u034f\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u2065\u3164\ufe00-\ufe0f\uffa0]"
    r"|[\ufff0-\ufff8]|[\U000e0000-\U000e0fff]"
)
MOST_PLACES = 80  # that a number is written out with
NUMBER = r"-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?"
# Every pattern ends with \Z: $ would let a line end follow, and with it whatever it says.
ONE_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?\Z")
HALF_OPEN = re.compile(rf"^\[({NUMBER}), ({NUMBER})\)\Z")
CLOSED = re.compile(rf"^\[({NUMBER}), ({NUMBER})\]\Z")
LIKE_A_RANGE = re.compile(r"\[[^,]*, [^,]*[\])]\Z")
# A column of such cells alone is one of numbers; 007 is a code.
AS_A_NUMBER = r"^-?(?:0|[1-9][0-9]{0,37})(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$"
LEADING_ZERO = re.compile(r"[+-]?0[0-9]+(?:\.[0-9]*)?\Z")
MOMENT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[ T]([0-9]{2}:[0-9]{2}(?::[0-9]{2})?)(\.[0-9]+)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?\Z"
)
SURELY_PLAIN = 1e-3  # from this number to its inverse, no text of a float has an exponent
MANY_POWERS = 15  # of ten, from which floats have an exponent
LARGEST = 400  # power of ten of the numbers in an interval; a double has 308 at most
MANY_DIGITS = Context(prec=800)  # more than any two doubles ask for


def text_as_read(column: pl.Series) -> pl.Series:
    """Return each cell as text; a missing one is the empty text.

    A number has no zeros at its end, and a moment a fraction only where it has one.
    """
    if column.dtype == pl.Time:
        texts = column.dt.to_string("%H:%M:%S%.f")
    elif column.dtype == pl.Duration:
        texts = column.dt.to_string("iso")
    elif column.dtype.is_float():
        texts = column.cast(pl.String).str.strip_suffix(".0")
        if not column.is_between(SURELY_PLAIN, 1 / SURELY_PLAIN).all():
            texts = numbers_as_read(texts)
    elif column.dtype.is_decimal():
        texts = numbers_as_read(column.cast(pl.String))
    elif isinstance(column.dtype, pl.Datetime):
        texts = _moments_as_read(column, column.dtype.time_zone)
    else:
        texts = column.cast(pl.String)
    return texts.fill_null("") if texts.null_count() else texts


def numbers_as_read(texts: pl.Series) -> pl.Series:
    """Return numbers without zeros behind their last digit, and those with an exponent in full."""
    unusual = texts.filter(texts.str.contains(r"[eE]|^-0(\.0*)?$|\.[0-9]*0$")).unique().to_list()
    return texts.replace({text: _value(text) or text for text in unusual}) if unusual else texts


def _moments_as_read(column: pl.Series, zone: str | None) -> pl.Series:
    """Return moments as ISO writes them, to the second and its fraction."""
    texts, nanoseconds = column.dt.strftime("%FT%T"), column.dt.nanosecond()
    if (nanoseconds > 0).any():
        digits = nanoseconds.cast(pl.String).str.zfill(9).str.strip_chars_end("0")
        texts = texts + pl.select((pl.lit(".") + digits).str.strip_chars_end(".")).to_series()
    return texts if zone is None else texts + column.dt.strftime("%:z")


def days_among_moments(column: pl.Series) -> pl.Series:
    """Return moments as texts, midnights as days."""
    return text_as_read(column).str.replace(r"T00:00:00$", "").set(column.is_null(), None)


def with_midnights_as_days(frame: pl.DataFrame, names: Iterable[str]) -> pl.DataFrame:
    """Return a frame in which moments of some columns are days, where all of them are midnights."""
    moments = [frame[name] for name in names if name in frame.columns]
    days = [
        one.cast(pl.Date)
        for one in filter(_are_moments, moments)
        if (one == one.dt.truncate("1d")).all()
    ]
    return frame.with_columns(days) if days else frame


def _are_moments(column: pl.Series) -> bool:
    """Return whether cells are moments without a zone."""
    return isinstance(column.dtype, pl.Datetime) and column.dtype.time_zone is None


def with_letters_composed(column: pl.Series) -> pl.Series:
    """Return texts with each letter and its marks as one character, where there is one."""
    if not is_text(column):
        return column
    texts = present_cells(distinct(column)).cast(pl.String).to_list()
    composed = {text: unicodedata.normalize("NFC", text) for text in texts if not text.isascii()}
    changed = {text: one for text, one in composed.items() if text != one}
    return column.cast(pl.String).replace(changed) if changed else column


def keys_as_read(column: pl.Series) -> list[str]:
    """Return each cell as the text of a key or a reference: a number by its value."""
    texts: list[str] = text_as_read(column).to_list()
    return [_value(text) or text for text in texts] if column.dtype.is_numeric() else texts


def is_text(column: pl.Series) -> bool:
    """Return whether a column holds texts by its type."""
    return isinstance(column.dtype, pl.String | pl.Categorical | pl.Enum)


def texts_as_read(frame: pl.DataFrame) -> pl.DataFrame:
    """Return every cell of a frame as text; a missing one is the empty text."""
    return pl.DataFrame([text_as_read(column) for column in frame.iter_columns()])


def in_one_way(texts: pl.Series, missing: Iterable[str]) -> pl.Series:
    """Write words for no value as the empty text, and whole numbers without a fraction of zero."""
    return texts.replace(dict.fromkeys(missing, "")).str.replace(r"^(-?\d+)\.0$", "$1")


def lost_differences(frame: pl.DataFrame) -> Iterator[Fault]:
    """Find columns of the file whose cells differ although they count as one value."""
    for column in frame.iter_columns():
        if column.dtype == pl.String:
            merged = column.null_count() > 0 and bool((column == "").any())
        elif isinstance(column.dtype, EXACT) or column.dtype.is_integer():
            merged = False
        else:
            merged = text_as_read(column).n_unique() < column.n_unique()
        if merged:
            yield Fault(
                f"columns.{column.name}",
                "holds different cells that count as one value, such as an empty text beside a "
                "missing cell",
                "Write them alike, and do not publish this file.",
            )


def as_read(text: str) -> str:
    """Return a text as it reads: without what has no shape, and a number by its value."""
    if text.isascii() and text.isalpha():
        return text
    shown: list[str] = []
    for one in unicodedata.normalize("NFKC", text):
        if one.isspace():
            shown.append(" ")
        elif not SHAPELESS.match(one) and unicodedata.category(one) not in {"Cc", "Cf", "Cn"}:
            shown.append(one)
    plain = unicodedata.normalize("NFKC", "".join(shown))
    while "  " in plain:
        plain = plain.replace("  ", " ")
    plain = plain.strip(" ")
    if plain[:1] in OPENING and plain[-1:] in CLOSING and plain.count(",") == 1:
        low, high = (_value(end.strip(" ")) for end in plain[1:-1].split(","))
        return f"{plain[0]}{low}, {high}{plain[-1]}" if low and high else plain
    return _value(plain) or plain


def all_as_read(texts: Iterable[str], missing: Iterable[str] = ()) -> list[str]:
    """Return texts as they read, those that stand for a missing value as the empty text."""
    known: dict[str, str] = {"": ""}
    gone = {as_read(word) for word in missing} | {""}
    listed = list(texts)
    for text in dict.fromkeys(listed):
        read = as_read(text)
        known[text] = "" if read in gone else read
    return [known[text] for text in listed]


def counted_as_read(counts: Mapping[str, int], missing: Iterable[str] = ()) -> dict[str, int]:
    """Add up the counts of texts that read alike."""
    found: dict[str, int] = {}
    for read, count in zip(all_as_read(counts, missing), counts.values(), strict=True):
        found[read] = found.get(read, 0) + count
    return found


def spellings(texts: Sequence[str], missing: Iterable[str] = ()) -> dict[str, str]:
    """Return one of the spellings of each text as it reads: the plain one, else the least."""
    found: dict[str, str] = {}
    for text, read in sorted(zip(texts, all_as_read(texts, missing), strict=True)):
        if read not in found or text == read:
            found[read] = text
    return found


def series_as_read(column: Column, missing: Iterable[str] = ()) -> Column:
    """Return a column of texts as they read, with the empty text for what stands for missing.

    Each of its distinct texts is looked at once.
    """
    written = distinct(column).to_list()
    pairs = zip(written, all_as_read(written, missing), strict=True)
    changed = {text: read for text, read in pairs if text != read}
    return column.replace(changed) if changed else column


def _value(text: str) -> str:
    """Write the value of a number; the empty text where it is none."""
    if ONE_NUMBER.match(text) is None:
        return ""
    sign, digits, power = Decimal(text).as_tuple()
    exponent = int(power)
    while digits and digits[-1] == 0:
        digits, exponent = digits[:-1], exponent + 1
    if not any(digits):
        return "0"
    shown = f"{''.join(map(str, digits)).lstrip('0')}e{exponent}"
    if abs(exponent) <= MOST_PLACES:
        shown = f"{Decimal((0, digits, exponent)):f}"
    return f"-{shown}" if sign else shown


def value_key(text: str) -> str:
    """Return one text for all ways of writing a number, a day or a moment, and words as NFC.

    Examples
    --------
    >>> value_key("6.50"), value_key("2024-05-01 00:00:00"), value_key("2024-05-01T13:05")
    ('6.5', '2024-05-01', '2024-05-01T13:05:00')
    """
    if number := _value(text):
        return number
    found = MOMENT.match(text)
    if found is None:
        return unicodedata.normalize("NFC", text)
    day, clock, fraction, zone = found.group(1, 2, 3, 4)
    clock = f"{clock or '00:00'}:00"[:8]  # seconds may be left out
    fraction = (fraction or "").rstrip("0").removesuffix(".")
    zone = "" if zone is None else "+00:00" if zone == "Z" else f"{zone[:3]}:{zone[-2:]}"
    at_midnight = clock == "00:00:00" and not fraction and not zone
    return day if at_midnight else f"{day}T{clock}{fraction}{zone}"


def with_a_point(text: str) -> str:
    """Write a number with a point before its decimals, whichever mark the list has."""
    whole, mark, decimals = text.partition(",")
    is_number_with_comma = whole.lstrip("+-").isdecimal() and decimals.isdecimal()
    return f"{whole}.{decimals}" if mark and is_number_with_comma and text.isascii() else text


def has_leading_zero(text: str) -> bool:
    """Return whether a text is a number with a zero that its value does not need, like a code."""
    return LEADING_ZERO.match(text) is not None


def is_number(text: str) -> bool:
    """Return whether a text is a number in ASCII digits, or the NaN that Polars writes."""
    return ONE_NUMBER.match(text) is not None or text == "NaN"


def is_finite(text: str) -> bool:
    """Return whether a text is a number that lies somewhere."""
    return ONE_NUMBER.match(text) is not None


def plain_number(number: Decimal) -> str:
    """Write a number with all its digits, as labels have it.

    Examples
    --------
    >>> plain_number(Decimal("40.0")), plain_number(Decimal("1e-8"))
    ('40', '0.00000001')
    """
    text = f"{number:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return text if number else "0"


def digits_of_number(text: str) -> str:
    """Return the digits of a number that a mask hides from the right; other texts are themselves.

    Floats and decimals have a point, or an exponent with a point, a sign or many powers of ten: a
    mask hides none of the zeros behind their point. 1E2 is a code.

    Examples
    --------
    >>> digits_of_number("47101.0"), digits_of_number("1.5e+3"), digits_of_number("1E2")
    ('47101', '1500', '1E2')
    """
    if ONE_NUMBER.match(text) is None:
        return text
    shown, has_power, power = text.replace("E", "e").partition("e")
    if has_power:
        size = power.lstrip("+-")
        is_long = "e" in text and size[0] != "0" and int(size) >= MANY_POWERS
        is_float = "." in shown or size != power or is_long
        if not is_float or len(size) > len(str(LARGEST)) or int(size) > LARGEST:
            return text
        shown = f"{Decimal(text):f}"
    elif "." not in shown:
        return text
    if "." in shown:
        shown = re.sub(r"\.?0*\Z", "", shown)
    return shown if any(one in shown for one in "123456789") else "0"


def interval_around(number: str, width: float) -> str:
    """Write the interval between two multiples of a width that a number lies in.

    Examples
    --------
    >>> interval_around("0.3", 0.1)
    '[0.3, 0.4)'
    """
    exact, value = Decimal(repr(width)), Decimal(number)
    if value.adjusted() > LARGEST:
        return number
    low = MANY_DIGITS.subtract(value, MANY_DIGITS.remainder(value, exact))
    if low > value:
        low = MANY_DIGITS.subtract(low, exact)  # a remainder has the sign of the number
    return f"[{plain_number(low)}, {plain_number(MANY_DIGITS.add(low, exact))})"


def is_range(cell: str) -> bool:
    """Return whether a cell is an interval or a range whose first end is below its second."""
    ends = HALF_OPEN.match(cell) or CLOSED.match(cell)
    return ends is not None and float(ends[1]) < float(ends[2])


def step_of_ends(cell: str) -> Decimal | None:
    """Return the step that both ends of a range are multiples of, or None where they are not.

    The step is 1, 2 or 5 times a power of ten, the least from a twentieth of the width on. A range
    of 20 steps of 2 may have been rounded to multiples of 5 all the same, where those of 2 would
    have made it wider.
    """
    ends = CLOSED.match(cell)
    if ends is None or not is_range(cell):
        return None
    low, high = Decimal(ends[1]), Decimal(ends[2])
    try:
        least = (high - low) / 20
        power = Decimal(1).scaleb(least.adjusted())
        digit = next(digit for digit in (1, 2, 5, 10) if power * digit >= least)
        digits = (2, 5) if least == 2 * power else (digit,)
        steps = (power * one for one in digits)
        return next((step for step in steps if low % step == 0 and high % step == 0), None)
    except InvalidOperation:  # ends with more digits than any release writes
        return None
