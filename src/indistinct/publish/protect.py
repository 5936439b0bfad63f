"""Protect single columns of a table, before its records are counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from indistinct.core.brief import briefly
from indistinct.core.randomness import RandomSource
from indistinct.engines.cell_texts import all_cell_texts
from indistinct.errors import PolicyError, VerificationError
from indistinct.masks import Protection, Stage
from indistinct.policy.policy import Policy
from indistinct.policy.protections import groups_of
from indistinct.release.entries import ProtectionEntry


@dataclass(frozen=True, slots=True)
class Protected:
    """A table whose columns are protected where the policy asks for it before counting.

    Parameters
    ----------
    frame : the table, of the same records in the same order
    entries : per protected column, what the manifest says of it
    """

    frame: pl.DataFrame
    entries: Mapping[str, ProtectionEntry]

    __repr__ = briefly


def protect_input(frame: pl.DataFrame, policy: Policy, source: RandomSource) -> Protected:
    """Mask every column that is protected before the records are counted.

    Raises
    ------
    PolicyError
        when columns cannot be protected so, all of them named
    """
    groups = [
        (protection, names)
        for protection, names in groups_of(policy)
        if protection.stage is Stage.INPUT
    ]
    faults = [fault for protection, names in groups for fault in protection.faults(frame[names])]
    if faults:
        raise PolicyError(faults)
    entries: dict[str, ProtectionEntry] = {}
    for protection, names in groups:
        masked = protection.mask(frame[names], source.apart(f"protect {', '.join(names)}"))
        _check_masked(protection, frame[names], masked.columns)
        frame = frame.with_columns(masked.columns)
        entry = ProtectionEntry.of(protection, masked.facts)
        entries |= dict.fromkeys(names, entry)
    return Protected(frame, entries)


def _check_masked(protection: Protection, before: pl.DataFrame, masked: pl.DataFrame) -> None:
    """Hold what a protection made against the columns it was made from.

    Raises
    ------
    VerificationError
        when it is not what the protection promises, which is an error of this program
    """
    texts = all_cell_texts(masked).fill_null("")
    faults = [
        *protection.check_release(texts, None),
        *protection.check_against(texts, before, range(before.height)),
    ]
    if faults:
        raise VerificationError(faults)
