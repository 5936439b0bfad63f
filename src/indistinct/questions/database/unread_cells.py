"""Cells that cannot be read as their column's declared type: counted before a ledger is started.

Questions take such cells for missing, so that an answer would be wrong without a word. The owner is
told their number and how the first of them is written, and nothing of it is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import final

from indistinct.base.cells.cell_reading import CellReading
from indistinct.base.cells.cell_shape import shape_of
from indistinct.base.cells.date_formats import DateFormat
from indistinct.base.cells.number_formats import COMMA, PADDING, plain_number
from indistinct.errors import Fault, ParameterError
from indistinct.questions.database.countable_table import CountableTable, opened
from indistinct.questions.database.dataset import LEAVE_OUT, Dataset
from indistinct.questions.database.preparation import literal, quoted
from indistinct.questions.database.relational.loaded import Cast
from indistinct.questions.database.tables import DeclaredTable

READ = {"number": "a number", "date": "a date", "timestamp": "a timestamp", "bool": "a truth value"}
LOOKED_AT = 100  # different cells of a column, whose shape is told
WRITTEN = {
    "number": "digits and a decimal point, without a unit",
    "date": "yyyy-mm-dd",
    "timestamp": "yyyy-mm-dd hh:mm:ss",
    "bool": "true and false",
}
OPTION = "Missing cells are never added up."


@final
@dataclass(frozen=True, slots=True)
class UnreadCells:
    """The cells of one column that are not empty and cannot be read.

    Parameters
    ----------
    kind : the declared type
    shape : how the first of them is written; none of its digits and letters
    is_said : whether the declaration says how they are written
    """

    table: str
    column: str
    kind: str
    count: int
    shape: str
    is_said: bool = False

    @property
    def problem(self) -> str:
        """Return what is wrong, without any value."""
        kind = READ[self.kind]
        return (
            f"is {kind}, but {self.count:,} of its cells cannot be read as one, the first of which "
            f"is written like {self.shape}"
        )

    @property
    def way(self) -> str:
        """Return how a declaration says that they are written so; empty where it cannot."""
        if self.is_said:
            return ""
        if self.kind in {"date", "timestamp"} and DateFormat.of(self.shape) is not None:
            return f'declare their format (format = "{self.shape}"), '
        digits = self.shape.replace("n", "1")
        if self.kind == "number" and plain_number(digits, COMMA) is not None:
            return 'declare their decimal mark (decimal = ","), '
        return ""


def unread_faults(
    dataset: Dataset, unreadable: str, place: Callable[[UnreadCells], str], declare: str
) -> list[Fault]:
    """List columns with cells that their types cannot read, unless they count as missing.

    Parameters
    ----------
    unreadable : ``refuse``, or ``missing``
    place : of a column in the words of the owner
    declare : how the owner declares a text, with the name of the column as ``{}``
    """
    if unreadable not in {"refuse", "missing"}:
        raise ParameterError('unreadable: must be "refuse" or "missing"', OPTION)
    if unreadable == "missing":
        return []
    return [
        Fault(
            place(one),
            one.problem,
            f"Correct them in the data ({WRITTEN[one.kind]}), {one.way}"
            f"{declare.format(one.column)}, or take them for missing with --unreadable missing.",
        )
        for one in unread_cells(dataset)
    ]


def unread_cells(dataset: Dataset) -> Iterator[UnreadCells]:
    """Yield the columns of all tables that have cells which cannot be read."""
    for table in dataset.tables.values():
        columns = columns_to_read(table)
        if not columns:
            continue
        with opened(dataset.data, table.name, leave_out=dataset.misfits == LEAVE_OUT) as found:
            yield from _of_table(table, columns, found)


def columns_to_read(table: DeclaredTable) -> dict[str, tuple[str, CellReading]]:
    """Return type and reading of each column with cells that may not have it; texts have theirs."""
    found: dict[str, tuple[str, CellReading]] = {}
    for column in table.columns.values():
        name, kind = (column.of, "number") if column.edges else (column.name, column.kind)
        if kind in READ:
            found.setdefault(name, (kind, column.reading))
    return found


def _of_table(
    table: DeclaredTable, columns: Mapping[str, tuple[str, CellReading]], found: CountableTable
) -> Iterator[UnreadCells]:
    """Count the cells of one table, and look at some where there are any."""
    tests = {name: is_unread(name, *one, found.cast) for name, one in columns.items()}
    person = found.cast(quoted(table.person), "id", table.person_reading)
    where = f" WHERE {person} IS NOT NULL" if table.person_column else ""
    counts = ", ".join(f"count(*) FILTER (WHERE {test})" for test in tests.values())
    (row,) = found.read(f"SELECT {counts} FROM {found.source}{where}")  # noqa: S608 - quoted
    for (name, test), count in zip(tests.items(), row, strict=True):
        if count:
            also = f"{where} AND" if where else " WHERE"
            cells = found.read(
                f"SELECT DISTINCT CAST({quoted(name)} AS VARCHAR) AS cell FROM {found.source}"  # noqa: S608
                f"{also} {test} ORDER BY cell LIMIT {LOOKED_AT}"
            )
            shape = shape_of([str(cell) for (cell,) in cells])
            kind, reading = columns[name]
            is_said = reading.format is not None or bool(reading.decimal)
            yield UnreadCells(table.name, name, kind, int(count), shape, is_said)


def is_unread(name: str, kind: str, reading: CellReading, cast: Cast) -> str:
    """Write whether a cell is not empty and cannot be read; not-a-number is a missing number."""
    text = f"trim(CAST({quoted(name)} AS VARCHAR), {literal(PADDING)})"
    words = ", ".join(map(literal, ("", *reading.missing)))
    is_given = f"{text} NOT IN ({words})"
    if kind == "number":
        is_given = f"{is_given} AND lower({text}) <> 'nan'"
    return f"({is_given} AND ({cast(quoted(name), kind, reading)}) IS NULL)"
