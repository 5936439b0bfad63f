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
from indistinct.base.cells.cell_shape import shape_of
from indistinct.base.cells.centuries import LAST_YEAR
from indistinct.base.cells.code_shapes import WITH_AN_E, are_codes_with_an_e
from indistinct.base.cells.date_formats import LEAST_PACKED, MOST_PACKED, like_dates
from indistinct.base.cells.missing_words import WORDS, MissingWords
from indistinct.base.cells.number_formats import COMMA, POINT, like_numbers, proved_mark
from indistinct.base.cells.partial_dates import find_partial_dates, like_partial_dates
from indistinct.base.cells.shares import NEARLY, are_few
from indistinct.base.coded_text import joined, sentence
from indistinct.errors import DataError, Fault
from indistinct.tables.frames.small_columns import all_match, are_among, present_cells
from indistinct.tables.reading.column_types import DAY, FORMS
from indistinct.tables.reading.date_formats import (
    date_format_of,
    dates_of,
    found_dates,
)
from indistinct.tables.reading.declared_formats import (
    CODE_TYPE,
    DATE,
    FALSE_CELLS,
    MISSING,
    MOMENT,
    NUMBER,
    READ_BY_TYPE,
    REFUSE,
    SAMPLE,
    TRUTH,
    ColumnFormat,
    Reading,
    ReadingDoubt,
)
from indistinct.tables.reading.number_formats import are_exact, found_numbers, keeps_all_digits
from indistinct.tables.reading.weighed_cells import weighed

KINDS = {NUMBER: "numbers", DATE: "dates", MOMENT: "moments", TRUTH: "truths"}
SHOWN = 12  # dates that are shown in both orders
LOOK = 200  # cells by which a column is seen to be worth a look at all of them
FEW_LINES = 5  # that are named
PADDED = r"^\s|\s$"
PADDED_TEXT = re.compile(PADDED)
PLAIN = FORMS["number"].removesuffix("$") + r"$"
WHOLE = r"^-?[0-9]+$"
NO_DATE = r"^-?(?:[0-9]{1,3}|[0-9]{5,7})(?:\.[0-9]+)?$"  # numbers that are neither a year nor a day

Found = tuple[pl.Series, ColumnFormat]


