"""What the pages of a Parquet file hold besides the cells.

Verification uses this and nothing of what made the release. How many values a dictionary lists is
seen without decompressing it; what they are takes pyarrow, for any compression but gzip.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import numpy as np
import polars as pl

from indistinct.errors import Fault
from indistinct.reader.verify.parquet_layout import (
    MAGIC,
    ColumnChunk,
    LayoutError,
    Page,
    ParquetLayout,
    parquet_layout,
    texts_of_dictionary,
)

DISMISS = "Do not publish this file: write the release again."
# How the two ways of writing lists call their items, behind the name of the column.
LIST_ITEMS = re.compile(r"\.list\.(item|element)$")
UNREAD = (
    "the file is encrypted or laid out in a way that is not read byte by byte: whether its pages "
    "hold more than its cells could not be decided"
)
FILTERS = (
    "the file has Bloom filters, which can be asked whether some value is in the table: that they "
    "know of the released cells alone could not be decided"
)


def hidden_in_pages(content: bytes, shown: pl.DataFrame) -> Iterator[Fault]:
    """Find dictionaries that list more than the cells, and bytes that belong to no page.

    Parameters
    ----------
    content : the bytes of the file
    shown : its cells as they were read
    """
    layout = parquet_layout(content)
    if layout is None:
        return
    if layout.between.strip(b"\0"):  # padding
        yield Fault("file", "holds bytes between its parts", DISMISS)
    told: set[str] = set()
    for chunk in layout.chunks:
        name = chunk.name if chunk.name in shown.columns else LIST_ITEMS.sub("", chunk.name)
        if name not in shown.columns or name in told:
            continue
        cells = shown[name].slice(chunk.first_row, chunk.n_rows)
        cells = cells.explode() if cells.dtype == pl.List else cells
        if any(_lists_more(page, chunk, cells) for page in chunk.pages if page.is_dictionary):
            told.add(name)
            yield Fault(f"columns.{name}", "lists values that no cell shows", DISMISS)


def searched_parts(content: bytes) -> list[bytes]:
    """Give the bytes of a file in which texts are looked for, compressed pages decompressed.

    Where a page cannot be decompressed, or something may stand beside what is compressed, its bytes
    stay as they are.
    """
    layout = _layout_of(content)
    if layout is None:
        return [content]
    pages = [page for chunk in layout.chunks for page in chunk.pages]
    parts, reached = list[bytes](), 0
    for start, end in sorted(page.packed for page in pages):
        parts.append(content[reached:start])
        reached = max(reached, end)
    parts.append(content[reached:])
    return parts + [page.content for page in pages if page.content is not None]


def unread_pages(content: bytes) -> tuple[str, ...]:
    """Say of which columns the pages could not be looked into."""
    if not content.startswith(MAGIC):
        return ()
    layout = parquet_layout(content)
    if layout is None:
        return (UNREAD,)
    packed: Mapping[str, None] = {
        chunk.name: None
        for chunk in layout.chunks
        if any(page.content is None for page in chunk.pages)
    }
    notes = [FILTERS] if layout.has_filters else []
    if packed:
        notes.append(
            f"the pages of {', '.join(packed)} are compressed and were not searched for texts of "
            "the input; with pyarrow they are (pip install 'indistinct[frames]')"
        )
    return tuple(notes)


def _layout_of(content: bytes) -> ParquetLayout | None:
    """Read the layout of a Parquet file; None of any other."""
    return parquet_layout(content) if content.startswith(MAGIC) else None


def _lists_more(page: Page, chunk: ColumnChunk, cells: pl.Series) -> bool:
    """Tell whether a dictionary has more entries than the cells have values."""
    if page.n_values > _n_values(cells):
        return True
    if page.content is None or not chunk.is_text:
        return False
    try:
        texts, n_behind = texts_of_dictionary(page)
    except LayoutError:
        return True
    return n_behind > 0 or not {*texts} <= _bytes_of(cells)


def _n_values(cells: pl.Series) -> int:
    """Count the different values, zeros of either sign and every form of NaN apart."""
    known = cells.drop_nulls()
    if known.dtype.is_float():
        wide = np.uint32 if known.dtype == pl.Float32 else np.uint64
        return len(np.unique(known.to_numpy().view(wide)))
    return known.n_unique()


def _bytes_of(cells: pl.Series) -> set[bytes]:
    """Give the bytes of each text."""
    return {text.encode() for text in cells.drop_nulls().unique().cast(pl.String).to_list()}
