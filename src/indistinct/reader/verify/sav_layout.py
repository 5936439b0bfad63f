"""The bytes of a file of SPSS that is not compressed.

Source: the developer's guide of GNU PSPP, "System File Format".
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import final

import numpy as np
import polars as pl

from indistinct.core.arrays import Floats
from indistinct.reader.verify.statistics_files import (
    StatisticsFile,
    UnreadError,
    moments,
    number_text,
    numbers,
)

MAGIC = b"$FL2@(#)"
HEADER = 176  # bytes
FILE_LABEL = slice(109, 173)
VARIABLE, VALUE_LABELS, WHOSE_LABELS, DOCUMENT, EXTENSION, END = 2, 3, 4, 6, 7, 999
# Extension records: machine, numbers, display, long names, very long texts, records, encoding.
KNOWN_EXTENSIONS = {3, 4, 11, 13, 14, 16, 20}
LONG_NAMES, LONG_TEXTS = 13, 14
CONTINUED = -1
PLAIN, DATES, DATETIME = {3, 5}, {20, 23, 24, 38, 39}, 22
SEGMENT, USED = 252, 255  # by which texts of more than 255 bytes are cut, and bytes used of each
SINCE_1582 = 12_219_379_200  # seconds from the first day of SPSS to 1970


@final
@dataclass(slots=True)
class Variable:
    """A variable of the file: its short name, its type or bytes of text, its form, its place."""

    name: str
    width: int
    form: int
    slot: int


@final
@dataclass(slots=True)
class Dictionary:
    """What stands before the cells."""

    variables: list[Variable] = field(default_factory=list[Variable])
    labels: dict[int, list[bytes]] = field(default_factory=dict[int, list[bytes]])
    names: dict[str, str] = field(default_factory=dict[str, str])
    lengths: dict[str, int] = field(default_factory=dict[str, int])
    beside: list[str] = field(default_factory=list[str])
    n_slots: int = 0
    end: int = 0


def read_sav(content: bytes) -> StatisticsFile:
    """Read a file of SPSS from its bytes.

    Raises
    ------
    UnreadError
        when it is compressed, written on an old machine or broken
    """
    try:
        if not content.startswith(MAGIC) or struct.unpack_from("<i", content, 72)[0] != 0:
            raise UnreadError
        found = _dictionary(content)
        return _cells(content, found)
    except (struct.error, UnicodeDecodeError, ValueError, IndexError, KeyError):
        raise UnreadError from None


def _dictionary(content: bytes) -> Dictionary:
    """Read every record before the cells."""
    found = Dictionary()
    if content[FILE_LABEL].strip(b" \0"):
        found.beside.append("has a label of its own")
    place, pending = HEADER, list[bytes]()
    while True:
        kind = struct.unpack_from("<i", content, place)[0]
        place += 4
        if kind == VARIABLE:
            place = _variable(content, place, found)
        elif kind == VALUE_LABELS:
            place, pending = _value_labels(content, place)
        elif kind == WHOSE_LABELS:
            count = struct.unpack_from("<i", content, place)[0]
            slots = struct.unpack_from(f"<{count}i", content, place + 4)
            found.labels |= dict.fromkeys((slot - 1 for slot in slots), pending)
            place += 4 + 4 * count
        elif kind == DOCUMENT:
            found.beside.append("holds notes")
            place += 4 + 80 * struct.unpack_from("<i", content, place)[0]
        elif kind == EXTENSION:
            place = _extension(content, place, found)
        elif kind == END:
            found.end = place + 4
            return found
        else:
            raise UnreadError


def _variable(content: bytes, place: int, found: Dictionary) -> int:
    """Read a variable; give the place behind it."""
    width, has_label, n_missing, form, _ = struct.unpack_from("<5i", content, place)
    short = content[place + 20 : place + 28].decode().rstrip()
    place += 28
    if has_label:
        length = struct.unpack_from("<i", content, place)[0]
        place += 4 + -(-length // 4) * 4
    if n_missing:
        found.beside.append("lists codes of missing values")
    if width != CONTINUED:
        found.variables.append(Variable(short, width, form >> 16 & 255, found.n_slots))
    found.n_slots += 1
    return place + 8 * abs(n_missing)


def _value_labels(content: bytes, place: int) -> tuple[int, list[bytes]]:
    """Read the values that have a label; give the place behind them."""
    count = struct.unpack_from("<i", content, place)[0]
    place += 4
    values: list[bytes] = []
    for _ in range(count):
        values.append(content[place : place + 8])
        place += 8 + -(-(content[place + 8] + 1) // 8) * 8
    return place, values


def _extension(content: bytes, place: int, found: Dictionary) -> int:
    """Read a record of the newer kinds; give the place behind it."""
    kind, size, count = struct.unpack_from("<3i", content, place)
    said = content[place + 12 : place + 12 + size * count]
    if kind == LONG_NAMES:
        found.names |= dict(pair.split("=", 1) for pair in said.decode().split("\t") if pair)
    elif kind == LONG_TEXTS:
        pairs = (pair.strip("\0") for pair in said.decode().split("\t"))
        found.lengths |= {
            name: int(length) for name, _, length in (pair.partition("=") for pair in pairs if pair)
        }
    elif kind not in KNOWN_EXTENSIONS:
        found.beside.append(f"holds a record of kind {kind}")
    return place + 12 + size * count


def _cells(content: bytes, found: Dictionary) -> StatisticsFile:
    """Read the cells, and the labels of their values."""
    n_bytes = len(content) - found.end
    if n_bytes % (8 * found.n_slots):
        found.beside.append("has bytes behind its last record")
    n_records = n_bytes // (8 * found.n_slots)
    taken = np.frombuffer(content, np.uint8, n_records * 8 * found.n_slots, found.end)
    table = taken.reshape(n_records, 8 * found.n_slots)
    columns: list[pl.Series] = []
    values: dict[str, frozenset[str]] = {}
    for parts in _columns(found):
        first = parts[0]
        name = found.names.get(first.name, first.name)
        columns.append(_column(name, parts, table))
        if first.slot in found.labels:
            raw = found.labels[first.slot]
            values[name] = frozenset(_value(value, is_text=first.width > 0) for value in raw)
    return StatisticsFile(pl.DataFrame(columns), values, tuple(found.beside))


def _columns(found: Dictionary) -> Iterator[list[Variable]]:
    """Put the segments of very long texts together."""
    variables = iter(found.variables)
    for first in variables:
        length = found.lengths.get(first.name, 0)
        n_more = max(-(-length // SEGMENT) - 1, 0)
        yield [first, *(next(variables) for _ in range(n_more))]


def _column(name: str, parts: list[Variable], table: np.ndarray) -> pl.Series:
    """Read one column."""
    first = parts[0]
    if first.width > 0:
        pieces = [table[:, 8 * one.slot : 8 * one.slot + min(one.width, USED)] for one in parts]
        joined = np.ascontiguousarray(np.concatenate(pieces, axis=1))
        texts = (bytes(row).rstrip(b" ").decode() for row in joined)
        return pl.Series(name, [text or None for text in texts], dtype=pl.String)
    slots = np.ascontiguousarray(table[:, 8 * first.slot : 8 * first.slot + 8])
    cells: Floats = slots.view("<f8").ravel().astype(np.float64)
    cells[cells == -np.finfo(np.float64).max] = np.nan
    if first.form in DATES or first.form == DATETIME:
        return moments(name, cells - SINCE_1582)
    if first.form not in PLAIN:
        raise UnreadError
    return numbers(name, cells)


def _value(value: bytes, *, is_text: bool) -> str:
    """Write a labelled value as its cell is written."""
    if is_text:
        return value.rstrip(b" \0").decode()
    return number_text(struct.unpack("<d", value)[0])
