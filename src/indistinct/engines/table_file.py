"""A table that was read: its records, and what the file or frame says besides them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from indistinct.core.brief import short_repr
from indistinct.engines.native_frames import Native
from indistinct.engines.reading import NOTHING_FOUND, FoundReading
from indistinct.engines.statistical import Labels


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
    """

    frame: pl.DataFrame
    sha256: str
    native: Native | None = None
    separator: str | None = None
    labels: Labels | None = None
    lists: Mapping[str, str] = field(default_factory=dict[str, str])
    has_types: bool = True
    found: FoundReading = NOTHING_FOUND

    __repr__ = short_repr
