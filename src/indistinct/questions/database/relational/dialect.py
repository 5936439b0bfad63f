"""What the engines write differently; every expression is defined for every row."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, final

from indistinct.base.cells.cell_reading import AS_WRITTEN, CellReading
from indistinct.questions.database.preparation import literal
from indistinct.questions.database.relational.written_cells import DuckDbPatterns, plain_cell
from indistinct.questions.database.tables import DeclaredTable

# Dates that both engines calculate with; others are missing.
FIRST_DATE, LAST_DATE = "1000-01-01", "9999-12-31"
LARGEST = 1e15
SMALLEST = 1e-150
CAST_AS_NUMERIC = r"^\s*[+-]?([0-9]{1,15}(\.[0-9]{0,15})?|\.[0-9]{1,15})\s*$"
NUMBER_WITHIN = (
    "CASE WHEN isnan({0}) OR {0} IS NULL THEN NULL "
    f"WHEN abs({{0}}) < {SMALLEST} THEN 0 ELSE greatest(-{LARGEST}, least({LARGEST}, {{0}})) END"
)
FARTHEST = "CAST(1e150 AS DOUBLE PRECISION)"


class QueryDialect(ABC):
    """What both engines write alike.

    ``wide`` is a type in which whole numbers of up to 2**53 are squared and added up, and
    ``cast_word`` the cast that gives null where it fails, if there is one.
    """

    wide: ClassVar[str]
    cast_word: ClassVar[str] = "CAST"

    def carried(self, tables: Sequence[DeclaredTable]) -> tuple[str, ...]:
        """List what each row of a person is stored with: text, hash, and rows in each table."""
        del tables
        return ()

    def as_kind(self, value: str, kind: str) -> str:
        """Write a value in the engine's type of a kind; the planner drops casts of equal types."""
        types = {"number": "DOUBLE PRECISION", "bool": "BOOLEAN", "timestamp": "TIMESTAMP"}
        is_text = kind in {"text", "code", "id", "person", "null"}
        return f"{self.cast_word}({value} AS {'VARCHAR' if is_text else types.get(kind, 'DATE')})"

    def tried(self, value: str) -> str:
        """Write a value that is missing where it fails, whatever its form lets fail."""
        return value

    @abstractmethod
    def once(self, value: str, form: str) -> str:
        """Write a form that names a value several times, as ``it``, so that it is computed once.

        Written out, a form within a form within a form doubles at each step, in the text or in an
        engine's plan: a short question then takes an engine's whole memory, before it has a price.
        """

    def settled(self, number: str) -> str:
        """Write a result that both engines compute on with.

        One beyond 1e150 is missing, and one too small to be multiplied again is zero.
        """
        return self.once(
            number,
            f"CASE WHEN abs(it) < {SMALLEST} THEN CAST(0 AS DOUBLE PRECISION) "
            f"WHEN abs(it) < {FARTHEST} THEN it END",
        )

    def apart(self, select: str) -> str:
        """Write a subquery that an engine does not put into the one around it."""
        return select

    @abstractmethod
    def number(self, text: str) -> str:
        """Write the number in a text; missing where there is none."""

    @abstractmethod
    def first(self, value: str, by: str, condition: str, *, down: bool) -> str:
        """Write the value of the row that comes first; rows that tie there are told by value."""

    def lot(self, key: str, parts: Sequence[str]) -> str:
        """Write the hash that decides which rows of a person count."""
        texts = [f"coalesce(CAST({one} AS VARCHAR), '-')" for one in parts]
        return f"md5({literal(key)} || {' || chr(124) || '.join(texts)})"

    def group_lot(self, key: str, parts: Sequence[str]) -> str:
        """Write the hash that decides which groups of a person count."""
        return self.lot(key, parts)

    @abstractmethod
    def quotient(self, number: str, divisor: str) -> str:
        """Write the whole part of a quotient of two whole numbers that are not negative."""


@final
class DuckDb(QueryDialect):
    """DuckDB's casts give null where others fail."""

    cast_word = "TRY_CAST"
    wide = "HUGEINT"  # the square of a number of up to 2**53 has room in it, and a million squares

    def carried(self, tables: Sequence[DeclaredTable]) -> tuple[str, ...]:
        """List what each row of a person is stored with."""
        return ("t", "h", *(f"n{at}" for at, table in enumerate(tables) if table.person))

    def group_lot(self, key: str, parts: Sequence[str]) -> str:
        """Write the engine's own hash, which takes a tenth of the time; mixed by hashing again."""
        return f"hash(hash({', '.join([literal(key), *parts])}))"

    def quotient(self, number: str, divisor: str) -> str:
        """Write the whole part of a quotient."""
        return f"(({number}) // ({divisor}))"

    def tried(self, value: str) -> str:
        """Write a value that is missing where it fails."""
        return f"TRY({value})"

    def once(self, value: str, form: str) -> str:
        """Write a form of a value as a function of a list of one."""
        return f"list_transform([{value}], lambda it: {form})[1]"

    def first(self, value: str, by: str, condition: str, *, down: bool) -> str:
        """Write the value of the row that comes first."""
        order = f"{by}{' DESC' if down else ''}, {value}"
        return f"first({value} ORDER BY {order}) FILTER (WHERE {condition})"

    def number(self, text: str) -> str:
        """Write the number in a text."""
        return self.once(f"TRY_CAST({text} AS DOUBLE)", NUMBER_WITHIN.format("it"))

    def cast(self, column: str, kind: str, reading: CellReading = AS_WRITTEN) -> str:
        """Write a column of a file as a value of its type, or null."""
        if reading != AS_WRITTEN:
            column = plain_cell(f"CAST({column} AS VARCHAR)", reading, DuckDbPatterns())
        match kind:
            case "number":
                return NUMBER_WITHIN.format(f"TRY_CAST({column} AS DOUBLE)")
            case "bool":
                return f"TRY_CAST({column} AS BOOLEAN)"
            case "date" | "timestamp":
                moment = f"TRY_CAST({column} AS TIMESTAMP)"
                return moment if kind == "timestamp" else f"TRY_CAST({moment} AS DATE)"
            case _:
                return f"CAST({column} AS VARCHAR)"


@final
class Postgres(QueryDialect):
    """PostgreSQL fails on what overflows, is too small or cannot be cast: none of it is written."""

    wide = "NUMERIC"

    def number(self, text: str) -> str:
        """Write the number in a text."""
        given = f"CASE WHEN it ~ '{CAST_AS_NUMERIC}' THEN CAST(it AS NUMERIC) END"
        return f"CAST({self.once(text, given)} AS DOUBLE PRECISION)"

    def quotient(self, number: str, divisor: str) -> str:
        """Write the whole part of a quotient."""
        return f"div({number}, {divisor})"

    def once(self, value: str, form: str) -> str:
        """Write a form of a value as a query of one row, which is not taken apart."""
        return f"(SELECT {form} FROM (SELECT {value} AS it OFFSET 0) AS v)"  # noqa: S608

    def apart(self, select: str) -> str:
        """Write a subquery that is planned for itself."""
        return f"{select} OFFSET 0"

    def first(self, value: str, by: str, condition: str, *, down: bool) -> str:
        """Write the value of the row that comes first."""
        order = f"{by}{' DESC' if down else ''}, {value}"
        return f"(array_agg({value} ORDER BY {order}) FILTER (WHERE {condition}))[1]"
