"""What the page of a table says and asks of its reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.datastructures import FormData

from indistinct.base.coded_text import joined
from indistinct.errors import Fault, ParameterError
from indistinct.frontends.app.declared import SaidReading
from indistinct.frontends.app.pages.answers import said
from indistinct.frontends.app.pages.reading_questions import Question
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
# What says that rows are no records, each with the number that takes all of them for some.
ROWS = {"header": 1, "skip_rows": 0, "skip_last": 0}
# With another one of these words, a file has other columns.
CUTTING = ("encoding", "separator", "header")
TEXT_FILE, WORKBOOK, OTHER = "text", "workbook", "other"
MOST_LINES, LETTERS, LAST_ASCII = 5, 80, 127  # of a line in doubt


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
    asked : what is asked of the reading
    missing_words : per column, each word for a missing value with its cells; None while counted
    """

    path: str
    reading: SaidReading
    first: FirstRows | None = None
    missing_as: str = "value"
    asked: Sequence[Question] = ()
    missing_words: Mapping[str, Mapping[str, int]] | None = None

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
    def found(self) -> list[tuple[str, str]]:
        """What else was found of the file: a label, and the evidence in sentences."""
        reasons = dict[str, str]() if self.first is None else self.first.reasons
        labels = {"encoding": text("data.encoding"), "separator": text("data.separator"),
                  "decimal": text("opening.decimal")}  # fmt: skip
        return [(labels.get(word, ""), said) for word, said in reasons.items() if word not in ROWS]

    @property
    def left_out(self) -> list[tuple[str, str, str, int]]:
        """Rows that are taken for no records: the word, a sentence, why, and the way back."""
        reasons = dict[str, str]() if self.first is None else self.first.reasons
        return [
            (word, text(f"opening.ask_{word}", number=number), reasons.get(word, ""), usual)
            for word, usual in ROWS.items()
            if (number := self.reading.data.get(word)) is not None and number != usual
        ]

    @property
    def shown_rows(self) -> list[tuple[int, str, int, Sequence[str]]]:
        """The first and the last records, for each the word and number that leave it out."""
        if self.first is None:
            return []
        first, last, data = self.first.preview.rows, self.first.last, self.reading.data
        before, after = data.get("skip_rows") or 0, data.get("skip_last") or 0
        words = [("skip_rows", before + place) for place in range(1, len(first) + 1)]
        words += [("skip_last", after + len(last) - place) for place in range(len(last))]
        numbered = zip(self.first.numbers, words, [*first, *last], strict=True)
        return [(number, *word, row) for number, word, row in numbered]

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
        said = self.reading.columns.get(name, {})
        word = said.get("format", "")
        return ColumnLine(
            number,
            name,
            text(f"type.{kind}"),
            said.get("type", ""),
            word,
            DATES if word in {"", *DATES} else (word, *DATES),
            joined("" if found is None else found.said, wrong),
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
    return _with_columns(SaidReading(data, before.columns), names, form)


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
    columns = {name: dict(one) for name, one in before.columns.items()}
    for number, name in enumerate(names):
        one = columns.setdefault(name, {})
        for word in ("type", "format"):
            if f"{word}-{number}" in form and one.get("type") != SET:
                one[word] = said(form, f"{word}-{number}")
        if one.get("type") in {*AS_TEXT, NUMBER}:
            one.pop("format", None)  # cells of another type are no dates
    said_ones = {name: {w: v for w, v in one.items() if v != ""} for name, one in columns.items()}
    return SaidReading(before.data, {name: one for name, one in said_ones.items() if one})


def lines_in_doubt(place: Path, first: str, second: str) -> list[tuple[int, tuple[str, str]]]:
    """Return the first lines of a text file that two encodings read differently.

    Returns
    -------
    the number of each line in the file, and the line in both, cut short
    """
    if place.suffix == ".gz":
        return []
    found: list[tuple[int, tuple[str, str]]] = []
    with place.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            if line.isascii():
                continue
            read = _around(line, first), _around(line, second)
            if read[0] != read[1]:
                found.append((number, read))
            if len(found) == MOST_LINES:
                break
    return found


def _around(line: bytes, encoding: str) -> str:
    """Return the letters of a line around its first one beyond ASCII, cut short."""
    first = next(place for place, byte in enumerate(line) if byte > LAST_ASCII)
    start = max(first - LETTERS // 2, 0)
    cut = line[start : start + LETTERS].rstrip(b"\r\n").decode(encoding, errors="replace")
    return f"{'... ' if start else ''}{cut}"
