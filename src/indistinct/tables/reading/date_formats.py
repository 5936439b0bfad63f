"""How the dates of a column are written: one format, proved by the cells of the whole column.

A day above 12 proves the order of day and month. Where no cell does, or some cells prove one order
and some the other, the column stays text and only its years are sure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

import polars as pl

from indistinct.base.cells.centuries import CENTURY, LAST_YEAR
from indistinct.base.cells.shares import are_few
from indistinct.base.coded_text import CodedText, joined, sentence
from indistinct.errors import DataError, Fault
from indistinct.tables.reading.declared_formats import DATE, ColumnFormat
from indistinct.tables.reading.month_names import MONTHS

NEARLY = 0.9  # of the records that a format fits, so that the others are no dates
TIME = r"(?:[ T,]+(?<clock>\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(?<half>[AaPp][Mm])?)?"
MARK = r"(?:[-/.]|\. ?| )"
WEEKDAY = r"(?:\p{L}{2,}\.?,? )?"
SHAPES: Mapping[str, str] = {
    "numbers": rf"^{WEEKDAY}(?<first>\d{{1,2}})(?<mark>{MARK})(?<second>\d{{1,2}})(?<again>{MARK})"
    rf"(?<year>\d{{4}}|\d{{2}}){TIME}$",
    "year first": rf"^(?<year>\d{{4}})(?<mark>[-/.])(?<first>\d{{1,2}})(?<again>[-/.])"
    rf"(?<second>\d{{1,2}}){TIME}$",
    "packed": r"^(?<year>\d{4})(?<mark>)(?<first>\d{2})(?<again>)(?<second>\d{2})"
    r"(?<clock>)(?<half>)$",
    "day and name": rf"^{WEEKDAY}(?<first>\d{{1,2}})(?:st|nd|rd|th|er)?(?:[-/. ]|\. )(?:de |of )?"
    rf"(?<name>\p{{L}}{{3,}})\.?,?[-/. ](?:de |of )?(?<year>\d{{4}}|\d{{2}}){TIME}$",
    "name and day": r"^(?<name>\p{L}{3,})\.? (?<first>\d{1,2})(?:st|nd|rd|th)?,? "
    rf"(?<year>\d{{4}}|\d{{2}}){TIME}$",
}
FEWEST_DIGITS = 3  # of a text that has one of these shapes
LIKE_A_DATE = re.compile(
    r"([^\W\d_]{2,}\.?,? )?\d{1,4}[-/. ]{1,2}\d{1,2}[-/. ]{1,2}\d{2,4}|\d{8}$"
    r"|([^\W\d_]{2,}\.?,? )?\d{1,2}[a-z]{0,2}[-/. ]+(de |of )?[^\W\d_]{3,}"
    r"|[^\W\d_]{3,}\.? \d{1,2}(st|nd|rd|th)?,? \d{2,4}"
)
ISO = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:$|[T ][0-9]{2}:)"  # needs no format
WORD = re.compile(
    r"(?P<a>dd|mm|mmmm|yyyy|yy)(?P<mark>[-/. ]{0,2})(?P<b>dd|mm|mmmm)(?P<again>[-/. ]{0,2})"
    r"(?P<c>dd|yyyy|yy)(?P<time> hh:mm)?"
)
SINCE = re.compile(r"days since (?P<day>\d{4}-\d{2}-\d{2})")
MOST_DAYS = 400_000  # about a thousand years
MOST_PACKED, LEAST_PACKED = 20501231, 18500101
FEWEST_PACKED = 12  # different numbers that are all days, so that they are not by chance


@dataclass(frozen=True, slots=True)
class DateFormat:
    """A way of writing dates.

    Parameters
    ----------
    order : of day, month and year: ``dmy``, ``mdy`` or ``ymd``
    mark : between them
    short : whether years have two digits
    named : whether months are names
    timed : whether a time stands behind the day
    last_year : that two digits may mean
    since : the day that days are counted from, where they are numbers
    """

    order: str
    mark: str
    short: bool = False
    named: bool = False
    timed: bool = False
    last_year: int = LAST_YEAR
    since: date | None = None

    @property
    def word(self) -> str:
        """The word of a policy: ``dd/mm/yyyy``."""
        if self.since is not None:
            return f"days since {self.since.isoformat()}"
        parts = {
            "d": "dd",
            "m": "mmmm" if self.named else "mm",
            "y": "yy" if self.short else "yyyy",
        }
        return self.mark.join(parts[part] for part in self.order) + (" hh:mm" if self.timed else "")

    @classmethod
    def of(cls, word: str) -> DateFormat | None:
        """Return the format that a word of a policy names; None where it names none."""
        if (counted := SINCE.fullmatch(word.strip().lower())) is not None:
            return (
                cls("ymd", "-", since=_day_of(counted["day"])) if _day_of(counted["day"]) else None
            )
        found = WORD.fullmatch(word.strip().lower().replace("yyyy-mm-ddthh", "yyyy-mm-dd hh"))
        if found is None or found["mark"] != found["again"]:
            return None
        parts = [found[part] for part in "abc"]
        order = "".join(part[0] for part in parts)
        if sorted(order) != ["d", "m", "y"] or order in {"myd", "ydm", "dym"}:
            return None
        return cls(order, found["mark"], "yy" in parts, "mmmm" in parts, bool(found["time"]))

    @property
    def shape(self) -> str:
        """The name of its shape in :data:`SHAPES`."""
        if self.named:
            return "name and day" if self.order == "mdy" else "day and name"
        if self.order == "ymd" and not self.short:
            return "year first" if self.mark else "packed"
        return "numbers"


def dates_of(texts: pl.Series, form: DateFormat) -> pl.Series:
    """Return texts as ISO dates, or as moments; null where a text is not of a format.

    Parameters
    ----------
    texts : (n,)
    """
    if form.since is not None:
        days = pl.col("").str.strip_chars().cast(pl.Float64, strict=False)
        is_day = days.is_between(-MOST_DAYS, MOST_DAYS) & (days == days.floor())
        read = pl.lit(form.since) + pl.duration(days=pl.when(is_day).then(days).cast(pl.Int64))
        return texts.alias("").to_frame().select(read.cast(pl.String).alias("")).to_series()
    return _read(_parts(texts, form.shape), form)


def _day_of(text: str) -> date | None:
    """Return the day that a text names; None where the calendar has none of this name."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def month_number(name: str) -> str | None:
    """Return the number of a month with two digits by its name in a language that is known."""
    return MONTHS.get(name.lower())


