"""Dialects of separated text: which mark stands around cells, and what stands before a mark inside.

The usual dialect has double quotes around cells, doubled inside of them; a quote inside of a cell
that does not begin with one is a character. Another dialect is tried only where the usual one
fails.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

QUOTE = '"'
BACKSLASH = "\\"
# A cell that a double quote opens and another one closes.
WRAPPED = re.compile(rb'(?m)(?:^|[,;\t|])"[^"\r\n]*"(?=[,;\t|\r\n]|\Z)')
SINGLY_WRAPPED = re.compile(rb"(?m)(?:^|[,;\t|])'[^'\r\n]*'(?=[,;\t|\r\n]|\Z)")


class TextRows(Protocol):
    """Rows of a text, one after another, and the number of lines that were read for them."""

    @property
    def line_num(self) -> int:
        """The lines that were read."""
        ...

    def __iter__(self) -> Iterator[list[str]]:
        """Yield the rows."""
        ...


@dataclass(frozen=True, slots=True)
class TextDialect:
    """How quotes stand in a text.

    Parameters
    ----------
    quote : the mark around cells; empty where quotes are characters as others
    escape : stands before a mark that is part of a cell; empty where the mark is doubled
    """

    quote: str = QUOTE
    escape: str = ""

    @property
    def is_usual(self) -> bool:
        """Whether every reader takes it for granted."""
        return self == USUAL

    def rows(self, lines: Iterable[str], separator: str, *, strict: bool = True) -> TextRows:
        """Cut lines into rows of cells.

        Parameters
        ----------
        strict : whether a quote that does not fit raises ``csv.Error``
        """
        if not self.quote:
            escape = self.escape or None
            return csv.reader(
                lines, delimiter=separator, quoting=csv.QUOTE_NONE, escapechar=escape, strict=strict
            )
        return csv.reader(lines, delimiter=separator, quotechar=self.quote, strict=strict)

    def doubled(self, text: bytes) -> bytes:
        r"""Return a text in which marks inside of cells are doubled, and not behind an escape.

        Nothing but a mark and the escape itself can stand behind one: a path such as ``C:\new``
        keeps its backslash, and so does ``\N`` for nothing.
        """
        if not self.quote or not self.escape:
            return text
        mark, escape = re.escape(self.quote.encode()), re.escape(self.escape.encode())
        inside = rb"[^%b%b]|%b.|%b%b" % (mark, escape, escape, mark, mark)
        cell = re.compile(
            rb"(?ms)(?:^|(?<=[,;\t|]))%b((?:%b)*+)%b(?=[,;\t|\r\n]|\Z)" % (mark, inside, mark)
        )
        escaped = re.compile(rb"%b(%b|%b)" % (escape, mark, escape))
        quote = self.quote.encode()

        def plain(found: re.Match[bytes]) -> bytes:
            own = escaped.sub(
                lambda one: quote * 2 if one[1] == quote else one[1],
                found[1],
            )
            return quote + own + quote

        return cell.sub(plain, text)


USUAL = TextDialect()
NO_QUOTES = TextDialect("")


def others_of(text: bytes) -> Iterator[TextDialect]:
    """Yield the dialects that a text may have in place of the usual one, the most likely first."""
    has_backslashes = BACKSLASH.encode() in text
    if b'\\"' in text:
        yield TextDialect(QUOTE, BACKSLASH)
    if SINGLY_WRAPPED.search(text):
        yield TextDialect("'")
        if b"\\'" in text:
            yield TextDialect("'", BACKSLASH)
    # Where a quote is known to enclose some cell, it is no character.
    if QUOTE.encode() in text and not WRAPPED.search(text):
        yield NO_QUOTES
    if has_backslashes and not WRAPPED.search(text):
        yield TextDialect("", BACKSLASH)
