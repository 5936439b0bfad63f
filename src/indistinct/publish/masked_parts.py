"""Protect single columns of a table that is not read whole, part after part, before it is counted.

The masked parts wait in a folder that only their owner reads. From there on an engine counts them,
decides on them and copies them as it does with any table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, final

import polars as pl

from indistinct.core.protocols import Progress, no_progress
from indistinct.core.randomness import RandomSource
from indistinct.engines.choosing import POLARS, Resources, is_lazy, open_table
from indistinct.engines.protocol import Kind
from indistinct.engines.sources import DecisionTable, Draft, Key, Profile, Sink, Source, Tally
from indistinct.engines.streaming import StreamingTable
from indistinct.engines.temporary import temporary_folder
from indistinct.errors import Fault, PolicyError
from indistinct.policy.policy import Policy
from indistinct.publish.protect import protect_input
from indistinct.release.entries import ProtectionEntry

ROWS = 250_000  # records that are masked at once


@final
class MaskedTable:
    """A table whose protected columns were masked before anything was counted.

    Its records are those of a staging folder, which is removed when the table is closed. Whether
    the input changed, and its fingerprint, are the original's.

    Parameters
    ----------
    original : the table that was masked, open
    masked : the same records in the same order, masked
    protection : per protected column, what the manifest says of it
    folder : the staging folder
    """

    def __init__(
        self,
        original: Source,
        masked: Source,
        protection: Mapping[str, ProtectionEntry],
        folder: Any,
    ) -> None:
        self._original, self._masked, self._folder = original, masked, folder
        self.protection = protection
        self.engine = masked.engine
        self.schema: Mapping[str, pl.DataType] = masked.schema
        self.kinds: Mapping[str, Kind] = masked.kinds
        self.has_order = masked.has_order

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._masked.__exit__(*error)
        self._original.__exit__(*error)
        self._folder.cleanup()

    def profile(self) -> Profile:
        """Scan the masked table once."""
        return self._masked.profile()

    def values(self, name: str, at_most: int) -> Tally | None:
        """Count the masked values of a column."""
        return self._masked.values(name, at_most)

    def count(self, keys: Sequence[Key], at_most: int, marked: Sequence[str] = ()) -> Tally | None:
        """Count the distinct masked rows of some columns."""
        return self._masked.count(keys, at_most, marked)

    def estimate(self, keys: Sequence[Key]) -> int | None:
        """Guess the number of distinct masked rows."""
        return self._masked.estimate(keys)

    def sample(self, names: Sequence[str], n_rows: int) -> pl.DataFrame:
        """Give masked records at equal distances."""
        return self._masked.sample(names, n_rows)

    def fingerprint(self, *, hashes: bool) -> str | None:
        """Give what changes when the original does."""
        return self._original.fingerprint(hashes=hashes)

    def unchanged(self) -> bool:
        """Tell whether the original is what it was when it was opened."""
        return self._original.unchanged()

    def lazy(self, decision: DecisionTable) -> Any:
        """Give the release lazily, for as long as the table is open."""
        return self._masked.lazy(decision)

    def write(self, decision: DecisionTable, sink: Sink) -> Draft:
        """Write the release."""
        return self._masked.write(decision, sink)


def open_masked(
    data: Any, policy: Policy, resources: Resources, progress: Progress = no_progress
) -> MaskedTable:
    """Open files or a lazy frame, and mask every protected column part after part.

    Raises
    ------
    PolicyError
        when columns cannot be protected so, or the table would have to leave its database
    """
    opening = resources.opening(policy.data.missing, policy.data.separator)
    original = open_table(data, opening, POLARS)
    if not isinstance(original, StreamingTable):
        original.__exit__(None, None, None)
        raise PolicyError(
            Fault(
                f"columns.{name}.protect",
                "is masked by this program, but the records stay in their database",
                "Take the table in memory, or export it to files and publish these.",
            )
            for name in policy.protections
        )
    folder = temporary_folder(resources.folder)
    try:
        entries = _stage(original, policy, Path(folder.name), progress)
        # A lazy frame of Polars has to come back as one.
        engine = POLARS if is_lazy(data) else resources.engine
        masked = open_table(folder.name, resources.opening((), None), engine)
    except BaseException:
        folder.cleanup()
        raise
    return MaskedTable(original, masked, entries, folder)


def _stage(
    table: StreamingTable, policy: Policy, folder: Path, progress: Progress
) -> dict[str, ProtectionEntry]:
    """Write the masked parts into a folder; say how each column was protected."""
    chance = RandomSource()
    parts: list[Mapping[str, ProtectionEntry]] = []
    for number, part in enumerate(table.batches(ROWS)):
        progress(0.0, f"masking, {number * ROWS:,} records done")
        masked = protect_input(part, policy, chance.numbered(number))
        masked.frame.write_parquet(folder / f"part-{number:06d}.parquet", compression="lz4")
        parts.append(masked.entries)
    return dict(_joined(parts, policy))


def _joined(
    parts: Sequence[Mapping[str, ProtectionEntry]], policy: Policy
) -> Iterator[tuple[str, ProtectionEntry]]:
    """Give an entry of the whole table for each column by those of its parts."""
    for name, protection in policy.protections.items():
        facts = protection.facts_of_parts([part[name].facts for part in parts])
        yield name, ProtectionEntry.of(protection, facts)
