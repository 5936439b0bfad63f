"""The encodings of text files: named, marked, or found by what their bytes can be."""

from __future__ import annotations

import codecs

from indistinct.engines.reading import SAMPLE
from indistinct.engines.text import line_at, without_mark
from indistinct.errors import DataError, Fault

UTF_8 = "utf-8"
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Letters and signs that texts have in the languages that an encoding of one byte is made for.
LETTERS = {
    "cp1252": "àáâãäåæçèéêëìíîïðñòóôõöøœßùúûüýþÿšžÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØŒÙÚÛÜÝÞŠŽ"
    "€£§°ºª«»\u201c\u201d\u2018\u2019\u201e\u2013\u2014\u2026·¿¡\u00a0²µ",
    "cp1250": "ąćęłńóśźżĄĆĘŁŃÓŚŹŻáčďéěíňóřšťúůýžÁČĎÉĚÍŇÓŘŠŤÚŮÝŽőűöüŐŰÖÜôľĺŕäăâîşţĂÂÎŞŢ"
    "€§°«»\u201c\u201d\u2018\u2019\u201e\u2013\u2014\u2026\u00a0",
    "cp1251": "".join(map(chr, range(0x410, 0x450)))
    + "ёЁіїєґІЇЄҐ№«»\u201c\u201d\u2013\u2014\u2026\u00a0",
}
MOST_ZEROS, LEAST_LETTERS = 0.3, 0.9
REMEDY = (
    "Name the encoding, such as cp1252: --encoding of inspect, encoding in ind.inspect, or "
    "data.encoding in the policy."
)


def decoded(path: str, content: bytes, encoding: str | None) -> tuple[bytes, str]:
    """Return a text as UTF-8, and the encoding that it is in.

    Parameters
    ----------
    path : what a message names the file
    encoding : found where it is not given

    Raises
    ------
    DataError
        when the bytes are in another encoding, or nobody knows the encoding named
    """
    if encoding is None:
        encoding = found_encoding(content)
        if encoding == UTF_8:
            return without_mark(content), UTF_8
    encoding = encoding or UTF_8
    try:
        if codecs.lookup(encoding).name == UTF_8:
            content.decode(UTF_8)
            return without_mark(content), UTF_8
        return without_mark(content.decode(encoding).encode(UTF_8)), encoding
    except UnicodeDecodeError as error:
        problem = f"is not {_called(encoding)} (line {line_at(content, error.start)})"
        raise DataError([Fault(path, problem, REMEDY)]) from None
    except (LookupError, UnicodeEncodeError):
        raise DataError(
            [Fault("data.encoding", "is not a known encoding", "Try latin-1 or cp1252.")]
        ) from None


def _called(encoding: str) -> str:
    """Name an encoding as people do."""
    return "UTF-8" if encoding == UTF_8 else encoding


def found_encoding(content: bytes) -> str | None:
    """Return the encoding of some bytes; None where they are no UTF-8 and nothing is probable."""
    for mark, name in MARKS:
        if content.startswith(mark):
            return name
    if (wide := _of_two_bytes(content[:SAMPLE])) is not None:
        return wide
    if content.isascii():
        return UTF_8
    try:
        content.decode(UTF_8)
    except UnicodeDecodeError as error:
        start = max(0, error.start - SAMPLE // 2)
        return _of_other_bytes(content[start : start + SAMPLE], content)
    return UTF_8


def _of_two_bytes(sample: bytes) -> str | None:
    """Return the encoding of bytes of which every second one is zero."""
    size = len(sample) // 2
    if not size or b"\0" not in sample:
        return None
    first, second = sample[0 : 2 * size : 2].count(0) / size, sample[1::2].count(0) / size
    if max(first, second) < MOST_ZEROS:
        return None
    return "utf-16-be" if first > second else "utf-16-le"


def _of_other_bytes(sample: bytes, content: bytes) -> str | None:
    """Return the encoding of bytes that are no UTF-8.

    An encoding of one byte reads any bytes, so that what decides is whether they become the letters
    of the languages that it is made for.
    """
    from charset_normalizer import from_bytes  # few texts need it

    best = from_bytes(sample).best()
    found = UTF_8 if best is None else best.encoding
    if _is_of_several_bytes(found):
        return _superset(found)
    shares = [(_share_of_letters(content, name), name) for name in LETTERS]
    share, name = max(shares, key=lambda one: one[0])
    return name if share >= LEAST_LETTERS else None


def _is_of_several_bytes(encoding: str) -> bool:
    """Return whether an encoding writes some letters in more than one byte."""
    names = ("big5", "cp932", "shift", "euc", "gb", "cp949", "johab", "iso2022", "utf", "hz")
    return encoding.startswith(names)


def _superset(encoding: str) -> str:
    """Return the encoding that programs of Windows really write."""
    return "cp932" if encoding.startswith("shift") else encoding


def _share_of_letters(content: bytes, encoding: str) -> float:
    """Return the share of other characters than ASCII's that are letters of an encoding; at most 1.

    Bytes that the encoding does not know make it impossible: 0.
    """
    others = content.translate(None, bytes(range(128)))
    try:
        text = others.decode(encoding)
    except UnicodeDecodeError:
        return 0.0
    known = LETTERS[encoding]
    return sum(text.count(letter) for letter in set(text) if letter in known) / max(len(text), 1)
