"""Where the pages of a Parquet file stand, and what they hold.

Verification uses this and nothing of what made the release. The layout is that of
parquet.thrift (Apache Parquet format 2.11): a footer and page headers in the compact protocol of
Thrift, of which only numbers, texts, lists and structures are read.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

from indistinct.reader.verify.compressed_frames import is_whole

MAGIC = b"PAR1"
TAIL = 8  # bytes behind the footer: its length and the magic
DATA, INDEX, DICTIONARY, DATA_2 = 0, 1, 2, 3  # PageType
BYTE_ARRAY = 6  # Type
UNCOMPRESSED, GZIP = 0, 2  # CompressionCodec
OTHER_CODECS = {1: "snappy", 4: "brotli", 6: "zstd", 7: "lz4_raw"}  # as pyarrow calls them
PLAIN = {0, 2}  # Encoding of a dictionary page: PLAIN, or PLAIN_DICTIONARY, which is the same
STOP, TRUE, FALSE, BYTE, DOUBLE, BINARY, LIST, SET, STRUCT = 0, 1, 2, 3, 7, 8, 9, 10, 12
FILTER = 14  # field that says where a Bloom filter begins; the next one gives its length
LONG_LIST, MOST_BITS = 15, 70  # of the compact protocol
DEEPEST = 30  # structures in structures; the format needs fewer than ten

Fields = Mapping[int, Any]


class LayoutError(Exception):
    """The bytes are not laid out as the format says."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a column.

    Parameters
    ----------
    n_values : cells, or values of the dictionary
    content : its bytes, decompressed; None where nothing at hand can do so
    is_dictionary : whether it lists the values of a dictionary
    packed : where its compressed bytes stand in the file, if all of them went into ``content``
    """

    n_values: int
    content: bytes | None
    is_dictionary: bool = False
    packed: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class ColumnChunk:
    """The pages of one column in one group of rows.

    Parameters
    ----------
    name : of the column; parts of a nested one are joined by dots
    first_row, n_rows : which rows of the table it holds
    is_text : whether its values are bytes of any length
    pages : in their order
    """

    name: str
    first_row: int
    n_rows: int
    is_text: bool
    pages: Sequence[Page]


@dataclass(frozen=True, slots=True)
class ParquetLayout:
    """Every part of a file.

    Parameters
    ----------
    chunks : of all columns and groups of rows
    between : bytes that belong to no part
    has_filters : whether Bloom filters stand in it, which can be asked for any value
    """

    chunks: Sequence[ColumnChunk]
    between: bytes
    has_filters: bool


def parquet_layout(content: bytes) -> ParquetLayout | None:
    """Read the layout of a file; None where it is encrypted or not as the format says."""
    try:
        return _layout(content)
    except (LayoutError, LookupError, TypeError, ValueError, AttributeError):
        return None


def texts_of_dictionary(page: Page) -> tuple[list[bytes], int]:
    """Give the texts of a dictionary, and how many bytes stand behind the last of them.

    Raises
    ------
    LayoutError
        when a text is longer than the page
    """
    content, place, texts = page.content or b"", 0, list[bytes]()
    for _ in range(page.n_values):
        length = int.from_bytes(content[place : place + 4], "little")
        place += 4 + length
        if place > len(content):
            raise LayoutError
        texts.append(content[place - length : place])
    return texts, len(content) - place


def _layout(content: bytes) -> ParquetLayout:
    """Walk through the footer and all pages."""
    if len(content) < len(MAGIC) + TAIL or not content.endswith(MAGIC):
        raise LayoutError
    footer = len(content) - TAIL - int.from_bytes(content[-TAIL:-4], "little")
    if footer < len(MAGIC):
        raise LayoutError
    document, end = _struct(content, footer, 0)
    known = [(0, len(MAGIC)), (footer, end), (len(content) - TAIL, len(content))]
    chunks: list[ColumnChunk] = []
    has_filters, first_row = False, 0
    for group in document[4]:
        n_rows = int(group[3])
        for column in group[1]:
            about = cast("Fields", column[3])  # an encrypted column has none
            start, length = min(_offsets(about)), int(about[7])
            known.append((start, start + length))
            known += [
                (int(column[at]), int(column[at]) + int(column[at + 1]))
                for at in (4, 6)  # the indexes of offsets and of columns
                if at in column
            ]
            if FILTER in about:
                has_filters = True
                start_of_filter = int(about[FILTER])
                known.append((start_of_filter, start_of_filter + int(about.get(FILTER + 1, 0))))
            known += _copy_of(content, about, start + length)
            name = ".".join(text.decode() for text in about[3])
            pages = tuple(_pages(content, start, start + length, int(about[4])))
            chunks.append(ColumnChunk(name, first_row, n_rows, about[1] == BYTE_ARRAY, pages))
        first_row += n_rows
    return ParquetLayout(chunks, _between(content, known), has_filters)


def _copy_of(content: bytes, about: Fields, place: int) -> list[tuple[int, int]]:
    """Find the copy of what the footer says of a column, which may stand behind its pages."""
    try:
        copy, end = _struct(content, place, 0)
    except (LayoutError, IndexError):
        return []
    return [(place, end)] if copy == about else []


def _offsets(about: Fields) -> list[int]:
    """Give where the pages of a column may begin: its data, and its dictionary."""
    # Some writers say 0 where there is no dictionary.
    return [int(about[9]), *([int(about[11])] if about.get(11) else [])]


def _pages(content: bytes, start: int, end: int, codec: int) -> Iterator[Page]:
    """Read one page after the other."""
    while start < end:
        header, body = _struct(content, start, 0)
        kind, size, packed = int(header[1]), int(header[2]), int(header[3])
        start = body + packed
        if start > end or size < 0 or packed < 0:
            raise LayoutError
        part = content[body:start]
        if kind == DATA:
            unpacked = _unpacked(part, size, codec)
            yield Page(int(header[5][1]), unpacked, packed=_packed(part, body, codec, unpacked))
        elif kind == DICTIONARY:
            if int(header[7][2]) not in PLAIN:
                raise LayoutError
            unpacked = _unpacked(part, size, codec)
            where = _packed(part, body, codec, unpacked)
            yield Page(int(header[7][1]), unpacked, is_dictionary=True, packed=where)
        elif kind == DATA_2:
            about = cast("Fields", header[8])
            levels = int(about[5]) + int(about[6])  # stand before the values, never compressed
            own = codec if about.get(7, True) else UNCOMPRESSED
            values = _unpacked(part[levels:], size - levels, own)
            where = _packed(part[levels:], body + levels, own, values)
            whole = None if values is None else part[:levels] + values
            yield Page(int(about[1]), whole, packed=where)
        else:
            yield Page(0, part)


def _packed(part: bytes, place: int, codec: int, unpacked: bytes | None) -> tuple[int, int]:
    """Give where compressed bytes stand of which each one went into the decompressed ones."""
    is_read = codec != UNCOMPRESSED and unpacked is not None and is_whole(part, codec)
    return (place, place + len(part)) if is_read else (0, 0)


def _unpacked(part: bytes, size: int, codec: int) -> bytes | None:
    """Decompress a page; None where nothing at hand can."""
    if codec == UNCOMPRESSED:
        return part
    if not part and not size:
        return b""
    if codec == GZIP:
        try:
            unpacked = zlib.decompress(part, wbits=47)  # gzip and zlib
        except zlib.error:
            raise LayoutError from None
    else:
        found = _decompressor(codec)
        if found is None:
            return None
        try:
            unpacked = found(part, size)
        except (OSError, ValueError):
            raise LayoutError from None
    if len(unpacked) != size:
        raise LayoutError
    return unpacked


def _decompressor(codec: int) -> Callable[[bytes, int], bytes] | None:
    """Find what undoes a compression: pyarrow, where it is installed."""
    try:
        library: Any = import_module("pyarrow")
    except ImportError:
        return None
    name = OTHER_CODECS.get(codec)
    if name is None or not library.Codec.is_available(name):
        return None
    return lambda part, size: library.Codec(name).decompress(part, size, asbytes=True)


def _between(content: bytes, known: Sequence[tuple[int, int]]) -> bytes:
    """Give the bytes that belong to no part."""
    gaps: list[bytes] = []
    reached = 0
    for start, end in sorted(known):
        gaps.append(content[reached:start])
        reached = max(reached, end)
    return b"".join(gaps)


def _struct(content: bytes, place: int, depth: int) -> tuple[dict[int, Any], int]:
    """Read a structure of Thrift's compact protocol: its fields by number, and where it ends."""
    if depth > DEEPEST:
        raise LayoutError
    fields: dict[int, Any] = {}
    number = 0
    while True:
        head = content[place]
        place += 1
        if head == STOP:
            return fields, place
        kind = head & 15
        if head >> 4:
            number += head >> 4
        else:
            number, place = _whole(content, place)
        if kind in {TRUE, FALSE}:
            fields[number] = kind == TRUE
        else:
            fields[number], place = _value(content, place, kind, depth + 1)


