"""The layout of a text file: separator, quotes, header, and the lines that are no records.

What is not said is found by the beginning of the file, and shown. The separator is the one that
cuts the lines, not the header alone, into one number of cells. A text in the usual layout is handed
on as it is; any other is written once more, so that everything behind this reads one layout.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from indistinct.base.arrays import Ints
from indistinct.base.brief import short_repr
from indistinct.base.coded_text import CodedText, joined, sentence
from indistinct.base.files.lines import lines_of_rows
from indistinct.base.files.text import malformed, ragged, separator_of
from indistinct.errors import DataError, EmptyDataError, Fault
from indistinct.tables.reading.declared_formats import SAMPLE, Reading
from indistinct.tables.reading.dialects import QUOTE, USUAL, TextDialect, others_of
from indistinct.tables.reading.header_rows import (
    LAST_ROWS,
    LEAST_RECORDS,
    are_cells,
    first_row,
    further_headers,
    has_no_header,
    is_header_again,
    numbered_names,
    said_numbered,
    said_totals,
    total_rows,
)
from indistinct.tables.reading.short_lines import has_short_lines
from indistinct.tables.reading.text_frames import are_quoted_rows, has_ragged_lines

NAMED = re.compile(rb"sep=(.)\r*\n?", re.IGNORECASE)
RULE = re.compile(r"[\s|:+=-]*-[\s|:+=-]*")  # between header and records of a table for people
SAMPLE_ROWS = 400
LINE = re.compile(r"\(lines? ([0-9]+)")  # in a message
LINES = 5  # that are named
BLANK_LINE = re.compile(rb"\n(?:\r|\t| {1,2})?\n")
LEAST_SHARE = 0.9  # of the lines that have one number of cells
NEARLY = 0.98  # the same, for another dialect to be told of
OTHER_MARKS = ":^~!\u00a6\u00a7\x01\x1f"  # that separate cells in files of some programs
BLANK = " \t\u00a0\u202f\u2009\u200b\ufeff"
AT_THIS_POINT = "or name the separator: --separator of inspect, or data.separator in the policy."

Row = Sequence[str]


@dataclass(frozen=True, slots=True)
class Layout:
    """A text in the usual layout, and how it was.

    Parameters
    ----------
    text : UTF-8, a header and records, lines that end with LF or CRLF
    separator : of its cells
    header : the names of its columns
    lines : (n_records,), the line of each record in the file; None where they follow the header
    before : lines of the file above the text, where the records follow the header
    words : of ``[data]``, that say how it was, each with its value
    reasons : per word, the evidence in a sentence
    """

    text: bytes
    separator: str
    header: tuple[str, ...]
    lines: Sequence[int] | None = None
    before: int = 0
    words: dict[str, str | int] = field(default_factory=dict[str, "str | int"])
    reasons: dict[str, str] = field(default_factory=dict[str, str])

    __repr__ = short_repr

    def line(self, record: int) -> int:
        """Return the line of the file in which a record begins, from 1, as an editor counts it."""
        if self.lines is not None:
            return self.lines[record]
        if QUOTE.encode() not in self.text:
            return self.before + record + 2
        return self.before + int(_lines_within(self.text)[record + 1])


@lru_cache(maxsize=1)
def _lines_within(text: bytes) -> Ints:
    """Return the line of a text in which each row begins; kept, since columns ask one by one."""
    return lines_of_rows(text)


def usual_layout(path: str, text: bytes, reading: Reading, candidates: str) -> Layout:
    """Return a text in the usual layout.

    Parameters
    ----------
    path : what a message names the file
    text : UTF-8
    reading : what is said of the layout
    candidates : separators that the file may have

    Raises
    ------
    DataError
        when lines have too few or too many cells, or the header has no name for a column
    """
    found = Layout(_with_line_ends(text), "", ())
    found, mark = _without_named_separator(found)
    try:
        return _Finder(path, found, reading, mark, candidates).layout()
    except EmptyDataError:
        raise
    except DataError as error:
        if reading.quote is not None or reading.escape is not None:
            raise
        other = _in_another_dialect(path, found, reading, mark, candidates)
        if other is None:
            hint = _nearly(path, found, reading, mark, candidates)
            raise DataError(
                replace(fault, remedy=f"{fault.remedy}{hint}") for fault in error.faults
            ) from None
        word = "quote" if "quote" in other.words else "escape"
        found = LINE.search(error.faults[0].problem)
        even = "This way all lines have {cells} cells."
        reason = sentence("other-dialect", even, cells=len(other.header))
        usual = "With the usual double quotes around cells, the file cannot be read"
        if found is None:
            reason = joined(reason, sentence("usual-dialect", f"{usual}."))
        else:
            usual = f"{usual} (line {{line}})."
            reason = joined(reason, sentence("usual-dialect-at", usual, line=int(found[1])))
        return replace(other, reasons={**other.reasons, word: reason})


def _nearly(path: str, found: Layout, reading: Reading, mark: str | None, candidates: str) -> str:
    """Return which other dialect cuts nearly all lines into one number of cells; else nothing."""
    for dialect in others_of(found.text):
        asked = replace(reading, quote=dialect.quote, escape=dialect.escape or None)
        n_even, n_lines, width = _Finder(path, found, asked, mark, candidates).even_lines()
        if width > 1 and n_even >= NEARLY * n_lines:
            said = [f'data.quote = "{dialect.quote}"'] if dialect.quote != QUOTE else []
            said += ['data.escape = "\\\\"'] if dialect.escape else []
            return (
                f" With {' and '.join(said)}, {n_even:,} of the first {n_lines:,} lines have "
                f"{width} cells."
            )
    return ""


def _in_another_dialect(
    path: str, found: Layout, reading: Reading, mark: str | None, candidates: str
) -> Layout | None:
    """Return a text in the first dialect that cuts all of its lines into one number of cells.

    One cell in each line shows nothing: a separator that is not there does the same.
    """
    for dialect in others_of(found.text):
        asked = replace(reading, quote=dialect.quote, escape=dialect.escape or None)
        try:
            layout = _Finder(path, found, asked, mark, candidates).layout()
        except DataError:
            continue
        if len(layout.header) > 1:
            words = {"quote": dialect.quote, "escape": dialect.escape}
            usual = {"quote": USUAL.quote, "escape": USUAL.escape}
            said = {word: one for word, one in words.items() if one != usual[word]}
            return replace(layout, words={**layout.words, **said})
    return None


def separator_of_lines(path: str, text: bytes, candidates: str) -> str:
    """Return the separator of a text that a program wrote; its header may have others in it."""
    return _Finder(path, Layout(text, "", ()), Reading(), None, candidates).separator


def _with_line_ends(text: bytes) -> bytes:
    """Let lines end with LF or CRLF; those of old programs end with CR, or with CR twice."""
    if b"\r" not in text[:SAMPLE]:
        return text
    if b"\r\r\n" in text:
        text = text.replace(b"\r\r\n", b"\n")
    return text if b"\n" in text else text.replace(b"\r", b"\n")


def _without_named_separator(found: Layout) -> tuple[Layout, str | None]:
    """Leave the line out by which Excel is told the separator, and return it."""
    named = NAMED.match(found.text)
    if named is None:
        return found, None
    mark = named[1].decode("utf-8", "replace")
    reasons = {"separator": sentence("named-separator", "The first line of the file names it.")}
    return replace(found, text=found.text[named.end() :], reasons=reasons), mark


class _Finder:
    """Finds the layout of one text."""

    def __init__(
        self, path: str, found: Layout, reading: Reading, mark: str | None, candidates: str
    ) -> None:
        self.path, self.reading = path, reading
        said = QUOTE if reading.quote is None else reading.quote
        self.text = TextDialect(said, reading.escape or "").doubled(found.text)
        self.before = 1 if mark is not None else 0  # lines above the text
        self.words: dict[str, str | int] = dict(found.words)
        self.reasons: dict[str, str] = dict(found.reasons)
        self.beginning = self.text[:SAMPLE].decode("utf-8", "ignore")
        self.is_single = False
        self.is_whole = len(self.text) <= SAMPLE
        quote = self._found_quote() if reading.quote is None else reading.quote
        # The text has doubled quotes by now; without quotes an escape protects separators.
        self.dialect = TextDialect(quote, "" if quote else reading.escape or "")
        self.separator = reading.separator or mark or self._found_separator(candidates)

    def layout(self) -> Layout:
        """Return the text, written once more where its layout is not the usual one."""
        rows = self._sample(self.separator)
        remedy = "Check that this is the right file."
        if not any(cell.strip() for row in rows for cell in row):
            raise EmptyDataError("the file is empty", remedy, code="empty-file")
        width = _commonest_width(rows)
        self.is_single = width == 1
        if self.is_single and self.reading.separator is None:
            _refuse_other_marks(self.path, rows)
        first = self._first(rows, width)
        names = _trimmed(rows[first])
        below = [row for row in rows[first + 1 :] if self._is_record(row)]
        if len(names) + 1 == width and _is_empty(below, width - 1):
            names = [*names, ""]
        elif len(names) + 1 == width and _tell_rows_apart(below):
            names = ["", *names]
        kept = [at for at, name in enumerate(names) if name or not _is_empty(below, at)]
        if not kept:
            raise EmptyDataError("the file is empty", remedy, code="empty-file")
        if not names[0] and len(kept) > 1 and kept[0] == 0 and _tell_rows_apart(below):
            kept = kept[1:]  # names of rows, as R and pandas write them
        self._check_names(names, kept, below, first)
        given, names = names, numbered_names(names)
        if said := said_numbered(given, names):
            self.reasons["names"] = said
        skipped, last = self._no_records(rows, first, kept, width)
        is_usual = (
            self.dialect.is_usual
            and first == 0
            and names == given
            and not skipped
            and not last
            and len(kept) == len(names) == len(rows[0])
            and not self._has_blank_lines(len(kept))
            and not self._has_odd_quotes(len(names))
            and not self._may_repeat(names)
        )
        if is_usual:
            return self._as_it_is(names)
        return self._written(first, skipped, last, names, kept)

    def _found_quote(self) -> str:
        """Return the mark around cells."""
        first = self.beginning.split("\n", 1)[0].strip()
        if len(first) > 1 and first[0] == first[-1] == "'" and QUOTE not in first:
            said = sentence("single-quotes", "Every name of the header stands in single quotes.")
            self._say("quote", "'", said)
            return "'"
        return QUOTE

    def _found_separator(self, candidates: str) -> str:
        """Return the mark between cells: what the header has most, unless the lines deny it."""
        by_header = separator_of(self.text, candidates) if candidates else ","
        is_there = by_header in self.beginning.split("\n", 1)[0]
        share = self._share(by_header)
        if len(candidates) < 2:  # noqa: PLR2004 - a choice
            return by_header
        if is_there and share >= LEAST_SHARE:
            return self._wider_separator(by_header, candidates)
        shares = {
            mark: one for mark in candidates if self._has_names(mark, one := self._share(mark))
        }
        best = max(shares, key=lambda mark: shares[mark], default=by_header)
        if best == by_header or (is_there and shares[best] <= share):
            return by_header
        said = sentence(
            "cuts-evenly",
            "It cuts {share:.0%} of the lines into one number of cells.",
            share=shares[best],
        )
        self._say("separator", best, said)
        return best

    def _wider_separator(self, narrow: str, candidates: str) -> str:
        """Return the mark that cuts the lines as evenly as another one, and into more cells.

        A comma in a title, and one in the decimals of each line, are as even as a separator.
        """
        n_lines, least = self._even(narrow)[1:]
        widths = {
            mark: self._even(mark)[2]
            for mark in candidates
            if mark != narrow
            and self.beginning.count(mark) >= LEAST_SHARE * n_lines
            and self._has_names(mark, self._share(mark))
        }
        best = max(widths, key=lambda mark: widths[mark], default=narrow)
        if widths.get(best, 0) <= least:
            return narrow
        said = sentence("cuts", "It cuts the lines into {cells} cells.", cells=widths[best])
        self._say("separator", best, said)
        return best

    def _has_names(self, separator: str, share: float) -> bool:
        """Return whether rows cut by a separator have a header: names that are no cells below it.

        A file of one column may have lists in its cells: separators in every line but the first.
        """
        rows = self._sample(separator)
        first = first_row(rows, _commonest_width(rows))
        below = {cell for row in rows[first + 1 :] for cell in row}
        names = rows[first] if share >= LEAST_SHARE else []
        return len(names) > 1 and not any(name and name in below for name in names)

    def _share(self, separator: str) -> float:
        """Return the share of lines that a separator cuts into the commonest number of cells."""
        n_even, n_lines, width = self._even(separator)
        return n_even / n_lines if n_lines and width > 1 else 0.0

    def even_lines(self) -> tuple[int, int, int]:
        """Return the first lines of the commonest number of cells, all of them, and that number."""
        return self._even(self.separator)

    def _even(self, separator: str) -> tuple[int, int, int]:
        """Return the lines of the commonest number of cells, all lines, and that number."""
        rows = [row for row in self._sample(separator) if len(row) > 1 or any(row)]
        width = _commonest_width(rows)
        return sum(len(row) == width for row in rows), len(rows), width

    def _sample(self, separator: str) -> list[list[str]]:
        """Return the first rows of the text; the last may be cut off, and is left out then."""
        lines = io.StringIO(self.beginning, newline="")
        rows: list[list[str]] = []
        try:
            for row in self.dialect.rows(lines, separator, strict=False):
                rows.append(row)
                if len(rows) > SAMPLE_ROWS:
                    return rows[:-1]
        except csv.Error:
            return rows
        return rows if self.is_whole or len(rows) < 2 else rows[:-1]  # noqa: PLR2004 - one is kept

    def _first(self, rows: Sequence[Row], width: int) -> int:
        """Return the place of the row with the names."""
        if self.reading.header is not None:
            place = self.reading.header - 1 - self.before
            if not 0 <= place < len(rows):
                problem = f"is {self.reading.header}, but the file begins with {len(rows)} rows"
                remedy, parts = "Name the line of the names.", {"header": self.reading.header}
                raise DataError(
                    [Fault("data.header", problem, remedy, code="no-such-header", parts=parts)]
                )
            return place
        found = first_row(rows, width)
        if found:
            english = "The {count} rows above it are shorter than the records."
            said = sentence("rows-above", english, count=found)
            self._say("header", found + 1 + self.before, said)
        return found

    def _check_names(
        self, names: Row, kept: Sequence[int], below: Sequence[Row], first: int
    ) -> None:
        """Refuse a header with too few or too many names, and columns without one."""
        line = first + 1 + self.before
        widths = {len(row) for row in below}
        needed = max(kept, default=0) + 1
        if len(below) >= LEAST_RECORDS and len(widths) == 1 and min(widths) != needed:
            width = min(widths)
            if not width > needed or any(not _is_empty(below, at) for at in range(needed, width)):
                problem = (
                    f"the header (line {line}) has {needed} names, and the lines have {width} cells"
                )
                remedy = f"Correct the header, {AT_THIS_POINT}"
                parts = {"line": line, "names": needed, "cells": width}
                raise DataError(
                    [Fault(self.path, problem, remedy, code="short-header", parts=parts)]
                )
        if self.reading.suggests and self.reading.header is None and has_no_header(names, below):
            problem = f"line {line} has cells such as those below it, and no names of columns"
            remedy = "Write a line with the names of the columns above it."
            parts = {"line": line}
            raise DataError([Fault(self.path, problem, remedy, code="no-header", parts=parts)])
        unnamed = [str(at + 1) for at in kept if not names[at]]
        if unnamed:
            problem = f"the header (line {line}) has no name for column {', '.join(unnamed)}"
            remedy = "Write a name for every column there."
            parts = {"line": line, "places": ", ".join(unnamed)}
            raise DataError(
                [Fault(self.path, problem, remedy, code="unnamed-columns", parts=parts)]
            )

    def _no_records(
        self, rows: Sequence[Row], first: int, kept: Sequence[int], width: int
    ) -> tuple[int, int]:
        """Return how many rows below the header, and at the end, are no records."""
        skipped, last = self.reading.skip_rows, self.reading.skip_last
        below = [row for row in rows[first + 1 :] if len(row) == width and self._is_record(row)]
        cells = [[row[at] for at in kept if at < len(row)] for row in below]
        if skipped is None:
            skipped = further_headers(cells) if self.reading.suggests else 0
            if skipped:
                said = sentence(
                    "header-rows",
                    "The first {count} records look like further header rows: words where all "
                    "other cells are numbers or dates.",
                    count=skipped,
                )
                self._say("skip_rows", skipped, said)
        if last is None:
            last = total_rows(self._last_rows(), cells) if self.reading.suggests else 0
            if last:
                self._say("skip_last", last, said_totals(last))
        return skipped, last

    def _last_rows(self) -> list[list[str]]:
        """Return the last rows of the text."""
        end = self.text[-(SAMPLE >> 4) :].rstrip(b"\r\n").decode("utf-8", "ignore")
        lines = end.splitlines()[-LAST_ROWS:]
        try:
            rows = list(self.dialect.rows(lines, self.separator, strict=False))
        except csv.Error:
            return []
        return [row for row in rows if any(cell.strip() for cell in row)]

    def _may_repeat(self, names: Sequence[str]) -> bool:
        """Return whether the longest name stands in a further cell, as in a header that repeats."""
        longest, below = max(names, key=len), self.text.find(b"\n")
        spellings = {longest, longest.upper(), longest.lower(), longest.title()}
        found = [one for one in map(str.encode, spellings) if self.text.find(one, below) >= 0]
        if len(names) < 2 or not found:  # noqa: PLR2004 - one column repeats any cell
            return False
        around = rb"[\s" + re.escape((self.separator + self.dialect.quote).encode()) + rb"]"
        any_of = b"|".join(map(re.escape, found))
        cell = re.compile(around + rb"(?:" + any_of + rb")(?:" + around + rb"|\Z)")
        return cell.search(self.text, below) is not None

    def _has_blank_lines(self, n_columns: int) -> bool:
        """Return whether blank lines stand between the records; of one column each is a record."""
        end = 0 if n_columns == 1 else len(self.text)
        while end and self.text[end - 1] in b"\r\n":
            end -= 1
        if end and self.text[:1] in {b"\r", b"\n"}:
            return True
        return has_short_lines(self.text, end) and bool(BLANK_LINE.search(self.text, 0, end))

    def _has_odd_quotes(self, n_columns: int) -> bool:
        """Return whether quotes do other than enclose cells, so that rows must be cut one by one.

        Single quotes are looked at where they may be the reason for lines of other widths.
        """
        if QUOTE.encode() in self.text:
            end = len(self.text.rstrip(b"\r\n"))
            rows = memoryview(self.text)[:end]
            return not are_quoted_rows(rows, self.separator, n_columns)
        is_open = b"'" in self.text or b"\\" in self.text
        return is_open and has_ragged_lines(self.text, self.separator, n_columns)

    def _as_it_is(self, names: Sequence[str]) -> Layout:
        """Return the text itself."""
        text = self.text
        if len(names) > 1 and BLANK_LINE.search(text, max(len(text) - 4, 0)):
            text = text.rstrip(b"\r\n") + b"\n"
        return Layout(
            text,
            self.separator,
            tuple(names),
            before=self.before,
            words=self.words,
            reasons=self.reasons,
        )

    def _written(
        self, first: int, skipped: int, last: int, names: Sequence[str], kept: Sequence[int]
    ) -> Layout:
        """Write the header and the records in the usual layout."""
        numbered = list(self._records(first))
        numbered = numbered[skipped : len(numbered) - last]
        again = [line for line, row in numbered if is_header_again(row, names)]
        if again:
            numbered = [one for one in numbered if not is_header_again(one[1], names)]
            self.reasons["header again"] = _said_again(again)
        width, unnamed = max(kept) + 1, {*range(len(names))} - {*kept}
        wrong = [
            line
            for line, row in numbered
            if len(row) < width
            or any(row[len(names) :])
            or any(row[at] for at in unnamed if at < len(row) and at)
        ]
        if wrong:
            raise self._ragged(wrong, len(kept))
        written = io.StringIO(newline="")
        writer = csv.writer(written, delimiter=self.separator, lineterminator="\n")
        shown = [names[at] for at in kept]
        writer.writerow(shown)
        writer.writerows([row[at] for at in kept] for _, row in numbered)
        return Layout(
            written.getvalue().encode(),
            self.separator,
            tuple(shown),
            [line for line, _ in numbered],
            words=self.words,
            reasons=self.reasons,
        )

    def _records(self, first: int) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows below the header that are not blank, each with its line."""
        lines = io.StringIO(self.text.decode("utf-8"), newline="")
        reader = self.dialect.rows(lines, self.separator)
        is_barred, line = self.separator == "|", 1 + self.before
        try:
            for place, row in enumerate(reader):
                begins, line = line, reader.line_num + 1 + self.before
                if place > first and self._is_record(row):
                    yield begins, [cell.strip() for cell in row] if is_barred else row
        except csv.Error:
            raise malformed(self.path, line) from None

    def _is_record(self, row: Row) -> bool:
        """Return whether a row is neither blank nor a comment nor a rule."""
        if self.is_single:
            return True
        if len(row) < 2:  # noqa: PLR2004 - it has no separator
            return any(cell.strip() and not cell.startswith("#") for cell in row)
        return self.separator != "|" or not RULE.fullmatch("|".join(row))

    def _ragged(self, wrong: Sequence[int], width: int) -> DataError:
        """Return the error that says which lines have too few or too many cells."""
        return ragged(self.path, wrong, width, f"Correct these lines, {AT_THIS_POINT}")

    def _say(self, word: str, value: str | int, reason: str) -> None:
        """Note what was found, and why."""
        self.words[word], self.reasons[word] = value, reason


