"""Columns of texts in plain form: dates as ISO writes them, numbers with a point and nothing else.

The format of a column is found here, once, by the cells of the whole column; whoever reads, drafts,
masks or verifies has the column in its plain form.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import islice

import polars as pl

from indistinct.base.arrays import Ints
from indistinct.base.cells.code_shapes import WITH_AN_E
from indistinct.errors import DataError, Fault
from indistinct.tables.frames.small_columns import are_among, present_cells
from indistinct.tables.reading.column_types import FORMS
from indistinct.tables.reading.date_formats import (
    LEAST_PACKED,
    MOST_PACKED,
    date_format_of,
    dates_of,
    found_dates,
    like_dates,
)
from indistinct.tables.reading.declared_formats import (
    CODE_TYPE,
    DATE,
    MOMENT,
    NUMBER,
    SAMPLE,
    TRUTH,
    ColumnFormat,
    Reading,
)
from indistinct.tables.reading.number_formats import (
    COMMA,
    POINT,
    are_codes_with_an_e,
    are_exact,
    found_numbers,
    keeps_all_digits,
    like_numbers,
    proved_mark,
    with_words_said,
)
from indistinct.tables.reading.partial_dates import found_partial_dates, like_partial_dates

LOOK = 200  # cells by which a column is seen to be worth a look at all of them
FEW_LINES = 5  # that are named
MOST_WORDS = 0.05  # of the records of a column of numbers
PADDED = r"^\s|\s$"
PADDED_TEXT = re.compile(PADDED)
PLAIN = FORMS["number"].removesuffix("$") + r"$"
WHOLE = r"^-?[0-9]+$"

Found = tuple[pl.Series, ColumnFormat]


class PlainColumns:
    """Puts columns of a text file into plain form, and keeps how they were written.

    Parameters
    ----------
    reading : what is said of them
    decimal : the mark before the decimals in the columns of the file that prove one
    line : says in which line a record stands
    """

    def __init__(
        self,
        reading: Reading,
        decimal: str | None,
        line: Callable[[int], int],
    ) -> None:
        self.reading, self.missing = reading, ["", *reading.missing]
        self.decimal, self.line = reading.decimal or decimal, line
        self.found: dict[str, ColumnFormat] = {}

    def without(self, words: Sequence[str]) -> PlainColumns:
        """Return the same for further words that stand for a missing value."""
        reading = replace(self.reading, missing=(*self.reading.missing, *words))
        return PlainColumns(reading, self.decimal, self.line)

    def all_plain(
        self, frame: pl.DataFrame, typed: Callable[[pl.DataFrame], pl.DataFrame] | None
    ) -> pl.DataFrame:
        """Return columns of texts in plain form, and in their types where those are found.

        Parameters
        ----------
        typed : finds them; a column that it finds at once needs no look at its cells here
        """
        if typed is None:
            return pl.DataFrame([self.plain(column) for column in frame.iter_columns()])
        found = typed(frame)
        later: dict[str, pl.Series] = {}
        for column in frame.iter_columns():
            if self._may_differ(found[column.name]):
                plain = self.plain(column)
                if plain is not column:
                    later[column.name] = plain
        return found.with_columns(typed(pl.DataFrame(list(later.values())))) if later else found

    def _may_differ(self, typed: pl.Series) -> bool:
        """Return whether a column may be something else than its type says at first sight."""
        if typed.dtype == pl.String or typed.name in {*self.reading.formats, *self.reading.types}:
            return True
        if typed.dtype == pl.Int64:
            low, high = typed.min(), typed.max()
            if not isinstance(low, int) or not isinstance(high, int):
                return False
            return low >= LEAST_PACKED and high <= MOST_PACKED
        return typed.dtype == pl.Float64 and self.decimal == COMMA

    def plain(self, column: pl.Series) -> pl.Series:
        """Return a column of texts in plain form; the same object where nothing is to be done."""
        if self.reading.stays(column.name):
            return column
        column = column if column.name in self.reading.listed else _without_padding(column)
        known = present_cells(column)
        known = known.filter(~are_among(known, self.missing)) if self.missing else known
        if known.is_empty():
            return column
        said = self._said(column.name)
        if said is None and not self._is_worth_a_look(known):
            return column
        counted = known.alias("").value_counts(name="records")
        texts, records = counted[""], counted["records"]
        found = self._found(texts, records) if said is None else said(texts, records)
        if said is None and are_codes_with_an_e(texts):
            count = int(records.filter(texts.str.contains(WITH_AN_E)).sum())
            said_codes = (
                f"{count:,} of {len(known):,} values have an E between digits, as codes do."
            )
            self.found[column.name] = ColumnFormat(said_codes, type=CODE_TYPE)
        if found is None:
            return column
        return self._replaced(
            column, known, texts, self._with_fewer_digits(column.name, records, found)
        )

    def said_values(self, name: str, texts: pl.Series, records: pl.Series) -> pl.Series | None:
        """Return the different cells of a column in the form that is said of it.

        Where the mark before decimals alone is said, the column has to prove that it has numbers.

        Parameters
        ----------
        texts, records : (n_distinct,), none missing, and the records of each

        Returns
        -------
        (n_distinct,), null where a cell is read as missing; None where they stay as they are
        """
        said = self._said(name)
        if said is None:
            numbers = like_numbers(texts.head(LOOK).to_list())
            found = found_numbers(texts, records, self.decimal) if numbers else None
        else:
            found = said(texts, records)
        if found is None or found[1].doubt:
            return None
        read, form = self._with_fewer_digits(name, records, found)
        return read if form.kind == NUMBER else pl.select(pl.coalesce(read, texts)).to_series()

    def _said(self, name: str) -> Callable[[pl.Series, pl.Series], Found | None] | None:
        """Return how a column is read whose format or type is said; None where nothing is."""
        word = self.reading.formats.get(name)
        if word is not None:
            form = date_format_of(name, word)

            def by_format(texts: pl.Series, records: pl.Series) -> Found:
                read = dates_of(texts, form)
                read = read.fill_null(_as_iso(texts))
                count = int(records.filter(read.is_null()).sum())
                if count and not self.reading.may_be_release:
                    n_known = int(records.sum())
                    problem = f"{count:,} of {n_known:,} values do not fit {form.word}"
                    remedy = "Correct these cells, list them in data.missing, or change the format."
                    raise DataError([Fault(f"columns.{name}.format", problem, remedy)])
                said = f"The policy says {form.word}."
                return read, ColumnFormat(said, format=form.word, kind=DATE)

            return by_format
        if self.reading.types.get(name) == NUMBER:
            return lambda texts, records: found_numbers(texts, records, self.decimal, given=True)
        if self.reading.types.get(name) in {DATE, MOMENT}:
            return found_dates
        return said_truths if self.reading.types.get(name) == TRUTH else None

    def _is_worth_a_look(self, known: pl.Series) -> bool:
        """Return whether the first cells look like dates or numbers in some form."""
        first = known.head(LOOK).to_list()
        return like_dates(first) or like_numbers(first) or like_partial_dates(first)

    def _found(self, texts: pl.Series, records: pl.Series) -> Found | None:
        """Find how dates or numbers are written."""
        found = found_partial_dates(texts, records) or found_dates(texts, records)
        if found is not None:
            return found
        if texts.str.contains(PLAIN).all() and not (
            self.decimal == COMMA and proved_mark(texts) is None
        ):
            # Whole numbers of any length are exact, as numbers or as the codes that they then are.
            is_exact = texts.str.contains(WHOLE).all() or keeps_all_digits(texts)
            return None if is_exact else (texts, ColumnFormat(""))
        return found_numbers(texts, records, self.decimal)

    def _with_fewer_digits(self, name: str, records: pl.Series, found: Found) -> Found:
        """Return numbers with at most the digits of a double, if they may lose others.

        Parameters
        ----------
        records : (n_distinct,), records of each cell
        """
        read, form = found
        if form.doubt or form.kind != NUMBER or keeps_all_digits(read.drop_nulls()):
            return found
        exact = read.alias("").to_frame().select(are_exact(pl.col(""))).to_series()
        count = int(records.filter(~exact.fill_null(value=True)).sum())
        own = f"{count:,} of {int(records.sum()):,} values have more digits than a number holds"
        if not self.reading.rounds(name):
            said = f"{form.said} {own}, and all stay as they are written."
            return read, replace(form, said=f'{said} type = "number" rounds them.'.strip())
        said = f"{form.said} {own}, and are rounded to 17 digits."
        rounded = read.cast(pl.Float64).cast(pl.String)
        return rounded, replace(form, said=said.strip(), type=NUMBER)

    def _replaced(
        self, column: pl.Series, known: pl.Series, texts: pl.Series, found: Found
    ) -> pl.Series:
        """Replace the cells of a column by their plain form, and keep the evidence."""
        read, form = found
        if form.doubt:
            self.found[column.name] = form
            return column
        if not read.null_count() and bool((read == texts).all()):
            return column
        plain = pl.DataFrame({"": texts, "plain": read})
        cells = column.alias("").to_frame().join(plain, on="", how="left", maintain_order="left")
        replaced = cells["plain"]
        others = replaced.is_null() & column.is_not_null() & ~column.is_in(self.missing)
        is_number = form.format is None
        if is_number and others.any() and self._reads_words_as_missing(column.name, others, known):
            wrong = [self.line(at) for at in others.arg_true().head(FEW_LINES).to_list()]
            form = with_words_said(form, len(known), int(others.sum()), wrong)
            self.found[column.name] = form
            keeps = column.is_in(self.missing)
            return pl.select(
                pl.when(keeps).then(column).otherwise(replaced).alias(column.name)
            ).to_series()
        self.found[column.name] = form
        return pl.select(pl.coalesce(replaced, column).alias(column.name)).to_series()

    def _reads_words_as_missing(self, name: str, others: pl.Series, known: pl.Series) -> bool:
        """Return whether the few cells that are no numbers are read as missing."""
        if self.reading.may_be_release:
            return False
        if self.reading.types.get(name) in {NUMBER, TRUTH}:
            return True
        return self.reading.suggests and int(others.sum()) <= max(MOST_WORDS * len(known), 1)


def said_truths(texts: pl.Series, records: pl.Series) -> Found:
    """Read cells that a policy calls truths, in capital or small letters; others are null."""
    lower = texts.str.to_lowercase()
    is_truth = lower.is_in(["true", "false"])
    said = f"{int(records.filter(is_truth).sum()):,} of {int(records.sum()):,} values are truths."
    return lower.set(~is_truth, None), ColumnFormat(said, type=TRUTH, kind=TRUTH)


def _as_iso(texts: pl.Series) -> pl.Series:
    """Return the texts that are ISO dates already, as a release writes them."""
    is_iso = texts.str.contains(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9.]+)?)?$")
    return pl.select(pl.when(is_iso).then(texts).otherwise(None).alias("")).to_series()


def _without_padding(column: pl.Series) -> pl.Series:
    """Leave out the blanks that give all cells of a column one width."""
    known = present_cells(column)
    first = known.head(LOOK)
    if not any(map(PADDED_TEXT.search, first)):
        return column
    widths = known.str.len_chars()
    if widths.n_unique() != 1 or not known.str.contains(PADDED).any():
        return column
    return column.str.strip_chars()


def mark_of_text(text: bytes, separator: str) -> tuple[str | None, str]:
    """Return the mark before the decimals that the columns of a text prove, and the evidence.

    None where no column proves a mark, or where some prove one and some the other.
    """
    beginning = text[:SAMPLE].decode("utf-8", "ignore")
    if COMMA not in beginning.replace(separator, "") and b'"' not in text[:SAMPLE]:
        return None, ""
    rows = csv.reader(io.StringIO(beginning, newline=""), delimiter=separator)
    return _mark_of_rows([row for row in islice(rows, 1, LOOK) if len(row) > 1])


def _mark_of_rows(rows: Sequence[Sequence[str]]) -> tuple[str | None, str]:
    """Return the mark that the columns of some records prove, and the evidence."""
    marks: Mapping[str, list[int]] = {COMMA: [], POINT: []}
    for at in range(min(map(len, rows), default=0)):
        cells = [row[at] for row in rows if row[at].strip()]
        if not cells or not like_numbers(cells):
            continue
        mark = proved_mark(pl.Series("", cells).unique())
        if mark is not None:
            marks[mark].append(at)
    if bool(marks[COMMA]) == bool(marks[POINT]):
        return None, ""
    mark = COMMA if marks[COMMA] else POINT
    count = len(marks[mark])
    columns = "One column has" if count == 1 else f"{count} columns have"
    return mark, f"{columns} numbers with it before their decimals."


def days_of(texts: Sequence[str], records: Ints) -> Sequence[str] | None:
    """Return the ISO days of dates that an engine reads as texts; None where they cannot be told.

    Parameters
    ----------
    texts, records : (n_distinct,), the values and the records of each
    """
    found = found_dates(pl.Series("", texts, pl.String), pl.Series("", records))
    if found is None or found[0].null_count():
        return None
    return found[0].to_list()


def form_of(texts: Sequence[str], records: Ints) -> ColumnFormat | None:
    """Return how the values of a column are written that an engine reads as texts.

    Parameters
    ----------
    texts, records : (n_distinct,), the values and the records of each

    Returns
    -------
    a format, or a type, if all values fit it and a policy that says it has them read so; else a
    doubt; None where they are neither dates nor numbers
    """
    first = texts[:LOOK]
    if not (like_dates(first) or like_numbers(first) or like_partial_dates(first)):
        return None
    values, counts = pl.Series("", texts, pl.String), pl.Series("", records)
    found = found_partial_dates(values, counts) or found_dates(values, counts)
    found = found or found_numbers(values, counts, None)
    if found is None:
        return None
    read, form = found
    if form.doubt:
        return form
    if read.null_count():
        said = f"{form.said} The engine reads all of them as texts."
        return replace(form, said=said, format=None, doubt=True)
    return form if form.kind == DATE else replace(form, type=NUMBER)