def listed_dates(texts: Sequence[str], word: str | None) -> list[str]:
    """Return the values of a list as ISO dates where they are dates; the others as they are.

    Parameters
    ----------
    word : how dates are written; where it is None, the format that the values prove
    """
    given = pl.Series(texts, dtype=pl.String)
    if word is None:
        found = found_dates(given.unique(), pl.repeat(1, given.n_unique(), eager=True))
        word = None if found is None or found[1].doubt else found[1].format
    form = None if word is None else DateFormat.of(word)
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
    if _records_of(records, texts.str.contains(ISO)) >= NEARLY * int(records.sum()):
        return None
    # To look for each shape takes a hundred times as long.
    may_fit = texts.str.count_matches(r"\d") >= FEWEST_DIGITS
    if _records_of(records, may_fit) < NEARLY * int(records.sum()):
        return None
    for shape in SHAPES:
        parts = _parts(texts, shape)
        fits = parts["year"].is_not_null()
        if _records_of(records, fits) < NEARLY * int(records.sum()):
            continue
        found = _with_order(texts, records, parts.filter(fits), shape, parts)
        if found is not None:
            return found
    return None


def _records_of(records: pl.Series, chosen: pl.Series) -> int:
    """Count the records of some of the different cells."""
    return int(records.filter(chosen).sum())


