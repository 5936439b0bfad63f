"""Tables of FlatBuffers, in which Arrow files and streams write their schema."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class FlatBuffersTable:
    """A table of FlatBuffers: some bytes, and where in them it begins."""

    content: bytes
    start: int

    def place(self, field: int) -> int:
        """Return the place of a field; 0 where it is left out."""
        known = self.start - self.number("<i", self.start)
        if 4 + 2 * field >= self.number("<H", known):
            return 0
        distance = self.number("<H", known + 4 + 2 * field)
        return self.start + distance if distance else 0

    def number(self, form: str, place: int) -> int:
        """Read a whole number at a place."""
        return struct.unpack_from(form, self.content, place)[0]

    def value(self, field: int, form: str) -> int:
        """Read a field that is a whole number; 0 where it is left out."""
        place = self.place(field)
        return self.number(form, place) if place else 0

    def table(self, field: int) -> FlatBuffersTable | None:
        """Follow a field to another table."""
        place = self.place(field)
        return FlatBuffersTable(self.content, place + self.number("<I", place)) if place else None

    def vector(self, field: int) -> tuple[int, int]:
        """Return where the elements of a list begin, and how many there are."""
        place = self.place(field)
        if not place:
            return 0, 0
        start = place + self.number("<I", place)
        return start + 4, self.number("<I", start)

    def tables(self, field: int) -> Iterator[FlatBuffersTable]:
        """Follow a list of tables."""
        start, count = self.vector(field)
        for place in range(start, start + 4 * count, 4):
            yield FlatBuffersTable(self.content, place + self.number("<I", place))

    def text(self, field: int) -> str:
        """Read a field of text."""
        start, length = self.vector(field)
        return self.content[start : start + length].decode("utf-8", "replace")
