"""One canonical writing of texts, by which values and people are counted.

Texts that read alike are one value: how something was typed makes neither a class more diverse nor
a person several. The released cells keep what was written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

# Unicode's default ignorable characters that are not of the category of formats (Cf).
IGNORABLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U000e0000-\U000e0fff]"
)
UNSEEN = frozenset({"Cf", "Cc", "Cn"})  # formats, controls, and what is no character
NUMBER = re.compile(r"([+-]?)(?=\.?[0-9])([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]{1,9}))?")
PLAIN = re.compile(r"(?![+.-]?\.?[0-9])[!-~]+(?: [!-~]+)*|0|-?[1-9][0-9]{0,15}")
MOST_ZEROS = 40  # beyond which a number is written with an exponent


def counted_text(text: str) -> str:
    """Return the canonical writing of a text: the same for all texts that read alike.

    Unicode's normal form C, without characters that nobody sees, without blanks around it, with one
    blank where several are, and a number in plain digits. Case makes a difference.
    """
    if PLAIN.fullmatch(text):
        return text
    seen = "".join(one for one in IGNORABLE.sub("", text) if _is_seen(one))
    # Marks may meet a letter only now that nothing stands between.
    words = unicodedata.normalize("NFC", seen).split()
    return _as_number(" ".join(words))


def counted_texts(texts: Iterable[str]) -> list[str]:
    """Return the canonical writing of each text."""
    return [counted_text(text) for text in texts]


def _is_seen(one: str) -> bool:
    """Return whether a character shows, or is a blank."""
    return one.isspace() or unicodedata.category(one) not in UNSEEN


def _as_number(text: str) -> str:
    """Write a number in one way: without signs and zeros that say nothing, however long it is."""
    found = NUMBER.fullmatch(text)
    if found is None:
        return text
    sign, whole, fraction, power = found.groups()
    digits = (whole + fraction).lstrip("0")
    exponent = int(power or 0) - len(fraction) + len(digits) - len(digits.rstrip("0"))
    digits = digits.rstrip("0")
    if not digits:
        return "0"
    sign = "-" if sign == "-" else ""
    if exponent > MOST_ZEROS or exponent < -MOST_ZEROS - len(digits):
        return f"{sign}{digits}e{exponent}"
    if exponent >= 0:
        return sign + digits + "0" * exponent
    padded = digits.rjust(1 - exponent, "0")
    return f"{sign}{padded[:exponent]}.{padded[exponent:]}"