def _value(content: bytes, place: int, kind: int, depth: int) -> tuple[Any, int]:
    """Read one value of Thrift's compact protocol, and where it ends."""
    if kind in {TRUE, FALSE, BYTE}:  # in a list, a truth value takes a byte
        return content[place], place + 1
    if kind in {4, 5, 6}:
        return _whole(content, place)
    if kind == DOUBLE:
        return content[place : place + 8], place + 8
    if kind == BINARY:
        length, place = _unsigned(content, place)
        if place + length > len(content):
            raise LayoutError
        return content[place : place + length], place + length
    if kind in {LIST, SET}:
        return _list(content, place, depth)
    if kind == STRUCT:
        return _struct(content, place, depth)
    raise LayoutError  # the format has no maps


def _list(content: bytes, place: int, depth: int) -> tuple[list[Any], int]:
    """Read a list."""
    head = content[place]
    count, place = head >> 4, place + 1
    if count == LONG_LIST:
        count, place = _unsigned(content, place)
    values: list[Any] = []
    for _ in range(count):
        value, place = _value(content, place, head & 15, depth)
        values.append(value)
    return values, place


def _whole(content: bytes, place: int) -> tuple[int, int]:
    """Read a whole number that may be negative."""
    number, place = _unsigned(content, place)
    return (number >> 1) ^ -(number & 1), place


def _unsigned(content: bytes, place: int) -> tuple[int, int]:
    """Read a whole number in groups of seven bits."""
    number = shift = 0
    while shift < MOST_BITS:
        byte = content[place]
        place += 1
        number |= (byte & 127) << shift
        if not byte & 128:
            return number, place
        shift += 7
    raise LayoutError
