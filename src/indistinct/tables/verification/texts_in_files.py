"""Texts of the input that stand in the bytes of a release and in none of its cells.

They are looked for where the bytes cannot be compared, since another version of a library wrote
them. What is compressed inside of a part is not seen.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

from indistinct.errors import Fault
from indistinct.tables.frames.set_forms import SetForms
from indistinct.tables.verification.bytes import DISMISS, UNREADABLE, WrittenTable

SHORTEST_SECRET = 6  # bytes; shorter texts occur in a file by chance
MOST_SECRETS = 50_000  # texts that are looked for; more are thinned out evenly
MOST_COUNTED = 1_000  # texts found, of those that are counted


def with_items(original: pl.DataFrame, found: pl.DataFrame, forms: SetForms) -> pl.DataFrame:
    """Return the input with items apart where the release has them so, to look for hidden ones."""
    return original.with_columns(
        original[name].str.split(mark)
        for name, mark in forms.separators.items()
        if name in original.columns
        and (forms.item == name or (name in found.columns and found[name].dtype == pl.List))
    )


def texts_of_the_input(table: WrittenTable, original: pl.DataFrame) -> Iterator[Fault]:
    """Find texts of the input that stand in a file, or in a member of an archive, and in no cell.

    Parameters
    ----------
    table : the written file, and its cells as they were read
    original : the input

    Notes
    -----
    O(bytes of the file). Texts below :data:`SHORTEST_SECRET` bytes are passed over.
    """
    shown = table.frame
    visible = _distinct_texts(shown)
    everything = "\n".join([*visible, *shown.columns, str(shown.schema)])
    # Bytes and texts are both read as Latin-1, so that any byte is one character of both.
    haystack = b"\n".join(_parts(table.path)).decode("latin-1")
    for name in original.columns:
        secrets = _distinct_texts(original.select(pl.nth(original.columns.index(name)))) - visible
        chosen = _thinned(sorted(text for text in secrets if len(text.encode()) >= SHORTEST_SECRET))
        found = _n_occurring(chosen, haystack, everything)
        if found:
            problem = f"{found} texts in the file are not shown in any cell"
            yield Fault(f"columns.{name}", problem, DISMISS)


def _parts(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file, and those of the members if it is an archive."""
    yield path.read_bytes()
    try:
        with zipfile.ZipFile(path) as archive:
            yield from (archive.read(name) for name in archive.namelist())
    except UNREADABLE:
        return


def _n_occurring(secrets: Sequence[str], haystack: str, visible: str) -> int:
    """Count the texts that stand in the bytes and are not a part of what is shown."""
    if not secrets:
        return 0
    patterns = pl.Series([text.encode().decode("latin-1") for text in secrets])
    found = pl.select(
        pl.lit(haystack).str.extract_many(patterns.implode(), overlapping=True).list.unique()
    ).item()
    counted = [text.encode("latin-1").decode() for text in found[:MOST_COUNTED].to_list()]
    return sum(text not in visible for text in counted)


def _thinned(texts: Sequence[str]) -> Sequence[str]:
    """Return so many texts at equal distances."""
    return texts[:: max(1, -(-len(texts) // MOST_SECRETS))]


def _distinct_texts(frame: pl.DataFrame) -> set[str]:
    """Return the distinct texts of all columns of text."""
    columns = (one.explode() if one.dtype == pl.List else one for one in frame.iter_columns())
    return {
        text
        for column in columns
        if isinstance(column.dtype, pl.String | pl.Categorical | pl.Enum)
        for text in column.drop_nulls().unique().cast(pl.String).to_list()
    }
