"""A table in memory as a source of a release: its records are at hand, and nothing is counted."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Self, final

from indistinct.base.arrays import Bools
from indistinct.tables.engines.sources import ReleasePlan
from indistinct.tables.frames.frame import DataType, Frame
from indistinct.tables.frames.set_forms import NO_SETS, SetForms, given_back
from indistinct.tables.reading.column_types import ColumnType, kinds_of
from indistinct.tables.reading.files import TableFile
from indistinct.tables.reading.native_frames import to_native


@final
class FrameTable:
    """A table in memory.

    Parameters
    ----------
    table : as it was read
    frame : its records as they are counted; those that were read where no column is changed
    changes : per changed column, what the manifest says of it
    sets : the form of columns of sets
    kept : (n_rows,), which records may be released; all where it is None
    """

    engine = "memory"

    def __init__(
        self,
        table: TableFile,
        frame: Frame | None = None,
        changes: Mapping[str, Any] = MappingProxyType({}),
        sets: SetForms = NO_SETS,
        kept: Bools | None = None,
    ) -> None:
        self.table, self.changes, self._sets, self.kept = table, changes, sets, kept
        self.frame = table.frame if frame is None else frame
        self.schema: Mapping[str, DataType] = self.frame.schema
        self.has_types = table.has_types

    @property
    def kinds(self) -> Mapping[str, ColumnType]:
        """What the cells of each column are."""
        return kinds_of(self.schema)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Do nothing: nothing is open."""

    def fingerprint(self, *, hashes: bool) -> str | None:
        """Return the hash of what was read."""
        return self.table.sha256 if hashes else None

    def unchanged(self) -> bool:
        """Return True: nobody else changes what was read."""
        return True

    def lazy(self, plan: ReleasePlan) -> Any:
        """Return the release as the kind of frame that came in."""
        return to_native(given_back(plan.cells, self._sets, self.table.lists), self.table.native)