class PlainColumns:
    """Puts columns of a text file into plain form, and keeps how they were written.

    Parameters
    ----------
    reading : what is said of them
    decimal : the mark before the decimals in the columns of the file that prove one
    line : says in which line a record stands
    noun : what such a place is called: a line of a text, a row of a sheet
    """

    def __init__(
        self,
        reading: Reading,
        decimal: str | None,
        line: Callable[[int], int],
        noun: str = "line",
    ) -> None:
        self.reading = reading
        self.decimal = reading.decimal or decimal
        self.line, self.noun = line, noun
        self.found: dict[str, ColumnFormat] = {}
        self.doubts: list[ReadingDoubt] = []

    def _missing(self, name: str) -> list[str]:
        """Return the texts that stand for a missing value of a column."""
        return ["", *self.reading.words.of(name)]

    def without(self, words: MissingWords) -> PlainColumns:
        """Return the same for further words that stand for a missing value."""
        missing = (*self.reading.missing, *words.everywhere)
        reading = replace(self.reading, missing=missing, own_missing=words.own)
        return PlainColumns(reading, self.decimal, self.line, self.noun)

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
        known = known.filter(~are_among(known, self._missing(column.name)))
        if known.is_empty():
            return column
        said = self._said(column.name)
        if said is None and not self._is_worth_a_look(known):
            return column
        counted = self._weighed(known)
        texts, records = counted[""], counted["records"]
        if texts.is_empty():
            return column
        found = self._found(texts, records) if said is None else said(texts, records)
        if said is None and are_codes_with_an_e(weighed(texts, records)):
            count = int(records.filter(texts.str.contains(WITH_AN_E)).sum())
            said_codes = sentence(
                "codes-with-an-e",
                "{count:,} of {of:,} values have an E between digits, as codes do.",
                count=count,
                of=len(known),
            )
            self.found[column.name] = ColumnFormat(said_codes, type=CODE_TYPE)
        if found is None:
            return column
        return self._replaced(column, texts, self._with_fewer_digits(column.name, records, found))

    def _weighed(self, known: pl.Series) -> pl.DataFrame:
        """Count the different cells by which a column is read: no blanks, and no words for nothing.

        Words are looked for where somebody drafts a policy; else it says them.
        """
        counted = known.alias("").value_counts(name="records")
        plain = pl.col("").str.strip_chars().str.to_lowercase()
        nothing = ["", *WORDS] if self.reading.suggests else [""]
        return counted.filter(~plain.is_in(nothing))

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
        is_odd = read.is_null() & (texts.str.strip_chars() != "")
        n_odd = int(records.filter(is_odd).sum())
        if n_odd and self._is_said(name) and not self.reading.may_be_release:
            few = are_few(n_odd, int(records.sum()))
            if not few or self._refuses(name):
                self._refuse(texts.alias(name), is_odd, (n_odd, int(records.sum())), form)
            return read
        return read if form.kind == NUMBER else pl.select(pl.coalesce(read, texts)).to_series()

    def _said(self, name: str) -> Callable[[pl.Series, pl.Series], Found | None] | None:
        """Return how a column is read whose format or type is said; None where nothing is."""
        word = self.reading.formats.get(name)
        if word is not None:
            last_year = self.reading.last_years.get(name, LAST_YEAR)
            form = replace(date_format_of(name, word), last_year=last_year)

            def by_format(texts: pl.Series, _records: pl.Series) -> Found:
                read = dates_of(texts, form)
                read = read.fill_null(_as_iso(texts))
                said = sentence("format-said", "The policy says {format}.", format=form.word)
                return read, ColumnFormat(said, format=form.word, kind=DATE)

            return by_format
        if self.reading.types.get(name) == NUMBER:
            return lambda texts, records: found_numbers(texts, records, self.decimal, given=True)
        if self.reading.types.get(name) in {DATE, MOMENT}:
            return said_dates
        return said_truths if self.reading.types.get(name) == TRUTH else None

    def _is_worth_a_look(self, known: pl.Series) -> bool:
        """Return whether the first cells look like dates or numbers in some form."""
        first: list[str] = known.head(LOOK).to_list()
        if self.reading.suggests:
            first = [text for text in first if text.strip().lower() not in WORDS]
        return bool(first) and (
            like_dates(first) or like_numbers(first) or like_partial_dates(first)
        )

    def _found(self, texts: pl.Series, records: pl.Series) -> Found | None:
        """Find how dates or numbers are written."""
        n_others = int(records.filter(texts.str.contains(NO_DATE)).sum())
        if n_others <= (1 - NEARLY) * int(records.sum()):
            found = _partial_dates(texts, records) or found_dates(texts, records)
            found = found or _with_iso_dates(texts, records)
            if found is not None:
                return found
        if all_match(texts, PLAIN) and not (
            self.decimal == COMMA and proved_mark(weighed(texts, records)) is None
        ):
            # Whole numbers of any length are exact, as numbers or as the codes that they then are.
            is_exact = all_match(texts, WHOLE) or keeps_all_digits(texts)
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
        own = "{count:,} of {of:,} values have more digits than a number holds, and "
        counts = {"count": count, "of": int(records.sum())}
        if not self.reading.rounds(name):
            stay = sentence("digits-stay", f"{own}all stay as they are written.", **counts)
            way = sentence("type-rounds", 'type = "number" rounds them.')
            return read, replace(form, said=joined(form.said, stay, way))
        said = sentence("digits-rounded", f"{own}are rounded to 17 digits.", **counts)
        rounded = read.cast(pl.Float64).cast(pl.String)
        return rounded, replace(form, said=joined(form.said, said), type=NUMBER)

    def _replaced(self, column: pl.Series, texts: pl.Series, found: Found) -> pl.Series:
        """Replace the cells of a column by their plain form, and keep the evidence."""
        read, form = found
        if form.doubt:
            self.found[column.name] = form
            if form.choices and self.reading.suggests:
                self._ask_order(column, form)
            return column
        plain = pl.DataFrame({"": texts, "plain": read})
        cells = column.alias("").to_frame().join(plain, on="", how="left", maintain_order="left")
        replaced, is_weighed = cells["plain"], column.is_in(texts.implode())
        others = replaced.is_null() & is_weighed
        n_others, n_known = int(others.sum()), int(is_weighed.sum())
        is_said = self._is_said(column.name)
        if not n_others and not is_said and len(texts) and bool((read == texts).all()):
            return column
        if n_others and not self.reading.may_be_release:
            few = are_few(n_others, n_known)
            if is_said and (not few or self._refuses(column.name)):
                self._refuse(column, others, (n_others, n_known), form, self._lines(others)[0])
            if not is_said and not few and self.reading.suggests:
                self._ask(column, others, n_known, form)
                return column
            if is_said or self.reading.suggests:
                form = self._with_odd_cells(form, others, n_known)
                replaced = replaced.fill_null(column.set(others, None))
                self.found[column.name] = form
                return _without_blanks(replaced.alias(column.name))
        self.found[column.name] = form
        return _without_blanks(
            pl.select(pl.coalesce(replaced, column)).to_series().alias(column.name)
        )

    def _is_said(self, name: str) -> bool:
        """Return whether a policy says what the cells of a column are."""
        return name in self.reading.formats or self.reading.types.get(name) in READ_BY_TYPE

    def _refuses(self, name: str) -> bool:
        """Return whether a single cell that is not read is too many."""
        return self.reading.unreadable.get(name) == REFUSE

    def _refuse(
        self,
        column: pl.Series,
        others: pl.Series,
        counts: tuple[int, int],
        form: ColumnFormat,
        line: int | None = None,
    ) -> None:
        """Refuse cells that are not what a policy says of their column, where they are many.

        Parameters
        ----------
        others : which cells these are
        counts : their records, and the records with a value
        line : of the first one, where it is known

        Raises
        ------
        DataError
            unless the policy takes them for missing
        """
        if self.reading.unreadable.get(column.name) == MISSING:
            return
        wanted = form.format or KINDS[form.kind]
        shape = shape_of(column.filter(others).head(LOOK).to_list())
        where = "" if line is None else f" ({self.noun} {line})"
        problem = (
            f"{counts[0]:,} of {counts[1]:,} values do not fit {wanted}; the first{where} is "
            f"written like {shape}"
        )
        remedy = (
            "Correct these cells, list them in data.missing, change the format or the type, or "
            f'take them for missing: unreadable = "{MISSING}".'
        )
        word = "format" if column.name in self.reading.formats else "type"
        parts = {"count": counts[0], "of": counts[1], "wanted": wanted, "shape": shape}
        fault = Fault(f"columns.{column.name}.{word}", problem, remedy)
        raise DataError(
            [replace(fault, code="values-do-not-fit", columns=(column.name,), parts=parts)]
        )

    def _ask_order(self, column: pl.Series, form: ColumnFormat) -> None:
        """Note the question whether the day or the month comes first."""
        name = column.name
        first = present_cells(column).head(LOOK).unique(maintain_order=True).head(SHOWN)
        forms = [date_format_of(name, word) for word in form.choices]
        read = [dates_of(first, one).fill_null("").to_list() for one in forms]
        answers = [(word, {f"columns.{name}.format": word}) for word in form.choices]
        self.doubts.append(
            ReadingDoubt(
                (name,),
                "date-order",
                FALSE_CELLS,
                form.said,
                (answers[0], answers[1]),
                meanwhile="text",
                records=len(present_cells(column)),
                of=len(column),
                examples=tuple(zip(*read, strict=True)),
            )
        )

    def _ask(self, column: pl.Series, others: pl.Series, n_known: int, form: ColumnFormat) -> None:
        """Note the question whether a column is what most of its cells are, or text."""
        name, count = column.name, int(others.sum())
        what = "dates such as {format}" if form.format else "{what}"
        noun = self.noun if count == 1 else f"{self.noun}s"
        said = sentence(
            "many-odd-dates" if form.format else "many-odd-cells",
            f"{{fitting:,}} of {{of:,}} values are {what}, and {{count:,}} are not "
            f"({noun} {{lines}}): all stay texts.",
            fitting=n_known - count,
            of=n_known,
            count=count,
            lines=_listed(self._lines(others), count),
            format=form.format,
            what=KINDS[form.kind],
        )
        settle: dict[str, object] = {f"columns.{name}.unreadable": MISSING}
        if form.format:
            settle = {f"columns.{name}.format": form.format, **settle}
        else:
            settle = {f"columns.{name}.type": form.kind, **settle}
        self.doubts.append(
            ReadingDoubt(
                (name,),
                "type",
                FALSE_CELLS,
                said,
                ((form.kind, settle), ("text", {f"columns.{name}.type": "text"})),
                meanwhile="text",
                records=n_known,
                of=len(column),
            )
        )
        self.found[name] = ColumnFormat(said, doubt=True, kind=form.kind)

    def _with_odd_cells(self, form: ColumnFormat, others: pl.Series, n_known: int) -> ColumnFormat:
        """Return a format with the number of cells that are not read, and where they stand."""
        count = int(others.sum())
        are, noun = ("one is", self.noun) if count == 1 else ("{count:,} are", f"{self.noun}s")
        said = sentence(
            "odd-cell" if count == 1 else "few-odd-cells",
            f"{{fitting:,}} of {{of:,}} values are {{what}}, {are} not ({noun} {{lines}}): read as "
            "missing.",
            fitting=n_known - count,
            of=n_known,
            count=count,
            lines=_listed(self._lines(others), count),
            what=KINDS[form.kind],
        )
        given = None if form.format else form.kind
        return ColumnFormat(
            said, format=form.format, type=given, kind=form.kind, unread=said, n_unread=count
        )

    def _lines(self, others: pl.Series) -> list[int]:
        """Return the lines of the first of some cells."""
        return [self.line(at) for at in others.arg_true().head(FEW_LINES).to_list()]


