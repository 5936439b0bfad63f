"""The key of a value, and what reads like it: one text for all ways of writing it.

Keys are compared with the values of lists, joined and written, by what a column's values are. Texts
that read alike are one value where values and people are counted: how something was typed makes
neither a class more diverse nor a person several. The released cells keep what was written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import Literal

from indistinct.base.cells.plain_numbers import RANGE, is_plain_number

Meaning = Literal["number", "date", "moment", "truth", "text"]

MOST_ZEROS = 40  # beyond which a number is written with an exponent
MOMENT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[ T]([0-9]{2}:[0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?"
    r"(Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)
MIDNIGHT = "T00:00:00"
TRUTHS = frozenset({"true", "false"})
# Unicode's default ignorable characters that are not of the category of formats (Cf).
IGNORABLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U000e0000-\U000e0fff]"
)
UNSEEN = frozenset({"Cf", "Cc", "Cn"})  # formats, controls, and what is no character
BRACKETS = frozenset("[(]")
PLAIN = re.compile(r"(?![+.-]?\.?[0-9])[!-~]+(?: [!-~]+)*|0|-?[1-9][0-9]{0,15}")


def key(meaning: Meaning, text: str) -> str | None:
    """Return the key of the value that a text names; None where it names none of its meaning.

    Examples
    --------
    >>> key("number", "6.50"), key("number", "1e3"), key("text", "06"), key("number", "six")
    ('6.5', '1000', '06', None)
    >>> key("date", "2024-05-01 00:00:00"), key("moment", "2024-05-01 13:05")
    ('2024-05-01', '2024-05-01T13:05:00')
    """
    if meaning == "number":
        return number_key(text)
    if meaning == "date":
        return _date_key(text)
    if meaning == "moment":
        return _moment_key(text)
    if meaning == "truth":
        return text.lower() if text.lower() in TRUTHS else None
    return unicodedata.normalize("NFC", text)


def text_of_word(word: object) -> object:
    """Return the text of a number, a date or a truth of TOML or Python; anything else as it is.

    Examples
    --------
    >>> text_of_word(6.0), text_of_word(True), text_of_word(datetime(2024, 5, 1, 13, 5))
    ('6', 'true', '2024-05-01T13:05:00')
    """
    if isinstance(word, bool):
        return "true" if word else "false"
    if isinstance(word, int | float | Decimal):
        # A number of another library may be one of these with a text of its own.
        plain = float(word) if isinstance(word, float) else word
        return number_key(str(plain)) or str(plain)
    if isinstance(word, datetime):
        return _moment_key(word.isoformat())
    return word.isoformat() if isinstance(word, date) else word


def number_key(text: str) -> str | None:
    """Return a number in plain digits, without signs and zeros that say nothing; None for a word.

    A number with more than 40 zeros at its end, or behind its point, has an exponent.
    """
    if not is_plain_number(text):
        return None
    written, _, power = text.lower().partition("e")
    whole, _, fraction = written.lstrip("+-").partition(".")
    digits = (whole + fraction).lstrip("0")
    exponent = int(power or 0) - len(fraction) + len(digits) - len(digits.rstrip("0"))
    digits = digits.rstrip("0")
    if not digits:
        return "0"
    sign = "-" if text.startswith("-") else ""
    if exponent > MOST_ZEROS or exponent < -MOST_ZEROS - len(digits):
        return f"{sign}{digits}e{exponent}"
    if exponent >= 0:
        return sign + digits + "0" * exponent
    padded = digits.rjust(1 - exponent, "0")
    return f"{sign}{padded[:exponent]}.{padded[exponent:]}"


def _date_key(text: str) -> str | None:
    """Return a day as ISO writes it, that of a midnight, too."""
    moment = _moment_key(text)
    return None if moment is None else day_of_midnight(moment)


def day_of_midnight(key: str) -> str | None:
    """Return the day of a moment's key, where it is a midnight without a zone."""
    day, clock, rest = key.partition(MIDNIGHT)
    return day if clock and not rest else None


def _moment_key(text: str) -> str | None:
    """Return a moment to the second, with a fraction and a zone where it has one."""
    found = MOMENT.fullmatch(text)
    if found is None:
        return None
    day, minute, second, fraction, zone = found.groups()
    end = "" if not (fraction or "").strip("0") else f".{fraction.rstrip('0')}"
    if zone is not None:
        end += "+00:00" if zone == "Z" else f"{zone[:3]}:{zone[-2:]}"
    return f"{day}T{minute or '00:00'}:{second or '00'}{end}"


def counted_text(text: str) -> str:
    """Return the canonical writing of a text: the same for all texts that read alike.

    Unicode's normal form KC, without characters that nobody sees, without blanks around it, with
    one blank where several are and behind the comma of a range, and a number in plain digits. Case
    makes a difference.
    """
    if PLAIN.fullmatch(text) and text[0] not in BRACKETS:
        return text
    plain = IGNORABLE.sub("", unicodedata.normalize("NFKC", text))
    seen = "".join(one for one in plain if _is_seen(one))
    # Marks may meet a letter only now that nothing stands between.
    text = " ".join(unicodedata.normalize("NFKC", seen).split())
    ends = RANGE.fullmatch(text)
    if ends is not None and ends["mark"] == ",":
        low, high = map(number_key, ends.group("low", "high"))
        return f"{ends['opens']}{low}, {high}{ends['closes']}" if low and high else text
    return number_key(text) or text


def counted_texts(texts: Iterable[str]) -> list[str]:
    """Return the canonical writing of each text."""
    return [counted_text(text) for text in texts]


def _is_seen(one: str) -> bool:
    """Return whether a character shows, or is a blank."""
    return one.isspace() or unicodedata.category(one) not in UNSEEN