def like_dates(texts: Sequence[str]) -> bool:
    """Return whether some cells of a column look like dates, so that all are worth a look."""
    return sum(map(is_like_a_date, texts)) >= NEARLY * len(texts) > 0


def is_like_a_date(text: str) -> bool:
    """Return whether a text looks like a date in some form."""
    return LIKE_A_DATE.match(text) is not None


def _parts(texts: pl.Series, shape: str) -> pl.DataFrame:
    """Cut texts of a shape into day, month, year and time; null where they are of another."""
    pattern = SHAPES[shape]
    column = (
        texts.alias("")
        .to_frame()
        .lazy()
        .select(pl.col("").str.strip_chars().str.extract_groups(pattern))
    )
    parts = column.unnest("").collect()
    missing = [name for name in ("second", "name", "mark", "again") if name not in parts.columns]
    return parts.with_columns(pl.lit(None, pl.String).alias(name) for name in missing)


def _with_order(
    texts: pl.Series, records: pl.Series, found: pl.DataFrame, shape: str, parts: pl.DataFrame
) -> tuple[pl.Series, ColumnFormat] | None:
    """Find the order of day, month and year of cells that have a shape."""
    marks = {*found["mark"].unique(), *found["again"].unique()}
    years = set(found["year"].str.len_chars().unique())
    if len(marks) != 1 or len(years) != 1:
        return None
    mark, is_short = marks.pop() or " ", years == {2}
    timed = found["clock"].fill_null("").str.len_chars().max() != 0
    if shape == "packed":
        mark = ""
    if shape in {"year first", "packed"}:
        return _proved(texts, records, parts, DateFormat("ymd", mark, timed=timed), None)
    if shape in {"day and name", "name and day"}:
        order = "dmy" if shape == "day and name" else "mdy"
        return _proved(
            texts, records, parts, DateFormat(order, " ", is_short, named=True, timed=timed), None
        )
    return _of_numbers(texts, records, parts, DateFormat("dmy", mark, is_short, timed=timed))


def _of_numbers(
    texts: pl.Series, records: pl.Series, parts: pl.DataFrame, form: DateFormat
) -> tuple[pl.Series, ColumnFormat] | None:
    """Find the order of two numbers and a year behind them: a day above 12 proves it."""
    first, second = (parts[name].cast(pl.Int32) for name in ("first", "second"))
    day_first = ((first > 12) & (first <= 31) & (second <= 12)).fill_null(value=False)  # noqa: PLR2004
    month_first = ((second > 12) & (second <= 31) & (first <= 12)).fill_null(value=False)  # noqa: PLR2004
    of_day, of_month = (int(records.filter(one).sum()) for one in (day_first, month_first))
    if form.short and int((first > 31).sum()):  # noqa: PLR2004 - no day
        return _proved(texts, records, parts, replace(form, order="ymd"), None)
    rarer = min(of_day, of_month)
    if rarer and are_few(rarer, of_day + of_month):
        of_day, of_month = (of_day, 0) if of_day > of_month else (0, of_month)
    choices = tuple(replace(form, order=order).word for order in ("dmy", "mdy"))
    if of_day and of_month:
        said = sentence(
            "both-orders",
            "{days:,} values have the day first and {months:,} the month first, so that only the "
            "years are sure.",
            days=of_day,
            months=of_month,
        )
        return _unsure(parts, said, choices)
    if not of_day and not of_month:
        said = sentence(
            "no-order",
            "No day is above 12, so that the cells cannot tell the day from the month. Name the "
            "format of the column, such as dd/mm/yyyy.",
        )
        return _unsure(parts, said, choices)
    order, proof = ("dmy", of_day) if of_day else ("mdy", of_month)
    return _proved(texts, records, parts, replace(form, order=order), proof)


