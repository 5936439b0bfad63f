"""Look in the bytes of a written file for what its cells do not show.

Verification uses this and nothing of what made the release. Arrow files are looked through byte by
byte. Of a Parquet file the list of columns, the texts beside it and the pages are looked at.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from indistinct.core.arrays import Ints
from indistinct.errors import Fault
from indistinct.reader.verify.arrow_layout import (
    BOOL,
    LISTS,
    MAGIC,
    NULL,
    TEXTS,
    VIEWS,
    Chunk,
    layout_of,
)
from indistinct.reader.verify.parquet_scan import hidden_in_pages, searched_parts, unread_pages
from indistinct.reader.verify.written_table import searched

SHORTEST_SECRET = 6  # bytes; shorter texts occur in a file by chance
MOST_SECRETS = 50_000  # texts that are looked for; more are thinned out evenly
MOST_COUNTED = 1_000  # texts found, of those that are counted
DISMISS = "Do not publish this file: write the release again."
ENCODED = re.compile(rb"[A-Za-z0-9+/]{40,}={0,2}")
VIEW = np.dtype([("length", "<u4"), ("prefix", "<u4"), ("buffer", "<u4"), ("offset", "<u4")])
UNREAD = (
    "the file is compressed or in an older form of Arrow: whether its bytes hold more than its "
    "cells could not be decided"
)
INLINE = 12  # bytes that a view holds itself

FURTHER = (b"$FL2", b"<stata_dta>", b"PK\x03\x04")  # SPSS, Stata and Excel

Bytes = np.ndarray[Any, np.dtype[np.uint8]]


def hidden_bytes(path: str | Path, shown: pl.DataFrame) -> Iterator[Fault]:
    """Find what a file holds besides its cells; nothing in a file of text.

    Parameters
    ----------
    path : of the written file
    shown : its cells as they were read
    """
    content = Path(path).read_bytes()
    if not content.startswith((MAGIC, b"PAR1")):
        return
    yield from _hidden_categories(shown)
    if content.startswith(b"PAR1"):
        yield from hidden_in_pages(content, shown)
        return
    layout = layout_of(content)
    if layout is None:
        return
    if layout.between.strip(b"\0\xff"):  # padding, and the mark of the end
        yield Fault("file", "holds bytes between its parts", DISMISS)
    for column, chunks in zip(layout.columns, layout.chunks, strict=True):
        entries = layout.dictionaries.get(-1 if column.dictionary is None else column.dictionary)
        parts = [*chunks, *(entries or [])]
        if any(_unshown(chunk) for chunk in parts):
            yield Fault(f"columns.{column.name}", "holds bytes that no cell shows", DISMISS)
        if any(_is_out_of_order(chunk) for chunk in chunks):
            yield Fault(
                f"columns.{column.name}", "stores its texts in another order than its rows", DISMISS
            )
        if entries is not None and _unused_entries(entries, shown[column.name]):
            yield Fault(f"columns.{column.name}", "lists values that no cell shows", DISMISS)


def unread_parts(path: str | Path) -> tuple[str, ...]:
    """Say which parts of a file could not be looked into."""
    content = Path(path).read_bytes()
    layout = layout_of(content) if content.startswith(MAGIC) else None
    if content.startswith(MAGIC) and (layout is None or layout.is_compressed):
        return (UNREAD,)
    return unread_pages(content)


def hidden_texts(path: str | Path, shown: pl.DataFrame, original: pl.DataFrame) -> Iterator[Fault]:
    """Find texts of the input that stand in a file although no cell shows them.

    Parameters
    ----------
    path : of the written file
    shown : its cells as they were read
    original : the input

    Notes
    -----
    O(bytes of the file). Texts below :data:`SHORTEST_SECRET` bytes are passed over.
    """
    content = searched(Path(path).read_bytes())
    if not content.startswith((MAGIC, b"PAR1", *FURTHER)):
        return
    visible = _distinct_texts(shown)
    everything = "\n".join([*visible, *shown.columns, str(shown.schema)])
    # Bytes and texts are both read as Latin-1, so that any byte is one character of both.
    parts = [*_decoded(content), *searched_parts(content)]
    haystack = b"\n".join(parts).decode("latin-1")
    for name in original.columns:
        secrets = _distinct_texts(original.select(pl.nth(original.columns.index(name)))) - visible
        chosen = _thinned(sorted(text for text in secrets if len(text.encode()) >= SHORTEST_SECRET))
        found = _occurring(chosen, haystack, everything)
        if found:
            yield Fault(
                f"columns.{name}", f"{found} texts in the file are not shown in any cell", DISMISS
            )


def _occurring(secrets: Sequence[str], haystack: str, visible: str) -> int:
    """Count the texts that stand in the bytes and are no part of what is shown."""
    if not secrets:
        return 0
    patterns = pl.Series([text.encode().decode("latin-1") for text in secrets])
    found = pl.select(
        pl.lit(haystack).str.extract_many(patterns.implode(), overlapping=True).list.unique()
    ).item()
    counted = [text.encode("latin-1").decode() for text in found[:MOST_COUNTED].to_list()]
    return sum(text not in visible for text in counted)


def _thinned(texts: Sequence[str]) -> Sequence[str]:
    """Take so many texts at equal distances."""
    return texts[:: max(1, -(-len(texts) // MOST_SECRETS))]


def _distinct_texts(frame: pl.DataFrame) -> set[str]:
    """Give the distinct texts of all columns of text."""
    columns = (one.explode() if one.dtype == pl.List else one for one in frame.iter_columns())
    return {
        text
        for column in columns
        if isinstance(column.dtype, pl.String | pl.Categorical | pl.Enum)
        for text in column.drop_nulls().unique().cast(pl.String).to_list()
    }


def _decoded(content: bytes) -> Iterator[bytes]:
    """Decode what the metadata of a Parquet file hold in base64."""
    if not content.startswith(b"PAR1"):
        return
    length = int.from_bytes(content[-8:-4], "little")
    for found in ENCODED.findall(content[-8 - length :]):
        try:
            yield base64.b64decode(found + b"=" * (-len(found) % 4))
        except binascii.Error:
            continue


def _hidden_categories(shown: pl.DataFrame) -> Iterator[Fault]:
    """Find types that list categories which no cell has."""
    for column in shown.iter_columns():
        if isinstance(column.dtype, pl.Enum):
            n_shown = column.drop_nulls().n_unique()
            if n_shown < len(column.dtype.categories):
                yield Fault(f"columns.{column.name}", "lists values that no cell shows", DISMISS)


def _unused_entries(entries: Sequence[Chunk], column: pl.Series) -> bool:
    """Tell whether a dictionary has more entries than the column has values."""
    return sum(chunk.n_cells for chunk in entries) > column.drop_nulls().n_unique()


def _unshown(chunk: Chunk) -> bool:
    """Tell whether some bytes of a chunk belong to no cell that is there."""
    if chunk.kind == NULL or chunk.n_cells == 0:
        return any(any(buffer) for buffer in chunk.buffers) and chunk.kind != NULL
    is_there = _bits(chunk.buffers[0], chunk.n_cells) if chunk.buffers[0] else None
    if chunk.kind in VIEWS:
        return _unshown_in_views(chunk, is_there)
    if chunk.kind in {*TEXTS, *LISTS}:
        return _unshown_behind_offsets(chunk, is_there)
    if is_there is None or is_there.all():
        return False
    if chunk.kind == BOOL:
        return _says_more(_bits(chunk.buffers[1], chunk.n_cells).astype(np.uint8), is_there)
    return _says_more(_slots(chunk), is_there)


def _says_more(values: Bytes, is_there: np.ndarray[Any, np.dtype[np.bool_]]) -> bool:
    """Tell whether the values beneath missing cells are more than one filling."""
    beneath = values[~is_there].reshape(int((~is_there).sum()), -1)
    return bool((beneath != beneath[0]).any())


def _unshown_in_views(chunk: Chunk, is_there: np.ndarray[Any, np.dtype[np.bool_]] | None) -> bool:
    """Tell whether the texts behind the views are longer than those that are referred to."""
    views = np.frombuffer(chunk.buffers[1], VIEW, chunk.n_cells)
    if is_there is not None:
        if any(any(bytes(view)) for view in np.unique(views[~is_there])):
            return True
        views = views[is_there]
    long = views[views["length"] > INLINE]
    for number, buffer in enumerate(chunk.buffers[2:]):
        own = long[long["buffer"] == number]
        if _n_covered(own["offset"].astype(np.int64), own["length"].astype(np.int64)) < len(buffer):
            return True
    return False


def _unshown_behind_offsets(
    chunk: Chunk, is_there: np.ndarray[Any, np.dtype[np.bool_]] | None
) -> bool:
    """Tell whether texts or lists begin late, are there for a missing cell, or go on behind."""
    offsets = _offsets(chunk)
    covered = int(offsets[-1])
    gone = np.zeros(0, np.int64) if is_there is None else np.diff(offsets)[~is_there]
    if bool(gone.any()) or bool(offsets[0]):
        return True
    if chunk.items is None:
        return any(chunk.buffers[2][covered:])
    return covered < chunk.items.n_cells or _unshown(chunk.items)


def _n_covered(starts: Ints, lengths: Ints) -> int:
    """Count the bytes that at least one of some stretches covers."""
    order = np.argsort(starts, kind="stable")
    ends = np.maximum.accumulate((starts + lengths)[order]) if len(order) else starts
    before = np.concatenate([[0], ends[:-1]]) if len(order) else starts
    return int(np.maximum(ends - np.maximum(starts[order], before), 0).sum())


def _is_out_of_order(chunk: Chunk) -> bool:
    """Tell whether texts stand in the buffers in another order than in the rows."""
    if chunk.items is not None:
        return _is_out_of_order(chunk.items)
    if chunk.kind not in VIEWS or chunk.n_cells == 0:
        return False
    views = np.frombuffer(chunk.buffers[1], VIEW, chunk.n_cells)
    long = views[views["length"] > INLINE]
    places = long["buffer"].astype(np.int64) * 2**32 + long["offset"]
    _, first = np.unique(places, return_index=True)
    return bool((np.diff(first) < 0).any())


def _offsets(chunk: Chunk) -> Ints:
    """Read the offsets of texts."""
    size = {**TEXTS, **LISTS}[chunk.kind]
    return np.frombuffer(chunk.buffers[1], f"<i{size}", chunk.n_cells + 1).astype(np.int64)


def _slots(chunk: Chunk) -> Bytes:
    """Give the bytes of each cell of a fixed width: (n_cells, width)."""
    width = len(chunk.buffers[1]) // chunk.n_cells
    return np.frombuffer(chunk.buffers[1], np.uint8, width * chunk.n_cells).reshape(-1, width)


def _bits(buffer: bytes, count: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Read a list of bits."""
    bits = np.unpackbits(np.frombuffer(buffer, np.uint8), count=count, bitorder="little")
    return bits.astype(np.bool_)