def _listed(lines: Sequence[int], count: int) -> str:
    """Return the lines of some cells, of which the first are named."""
    return ", ".join(map(str, lines)) + (" ..." if count > len(lines) else "")


def _without_blanks(column: pl.Series) -> pl.Series:
    """Return a column in which a cell of blanks alone is missing."""
    is_blank = column.str.strip_chars() == ""
    return column.set(is_blank.fill_null(value=False), None) if is_blank.any() else column


def _partial_dates(texts: pl.Series, records: pl.Series) -> Found | None:
    """Return that dates are known in part, where they are; such cells stay as they are."""
    said = find_partial_dates(weighed(texts, records))
    if not said:
        return None
    return texts.clear(len(texts)).alias(""), ColumnFormat(said, doubt=True, kind=DATE)


def said_dates(texts: pl.Series, records: pl.Series) -> Found | None:
    """Read cells that a policy calls dates, in the format that they prove; others are null."""
    found = found_dates(texts, records)
    if found is not None:
        return found
    said = sentence("dates-said", "The policy says that these are dates.")
    return _as_iso(texts), ColumnFormat(said, kind=DATE)


def _with_iso_dates(texts: pl.Series, records: pl.Series) -> Found | None:
    """Read dates as ISO writes them, a few cells among which are none; None for others."""
    read = _as_iso(texts)
    share = int(records.filter(read.is_not_null()).sum())
    if not read.null_count() or share < NEARLY * int(records.sum()):
        return None
    return read, ColumnFormat("", kind=DATE)


