"""Cells that cannot be read as their column's declared type: counted before a ledger is started.

Questions take such cells for missing, so that an answer would be wrong without a word. The owner is
told their number and how the first of them is written, and nothing of it is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import final

from indistinct.base.cells.cell_shape import shape_of
from indistinct.errors import Fault, ParameterError
from indistinct.questions.database.countable_table import CountableTable, opened
from indistinct.questions.database.dataset import LEAVE_OUT, Dataset
from indistinct.questions.database.preparation import quoted
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
    """

    table: str
    column: str
    kind: str
    count: int
    shape: str

    @property
    def problem(self) -> str:
        """Return what is wrong, without any value."""
        kind = READ[self.kind]
        return (
            f"is {kind}, but {self.count:,} of its cells cannot be read as one, the first of which "
            f"is written like {self.shape}"
        )


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
            f"Correct them in the data ({WRITTEN[one.kind]}), {declare.format(one.column)}, or "
            "take them for missing with --unreadable missing.",
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


def columns_to_read(table: DeclaredTable) -> dict[str, str]:
    """Return the type of each column that some cells may not have; texts are always read."""
    found: dict[str, str] = {}
    for column in table.columns.values():
        name, kind = (column.of, "number") if column.edges else (column.name, column.kind)
        if kind in READ:
            found.setdefault(name, kind)
    return found


def _of_table(
    table: DeclaredTable, columns: dict[str, str], found: CountableTable
) -> Iterator[UnreadCells]:
    """Count the cells of one table, and look at some where there are any."""
    tests = {name: is_unread(name, kind, found.cast) for name, kind in columns.items()}
    where = f" WHERE {quoted(table.person)} IS NOT NULL" if table.person_column else ""
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
            yield UnreadCells(table.name, name, columns[name], int(count), shape)


def is_unread(name: str, kind: str, cast: Callable[[str, str], str]) -> str:
    """Write whether a cell is not empty and cannot be read; not-a-number is a missing number."""
    text = f"lower(trim(CAST({quoted(name)} AS VARCHAR)))"
    empty = "('', 'nan')" if kind == "number" else "('')"
    return f"({text} NOT IN {empty} AND ({cast(quoted(name), kind)}) IS NULL)"
