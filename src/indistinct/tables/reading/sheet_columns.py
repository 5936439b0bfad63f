"""The columns of a sheet as a person sees them: merged cells filled, and times and dates apart.

A workbook keeps dates as days since the end of 1899, and a time of day as a part of a day. So a
time without a date, and a zero that is shown as a date, come as moments of 1899.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import polars as pl

from indistinct.base.brief import short_repr
from indistinct.base.cells.shares import NEARLY
from indistinct.base.coded_text import sentence
from indistinct.errors import DataError, Fault
from indistinct.tables.reading.declared_formats import DATE, ColumnFormat
from indistinct.tables.reading.sheet_marks import MergedRange, SheetMarks

FIRST_DAY = dt.datetime(1900, 1, 1)  # noqa: DTZ001 - a workbook knows no zones
LAST_OF_TIMES = dt.datetime(1900, 2, 1)  # noqa: DTZ001 - later moments are no times beyond midnight
LAST_DAY_NUMBER = 2_958_465  # 9999-12-31, as a workbook counts days
MOMENT = "%Y-%m-%d %H:%M:%S%.f"  # as moments among texts come
LIKE_A_VALUE = r"^-?[0-9]"  # of a number or a moment
WRITTEN_AS_A_CODE = r"^[+]|^-?0[0-9]|^[0-9]{16,}$"  # as no number of a workbook is shown
LIKE_A_MOMENT = r"^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}"
MOST_NAMED = 3  # places that a sentence names


@dataclass(frozen=True, slots=True)
class SheetPlaces:
    """Where the records and the columns of a table are in its sheet; places count from 0.

    Parameters
    ----------
    rows : of the records
    columns : of each column, by the order of the frame
    """

    rows: range
    columns: Sequence[int]

    __repr__ = short_repr


def refuse_unknown_results(
    frame: pl.DataFrame, places: SheetPlaces, marks: SheetMarks, left_out: frozenset[str]
) -> None:
    """Refuse columns with formulas that were never calculated.

    Parameters
    ----------
    left_out : columns whose cells nobody needs

    Raises
    ------
    DataError
        naming all of them, with the first row of each
    """
    counts = marks.unknown_of_columns(places.rows)
    faults: list[Fault] = []
    for name, place in zip(frame.columns, places.columns, strict=True):
        if not counts[place] or name in left_out:
            continue
        rows = (row for row, column in marks.unknown if column == place and row in places.rows)
        problem = (
            f"holds {_counted(counts[place], 'formula')} without a result, from row "
            f"{min(rows) + 1} on"
        )
        remedy = "Open the workbook in a spreadsheet, which calculates them, and save it."
        faults.append(Fault(f"columns.{name}", problem, remedy))
    if faults:
        raise DataError(faults)


def with_merged_cells(
    frame: pl.DataFrame, places: SheetPlaces, merged: Sequence[MergedRange]
) -> tuple[pl.DataFrame, str]:
    """Return columns in which each cell of a merged range has the value that the range shows.

    Returns
    -------
    the columns, and what is said of them; empty where no cell was filled

    Notes
    -----
    A range over all columns is a heading among the records, and says nothing of each column. A cell
    that another type of column shows, such as a word over numbers, stays empty.
    """
    at = {place: index for index, place in enumerate(places.columns)}
    filled: dict[int, dict[int, object]] = {}
    for one in merged:
        source = at.get(one.columns.start)
        within = [at[place] for place in one.columns if place in at]
        is_heading = len(within) == frame.width > 1 and len(one.rows) == 1
        if source is None or one.rows.start not in places.rows or is_heading:
            continue
        first = one.rows.start - places.rows.start
        value = frame.item(first, source)
        below = range(first, min(one.rows.stop - places.rows.start, frame.height))
        for index in within:
            if value is not None and frame.dtypes[index] == frame.dtypes[source]:
                filled.setdefault(index, {}).update(dict.fromkeys(below, value))
    said: dict[str, int] = {}
    columns = frame.get_columns()
    for index, cells in filled.items():
        column = columns[index]
        empty = column.is_null()
        new = {row: value for row, value in cells.items() if empty[row]}
        columns[index] = column.scatter(
            list(new), pl.Series(list(new.values()), dtype=column.dtype)
        )
        if new:
            said[column.name] = len(new)
    if not said:
        return frame, ""
    return pl.DataFrame(columns), sentence(
        "merged",
        "Merged cells are filled with the value that they show: {cells}.",
        cells=", ".join(f"{_counted(count, 'cell')} of {name}" for name, count in said.items()),
        count=sum(said.values()),
        columns=tuple(said),
    )


def hidden_sentence(frame: pl.DataFrame, places: SheetPlaces, marks: SheetMarks) -> str:
    """Return what the sheet does not show of the table; empty where it shows all."""
    rows = sorted(row for row in marks.hidden_rows if row in places.rows)
    names = [
        name
        for name, place in zip(frame.columns, places.columns, strict=True)
        if place in marks.hidden_columns
    ]
    parts: list[str] = []
    first = ", ".join(str(row + 1) for row in rows[:MOST_NAMED])
    first += ", ..." if len(rows) > MOST_NAMED else ""
    if rows:
        parts.append(f"{_counted(len(rows), 'record')} (row {first})")
    if names:
        parts.append(f"{'the column' if len(names) == 1 else 'the columns'} {', '.join(names)}")
    if not parts:
        return ""
    kinds = [kind for kind, some in (("records", rows), ("columns", names)) if some]
    return sentence(
        f"hidden-{'-and-'.join(kinds)}",
        "The workbook hides {what}, which are read as all others. Delete what is not part of the "
        "table.",
        what=" and ".join(parts),
        count=len(rows),
        rows=first,
        columns=tuple(names),
    )


def with_times(
    frame: pl.DataFrame, places: SheetPlaces
) -> tuple[pl.DataFrame, dict[str, ColumnFormat]]:
    """Return columns in which times of day are texts, and moments without a day are missing."""
    found: dict[str, ColumnFormat] = {}
    columns: list[pl.Series] = []
    for column in frame.iter_columns():
        plain, said = _with_times(column, places)
        columns.append(plain)
        if said:
            n_unread = plain.null_count() - column.null_count()
            unread = said if n_unread else ""
            found[column.name] = ColumnFormat(said, kind=DATE, unread=unread, n_unread=n_unread)
    return pl.DataFrame(columns), found


def _with_times(column: pl.Series, places: SheetPlaces) -> tuple[pl.Series, str]:
    """Return a column with its times of day as texts, or without its days of 1899."""
    if column.dtype == pl.String:
        return _with_times_beside_texts(column, places)
    if not isinstance(column.dtype, pl.Datetime):
        return column, ""
    is_day_less = (column < FIRST_DAY).fill_null(value=False)
    count = int(is_day_less.sum())
    if not count:
        return column, ""
    known = column.drop_nulls()
    last = known.max()
    are_zeros = bool((known.dt.time() == dt.time()).all())
    if isinstance(last, dt.datetime) and last < LAST_OF_TIMES and not are_zeros:
        moments = column.dt.round("1s")
        form = "%H:%M" if not moments.dt.second().sum() else "%H:%M:%S"
        english = "{count:,} of {count:,} values are times of day."
        said = sentence("times-of-day", english, count=len(known))
        return moments.dt.strftime(form), said
    row = places.rows.start + int(is_day_less.arg_max() or 0) + 1
    kept = pl.select(pl.when(~is_day_less).then(column).alias(column.name)).to_series()
    what = "value has" if count == 1 else "values have"
    said = sentence(
        "no-days",
        f"{{count:,}} of {{of:,}} {what} no day, such as a 0 that is shown as a date (row "
        "{row}): read as missing.",
        count=count,
        of=len(known),
        row=row,
    )
    return kept, said


def _with_times_beside_texts(column: pl.Series, places: SheetPlaces) -> tuple[pl.Series, str]:
    """Return the same for a column of moments in which texts stand, so that all came as texts."""
    moments = column.str.to_datetime(MOMENT, strict=False, time_unit="ms")
    n_known = len(column) - column.null_count()
    if len(moments) - moments.null_count() < max(1, NEARLY * n_known):
        return column, ""
    plain, said = _with_times(moments, places)
    if not said:
        return column, ""
    if plain.dtype == pl.String:
        return plain.fill_null(column), said
    return column.set(moments.is_not_null() & plain.is_null(), None), said


def with_exact_numbers(
    frame: pl.DataFrame, load: Callable[[str, str], pl.Series]
) -> tuple[pl.DataFrame, frozenset[str]]:
    """Return columns of numbers or moments among which texts stand, with all digits of the numbers.

    Texts that look like numbers are codes, which whoever made the workbook wanted so.

    Parameters
    ----------
    load : reads a column again by its name, as ``float`` or as ``datetime``: a text that is a
        number is one as a float, and nothing as a moment

    Returns
    -------
    the columns, and which of them have numbers or moments that came as texts
    """
    mixed: dict[str, pl.Series] = {}
    for column in frame.iter_columns():
        if column.dtype != pl.String or not column.str.contains(LIKE_A_VALUE).any():
            continue
        numbers = load(column.name, "float")
        if not numbers.is_not_null().any():
            if column.str.contains(LIKE_A_MOMENT).any():
                mixed[column.name] = column
            continue
        in_range = numbers.is_between(0, LAST_DAY_NUMBER).fill_null(value=False)
        are_numbers = in_range & load(column.name, "datetime").is_not_null()
        # A number beyond all days may be a text, too. Those that are days prove what they are.
        if not are_numbers.any() or (in_range & ~are_numbers).any():
            continue
        texts = numbers.cast(pl.String).str.strip_suffix(".0").fill_null(column)
        is_code = column.str.contains(WRITTEN_AS_A_CODE).fill_null(value=False)
        mixed[column.name] = texts.zip_with(~is_code, column).alias(column.name)
    return frame.with_columns(mixed.values()), frozenset(mixed)


def _counted(count: int, noun: str) -> str:
    """Write a number of things."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
