"""Cells that cannot be read as their column's declared type: counted before a ledger is started.

Questions take such cells for missing, so that an answer would be wrong without a word. The owner is
told their number and how the first of them is written, and nothing of it is kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import final

from indistinct.errors import Fault, ParameterError
from indistinct.questions.database.countable_table import CountableTable, opened
from indistinct.questions.database.dataset import LEAVE_OUT, Dataset
from indistinct.questions.database.preparation import quoted
from indistinct.questions.database.tables import DeclaredTable

READ = {"number": "a number", "date": "a date", "timestamp": "a timestamp", "bool": "a truth value"}
LOOKED_AT = 100  # different cells of a column, whose shape is told
MOST_SHOWN = 24
DAY = re.compile(
    r"(?P<first>[0-9]{1,4})(?P<mark>[-/. ])(?P<second>[0-9]{1,2})(?P=mark)(?P<third>[0-9]{1,4})"
    r"(?P<rest>.*)"
)
WRITTEN = {
    "number": "digits and a decimal point, without a unit",
    "date": "yyyy-mm-dd",
    "timestamp": "yyyy-mm-dd hh:mm:ss",
    "bool": "true and false",
}
MONTHS = 12
YEAR_DIGITS = 4
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


def shape_of(cells: Sequence[str]) -> str:
    """Return how the first of some cells is written, without any of its digits and letters.

    Parameters
    ----------
    cells : of one column, at least one; days among them say whether the month comes first

    Examples
    --------
    >>> shape_of(["28/01/2023"]), shape_of(["21,20"]), shape_of(["12 kg"]), shape_of(["?"])
    ('dd/mm/yyyy', 'nn,nn', 'nn letters', 'signs alone')
    """
    cell = " ".join(cells[0].split())
    day = DAY.fullmatch(cell)
    if day is not None:
        parts = _parts_of_day(day, cells)
        return _brief(f"{day['mark'].join(parts)}{_plain(day['rest'])}")
    return _brief(_plain(cell)) if any(one.isalnum() for one in cell) else "signs alone"


def _parts_of_day(day: re.Match[str], cells: Sequence[str]) -> list[str]:
    """Return the parts of a day: the year has four digits, and no month is above 12."""
    if len(day["first"]) == YEAR_DIGITS:
        return ["yyyy", "mm", "dd"]
    others = [found for found in map(DAY.match, (one.strip() for one in cells)) if found]
    is_month_first = any(int(one["second"]) > MONTHS for one in others)
    year = "yyyy" if len(day["third"]) == YEAR_DIGITS else "yy"
    return ["mm", "dd", year] if is_month_first else ["dd", "mm", year]


def _plain(text: str) -> str:
    """Write n for each digit, and one word for letters beside each other."""
    words = re.sub(r"[^\W\d_]+", "\0", text)
    return re.sub(r"\d", "n", words).replace("\0", "letters")


def _brief(text: str) -> str:
    """Return a short text; escapes and signs beyond ASCII show as question marks."""
    shown = re.sub(r"[^ -~]", "?", text)
    return shown if len(shown) <= MOST_SHOWN else f"{shown[:MOST_SHOWN]}..."
