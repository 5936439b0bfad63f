"""Columns of dates as ISO writes them: the format of ``base/cells`` applied to whole columns."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from indistinct.base.cells.centuries import CENTURY, LAST_YEAR
from indistinct.base.cells.date_formats import (
    DAYS,
    HOURS,
    MIDNIGHT,
    MOST_DAYS,
    NOON,
    SHAPES,
    DateFormat,
    FoundDates,
    find_dates,
)
from indistinct.base.cells.month_names import MONTHS
from indistinct.base.cells.shares import NEARLY
from indistinct.base.coded_text import CodedText, joined, sentence
from indistinct.errors import DataError, Fault
from indistinct.tables.reading.declared_formats import DATE, ColumnFormat
from indistinct.tables.reading.weighed_cells import weighed


def dates_of(texts: pl.Series, form: DateFormat) -> pl.Series:
    """Return texts as ISO dates, or as moments; null where a text is not of a format.

    Parameters
    ----------
    texts : (n,)
    """
    cells = pl.col("").str.strip_chars()
    if form.since is not None:
        days = pl.when(cells.str.contains(DAYS)).then(cells).cast(pl.Float64).cast(pl.Int64)
        days = pl.when(days.is_between(-MOST_DAYS, MOST_DAYS)).then(days)
        read = (pl.lit(form.since) + pl.duration(days=days)).cast(pl.String)
        return texts.alias("").to_frame().select(read.alias("")).to_series()
    groups = cells.str.extract_groups(SHAPES[form.shape])
    parts = texts.alias("").to_frame().lazy().select(groups).unnest("")
    return parts.select(_iso(form)).collect().to_series()


def _iso(form: DateFormat) -> pl.Expr:
    """Write days as ISO does; a time follows them where there is one."""
    year, month, day = map(pl.col, form.parts)
    is_of_form = year.str.len_chars() == (2 if form.short else 4)
    if form.named:
        month = month.str.to_lowercase().replace_strict(MONTHS, default=None)
    else:
        is_of_form &= (pl.col("mark") == form.mark) & (pl.col("again") == form.mark)
    if form.short:
        number = year.cast(pl.Int32, strict=False)
        year = (form.last_year - (form.last_year - number) % CENTURY).cast(pl.String)
    days = pl.concat_str(year, month.str.zfill(2), day.str.zfill(2), separator="-")
    is_of_form &= days.str.to_date("%Y-%m-%d", strict=False).is_not_null()
    if form.timed:
        days = pl.concat_str(days, _clock(), separator=" ")
    return pl.when(is_of_form).then(days).otherwise(None).alias("")


def _clock() -> pl.Expr:
    """Write times of day with 24 hours and seconds; null where no clock shows them."""
    clock = pl.col("clock")
    hour = clock.str.extract(r"^([0-9]+):").cast(pl.Int32, strict=False)
    half = pl.col("half").str.to_lowercase()
    of_half = hour % NOON + pl.when(half == "pm").then(NOON).otherwise(0)
    hour = pl.when(half.is_not_null() & (half != "")).then(of_half).otherwise(hour)
    minute = clock.str.extract(r":([0-9]{2})")
    second = clock.str.extract(r":[0-9]{2}:(.+)$").fill_null("00")
    shown = pl.concat_str(hour.cast(pl.String).str.zfill(2), minute, second, separator=":")
    is_shown = (
        (hour < HOURS) & (minute.cast(pl.Int32) < 60) & (second.cast(pl.Float64) < 60)  # noqa: PLR2004 - of a clock
    )
    has_none = clock.is_null() | (clock == "")
    return pl.when(has_none).then(pl.lit(MIDNIGHT)).when(is_shown).then(shown)


def listed_dates(texts: Sequence[str], word: str | None) -> list[str]:
    """Return the values of a list as ISO dates where they are dates; the others as they are.

    Parameters
    ----------
    word : how dates are written; where it is None, the format that the values prove
    """
    given = pl.Series(texts, dtype=pl.String)
    if word is None:
        found = find_dates(dict.fromkeys(texts, 1))
        form = None if found is None else found.form
    else:
        form = DateFormat.of(word)
    return given.to_list() if form is None else dates_of(given, form).fill_null(given).to_list()


def found_dates(texts: pl.Series, records: pl.Series) -> tuple[pl.Series, ColumnFormat] | None:
    """Find how dates are written.

    Parameters
    ----------
    texts : (n_distinct,), the different cells, none missing
    records : (n_distinct,), records of each

    Returns
    -------
    the cells as ISO dates, null where they are none, and the evidence; with a doubt, all cells are
    null. None where these are no dates
    """
    found = find_dates(weighed(texts, records))
    if found is None:
        return None
    if found.form is None:
        nothing = pl.Series("", [None] * len(texts), pl.String)
        return nothing, ColumnFormat(found.doubt, doubt=True, kind=DATE, choices=found.choices)
    read = dates_of(texts, found.form)
    fitting, known = int(records.filter(read.is_not_null()).sum()), int(records.sum())
    if fitting < NEARLY * known or (found.form.shape == "packed" and read.null_count()):
        return None
    said = _said(found, found.form, fitting, known)
    return read, ColumnFormat(said, format=found.form.word, kind=DATE)


def _said(found: FoundDates, form: DateFormat, fitting: int, known: int) -> CodedText:
    """Return the evidence for a format.

    Parameters
    ----------
    fitting, known : the records that it fits, and all that have a cell
    """
    proved = "" if found.proof is None else "; {proof:,} fit nothing else"
    said = sentence(
        "fits-alone" if proved else "fits",
        f"{{count:,}} of {{of:,}} values fit {{format}}{proved}.",
        count=fitting,
        of=known,
        format=form.word,
        proof=found.proof,
    )
    if form.short:
        english = "Years of two digits are read as {first} to {last}."
        first = str(LAST_YEAR - CENTURY + 1)
        said = joined(said, sentence("two-digits", english, first=first, last=str(LAST_YEAR)))
    return said


FORMATS = (
    "Write dd, mm (or mmmm for names of months) and yyyy (or yy) with one mark between them, such "
    "as dd/mm/yyyy or dd.mm.yy hh:mm; or days since 1899-12-30 for the numbers of a spreadsheet."
)


def date_format_of(column: str, word: str) -> DateFormat:
    """Return the format that a policy names.

    Raises
    ------
    DataError
        when it names none
    """
    form = DateFormat.of(word)
    if form is None:
        raise DataError(
            [
                Fault(
                    f"columns.{column}.format",
                    "is not a format of dates",
                    FORMATS,
                    code="no-date-format",
                    columns=(column,),
                )
            ]
        )
    return form
