"""PostgreSQL's columns as values of declared types.

It has no cast that gives null, so texts that are declared as numbers or dates are checked by a
pattern first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from indistinct.base.cells.cell_reading import AS_WRITTEN, CellReading
from indistinct.errors import SchemaError
from indistinct.questions.database.relational.dialect import CAST_AS_NUMERIC, LARGEST, SMALLEST
from indistinct.questions.database.relational.written_cells import PostgresPatterns, plain_cell

QUOTE = '"'
WHOLE = frozenset({"smallint", "integer", "bigint"})
BINARY = frozenset({"real", "double precision"})
TEXTS = frozenset({"text", "character varying", "character", "character("})
TRUE, FALSE = "('true', 't', 'yes', 'y', '1')", "('false', 'f', 'no', 'n', '0')"
# Days that every year has, and the 29th of February where the year divides as it must.
DAY = (
    "[0-9]{4}-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)"
)
LEAP = "([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29"
TIME = r"([ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)?)?"
MOMENT = rf"^(?!0000)({DAY}|{LEAP}){TIME}$"  # there is no year zero
AFTER_LAST_DATE = "10000-01-01"  # times end before dates do


@final
@dataclass(frozen=True, slots=True)
class PostgresCast:
    """Writes columns as values, or null; chosen by the columns' own types.

    Parameters
    ----------
    types : of the columns, by their quoted names
    """

    types: Mapping[str, str]

    def __call__(self, column: str, kind: str, reading: CellReading = AS_WRITTEN) -> str:
        """Write a column as a value of a type."""
        own = self.types[column]
        if reading != AS_WRITTEN:
            if own not in TEXTS and (reading.format is not None or reading.decimal):
                raise SchemaError(
                    f"columns.{column.strip(QUOTE)}: is {own} in the database, not a text",
                    "Leave its format or decimal out.",
                )
            column, own = plain_cell(plain(column), reading, PostgresPatterns()), "text"
        match kind:
            case "number":
                return self.number(column, own)
            case "bool":
                return self.truth(column, own)
            case "date":
                return f"CAST({self.moment(column, own)} AS DATE)"
            case "timestamp":
                return self.moment(column, own)
            case _:
                return plain(column)

    def number(self, column: str, own: str) -> str:
        """Write a number; not-a-number is missing, the tiny is zero, the large is moved."""
        if own in {"smallint", "integer"}:
            return f"CAST({column} AS DOUBLE PRECISION)"
        if own in TEXTS:
            column = plain(column)
            given = f"CASE WHEN {column} ~ '{CAST_AS_NUMERIC}' THEN CAST({column} AS NUMERIC) END"
        elif own in {*WHOLE, *BINARY, "numeric"}:
            # The absolute value of the least whole number of a type is none of that type.
            is_whole = own in WHOLE
            given = f"CAST({column} AS NUMERIC)" if is_whole else f"NULLIF({column}, 'NaN')"
        else:
            raise unfit(column, own, "a number")
        return (
            f"CASE WHEN {given} IS NULL THEN NULL WHEN abs({given}) < {SMALLEST} THEN 0 "
            f"ELSE CAST(greatest(-{LARGEST}, least({LARGEST}, {given})) AS DOUBLE PRECISION) END"
        )

    def truth(self, column: str, own: str) -> str:
        """Write true or false."""
        if own == "boolean":
            return column
        word = f"lower(trim({plain(column)}))"
        return f"CASE WHEN {word} IN {TRUE} THEN TRUE WHEN {word} IN {FALSE} THEN FALSE END"

    def moment(self, column: str, own: str) -> str:
        """Write a time without a zone; an infinite one is missing."""
        if own in TEXTS:
            text = f"trim({plain(column)})"
            return f"CASE WHEN {text} ~ '{MOMENT}' THEN CAST({text} AS TIMESTAMP) END"
        if own == "date":
            column = f"CASE WHEN {column} < DATE '{AFTER_LAST_DATE}' THEN {column} END"
        elif own == "timestamp with time zone":
            column = f"({column} AT TIME ZONE 'UTC')"
        elif own != "timestamp without time zone":
            raise unfit(column, own, "a date")
        return f"CASE WHEN isfinite({column}) THEN CAST({column} AS TIMESTAMP) END"


def plain(column: str) -> str:
    """Write a column as a text whose characters are compared and classed one by one.

    A column's own collation may take other characters for spaces than a cast does, or may not be
    searched for a pattern at all.
    """
    return f'(CAST({column} AS TEXT) COLLATE pg_catalog."C")'


def unfit(column: str, own: str, kind: str) -> SchemaError:
    """Make the error of a column that cannot be what is declared."""
    name = column.strip('"')
    return SchemaError(
        f"columns.{name}: is {own} in the database, not {kind}", 'Set type = "text".'
    )
