"""Which rows of a table are its header, further headers or totals, and no records."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count as numbers_from
from string import whitespace

from indistinct.base.coded_text import CodedText, sentence

Row = Sequence[str]
MOST_TITLES = 20  # rows above the header
MOST_HEADERS = 3  # rows behind it
COMMENT = "#"  # begins a line above the header that is no row
LEAST_RECORDS = 5  # by which a column is known to be of numbers
NEARLY = 0.95
SAME_CELLS = 0.9  # of a header that comes again
LAST_ROWS = 12  # that may be totals or remarks
MOST_TOTALS = 3  # rows with a word for a total, of which all may be totals
SPARSE, SPARSER = 50, 2  # one of so many records may be sparse; a total has that many times fewer
MEASURED = re.compile(
    r"\s*[-+]?[\d.,]*\d[\d.,]*\s*%?\s*|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([T ]\d{1,2}:\d{2}(:\d{2})?)?"
)
NO_WORD = re.compile(r"[\s?{:]")  # what a word has not, and a question has
TOTALS = frozenset({
    "total", "totals", "grand total", "sum", "summe", "gesamt", "gesamtsumme", "insgesamt",
    "somme", "ensemble", "total général", "suma", "razem", "ogółem", "łącznie", "total general",
})  # fmt: skip


def first_row(rows: Sequence[Row], width: int) -> int:
    """Return the place of the row with the names: the first that is no title.

    Parameters
    ----------
    width : cells that most rows have
    """
    for place, row in enumerate(rows[:MOST_TITLES]):
        if len(row) < width and row and row[0].startswith(COMMENT):
            continue
        filled = sum(bool(cell.strip()) for cell in row)
        most = max(1, width // 3) if len(row) >= width else width - 2
        if filled and (width < 3 or filled > most):  # noqa: PLR2004 - too few to tell a title from names
            return place
    return 0


def further_headers(rows: Sequence[Row]) -> int:
    """Return how many of the first rows are further headers.

    Such a row has a word in every column of numbers or dates below it, and in all others a text
    that comes nowhere else.
    """
    for count in range(MOST_HEADERS, 0, -1):
        above, below = rows[:count], rows[count:]
        if len(below) >= LEAST_RECORDS and all(_is_header(row, below) for row in above):
            return count
    return 0


def _is_header(row: Row, below: Sequence[Row]) -> bool:
    """Return whether a row is a header of the rows below it."""
    measured = [_is_measured([one[at] for one in below]) for at in range(len(row))]
    words = [cell.strip() for cell, is_number in zip(row, measured, strict=True) if is_number]
    are_words = all(word and not MEASURED.fullmatch(word) for word in words)
    occurs = any(cell.strip() and one[at] == cell for one in below for at, cell in enumerate(row))
    # One word alone in the place of a number is rather a missing value.
    is_enough = len(words) > 1 or (len(words) == 1 and NO_WORD.search(words[0]) is not None)
    return is_enough and are_words and not occurs


def has_no_header(names: Row, below: Sequence[Row]) -> bool:
    """Return whether the first row is a record: numbers stand where names should.

    In columns of words, its cells must come below it, too.
    """
    rows = [row for row in below if len(row) == len(names)]
    if len(rows) < LEAST_RECORDS:
        return False
    measured = [_is_measured([row[at] for row in rows]) for at in range(len(names))]
    alike = [
        MEASURED.fullmatch(name) is not None if is_number else any(row[at] == name for row in rows)
        for at, (name, is_number) in enumerate(zip(names, measured, strict=True))
    ]
    return any(measured) and not all(measured) and all(alike)


def are_cells(rows: Sequence[Row]) -> bool:
    """Return whether lines cut at blanks are rows of one width, some column of them of numbers."""
    width = len(rows[0])
    if width < 3 or any(len(row) != width for row in rows):  # noqa: PLR2004 - names have two words
        return False
    return any(_is_measured([row[at] for row in rows[1:]]) for at in range(width))


def _is_measured(cells: Sequence[str]) -> bool:
    """Return whether nearly all cells are numbers or dates."""
    known = [cell for cell in cells if cell.strip()]
    return len(known) >= LEAST_RECORDS and (
        sum(MEASURED.fullmatch(cell) is not None for cell in known) >= NEARLY * len(known)
    )


def total_rows(last: Sequence[Row], records: Sequence[Row]) -> int:
    """Return how many of the last rows are totals or remarks, and no records.

    Such a row has a word for a total, or so few cells that no record has as few.

    Parameters
    ----------
    last : rows at the end of the table
    records : some of its records, in which the word is no value
    """
    # The last rows themselves may be among the records that are looked at.
    first = records[: max(len(records) - len(last), len(records) // 2)]
    filled = sorted(_filled(row) for row in first)
    fewest = filled[len(filled) // SPARSE] if len(filled) >= LEAST_RECORDS else 0
    count = 0
    for row in reversed(last):
        words = {cell.strip().lower().rstrip(":") for cell in row}
        found = words & TOTALS
        n_same = sum(any(cell.strip().lower() in found for cell in one) for one in records)
        is_value = n_same > MOST_TOTALS
        is_sparse = 0 < SPARSER * _filled(row) <= fewest
        if not (found and not is_value) and not is_sparse:
            break
        count += 1
    return count


def said_totals(count: int) -> CodedText:
    """Return that the last rows are no records."""
    if count == 1:
        return sentence("total", "The last row is a total or a remark, and no record.")
    return sentence(
        "totals", "The last {count} rows are totals or remarks, and no records.", count=count
    )


def _filled(row: Row) -> int:
    """Count the cells of a row that hold something."""
    return sum(bool(cell.strip()) for cell in row)


def _plain(cell: str) -> str:
    """Return a name without blanks and the mark of UTF-8 around it, in small letters."""
    return cell.strip(f"{whitespace}\u00a0\ufeff").casefold()


def is_header_again(row: Row, names: Row) -> bool:
    """Return whether a row below the header is the header again, as in files that were joined."""
    n_same = sum(_plain(cell) == _plain(name) for cell, name in zip(row, names, strict=False))
    return len(row) == len(names) > 1 and n_same >= SAME_CELLS * len(names)


def numbered_names(names: Sequence[str]) -> list[str]:
    """Return names of columns in which one that was given before has the next free number.

    Examples
    --------
    >>> numbered_names(["age", "age", "age.1", "age", "", ""])
    ['age', 'age.2', 'age.1', 'age.3', '', '']
    """
    taken, given, found = set(names), set[str](), list[str]()
    numbers: dict[str, Iterator[int]] = {}  # per name, those that were not tried
    for name in names:
        new = name
        if name and name in given:
            further = numbers.setdefault(name, numbers_from(1))
            new = next(one for at in further if (one := f"{name}.{at}") not in taken)
        taken.add(new)
        given.add(new)
        found.append(new)
    return found


def said_numbered(given: Sequence[str], names: Sequence[str]) -> CodedText | None:
    """Return how columns are called whose name was given before; None where there are none."""
    pairs = [
        f"{new} (column {at})"
        for at, (old, new) in enumerate(zip(given, names, strict=True), 1)
        if old != new
    ]
    if not pairs:
        return None
    english = "Names that are given twice get a number: {names}."
    return sentence("names-given-twice", english, names=", ".join(pairs))
