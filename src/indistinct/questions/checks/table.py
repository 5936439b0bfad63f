"""The cells of a made-up table as texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class MadeUpTable:
    """A made-up table.

    Parameters
    ----------
    rows : texts of cells; a missing value is the empty text
    sha256 : of the file's bytes
    is_plain : whether the file holds these cells and nothing else
    """

    header: list[str]
    rows: list[list[str]]
    sha256: str
    is_plain: bool
