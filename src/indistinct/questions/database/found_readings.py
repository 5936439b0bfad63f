"""How the cells of a file are written that are no plain numbers, dates or truths.

A draft of a declaration says it with the type, which it takes from the data anyway; its owner is
told of the column, and agrees.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, final

from indistinct.base.cells.cell_reading import CellReading
from indistinct.base.cells.date_formats import DateFormat, find_dates, like_dates
from indistinct.base.cells.missing_words import MACHINES
from indistinct.base.cells.number_formats import POINT, find_numbers, like_numbers
from indistinct.base.cells.shares import MOST_WEIGHED, are_few
from indistinct.questions.database.preparation import quoted

LOOK = 200  # different cells by which a column is seen to be worth a look at all of them
TEXT = "VARCHAR"


@final
@dataclass(frozen=True, slots=True)
class FoundColumn:
    """What the cells of a column of texts are.

    Parameters
    ----------
    type : of SQL
    words : of a declaration, that say how they are written
    doubt : why they cannot be told; empty where they can
    """

    type: str
    words: Mapping[str, Any] = field(default_factory=dict[str, Any])
    doubt: str = ""


def found_columns(connection: Any, source: str, types: Mapping[str, str]) -> dict[str, FoundColumn]:
    """Return what columns of texts hold, where nearly all cells are numbers or dates in some form.

    Parameters
    ----------
    types : SQL type per column
    """
    found: dict[str, FoundColumn] = {}
    for name, kind in types.items():
        if kind == TEXT:
            rows = connection.execute(
                f"SELECT trim({quoted(name)}) AS cell, count(*) FROM {source} "  # noqa: S608
                f"WHERE trim({quoted(name)}) <> '' GROUP BY cell ORDER BY cell LIMIT {MOST_WEIGHED}"
            ).fetchall()
            one = _found({str(cell): int(count) for cell, count in rows})
            if one is not None:
                found[name] = one
    return found


def _found(counted: Mapping[str, int]) -> FoundColumn | None:
    """Return what different cells are; None where they are texts."""
    missing = [text for text in counted if text.lower() in MACHINES]
    known = {text: count for text, count in counted.items() if text not in missing}
    first = [*known][:LOOK]
    words: dict[str, Any] = {"missing_words": missing} if missing else {}
    if like_dates(first):
        dates = find_dates(known)
        if dates is not None and dates.form is not None:
            kind = "TIMESTAMP" if dates.form.timed else "DATE"
            reading = CellReading(format=dates.form)
            return _if_read(known, reading, kind, {"format": dates.form.word, **words})
        if dates is not None:
            return FoundColumn(TEXT, doubt=dates.doubt)
        return _if_read(known, CellReading(format=DateFormat("ymd", "-")), "DATE", words)
    if first and like_numbers(first):
        numbers = find_numbers(known, None)
        if numbers is not None and not (numbers.doubt or numbers.unit or numbers.drops_zeros):
            of_mark = {} if numbers.mark == POINT and missing else {"decimal": numbers.mark}
            reading = CellReading(decimal=numbers.mark)
            return _if_read(known, reading, "DOUBLE", {**of_mark, **words})
        return FoundColumn(TEXT, doubt=numbers.doubt) if numbers is not None else None
    return None


def _if_read(
    counted: Mapping[str, int], reading: CellReading, kind: str, words: Mapping[str, Any]
) -> FoundColumn | None:
    """Return a column of which nearly all cells are read; None where they are not, or are plain."""
    unread = sum(count for text, count in counted.items() if reading.plain(text) is None)
    if not words or not are_few(unread, sum(counted.values())):
        return None
    return FoundColumn(kind, words)