def _said_again(lines: Sequence[int]) -> CodedText:
    """Return which lines are the header again."""
    if len(lines) == 1:
        english = "Line {line} is the header again, and is left out."
        return sentence("header-again", english, line=lines[0])
    listed = ", ".join(map(str, lines[:LINES])) + (" ..." if len(lines) > LINES else "")
    english = "{count:,} lines ({lines}) are the header again, and are left out."
    return sentence("headers-again", english, count=len(lines), lines=listed)


def _commonest_width(rows: Sequence[Row]) -> int:
    """Return the number of cells that most rows have; blank rows do not count."""
    widths = Counter(len(row) for row in rows if len(row) > 1 or any(row))
    return max(widths, key=lambda width: (widths[width], width), default=1)


def _trimmed(names: Row) -> list[str]:
    """Return the names of columns without the blanks around them."""
    trimmed = [name.strip(BLANK) or name for name in names]
    return trimmed if len(set(trimmed)) == len(set(names)) else list(names)


def _refuse_other_marks(path: str, rows: Sequence[Row]) -> None:
    """Refuse a text whose cells seem to be separated by blanks, or by a mark of no other file."""
    lines = [row[0] for row in rows if any(row)]
    for mark in OTHER_MARKS:
        widths = Counter(line.count(mark) for line in lines)
        in_header = lines[0].count(mark) if lines else 0
        if in_header and widths[in_header] >= NEARLY * len(lines) > LEAST_RECORDS:
            shown = mark if mark.isprintable() else f"character {ord(mark)}"
            problem = f"has no comma, semicolon, tab or bar, and {shown} in each line"
            remedy = "Name it: --separator of inspect, or data.separator in the policy."
            parts = {"mark": shown}
            raise DataError([Fault(path, problem, remedy, code="other-separator", parts=parts)])
    cells = [line.split() for line in lines]
    if len(cells) > LEAST_RECORDS and are_cells(cells):
        problem = "has no comma, semicolon, tab or bar: its cells seem to be separated by blanks"
        remedy = "Save it as CSV, with a comma between the cells."
        raise DataError([Fault(path, problem, remedy, code="blanks-between-cells")])


def _is_empty(rows: Sequence[Row], at: int) -> bool:
    """Return whether a column has no cell."""
    return not any(len(row) > at and row[at].strip() for row in rows)


def _tell_rows_apart(rows: Sequence[Row]) -> bool:
    """Return whether the first cells of rows are all different, as names of rows are."""
    return len({row[0] for row in rows}) == len(rows)
