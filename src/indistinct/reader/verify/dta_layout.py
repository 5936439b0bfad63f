"""The bytes of a file of Stata 14 and later, form 118.

Source: the manual of Stata, "Description of .dta file format 118".
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import polars as pl

from indistinct.core.arrays import Floats
from indistinct.reader.verify.statistics_files import (
    SECONDS,
    StatisticsFile,
    UnreadError,
    moments,
    number_text,
    numbers,
)

MAGIC = b"<stata_dta><header><release>118</release><byteorder>LSF</byteorder>"
NAME, FORM, LABEL = 129, 57, 321  # bytes of a name, of a display format, of a variable's label
LONGEST_TEXT = 2045  # bytes; longer ones stand apart from the cells, and are not read here
# Types of numbers: how they are stored, and the greatest that is not a missing value.
NUMBERS = {
    65_526: ("<f8", 8.988e307),
    65_527: ("<f4", 1.701e38),
    65_528: ("<i4", 2_147_483_620.0),
    65_529: ("<i2", 32_740.0),
    65_530: ("<i1", 100.0),
}
Raw = np.ndarray[Any, np.dtype[np.uint8]]
SINCE_1960 = 3_653  # days to 1970


@final
@dataclass(slots=True)
class Part:
    """Bytes between two tags, read from the front; texts of fixed length must end in zeros."""

    content: bytes
    beside: list[str]

    def fixed(self, size: int) -> list[str]:
        """Cut into texts of a fixed size."""
        raw = [self.content[n : n + size] for n in range(0, len(self.content), size)]
        return [self.ended(one) for one in raw]

    def ended(self, text: bytes) -> str:
        """Give a text up to its end, behind which only zeros may stand."""
        shown, _, rest = text.partition(b"\0")
        if rest.strip(b"\0") and STALE not in self.beside:
            self.beside.append(STALE)
        return shown.decode()


STALE = "has bytes behind the end of a text"


def read_dta(content: bytes) -> StatisticsFile:
    """Read a file of Stata from its bytes.

    Raises
    ------
    UnreadError
        when it has another form, or is broken
    """
    if not content.startswith(MAGIC):
        raise UnreadError
    try:
        return _read(content)
    except (struct.error, UnicodeDecodeError, ValueError, IndexError, KeyError):
        raise UnreadError from None


def _read(content: bytes) -> StatisticsFile:
    """Read every part of the file."""
    beside: list[str] = []
    places = struct.unpack_from("<14Q", content, content.index(b"<map>") + 5)
    if places[13] != len(content):
        beside.append("has bytes behind its end")
    header = content[: places[1]]
    n_records = struct.unpack_from("<Q", header, header.index(b"<N>") + 3)[0]
    if b"<label>\0\0</label>" not in header:
        beside.append("has a label of its own")

    def part(number: int, tag: bytes) -> Part:
        whole = content[places[number] : places[number + 1]]
        if not (whole.startswith(b"<" + tag + b">") and whole.endswith(b"</" + tag + b">")):
            raise UnreadError
        return Part(whole[len(tag) + 2 : -len(tag) - 3], beside)

    types = np.frombuffer(part(2, b"variable_types").content, "<u2").tolist()
    names = part(3, b"varnames").fixed(NAME)
    if any(part(4, b"sortlist").content):
        beside.append("says what it is sorted by")
    forms = part(5, b"formats").fixed(FORM)
    labelled = part(6, b"value_label_names").fixed(NAME)
    part(7, b"variable_labels").fixed(LABEL)
    if part(8, b"characteristics").content:
        beside.append("holds notes")
    if part(10, b"strls").content:
        raise UnreadError
    widths = [_width(kind) for kind in types]
    raw = np.frombuffer(part(9, b"data").content, np.uint8).reshape(n_records, sum(widths))
    starts = np.cumsum([0, *widths]).tolist()
    columns: list[pl.Series] = []
    for name, kind, form, start, width in zip(names, types, forms, starts, widths, strict=False):
        cells = np.ascontiguousarray(raw[:, start : start + width])
        columns.append(_column(name, kind, form, cells, beside))
    lists = dict(_value_labels(part(11, b"value_labels"), beside))
    if set(lists) - set(labelled):
        beside.append("holds labels of no column")
    values = {
        name: lists[label] for name, label in zip(names, labelled, strict=True) if label in lists
    }
    return StatisticsFile(pl.DataFrame(columns), values, tuple(beside))


def _width(kind: int) -> int:
    """Give the bytes of a cell."""
    return kind if kind <= LONGEST_TEXT else int(NUMBERS[kind][0][-1])


def _column(name: str, kind: int, form: str, raw: Raw, beside: list[str]) -> pl.Series:
    """Read one column from its bytes: (n_records, width)."""
    if kind <= LONGEST_TEXT:
        own = Part(b"", beside)
        return pl.Series(name, [own.ended(bytes(row)) or None for row in raw], pl.String)
    stored, greatest = NUMBERS[kind]
    found: Floats = raw.view(stored).ravel().astype(np.float64)
    found[found > greatest] = np.nan
    if form.startswith("%td"):
        return moments(name, (found - SINCE_1960) * SECONDS)
    if form.startswith("%tc"):
        return moments(name, found / 1000 - SINCE_1960 * SECONDS)
    if form.startswith("%t"):
        raise UnreadError
    return numbers(name, found)


def _value_labels(part: Part, beside: list[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Read the lists of values that have a label."""
    for entry in re.findall(rb"<lbl>(.*?)</lbl>", part.content, re.DOTALL):
        name = Part(b"", beside).ended(entry[4 : 4 + NAME])
        count, n_bytes = struct.unpack_from("<2i", entry, 4 + NAME + 3)
        start = 4 + NAME + 3 + 8 + 4 * count
        values = struct.unpack_from(f"<{count}i", entry, start)
        texts = entry[start + 4 * count :]
        if len(texts) != n_bytes or texts.count(b"\0") != count:
            beside.append(STALE)
        yield name, frozenset(number_text(value) for value in values)
