"""How a table is read: what is said of it, and what was found.

Both are decided once per file and column, before anything else. A policy says them in ``[data]``
and in the tables of its columns; what it does not say is found, by the cells of the whole column
for a date or a number, and by the beginning of the file for everything else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict

from indistinct.base.brief import short_repr
from indistinct.base.cells.missing_words import MissingWords
from indistinct.base.coded_text import sentence

SAMPLE = 1 << 18  # bytes of a file by which its form is found
NUMBER, DATE, MOMENT, TRUTH, SET = "number", "date", "moment", "truth", "set"
CODE_TYPE = "code"
MISSING, REFUSE = "missing", "refuse"  # what becomes of cells that are not read
FILE = "(file)"  # what a question is about that is about no column
NOTHING_READ, FALSE_CELLS = 1, 2  # what a wrong answer does
READ_BY_TYPE = frozenset({NUMBER, DATE, MOMENT, TRUTH})
AS_TEXT = frozenset({"text", "nominal", "ordinal", CODE_TYPE, SET})


@dataclass(frozen=True, slots=True)
class Reading:
    """What is said of how a table is read; what is None is found.

    Parameters
    ----------
    encoding, separator, quote, decimal : of a text file; an empty quote says that it has none
    escape : stands before a quote that is part of a cell; None where quotes are doubled
    header : the line or row with the names of the columns, from 1
    skip_rows, skip_last : rows behind the header, and at the end, that are no records
    formats : per column, how its dates are written
    types : per column, what its cells are; those of :data:`AS_TEXT` stay as they are written
    unreadable : per column, what becomes of cells that are not what is said of it: ``missing``, or
        ``refuse``; where nothing is said, few of them are missing, and many are refused
    last_years : per column, the last year that two digits may mean
    as_written : further columns that stay as they are written, since a policy masks their values
    listed : columns whose values a policy lists, so that blanks around them are part of them
    measured : columns whose numbers a policy computes with, so that a double may round them
    missing : texts that stand for a missing value
    own_missing : per column, the texts that take the place of these
    coded : columns whose numbers stay as they are written where a file of SPSS, Stata or SAS gives
        them labels: no policy says how they are generalized, and codes have no ranges
    left_out : columns of which only repeats are counted, whatever they hold
    may_be_release : whether cells may be those of a release: labels and dates as ISO writes them,
        which no format fits
    suggests : whether further header rows, total rows and words among numbers are looked for
    """

    encoding: str | None = None
    separator: str | None = None
    quote: str | None = None
    escape: str | None = None
    decimal: str | None = None
    header: int | None = None
    skip_rows: int | None = None
    skip_last: int | None = None
    formats: Mapping[str, str] = field(default_factory=dict[str, str])
    types: Mapping[str, str] = field(default_factory=dict[str, str])
    unreadable: Mapping[str, str] = field(default_factory=dict[str, str])
    last_years: Mapping[str, int] = field(default_factory=dict[str, int])
    as_written: frozenset[str] = frozenset()
    listed: frozenset[str] = frozenset()
    measured: frozenset[str] = frozenset()
    missing: tuple[str, ...] = ()
    own_missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    coded: frozenset[str] = frozenset()
    left_out: frozenset[str] = frozenset()
    may_be_release: bool = False
    suggests: bool = False

    __repr__ = short_repr

    @property
    def texts(self) -> tuple[str, ...]:
        """The columns whose cells are texts, whatever they look like."""
        return tuple(name for name, kind in self.types.items() if kind in AS_TEXT)

    @property
    def words(self) -> MissingWords:
        """The texts that stand for a missing value, per column."""
        return MissingWords(self.missing, self.own_missing)

    def rounds(self, name: str) -> bool:
        """Return whether numbers with more digits than a double has may lose some."""
        return self.suggests or name in self.measured or self.types.get(name) == NUMBER

    def stays(self, name: str) -> bool:
        """Return whether the cells of a column stay as they are written."""
        if name in self.formats or self.types.get(name) in READ_BY_TYPE:
            return False
        return name in self.as_written or self.types.get(name) in AS_TEXT


@dataclass(frozen=True, slots=True)
class ColumnFormat:
    """How the cells of a column are written, with the evidence.

    Parameters
    ----------
    said : the evidence, in a sentence without any cell
    format : of dates, such as ``dd/mm/yyyy``
    type : ``number`` where a few cells are no numbers, and are read as missing
    doubt : whether the cells stay texts, because they cannot be told
    kind : what they are: ``date`` or ``number``
    last_year : that two digits may mean, where the other dates of the records say it
    unread : how many cells are not read, and where; empty where all are
    n_unread : these cells
    choices : the two formats between which the cells do not decide
    """

    said: str
    format: str | None = None
    type: str | None = None
    doubt: bool = False
    kind: str = NUMBER
    last_year: int | None = None
    choices: tuple[str, ...] = ()
    unread: str = ""
    n_unread: int = 0


@dataclass(frozen=True, slots=True)
class ReadingDoubt:
    """A question about how a file or some of its columns are read.

    Parameters
    ----------
    about : the columns, or ``(file)``
    kind : ``encoding``, ``type``, ``date-order`` or ``century``
    order : what a wrong answer does: 1 if nothing is read, 2 if released cells are false
    text : what speaks for the answers, and what decides between them; no value of a record
    answers : the two, the better founded first, each with the words of a policy that say it
    meanwhile : how they are read until it is answered
    records, of : the records that it is about, and all records
    examples : for the owner alone, cells as the two answers read them
    """

    about: tuple[str, ...]
    kind: str
    order: int
    text: str
    answers: tuple[tuple[str, Mapping[str, object]], tuple[str, Mapping[str, object]]]
    meanwhile: str
    records: int = 0
    of: int = 0
    examples: tuple[tuple[str, str], ...] = ()

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class FoundReading:
    """How a table was read, as far as it is not what every reader takes for granted.

    Parameters
    ----------
    words : of ``[data]``, such as ``encoding``, each with its value
    reasons : per word, the evidence in a sentence
    columns : the formats of columns
    errors : per column of a workbook, cells with an error, which are read as missing
    doubts : questions about how it is read
    """

    words: Mapping[str, str | int] = field(default_factory=dict[str, "str | int"])
    reasons: Mapping[str, str] = field(default_factory=dict[str, str])
    columns: Mapping[str, ColumnFormat] = field(default_factory=dict[str, ColumnFormat])
    errors: Mapping[str, int] = field(default_factory=dict[str, int])
    doubts: tuple[ReadingDoubt, ...] = ()

    __repr__ = short_repr

    def unread_cells(self) -> tuple[str, ...]:
        """Return which cells are read as missing, since they are not what their column is."""
        return tuple(f"{name}: {one.unread}" for name, one in self.columns.items() if one.unread)

    def document(self) -> dict[str, Any]:
        """Return, for the owner alone, how many cells of each column are not read."""
        return {
            name: {"unread": one.n_unread} for name, one in self.columns.items() if one.n_unread
        }

    def file_sentences(self) -> Iterator[str]:
        """Yield what was found of the file, a sentence for each word of ``[data]``."""
        for word, reason in self.reasons.items():
            yield f"{word} = {self.words[word]!r}: {reason}" if word in self.words else reason
        for name in self.errors:
            yield f"{name}: {self.said_errors(name)}"

    def said_errors(self, name: str) -> str:
        """Return how many cells of a column of a workbook hold an error; empty where none does."""
        count = self.errors.get(name, 0)
        if not count:
            return ""
        if count == 1:
            return sentence(
                "cell-with-error",
                "1 cell holds an error of the workbook, such as #N/A. It is read as missing.",
            )
        return sentence(
            "cells-with-errors",
            "{count:,} cells hold an error of the workbook, such as #N/A. They are read as "
            "missing.",
            count=count,
        )

    def sentences(self) -> Iterator[str]:
        """Yield what was found of the file, and then of its columns."""
        yield from self.file_sentences()
        for name, one in self.columns.items():
            yield f"{name}: {one.said}"


NOTHING_FOUND = FoundReading()


class ReadingKeywords(TypedDict, total=False):
    """How a file is read, before a policy says it; see ``[data]`` and ``[columns.X]``."""

    encoding: str | None
    separator: str | None
    quote: str | None
    escape: str | None
    decimal: Literal[".", ","] | None
    header: int | None
    skip_rows: int | None
    skip_last: int | None
    formats: Mapping[str, str] | None
    types: Mapping[str, str] | None
