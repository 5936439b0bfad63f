"""A table in memory that is looked at again, after words for missing values were found in it."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from indistinct.engines.column_types import with_types, with_types_of_texts
from indistinct.engines.missing_values import with_one_missing
from indistinct.engines.table_file import TableFile


def without_words(source: TableFile, words: tuple[str, ...]) -> TableFile:
    """Return a table without further words for a missing value.

    Columns of a text file may get other types, and texts beside the words may be dates or numbers.
    """
    is_text = source.separator is not None
    frame = with_types_of_texts(source.frame, words) if is_text else source.frame
    if source.plain is not None:
        columns = source.plain.without(words)
        again = [
            column
            for column in frame.iter_columns()
            if column.dtype == pl.String
            and column.name not in source.found.columns
            and column.is_in(words).any()
        ]
        changed = [plain for column in again if (plain := columns.plain(column)) is not column]
        if changed:
            frame = frame.with_columns(with_types(pl.DataFrame(changed), words))
            found = {**source.found.columns, **columns.found}
            source = replace(source, found=replace(source.found, columns=found))
    return replace(source, frame=with_one_missing(frame, words))
