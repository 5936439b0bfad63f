"""Separated text in another form: with another separator, and in another encoding."""

from __future__ import annotations

import csv
import io

# Excel takes a text without a mark for one of another encoding.
UTF_8, UTF_8_WITH_MARK = "utf-8", "utf-8-sig"


def separated(text: str, before: str, after: str) -> str:
    """Return a text with another mark between its cells; with the same one, it stays as it is."""
    if before == after:
        return text
    written = io.StringIO(newline="")
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=before)
    csv.writer(written, delimiter=after, lineterminator="\n").writerows(rows)
    return written.getvalue()


def encoded(text: str, encoding: str) -> bytes:
    """Return a text in an encoding, or in UTF-8 with a mark where it lacks a letter."""
    try:
        return text.encode(encoding)
    except (LookupError, UnicodeEncodeError):
        return text.encode(UTF_8_WITH_MARK)
