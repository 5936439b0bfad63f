"""What the page of a table says and asks of its reading."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from starlette.datastructures import FormData

from indistinct.errors import Fault, ParameterError
from indistinct.frontends.app.declared import SaidReading
from indistinct.frontends.app.pages.answers import said
from indistinct.frontends.app.state import OpeningFile
from indistinct.frontends.app.table_profiles import FirstRows
from indistinct.frontends.app.texts import text
from indistinct.tables.reading import (
    AS_TEXT,
    FORMATS_BY_NAME,
    NUMBER,
    SET,
    format_of_file,
    is_address,
    sheet_of,
)

DATES = (
    "dd/mm/yyyy", "dd.mm.yyyy", "dd-mm-yyyy", "dd/mm/yy", "dd.mm.yy", "mm/dd/yyyy", "mm-dd-yyyy",
    "mm/dd/yy", "yyyy/mm/dd", "yyyy-mm-dd", "yyyymmdd", "dd mmmm yyyy", "mmmm dd yyyy",
    "dd/mm/yyyy hh:mm", "dd.mm.yyyy hh:mm", "mm/dd/yyyy hh:mm",
)  # fmt: skip
WORDS = ("encoding", "separator", "decimal")
ROWS = ("header", "skip_rows", "skip_last")
# With another one of these words, a file has other columns.
CUTTING = ("encoding", "separator", "header")
TEXT_FILE, WORKBOOK, OTHER = "text", "workbook", "other"
RAW_BYTES, RAW_LINES, RAW_LETTERS = 65_536, 12, 160
AROUND = 3  # lines above the one in doubt
LINE = re.compile(r"\((?:line|row)s? (\d+)")  # in a message


@dataclass(frozen=True, slots=True)
class ColumnLine:
    """How one column is read.

    Parameters
    ----------
    number, name : of the column
    kind : what its cells are, in plain words
    type, format : that the policy says; empty where they are found
    formats : of dates, to choose from
    evidence : what was found, in a sentence
    is_doubtful : whether its cells can be read in two ways
    """

    number: int
    name: str
    kind: str
    type: str
    format: str
    formats: Sequence[str]
    evidence: str
    is_doubtful: bool


@dataclass(frozen=True, slots=True)
class ReadingSettings:
    """How a table is read now.

    Parameters
    ----------
    path : of the table
    reading : the words that count
    first : the first rows; None while the table is read, or where it cannot be
    missing_as : what becomes of missing values
    """

    path: str
    reading: SaidReading
    first: FirstRows | None = None
    missing_as: str = "value"
    doubts: Sequence[str] = field(default_factory=tuple[str, ...])

    @property
    def kind(self) -> str:
        """What kind of file it is: text, a workbook or another one."""
        if is_address(self.path):
            return OTHER
        form = format_of_file(sheet_of(self.path)[0])
        if form == "xlsx":
            return WORKBOOK
        return TEXT_FILE if FORMATS_BY_NAME[form].separators else OTHER

    @property
    def missing(self) -> str:
        """The words for missing values, as a form has them."""
        return ", ".join(self.reading.data.get("missing", ()))

    @property
    def questions(self) -> list[tuple[str, str, int]]:
        """Ask about rows that were taken for no records: the word, the question, and its answer.

        The answer is the number that reads these rows as all others.
        """
        if self.first is None:
            return []
        data, reasons = self.reading.data, self.first.reasons
        return [
            (
                word,
                text(f"opening.ask_{word}", number=data[word], reason=reasons[word]),
                1 if word == "header" else 0,
            )
            for word in ROWS
            if word in reasons and word in data
        ]

    @property
    def columns(self) -> list[ColumnLine]:
        """How each column is read."""
        if self.first is None:
            return []
        preview = self.first.preview
        kinds = zip(preview.names, preview.types, strict=True)
        return [self._column(number, name, kind) for number, (name, kind) in enumerate(kinds)]

    def _column(self, number: int, name: str, kind: str) -> ColumnLine:
        """Return how a column is read."""
        found = None if self.first is None else self.first.formats.get(name)
        wrong = "" if self.first is None else self.first.errors.get(name, "")
        word = self.reading.formats.get(name, "")
        return ColumnLine(
            number,
            name,
            text(f"type.{kind}"),
            self.reading.types.get(name, ""),
            word,
            DATES if word in {"", *DATES} else (word, *DATES),
            f"{'' if found is None else found.said} {wrong}".strip(),
            bool(wrong) or (found is not None and found.doubt),
        )

    def word(self, name: str) -> Any:
        """Return a word as a form says it."""
        return self.reading.data.get(name, "")


def said_of(opening: OpeningFile, names: Sequence[str], form: FormData) -> SaidReading:
    """Read a form; what it does not ask for stays as it was.

    Parameters
    ----------
    names : of the columns, as the form counts them

    Raises
    ------
    ParameterError
        when a number of rows is none; all faults at once
    """
    before = opening.reading
    data: dict[str, Any] = dict(before.data)
    given: dict[str, Any] = {word: said(form, word) or None for word in WORDS if word in form}
    given |= _rows(form)
    if "missing" in form:
        missing = list(dict.fromkeys(word.strip() for word in said(form, "missing").split(",")))
        # An empty field finds them, unless there was something in it to be taken out.
        is_declared = "missing" in data or missing != [""]
        given["missing"] = missing if is_declared else None
    data = {word: value for word, value in {**data, **given}.items() if value is not None}
    if any(data.get(word) != before.data.get(word) for word in CUTTING):
        return SaidReading(data)
    return _with_columns(SaidReading(data, before.formats, before.types), names, form)


def _rows(form: FormData) -> dict[str, int | None]:
    """Read the numbers of rows."""
    found: dict[str, int | None] = {}
    faults: list[Fault] = []
    for word in ROWS:
        if word not in form:
            continue
        written = said(form, word).strip()
        if written and not (written.isascii() and written.isdecimal()):
            remedy = text("opening.bad_rows_remedy")
            faults.append(Fault(text(f"opening.{word}"), text("opening.bad_rows"), remedy))
        else:
            found[word] = int(written) if written else None
    if faults:
        raise ParameterError(faults)
    return found


def _with_columns(before: SaidReading, names: Sequence[str], form: FormData) -> SaidReading:
    """Read what a form says of the columns."""
    types, formats = dict(before.types), dict(before.formats)
    for number, name in enumerate(names):
        if f"type-{number}" in form and types.get(name) != SET:
            types[name] = said(form, f"type-{number}")
        if f"format-{number}" in form:
            formats[name] = said(form, f"format-{number}")
        if types.get(name) in {*AS_TEXT, NUMBER}:
            formats.pop(name, None)  # cells of another type are no dates
    return SaidReading(before.data, _without_empty(formats), _without_empty(types))


def _without_empty(words: Mapping[str, str]) -> dict[str, str]:
    """Leave out what is to be found."""
    return {name: word for name, word in words.items() if word}


@dataclass(frozen=True, slots=True)
class RawLines:
    """Some lines of a text file that cannot be read yet.

    Parameters
    ----------
    lines : number of each line in the file, and the line cut short
    readings : where the letters of the line in doubt differ by encoding: each encoding, and the
        line in it
    """

    lines: Sequence[tuple[int, str]] = ()
    readings: Sequence[tuple[str, str]] = ()


def line_in_doubt(faults: Sequence[Fault]) -> int | None:
    """Return the line that the first fault with one names; None where none does."""
    found = (LINE.search(fault.problem) for fault in faults)
    return next((int(one[1]) for one in found if one is not None), None)


def raw_lines(
    place: Path, settings: ReadingSettings, faults: Sequence[Fault], encodings: Sequence[str]
) -> RawLines:
    """Return the lines of a text file around the one in doubt, however its bytes are to be read.

    Parameters
    ----------
    faults : why the file cannot be read; the first lines are shown where these name none
    encodings : that the line in doubt is shown in, where it is not UTF-8
    """
    if settings.kind != TEXT_FILE or place.suffix == ".gz":
        return RawLines()
    doubt = line_in_doubt(faults)
    first = 1 if doubt is None else max(doubt - AROUND, 1)
    with place.open("rb") as stream:
        found = [line[:RAW_BYTES].rstrip(b"\r\n") for line in islice(stream, first - 1 + RAW_LINES)]
    encoding = str(settings.word("encoding") or "utf-8")
    lines = [
        (number, _letters(line, encoding) or _letters(line, "utf-8"))
        for number, line in enumerate(found[first - 1 :], start=first)
    ]
    readings: dict[str, str] = {}
    if doubt is not None and len(found) >= doubt and not _is_utf8(found[doubt - 1]):
        for name in encodings:
            letters = _letters(found[doubt - 1], name)
            if "\ufffd" not in letters and letters and letters not in readings.values():
                readings[name] = letters
    return RawLines(lines, list(readings.items()))


def _letters(line: bytes, encoding: str) -> str:
    """Return the letters of a line, cut short; empty where nobody knows the encoding."""
    try:
        return line.decode(encoding, errors="replace")[:RAW_LETTERS]
    except LookupError:
        return ""


def _is_utf8(line: bytes) -> bool:
    """Return whether a line is UTF-8."""
    return "\ufffd" not in line.decode("utf-8", errors="replace")
