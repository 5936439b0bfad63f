"""Where the parts of an Arrow file lie: read from its bytes, with no library of Arrow.

Verification uses this to look at every byte of a file, those included that no reader shows. The
metadata of such a file are FlatBuffers: a table begins with the distance to its list of fields.

Source: the Arrow columnar format, sections "IPC File Format" and "Recordbatch message".
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace

from indistinct.core.flatbuffers import Table

MAGIC = b"ARROW1"
RECORD_BATCH, DICTIONARY_BATCH = 3, 2
SCHEMA_SLACK = 256  # bytes by which two ways of writing one schema may differ
LISTS = {12: 4, 21: 8}  # bytes of an offset, by type
NESTED = {13, 14, 16, 17, 22}  # other nested types, which no table of ours has
VIEWS = {23, 24}
TEXTS = {4: 4, 5: 4, 19: 8, 20: 8}  # bytes of an offset, by type
NULL, BOOL = 1, 6


@dataclass(frozen=True, slots=True)
class ArrowColumn:
    """What the schema says of a column.

    Parameters
    ----------
    name : of the column
    kind : number of its type in the format; of a dictionary, that of its entries
    dictionary : number of its dictionary; None without
    items : of a list, the number of the type of its items
    """

    name: str
    kind: int
    dictionary: int | None
    items: int | None = None

    @property
    def is_plain(self) -> bool:
        """Whether its cells are values, or lists of values."""
        nested = {*NESTED, *LISTS}
        return self.kind not in NESTED and (self.items is None or self.items not in nested)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some cells of a column, as the bytes that hold them.

    Parameters
    ----------
    kind : number of their type in the format
    n_cells, n_missing : how many
    buffers : the validity first
    items : of lists, the items of all of them
    """

    kind: int
    n_cells: int
    n_missing: int
    buffers: tuple[bytes, ...]
    items: Chunk | None = None


@dataclass(frozen=True, slots=True)
class ArrowLayout:
    """The parts of an Arrow file.

    Parameters
    ----------
    columns : in order
    chunks : per column, its chunks
    dictionaries : per number, the chunks of its entries
    between : the bytes that belong to no part
    is_compressed : True where buffers are compressed and were left aside
    """

    columns: tuple[ArrowColumn, ...]
    chunks: tuple[list[Chunk], ...]
    dictionaries: dict[int, list[Chunk]]
    between: bytes
    is_compressed: bool


def layout_of(content: bytes) -> ArrowLayout | None:
    """Find the parts of a file; None where it is no Arrow file of a plain table."""
    if not content.startswith(MAGIC) or not content.endswith(MAGIC):
        return None
    length = struct.unpack_from("<i", content, len(content) - 10)[0]
    tail = content[len(content) - 10 - length : len(content) - 10]
    footer = Table(tail, struct.unpack_from("<I", tail, 0)[0])
    schema = footer.table(1)
    columns = [] if schema is None else [_column(field) for field in schema.tables(1)]
    if not all(column.is_plain for column in columns):
        return None
    chunks: tuple[list[Chunk], ...] = tuple([] for _ in columns)
    dictionaries: dict[int, list[Chunk]] = {}
    used = [(0, 8), (len(content) - 10 - length, len(content))]
    is_compressed = False
    kinds = {column.dictionary: column.kind for column in columns if column.dictionary is not None}
    indexes = [
        kind
        for column in columns
        for kind in (2 if column.dictionary is not None else column.kind, column.items)
        if kind is not None
    ]
    for field in (2, 3):
        for offset, size, body in footer.structs(field, "<qi4xq"):
            message = _message(content[offset : offset + size])
            header = message.table(2)
            if header is None:
                continue
            batch, wanted = header, indexes
            number = header.value(0, "<q")
            if field == 2:  # noqa: PLR2004 - dictionaries, as the format numbers them
                batch, wanted = header.table(1) or header, [kinds.get(number, 0)]
            start = offset + size
            used.append((offset, start))
            if batch.place(3):
                is_compressed = True
                used.append((start, start + body))
                continue
            used += [(start + at, start + at + n) for at, n in batch.structs(2, "<qq")]
            found = _chunks(batch, wanted, content, start)
            if field == 2:  # noqa: PLR2004 - the same
                dictionaries.setdefault(number, []).extend(found)
                continue
            for column, chunk in zip(chunks, found, strict=True):
                column.append(chunk)
    first = _schema_end(used, length)
    return ArrowLayout(
        tuple(columns), chunks, dictionaries, _unused(content, [*used, (8, first)]), is_compressed
    )


def _column(field: Table) -> ArrowColumn:
    """Read a field of the schema."""
    encoding = field.table(4)
    kind = field.value(2, "<B")
    children = list(field.tables(5)) if kind in LISTS else []
    if any(child.table(4) is not None for child in children):
        kind = min(NESTED)  # lists of entries of a dictionary are not looked into
    return ArrowColumn(
        field.text(0),
        kind,
        None if encoding is None else encoding.value(0, "<q"),
        children[0].value(2, "<B") if children else None,
    )


def _message(content: bytes) -> Table:
    """Find the table of a message behind its length."""
    start = 8 if content.startswith(b"\xff\xff\xff\xff") else 4
    return Table(content, start + struct.unpack_from("<I", content, start)[0])


def _schema_end(used: list[tuple[int, int]], length: int) -> int:
    """Give where the first message ends, which repeats the schema and so is as long as the footer.

    Parameters
    ----------
    used : the parts of the file, of which the second is the footer
    length : of the footer, in bytes
    """
    return min(*(start for start, _ in used[1:]), 8 + length + SCHEMA_SLACK)


def _chunks(batch: Table, kinds: list[int], content: bytes, start: int) -> list[Chunk]:
    """Share the buffers of a batch out to its columns."""
    buffers = iter([content[start + at : start + at + n] for at, n in batch.structs(2, "<qq")])
    variadic = iter([count for (count,) in batch.structs(4, "<q")])
    chunks: list[Chunk] = []
    for kind, (n_cells, n_missing) in zip(kinds, batch.structs(1, "<qq"), strict=True):
        if kind == NULL:
            n_buffers = 0
        elif kind in VIEWS:
            n_buffers = 2 + next(variadic)
        else:
            n_buffers = 3 if kind in TEXTS else 2
        found = Chunk(kind, n_cells, n_missing, tuple(next(buffers) for _ in range(n_buffers)))
        if chunks and chunks[-1].kind in LISTS and chunks[-1].items is None:
            chunks[-1] = replace(chunks[-1], items=found)
        else:
            chunks.append(found)
    return chunks


def _unused(content: bytes, used: list[tuple[int, int]]) -> bytes:
    """Give the bytes that no part covers."""
    parts: list[bytes] = []
    reached = 0
    for start, end in sorted(used):
        if start > reached:
            parts.append(content[reached:start])
        reached = max(reached, end)
    return b"".join(parts)
