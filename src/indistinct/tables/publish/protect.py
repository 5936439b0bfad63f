"""Protect single columns of a table before its records are counted: whole, or part after part.

The masked parts of a table that is not read whole wait in a folder that only their owner reads.
From there on an engine counts them, decides on them and copies them as it does with any table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from indistinct.base.arrays import Bools
from indistinct.base.brief import short_repr
from indistinct.base.coded_text import sentence
from indistinct.base.randomness import RandomSource
from indistinct.errors import Fault, PolicyError, VerificationError
from indistinct.tables.core.protocols import Progress, no_progress
from indistinct.tables.core.recoding import inverse
from indistinct.tables.counting.orders_of_records import secret_order
from indistinct.tables.counting.table_faults import check_columns
from indistinct.tables.engines.choosing import POLARS, Resources, is_lazy, open_table
from indistinct.tables.engines.sources import StagedRelease
from indistinct.tables.engines.staged import StagedTable
from indistinct.tables.engines.tallies import n_values_of
from indistinct.tables.engines.temporary import temporary_folder
from indistinct.tables.frames.frame import Frame, empty_like, with_whole_columns
from indistinct.tables.frames.texts import all_filled_texts
from indistinct.tables.masks import Fit, MaskStage, Protection
from indistinct.tables.policy.protections import groups_of
from indistinct.tables.policy.specification import Specification
from indistinct.tables.publish.masks_of_households import household_mask_faults
from indistinct.tables.release.entries import ProtectionEntry
from indistinct.tables.release.manifest import Manifest

if TYPE_CHECKING:
    from indistinct.tables.engines.streaming import StreamingTable

SECRET_WORDS = 4  # of 64 bits
ROWS = 250_000  # records that are masked at once


@dataclass(frozen=True, slots=True)
class Protected:
    """A table whose columns are protected where the policy asks for it before counting.

    Parameters
    ----------
    frame : the table, of the same records in the same order
    entries : per protected column, what the manifest says of it
    kept : (n_rows,), which records may be released; all where it is None
    """

    frame: Frame
    entries: Mapping[str, ProtectionEntry]
    kept: Bools | None = None

    __repr__ = short_repr

    @property
    def records(self) -> Frame:
        """The records that may be released."""
        return self.frame if self.kept is None else self.frame[np.flatnonzero(self.kept)]


def protect_input(
    frame: Frame,
    spec: Specification,
    source: RandomSource,
    fits: Mapping[str, Fit] = MappingProxyType({}),
) -> Protected:
    """Mask every column that is protected before the records are counted.

    Parameters
    ----------
    fits : of a part of a table, per first column of a protection that takes facts of the whole

    Raises
    ------
    PolicyError
        when columns cannot be protected so, all of them named
    """
    secret = source.apart("secret of the masks").words(SECRET_WORDS).tobytes()
    groups = [
        (protection.with_secret(secret), names)
        for protection, names in groups_of(spec.protections)
        if protection.stage is MaskStage.INPUT
    ]
    faults = [
        fault
        for protection, names in groups
        # What all values of a column must be was checked when they were known.
        if names[0] not in fits or fits[names[0]].known is None
        for fault in protection.faults(frame[[*names, *protection.read_columns]])
    ]
    faults += household_mask_faults(frame, spec)
    if faults:
        raise PolicyError(faults)
    entries: dict[str, ProtectionEntry] = {}
    kept = np.ones(frame.height, np.bool_)
    if not groups:
        return Protected(frame, entries)
    # Of equal records a mask may treat the first otherwise than the last, such as by its groups.
    order = secret_order(
        frame, spec.class_names, spec.left_out, source.apart("order of the masked records")
    )
    places = inverse(order)
    for protection, names in groups:
        chance, fit = source.apart(f"protect {', '.join(names)}"), fits.get(names[0])
        if fit is None:
            fit = Fit(protection.mask)
        read = [*names, *protection.read_columns]
        masked = fit.mask(frame[read][order], chance)
        columns = masked.columns[places]
        own = np.ones(frame.height, np.bool_) if masked.kept is None else masked.kept[places]
        kept &= own
        _hold_to_promise(protection, frame[read], columns, own, fit.known)
        frame = with_whole_columns(frame, columns)
        entry = ProtectionEntry.of(protection, masked.facts)
        entries |= dict.fromkeys(names, entry)
    return Protected(frame, entries, None if kept.all() else kept)


def _hold_to_promise(
    protection: Protection, before: Frame, masked: Frame, kept: Bools, known: Frame | None
) -> None:
    """Hold what a protection made against the columns it was made from.

    Parameters
    ----------
    kept : (n_rows,), which rows may be released
    known : all values of the whole columns, where a part is held against these

    Raises
    ------
    VerificationError
        when it is not what the protection promises, which is an error of this program
    """
    rows = np.flatnonzero(kept)
    texts = all_filled_texts(masked if len(rows) == masked.height else masked[rows])
    original, places = (before, rows.tolist()) if known is None else (known, None)
    faults = [
        *protection.check_release(texts, None),
        *protection.check_against(texts, original, places),
    ]
    if faults:
        raise VerificationError(faults)


def without_shown_values(manifest: Manifest, spec: Specification) -> Manifest:
    """Leave out how many values protected columns show, which only a written release tells."""
    unknown = {name: spec.protections[name].among_released(_none) for name in manifest.protection}
    entries = {
        name: replace(
            entry,
            facts={word: fact for word, fact in entry.facts.items() if word not in unknown[name]},
        )
        for name, entry in manifest.protection.items()
    }
    return replace(manifest, protection=entries)


def shown_values(draft: StagedRelease, spec: Specification) -> dict[str, Mapping[str, Any]]:
    """Count the values that protected columns show in a written release, where it matters."""

    def count(name: str) -> int:
        return n_values_of(draft.count([name]).frame[name])

    return {
        name: protection.among_released(partial(count, name))
        for name, protection in spec.protections.items()
    }


def with_shown_values(manifest: Manifest, shown: Mapping[str, Mapping[str, Any]]) -> Manifest:
    """Return how many values protected columns show."""
    entries = {
        name: replace(entry, facts={**entry.facts, **shown[name]})
        for name, entry in manifest.protection.items()
    }
    return replace(manifest, protection=entries)


def _none() -> int:
    return 0


def open_masked(
    data: Any, spec: Specification, resources: Resources, progress: Progress = no_progress
) -> StagedTable:
    """Open files or a lazy frame, and mask every protected column part after part.

    Raises
    ------
    PolicyError
        when columns cannot be protected so, or the table would have to leave its database
    """
    opening = resources.opening(spec.data.missing, spec.data.separator, progress, spec.reading)
    opening = replace(opening, is_read_once=True)
    from indistinct.tables.engines.streaming import StreamingTable

    original = open_table(data, opening, POLARS)
    if not isinstance(original, StreamingTable):
        original.__exit__(None, None, None)
        raise PolicyError(
            Fault(
                f"columns.{name}.protect",
                "is masked by this program, but the records stay in their database",
                "Take the table in memory, or export it to files and publish these.",
            )
            for name in spec.protections
        )
    folder = temporary_folder(resources.folder)
    try:
        check_columns(empty_like(original.schema), spec)
        entries = _stage(original, spec, Path(folder.name), progress)
        # A lazy frame of Polars has to come back as one.
        engine = POLARS if is_lazy(data) else resources.engine
        masked = open_table(folder.name, resources.opening((), None), engine)
    except BaseException:
        original.__exit__(None, None, None)
        folder.cleanup()
        raise
    return StagedTable(original, masked, folder, entries)


def _stage(
    table: StreamingTable, spec: Specification, folder: Path, progress: Progress
) -> dict[str, ProtectionEntry]:
    """Write the masked parts into a folder; say how each column was protected."""
    chance, fits = RandomSource(), _fits(table, spec)
    parts: list[Mapping[str, ProtectionEntry]] = []
    for number, part in enumerate(table.batches(ROWS)):
        progress(0.0, sentence("masking", "masking, {number:,} records done", number=number * ROWS))
        masked = protect_input(part, spec, chance.numbered(number), fits)
        masked.frame.write_parquet(folder / f"part-{number:06d}.parquet", compression="lz4")
        parts.append(masked.entries)
    return dict(_joined(parts, spec))


def _fits(table: StreamingTable, spec: Specification) -> dict[str, Fit]:
    """Read the columns once whose protections take facts of all records.

    Raises
    ------
    PolicyError
        when columns cannot be protected so, all of them named
    """
    fits: dict[str, Fit] = {}
    faults: list[Fault] = []
    for protection, names in groups_of(spec.protections):
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
    parts: Sequence[Mapping[str, ProtectionEntry]], spec: Specification
) -> Iterator[tuple[str, ProtectionEntry]]:
    """Yield an entry of the whole table for each column by those of its parts."""
    for name, protection in spec.protections.items():
        facts = protection.facts_of_parts([part[name].facts for part in parts])
        yield name, ProtectionEntry.of(protection, facts)
