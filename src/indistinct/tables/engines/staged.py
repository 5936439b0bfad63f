"""A table that another one was made of, record by record, before an engine counts it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self, final

from indistinct.tables.engines.sources import (
    EngineTable,
    PersonKey,
    Profile,
    ReleasePlan,
    Sink,
    StagedRelease,
    Tally,
)
from indistinct.tables.engines.temporary import TemporaryFolder
from indistinct.tables.frames.frame import DataType, Frame
from indistinct.tables.reading.column_types import ColumnType
from indistinct.tables.reading.places import Numbering


@final
class StagedTable:
    """A table whose records were changed, and wait in a staging folder.

    The folder is removed when the table is closed. Whether the input changed, and its fingerprint,
    are the original's.

    Parameters
    ----------
    original : the table that was read, open
    staged : the same records in the same order, changed
    folder : the staging folder
    changes : per changed column, what the manifest says of it
    """

    def __init__(
        self,
        original: EngineTable,
        staged: EngineTable,
        folder: TemporaryFolder,
        changes: Mapping[str, Any],
    ) -> None:
        self._original, self._staged, self._folder = original, staged, folder
        self.changes = changes
        self.engine = staged.engine
        self.schema: Mapping[str, DataType] = staged.schema
        self.kinds: Mapping[str, ColumnType] = staged.kinds
        self.has_order = staged.has_order
        self.has_types = original.has_types  # those of the staged cells come from it

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._staged.__exit__(*error)
        self._original.__exit__(*error)
        self._folder.cleanup()

    def profile(self) -> Profile:
        """Scan the staged table once."""
        return self._staged.profile()

    def count(
        self, keys: Sequence[PersonKey], at_most: int, marked: Sequence[str] = ()
    ) -> Tally | None:
        """Count the distinct staged rows of some columns."""
        return self._staged.count(keys, at_most, marked)

    def estimate(self, keys: Sequence[PersonKey]) -> int | None:
        """Guess the number of distinct staged rows."""
        return self._staged.estimate(keys)

    def sample(self, names: Sequence[str], n_rows: int) -> Frame:
        """Return staged records at equal distances."""
        return self._staged.sample(names, n_rows)

    def batches(self, n_rows: int) -> Iterator[Frame]:
        """Return all staged records, about so many at once."""
        return self._staged.batches(n_rows)

    def fingerprint(self, *, hashes: bool) -> str | None:
        """Return what changes when the original does."""
        return self._original.fingerprint(hashes=hashes)

    @property
    def numbering(self) -> Numbering | None:
        """What the places of records refer to: staged files with the records of the original's."""
        staged, original = self._staged.numbering, self._original.numbering
        if staged is None or original is None:
            return None
        return Numbering(staged.read, original.original)

    def unchanged(self) -> bool:
        """Return whether the original is what it was when it was opened."""
        return self._original.unchanged()

    def narrow_types(self, plan: ReleasePlan) -> Mapping[str, DataType]:
        """Scan the released staged records for columns that fit into a narrower type."""
        return self._staged.narrow_types(plan)

    def lazy(self, plan: ReleasePlan) -> Any:
        """Return the release lazily, for as long as the table is open."""
        return self._staged.lazy(plan)

    def write(self, plan: ReleasePlan, sink: Sink) -> StagedRelease:
        """Write the release."""
        return self._staged.write(plan, sink)