def said_truths(texts: pl.Series, records: pl.Series) -> Found:
    """Read cells that a policy calls truths, in capital or small letters; others are null."""
    lower = texts.str.to_lowercase()
    is_truth = lower.is_in(["true", "false"])
    counts = {"count": int(records.filter(is_truth).sum()), "of": int(records.sum())}
    said = sentence("truths", "{count:,} of {of:,} values are truths.", **counts)
    return lower.set(~is_truth, None), ColumnFormat(said, type=TRUTH, kind=TRUTH)


def _as_iso(texts: pl.Series) -> pl.Series:
    """Return the texts that are ISO dates already, as a release writes them."""
    is_iso = texts.str.contains(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9.]+)?)?$")
    is_iso &= texts.str.head(DAY).str.to_date("%Y-%m-%d", strict=False).is_not_null()
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
        mark = proved_mark(dict.fromkeys(cells))
        if mark is not None:
            marks[mark].append(at)
    if bool(marks[COMMA]) == bool(marks[POINT]):
        return None, ""
    mark = COMMA if marks[COMMA] else POINT
    count = len(marks[mark])
    columns = "One column has" if count == 1 else "{count} columns have"
    return mark, sentence(
        "one-mark" if count == 1 else "marks-of-decimals",
        f"{columns} numbers with it before their decimals.",
        count=count,
    )


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
    found = _partial_dates(values, counts) or found_dates(values, counts)
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
