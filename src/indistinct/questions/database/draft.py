"""Draft bounds and values from the data: an owner's shortcut, which no noise and no budget covers.

Nothing here is private. What is drafted says no more than where most numbers lie, on round ends,
and which texts many people share; it still comes from the data, and analysts see it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any, final

from indistinct.errors import ParameterError
from indistinct.questions.database.preparation import quoted

LEAST_PEOPLE = 10  # who share a text, for it to be drafted as a value
MOST_VALUES = 50
OUTER_SHARE = 0.01  # of the numbers, beyond each bound


@final
@dataclass(frozen=True, slots=True)
class DeclarationDraft:
    """What was read off the data for a declaration.

    Parameters
    ----------
    bounds : low and high end per number
    values : texts that many people share, per column
    """

    bounds: Mapping[str, tuple[Decimal, Decimal]]
    values: Mapping[str, Sequence[str]]


def draft(data: str, person: str, numbers: Sequence[str], texts: Sequence[str]) -> DeclarationDraft:
    """Draft bounds for numbers, and values for texts of which there are few.

    Parameters
    ----------
    data : a file; a table in PostgreSQL is declared by hand
    person : the column that tells persons apart
    numbers, texts : names of columns

    Raises
    ------
    ParameterError
        when the data are no file
    DataError
        when the file cannot be read
    """
    from indistinct.base.files.postgres_address import is_postgres
    from indistinct.questions.database.engines.files import connect, readable

    if is_postgres(data):
        raise ParameterError(
            "--draft-from-data: reads files only",
            "Declare what is known: --bounds age=0:120, --values sex=F,M.",
        )
    with connect() as connection, readable(data) as source:
        bounds = dict(_bounds(connection, source, numbers))
        values = dict(_values(connection, source, person, texts))
    return DeclarationDraft(bounds, values)


def _bounds(
    connection: Any, source: str, numbers: Sequence[str]
) -> Iterator[tuple[str, tuple[Decimal, Decimal]]]:
    """Yield round numbers around all but the outermost hundredth at either end."""
    for name in numbers:
        number = f"TRY_CAST({quoted(name)} AS DOUBLE)"
        row = connection.execute(
            f"SELECT quantile_cont(n, {OUTER_SHARE}), quantile_cont(n, {1 - OUTER_SHARE}) "  # noqa: S608
            f"FROM (SELECT {number} AS n FROM {source}) WHERE isfinite(n)"
        ).fetchone()
        if row is not None and None not in row:
            yield name, around(float(row[0]), float(row[1]))


def around(low: float, high: float) -> tuple[Decimal, Decimal]:
    """Round two ends outward to multiples of a tenth of the power of ten of the larger.

    Examples
    --------
    >>> around(18.2, 87.9)
    (Decimal('18'), Decimal('88'))
    """
    largest = max(abs(low), abs(high))
    step = Decimal(1).scaleb(Decimal(repr(largest)).adjusted() - 1) if largest else Decimal(1)
    least = (Decimal(repr(low)) / step).to_integral_value(ROUND_FLOOR) * step
    greatest = (Decimal(repr(high)) / step).to_integral_value(ROUND_CEILING) * step
    return least, greatest if greatest > least else least + step


def _values(
    connection: Any, source: str, person: str, texts: Sequence[str]
) -> Iterator[tuple[str, list[str]]]:
    """Yield the texts that enough people share, in alphabetical order."""
    for name in texts:
        rows = connection.execute(
            f"SELECT CAST({quoted(name)} AS VARCHAR) AS text FROM {source} "  # noqa: S608
            f"WHERE {quoted(name)} IS NOT NULL GROUP BY text "
            f"HAVING count(DISTINCT {quoted(person)}) >= {LEAST_PEOPLE} "
            f"ORDER BY text LIMIT {MOST_VALUES + 1}"
        ).fetchall()
        if 0 < len(rows) <= MOST_VALUES:
            yield name, [str(row[0]) for row in rows]
