"""A table that was read: its records, and what the file or frame says besides them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import polars as pl

from indistinct.base.brief import short_repr
from indistinct.base.cells.missing_words import MissingWords
from indistinct.tables.reading.declared_formats import NOTHING_FOUND, FoundReading, Reading
from indistinct.tables.reading.formats import as_text
from indistinct.tables.reading.native_frames import Native
from indistinct.tables.reading.plain_columns import PlainColumns
from indistinct.tables.reading.statistical import Labels


@dataclass(frozen=True, slots=True)
class TableFile:
    """A table that was read.

    Parameters
    ----------
    frame : its records, types found
    sha256 : hash of the bytes it was read from, or of its content when it came as a frame
    native : what to give back where it was a frame; None for a file
    separator : of a text file
    labels : what a statistics file says of its columns
    lists : of the columns that had lists in their cells, the separator between the items now
    has_types : whether the file or frame says the types of its columns; else its cells decide them
    found : how it was read, as far as it is not what every reader takes for granted
    mixed : columns of a workbook with numbers among which texts stand
    plain : what put its texts into plain form; None where nobody asked for it
    """

    frame: pl.DataFrame
    sha256: str
    native: Native | None = None
    separator: str | None = None
    labels: Labels | None = None
    lists: Mapping[str, str] = field(default_factory=dict[str, str])
    has_types: bool = True
    found: FoundReading = NOTHING_FOUND
    mixed: frozenset[str] = frozenset()
    plain: PlainColumns | None = None

    __repr__ = short_repr

    @property
    def code_labels(self) -> dict[str, dict[str, str]]:
        """What a statistics file says of the codes of its columns, by the codes as texts."""
        labels = self.labels or Labels()
        return {name: labels.texts_of(name) for name in labels.values}

    def cells_of(self, words: MissingWords) -> dict[str, dict[str, int]]:
        """Count the cells of words for a missing value, in a table that was read without them.

        Returns
        -------
        per column that has some, each word with its cells; the empty one is that of empty cells
        """
        found: dict[str, dict[str, int]] = {}
        for column in as_text(self.frame).iter_columns():
            cells = column.fill_null("")
            counts = {word: int((cells == word).sum()) for word in ("", *words.of(column.name))}
            if any(counts.values()):
                found[column.name] = {word: count for word, count in counts.items() if count}
        return found


def with_codes(source: TableFile, reading: Reading | None) -> TableFile:
    """Return a table whose labelled codes are texts, where a reading says that they may be."""
    names = () if reading is None else coded_names(source, reading)
    coded = [source.frame[name].cast(pl.String) for name in names]
    return replace(source, frame=source.frame.with_columns(coded)) if coded else source


def coded_names(source: TableFile, reading: Reading) -> tuple[str, ...]:
    """Return the columns whose values are codes with labels, and that may be texts."""
    labels = source.labels
    if labels is None:
        return ()
    return tuple(
        column.name
        for column in source.frame.iter_columns()
        if column.name in reading.coded
        and (column.dtype.is_integer() or column.dtype == pl.String)
        and labels.of_values(column.name, column.drop_nulls().unique().cast(pl.String).to_list())
    )
