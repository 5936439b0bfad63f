"""Protect single columns of a table that is not read whole, part after part, before it is counted.

The masked parts wait in a folder that only their owner reads. From there on an engine counts them,
decides on them and copies them as it does with any table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from indistinct.core.protocols import Progress, no_progress
from indistinct.core.randomness import RandomSource
from indistinct.counting.table_faults import check_columns
from indistinct.engines.choosing import POLARS, Resources, is_lazy, open_table
from indistinct.engines.frames import empty_like
from indistinct.engines.staged import StagedTable
from indistinct.engines.streaming import StreamingTable
from indistinct.engines.temporary import temporary_folder
from indistinct.errors import Fault, PolicyError
from indistinct.masks import Fit
from indistinct.policy.protections import groups_of
from indistinct.policy.resolved import Resolved
from indistinct.publish.protect import protect_input
from indistinct.release.entries import ProtectionEntry

ROWS = 250_000  # records that are masked at once


def open_masked(
    data: Any, resolved: Resolved, resources: Resources, progress: Progress = no_progress
) -> StagedTable:
    """Open files or a lazy frame, and mask every protected column part after part.

    Raises
    ------
    PolicyError
        when columns cannot be protected so, or the table would have to leave its database
    """
    opening = resources.opening(resolved.data.missing, resolved.data.separator, progress)
    opening = replace(opening, is_read_once=True)
    original = open_table(data, opening, POLARS)
    if not isinstance(original, StreamingTable):
        original.__exit__(None, None, None)
        raise PolicyError(
            Fault(
                f"columns.{name}.protect",
                "is masked by this program, but the records stay in their database",
                "Take the table in memory, or export it to files and publish these.",
            )
            for name in resolved.protections
        )
    folder = temporary_folder(resources.folder)
    try:
        check_columns(empty_like(original.schema), resolved)
        entries = _stage(original, resolved, Path(folder.name), progress)
        # A lazy frame of Polars has to come back as one.
        engine = POLARS if is_lazy(data) else resources.engine
        masked = open_table(folder.name, resources.opening((), None), engine)
    except BaseException:
        original.__exit__(None, None, None)
        folder.cleanup()
        raise
    return StagedTable(original, masked, folder, entries)


def _stage(
    table: StreamingTable, resolved: Resolved, folder: Path, progress: Progress
) -> dict[str, ProtectionEntry]:
    """Write the masked parts into a folder; say how each column was protected."""
    chance, fits = RandomSource(), _fits(table, resolved)
    parts: list[Mapping[str, ProtectionEntry]] = []
    for number, part in enumerate(table.batches(ROWS)):
        progress(0.0, f"masking, {number * ROWS:,} records done")
        masked = protect_input(part, resolved, chance.numbered(number), fits)
        masked.frame.write_parquet(folder / f"part-{number:06d}.parquet", compression="lz4")
        parts.append(masked.entries)
    return dict(_joined(parts, resolved))


def _fits(table: StreamingTable, resolved: Resolved) -> dict[str, Fit]:
    """Read the columns once whose protections take facts of all records.

    Raises
    ------
    PolicyError
        when columns cannot be protected so, all of them named
    """
    fits: dict[str, Fit] = {}
    faults: list[Fault] = []
    for protection, names in groups_of(resolved.protections):
        if not protection.is_fitted:
            continue
        parts = (part[names] for part in table.batches(ROWS, names))
        try:
            fits[names[0]] = protection.fitted(parts)
        except PolicyError as error:
            faults += error.faults
    if faults:
        raise PolicyError(faults)
    return fits


def _joined(
    parts: Sequence[Mapping[str, ProtectionEntry]], resolved: Resolved
) -> Iterator[tuple[str, ProtectionEntry]]:
    """Yield an entry of the whole table for each column by those of its parts."""
    for name, protection in resolved.protections.items():
        facts = protection.facts_of_parts([part[name].facts for part in parts])
        yield name, ProtectionEntry.of(protection, facts)