def _unsure(
    parts: pl.DataFrame, said: CodedText, choices: tuple[str, ...]
) -> tuple[pl.Series, ColumnFormat]:
    """Leave dates as texts."""
    nothing = pl.Series("", [None] * parts.height, pl.String)
    return nothing, ColumnFormat(said, doubt=True, kind=DATE, choices=choices)


def _proved(
    texts: pl.Series,
    records: pl.Series,
    parts: pl.DataFrame,
    form: DateFormat,
    proof: int | None,
) -> tuple[pl.Series, ColumnFormat] | None:
    """Read dates in their format, where it fits nearly all of them."""
    read = _read(parts, form)
    fits = read.is_not_null()
    if _records_of(records, fits) < NEARLY * int(records.sum()):
        return None
    if form.shape == "packed" and (
        len(texts) < FEWEST_PACKED
        or (low := texts.min()) is None
        or not str(LEAST_PACKED) <= str(low) <= str(texts.max()) <= str(MOST_PACKED)
        or not fits.all()
    ):
        return None
    fitting, all_of = int(records.filter(fits).sum()), int(records.sum())
    proved = "" if proof is None else "; {proof:,} fit nothing else"
    said = sentence(
        "fits-alone" if proved else "fits",
        f"{{count:,}} of {{of:,}} values fit {{format}}{proved}.",
        count=fitting,
        of=all_of,
        format=form.word,
        proof=proof,
    )
    if form.short:
        english = "Years of two digits are read as {first} to {last}."
        first = str(LAST_YEAR - CENTURY + 1)
        said = joined(said, sentence("two-digits", english, first=first, last=str(LAST_YEAR)))
    return read, ColumnFormat(said, format=form.word, kind=DATE)


def _read(parts: pl.DataFrame, form: DateFormat) -> pl.Series:
    """Write days as ISO does; a time follows it where there is one."""
    first, second = pl.col("first"), pl.col("second")
    if form.named:
        day, month = (
            first,
            pl.col("name").str.to_lowercase().replace_strict(MONTHS, default=None),
        )
        year = pl.col("year")
    elif form.shape == "numbers" and form.order == "ymd":
        year, month, day = first, second, pl.col("year")
    else:
        is_month_first = form.order in {"mdy", "ymd"}
        month, day = (first, second) if is_month_first else (second, first)
        year = pl.col("year")
    if form.short:
        number = year.cast(pl.Int32, strict=False)
        year = (form.last_year - (form.last_year - number) % CENTURY).cast(pl.String)
    days = pl.concat_str(year, month.str.zfill(2), day.str.zfill(2), separator="-")
    is_day = days.str.to_date("%Y-%m-%d", strict=False).is_not_null()
    if form.timed:
        clock = pl.col("clock").fill_null("").str.zfill(5)
        days = pl.concat_str(days, _clock(clock), separator=" ")
    has_mark = form.named | (pl.col("mark") == (form.mark or "")).fill_null(value=form.mark == "")
    read = parts.lazy().select(pl.when(is_day & has_mark).then(days).otherwise(None).alias(""))
    return read.collect().to_series()


def _clock(clock: pl.Expr) -> pl.Expr:
    """Write times of day with 24 hours and seconds."""
    hour = clock.str.extract(r"^(\d{1,2}):").cast(pl.Int32, strict=False)
    half = pl.col("half").str.to_lowercase()
    hour = (
        pl.when(half == "pm")
        .then(hour % 12 + 12)
        .when(half == "am")
        .then(hour % 12)
        .otherwise(hour)
    )
    rest = clock.str.extract(r"^\d{1,2}(:.*)$")
    is_short = rest.str.len_chars() == 3  # noqa: PLR2004 - minutes alone
    seconds = pl.when(is_short).then(pl.concat_str(rest, pl.lit(":00"))).otherwise(rest)
    return pl.concat_str(hour.cast(pl.String).str.zfill(2), seconds).fill_null("00:00:00")


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
