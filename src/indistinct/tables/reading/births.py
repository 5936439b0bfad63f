"""Births with years of two digits: their century by the other dates of each record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import polars as pl

from indistinct.base.cells.centuries import (
    BIRTH,
    CENTURY,
    Century,
    centuries,
    per_decade,
    whole_year,
)
from indistinct.base.coded_text import sentence
from indistinct.tables.reading.declared_formats import (
    FALSE_CELLS,
    ColumnFormat,
    Reading,
    ReadingDoubt,
)

SHORT = "yyyy"  # a format without it has years of two digits


def with_centuries(
    frame: pl.DataFrame, texts: pl.DataFrame, found: Mapping[str, ColumnFormat], today: int
) -> tuple[pl.DataFrame, dict[str, ColumnFormat], tuple[ReadingDoubt, ...]]:
    """Return births in the century that the other dates allow; as texts where two are possible.

    Parameters
    ----------
    frame, texts : the table, its columns in their types and as they are written
    found : how the dates are written
    today : the year

    Returns
    -------
    the table, the formats that changed, and the questions
    """
    changed: dict[str, ColumnFormat] = {}
    doubts: list[ReadingDoubt] = []
    for name in _births(frame, found):
        records = dict(_short_years(frame, name).value_counts(name="n").iter_rows())
        beside = [_pairs(frame, name, other) for other in _dates(frame, name)]
        readings = centuries(records, beside, today)
        if len(readings) == 1:
            said = _said(readings[0], beside)
            changed[name] = replace(found[name], said=said, last_year=readings[0].last_year)
            frame = frame.with_columns(_in_century(frame[name], readings[0].last_year))
            continue
        doubt = _doubt(name, found[name], readings, records, frame.height)
        doubts.append(doubt)
        changed[name] = ColumnFormat(doubt.text, doubt=True, kind=found[name].kind)
        frame = frame.with_columns(texts[name])
    return frame, changed, tuple(doubts)


def are_to_be_found(reading: Reading, found: Mapping[str, ColumnFormat]) -> bool:
    """Return whether some column has years of two digits, of which nobody says the century."""
    return reading.suggests and any(
        _is_short(one) and name not in reading.formats for name, one in found.items()
    )


def _births(frame: pl.DataFrame, found: Mapping[str, ColumnFormat]) -> Iterator[str]:
    """Yield the columns of births with years of two digits."""
    for name, one in found.items():
        if _is_short(one) and BIRTH.search(name) and frame.schema[name].is_temporal():
            yield name


def _is_short(form: ColumnFormat) -> bool:
    """Return whether years have two digits."""
    return form.format is not None and SHORT not in form.format


def _dates(frame: pl.DataFrame, name: str) -> list[str]:
    """Return the other columns of dates."""
    return [
        other
        for other, dtype in frame.schema.items()
        if isinstance(dtype, pl.Date | pl.Datetime) and other != name and not BIRTH.search(other)
    ]


def _short_years(frame: pl.DataFrame, name: str) -> pl.Series:
    """Return the years of two digits of a column."""
    return frame[name].drop_nulls().dt.year() % CENTURY


def _pairs(frame: pl.DataFrame, name: str, other: str) -> dict[tuple[int, int], int]:
    """Count the years of two digits beside the years of another column."""
    years = pl.DataFrame(
        {
            "short": frame[name].dt.year() % CENTURY,
            "other": frame[other].dt.year(),
        }
    ).drop_nulls()
    counted = years.group_by("short", "other").len()
    return {(short, year): count for short, year, count in counted.iter_rows()}


def _in_century(column: pl.Series, last_year: int) -> pl.Series:
    """Return dates with the years that two digits mean; a leap day of another year is missing."""
    shorts: list[int] = (column.dt.year() % CENTURY).unique().drop_nulls().to_list()
    years = {short: whole_year(short, last_year) for short in shorts}
    year = (column.dt.year() % CENTURY).replace_strict(years, default=None)
    texts = column.cast(pl.Datetime("us")).dt.strftime("-%m-%dT%H:%M:%S")
    moments = pl.select(pl.concat_str(year.cast(pl.String), texts)).to_series()
    read = moments.str.to_datetime("%Y-%m-%dT%H:%M:%S", strict=False)
    return read.cast(column.dtype).alias(column.name)


def _said(chosen: Century, beside: list[dict[tuple[int, int], int]]) -> str:
    """Return the evidence for a century."""
    first = chosen.last_year - CENTURY + 1
    n_pairs = sum(sum(pairs.values()) for pairs in beside)
    return sentence(
        "century",
        "Years of two digits are read as {first} to {last}: {count:,} of {of:,} other dates of the "
        "same records are after the birth.",
        first=str(first),
        last=str(chosen.last_year),
        count=n_pairs - chosen.bad,
        of=n_pairs,
    )


def _doubt(
    name: str,
    form: ColumnFormat,
    readings: tuple[Century, ...],
    records: Mapping[int, int],
    height: int,
) -> ReadingDoubt:
    """Ask which century years of two digits are of."""
    first, second = readings[:2]
    decades = " or ".join(f"({per_decade(records, one.last_year)})" for one in (first, second))
    text = sentence(
        "centuries",
        "The years of {column} have two digits, and no other date of the records decides their "
        "century: they can be {decades}. They stay texts.",
        column=name,
        decades=decades,
    )
    settle = [
        (
            f"last_year {one.last_year}",
            {f"columns.{name}.format": form.format, f"columns.{name}.last_year": one.last_year},
        )
        for one in (first, second)
    ]
    known = sum(records.values())
    return ReadingDoubt(
        (name,),
        "century",
        FALSE_CELLS,
        text,
        (settle[0], settle[1]),
        meanwhile="text",
        records=known,
        of=height,
    )
