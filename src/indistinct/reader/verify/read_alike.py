"""Texts as a person reads them: what looks the same is one value, and one person.

Verification has this for itself; nothing that made a release uses it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation

from indistinct.engines.frames import Column

# Letters, marks and fillers without a shape, beside the categories of controls and formats.
SHAPELESS = re.compile(
    r"[\u034f\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u2065\u3164\ufe00-\ufe0f\uffa0]"
    r"|[\ufff0-\ufff8]|[\U000e0000-\U000e0fff]"
)
NUMERIC = frozenset("0123456789+-.eE")
MOST_PLACES = 80  # that a number is written out with


def as_read(text: str) -> str:
    """Return a text as it reads: without what has no shape, and a number by its value."""
    if text.isascii() and text.isalpha():
        return text
    shown: list[str] = []
    for one in text:
        if one.isspace():
            shown.append(" ")
        elif not SHAPELESS.match(one) and unicodedata.category(one) not in {"Cc", "Cf", "Cn"}:
            shown.append(one)
    plain = unicodedata.normalize("NFC", "".join(shown))
    while "  " in plain:
        plain = plain.replace("  ", " ")
    plain = plain.strip(" ")
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
    written = column.unique().to_list()
    pairs = zip(written, all_as_read(written, missing), strict=True)
    changed = {text: read for text, read in pairs if text != read}
    return column.replace(changed) if changed else column


def _value(text: str) -> str:
    """Write the value of a number; the empty text where it is none."""
    if not text or not set(text) <= NUMERIC:
        return ""
    try:
        sign, digits, power = Decimal(text).as_tuple()
    except InvalidOperation:
        return ""
    exponent = int(power)
    while digits and digits[-1] == 0:
        digits, exponent = digits[:-1], exponent + 1
    if not any(digits):
        return "0"
    shown = f"{''.join(map(str, digits)).lstrip('0')}e{exponent}"
    if abs(exponent) <= MOST_PLACES:
        shown = f"{Decimal((0, digits, exponent)):f}"
    return f"-{shown}" if sign else shown
