"""The first rows of a table as they are read, with what was found: to be looked at by its owner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, Unpack

from indistinct.base.brief import short_repr
from indistinct.errors import ParameterError
from indistinct.tables.policy.given import GivenPolicy
from indistinct.tables.publish.given_reading import GivenReading, given_reading
from indistinct.tables.reading.column_types import type_name
from indistinct.tables.reading.declared_formats import ReadingKeywords
from indistinct.tables.reading.files import TableFile, as_text

ROWS = 10


@dataclass(frozen=True, slots=True)
class Preview:
    """The first rows of a table, for the eyes of its owner.

    Parameters
    ----------
    names, types : of the columns; types are those of an inspection
    rows : the first records, each cell as a text; the empty text is a missing value
    n_records : of the whole table
    reading : the words of ``[data]`` that the table was read with
    found : how the file and its columns are read, in sentences
    open : per question about the reading, the two answers and some cells as each reads them
    """

    names: tuple[str, ...]
    types: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    n_records: int
    reading: Mapping[str, str | int]
    found: tuple[str, ...]
    open: tuple[tuple[tuple[str, str], ...], ...] = ()

    __repr__ = short_repr

    @classmethod
    def of(cls, source: TableFile, given: GivenReading, rows: int = ROWS) -> Self:
        """Return the first rows of a table that was read.

        Parameters
        ----------
        source : as it was read
        given : what was said of the reading
        rows : records that are shown
        """
        found = given.with_found(source.found)
        first = as_text(source.frame.head(rows))
        return cls(
            tuple(source.frame.columns),
            tuple(type_name(dtype) for dtype in source.frame.dtypes),
            tuple(tuple("" if cell is None else str(cell) for cell in row) for row in first.rows()),
            source.frame.height,
            found.words,
            tuple(found.sentences()),
            tuple(((one.answers[0][0], one.answers[1][0]), *one.examples) for one in found.doubts),
        )

    def document(self) -> dict[str, Any]:
        """Return the preview as JSON; it has cells of records."""
        return {
            "records": self.n_records,
            "columns": [
                {"name": name, "type": kind}
                for name, kind in zip(self.names, self.types, strict=True)
            ],
            "rows": [list(row) for row in self.rows],
            "reading": dict(self.reading),
            "found": list(self.found),
            "open": [[list(pair) for pair in one] for one in self.open],
        }


def preview(
    data: Any,
    policy: GivenPolicy | None = None,
    *,
    rows: int = ROWS,
    **reading: Unpack[ReadingKeywords],
) -> Preview:
    """Return the first rows of a table as they are read.

    Parameters
    ----------
    data : a path, or a frame
    policy : says how the table is read; ``[data]`` alone is enough
    rows : records that are shown
    reading : how the file is read, as for :func:`inspect`

    Raises
    ------
    DataError
        when the table cannot be read
    """
    if rows < 1:
        raise ParameterError("rows: must be at least 1", "Leave it out for ten.")
    given = given_reading(policy, reading)
    return Preview.of(given.read(data), given, rows)
