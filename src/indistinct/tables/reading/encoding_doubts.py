"""What is said of the encoding of a file: its name with the evidence, or the question."""

from __future__ import annotations

import re

from indistinct.base.cells.decoding import DecodedText, called, open_words
from indistinct.base.cells.encodings import UTF_8, FoundEncoding
from indistinct.base.coded_text import joined, sentence
from indistinct.base.files.text import line_at
from indistinct.tables.reading.declared_formats import FILE, NOTHING_READ, ReadingDoubt

ENCODING = "encoding"
GIVEN = sentence("encoding-given", "The encoding was given.")
OF_TWO_BYTES = sentence(
    "two-bytes", "The file begins with the mark of this encoding, or every second byte is zero."
)


NAMED = 3  # lines of spoilt characters that are named
# The sign for a character that was lost, and a letter of Latin-1 that was encoded as UTF-8 twice.
SPOILT = re.compile(rb"\xef\xbf\xbd|\xc3[\x82\x83]\xc2[\x80-\xbf]")


def with_encoding_said(
    content: bytes,
    text: DecodedText,
    words: dict[str, str | int],
    reasons: dict[str, str],
    *,
    is_given: bool,
) -> tuple[ReadingDoubt, ...]:
    """Note the encoding of a file where it is not UTF-8, or return the question about it.

    Parameters
    ----------
    words, reasons : of ``[data]``, to which the encoding is added
    is_given : whether somebody named the encoding
    """
    found = text.found
    if found is not None and not found.is_sure:
        return (_doubt(content, found),)
    if text.encoding != UTF_8:
        words[ENCODING] = text.encoding
    if found is None:
        if text.encoding != UTF_8:
            reasons[ENCODING] = GIVEN if is_given else OF_TWO_BYTES
        elif said := _said_spoilt(content):
            reasons["spoilt"] = said
        return ()
    reasons[ENCODING] = _said(found)
    return ()


def _said_spoilt(content: bytes) -> str:
    """Return how many characters were spoilt before a file of UTF-8 was written; else nothing."""
    places = [] if content.isascii() else [one.start() for one in SPOILT.finditer(content)]
    if not places:
        return ""
    lines = dict.fromkeys(line_at(content, place) for place in places[:NAMED])
    listed = ", ".join(map(str, lines)) + (" ..." if len(places) > NAMED else "")
    where = f"{'line' if len(lines) == 1 else 'lines'} {listed}"
    what = "1 character was" if len(places) == 1 else f"{len(places):,} characters were"
    return (
        f"{what} lost, or encoded twice, before the file was written ({where}). Such cells are "
        "read as they stand."
    )


def _said(found: FoundEncoding) -> str:
    """Return the evidence for an encoding, and how many words are none in it."""
    good = found.words - found.spoilt
    said = sentence(
        "words-of-encoding",
        "{count:,} of {of:,} words beyond ASCII are words in {encoding}.",
        count=good,
        of=found.words,
        encoding=called(found.name),
    )
    if not found.spoilt:
        return said
    lines = ", ".join(map(str, found.lines))
    if found.spoilt == 1:
        english = "1 is not (line {lines}), and is read as it stands."
        return joined(said, sentence("spoilt-word", english, lines=lines))
    more = " ..." if found.has_more_lines else ""
    where = "line" if len(found.lines) == 1 else "lines"
    return joined(
        said,
        sentence(
            "spoilt-words",
            f"{{count:,}} are not ({where} {{lines}}), and are read as they stand.",
            count=found.spoilt,
            lines=lines + more,
        ),
    )


def _doubt(content: bytes, found: FoundEncoding) -> ReadingDoubt:
    """Ask which of two encodings a file has."""
    other = str(found.other)
    words = "1 word" if found.words == 1 else "{count:,} words"
    text = sentence(
        "two-encodings",
        f"The file is not UTF-8, and its {words} beyond ASCII can be read as {{first}} or as "
        "{second}. Look at them with --preview.",
        count=found.words,
        first=called(found.name),
        second=called(other),
    )
    answers = ((found.name, {"encoding": found.name}), (other, {"encoding": other}))
    return ReadingDoubt(
        (FILE,),
        ENCODING,
        NOTHING_READ,
        text,
        answers,
        meanwhile=f"read as {called(found.name)}",
        records=found.words,
        of=found.words,
        examples=open_words(content, found),
    )
