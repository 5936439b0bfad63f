"""The bytes of a text file as UTF-8, and the encoding that they were in."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from indistinct.base.cells.encodings import UTF_8, FoundEncoding, found_encoding, words_in_both
from indistinct.base.files.text import line_at, without_mark
from indistinct.errors import DataError, Fault

SAMPLE = 1 << 18  # bytes by which an encoding of two bytes is known
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
MOST_ZEROS = 0.3
SHOWN = 12  # words that are shown in both encodings
REMEDY = (
    "Name the encoding, such as cp1252: --encoding of inspect, encoding in ind.inspect, or "
    "data.encoding in the policy."
)


@dataclass(frozen=True, slots=True)
class DecodedText:
    """A text as UTF-8.

    Parameters
    ----------
    text : its bytes, without the mark of UTF-8
    encoding : that it was in
    found : how the encoding was found; None where it was said, or where nothing had to be found
    """

    text: bytes
    encoding: str
    found: FoundEncoding | None = None


def decoded(path: str, content: bytes, encoding: str | None, *, asks: bool = False) -> DecodedText:
    """Return a text as UTF-8, and the encoding that it is in.

    Words that have no meaning in the encoding are read as they are.

    Parameters
    ----------
    path : what a message names the file
    encoding : found where it is not given
    asks : take the better one of two encodings between which the words do not decide

    Raises
    ------
    DataError
        when the bytes are in another encoding, nobody knows the encoding named, or the words do
        not decide between two
    """
    if encoding is None:
        if (plain := _plain_encoding(content)) is not None:
            return _strictly(path, content, plain)
        found = found_encoding(content)
        if not (found.is_sure or asks):
            raise DataError([open_encoding(path, found)])
        text = content.decode(found.name, "replace").encode(UTF_8)
        return DecodedText(without_mark(text), found.name, found)
    try:
        return _strictly(path, content, encoding)
    except DataError:
        found = found_encoding(content)
        meant = [found.name] if found.other is None else [found.name, found.other]
        if _codec(encoding) not in [*map(_codec, meant)]:
            raise
        text = content.decode(encoding, "replace").encode(UTF_8)
        return DecodedText(without_mark(text), encoding, found if found.is_sure else None)


def _codec(encoding: str) -> codecs.CodecInfo | None:
    """Look an encoding up; None where nobody knows it."""
    try:
        return codecs.lookup(encoding)
    except LookupError:
        return None


def _strictly(path: str, content: bytes, encoding: str) -> DecodedText:
    """Return a text that is in an encoding as a whole."""
    try:
        if codecs.lookup(encoding).name == UTF_8:
            if not content.isascii():
                content.decode(UTF_8)
            return DecodedText(without_mark(content), UTF_8)
        return DecodedText(without_mark(content.decode(encoding).encode(UTF_8)), encoding)
    except UnicodeDecodeError as error:
        problem = f"is not {called(encoding)} (line {line_at(content, error.start)})"
        parts = {"encoding": called(encoding), "line": line_at(content, error.start)}
        raise DataError(
            [Fault(path, problem, REMEDY, code="not-in-encoding", parts=parts)]
        ) from None
    except (LookupError, UnicodeEncodeError):
        raise DataError(
            [
                Fault(
                    "data.encoding",
                    "is not a known encoding",
                    "Try latin-1 or cp1252.",
                    code="unknown-encoding",
                )
            ]
        ) from None


def open_encoding(path: str, found: FoundEncoding) -> Fault:
    """Return the fault of a file whose words do not decide between two encodings."""
    words = f"{found.words:,} {'words' if found.words != 1 else 'word'} beyond ASCII"
    problem = (
        f"is not UTF-8, and its {words} can be read as {called(found.name)} or as "
        f"{called(str(found.other))}"
    )
    remedy = (
        f'Look at them with inspect --preview, and name the encoding: encoding = "{found.name}" in '
        "[data] of the policy, or --encoding."
    )
    return Fault(path, problem, remedy)


def open_words(content: bytes, found: FoundEncoding) -> tuple[tuple[str, str], ...]:
    """Return some words beyond ASCII in the two encodings that a text may have."""
    return words_in_both(content, found.name, str(found.other), SHOWN)


def called(encoding: str) -> str:
    """Name an encoding as people do."""
    return "UTF-8" if encoding == UTF_8 else encoding


def _plain_encoding(content: bytes) -> str | None:
    """Return the encoding of bytes that a mark or their form tells; None where words have to."""
    for mark, name in MARKS:
        if content.startswith(mark):
            return name
    if (wide := _of_two_bytes(content[:SAMPLE])) is not None:
        return wide
    if content.isascii():
        return UTF_8
    try:
        content.decode(UTF_8)
    except UnicodeDecodeError:
        return None
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
