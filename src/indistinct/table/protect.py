"""Protect single columns of a table, and check that a release shows them protected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from indistinct.core.brief import briefly
from indistinct.core.randomness import RandomSource
from indistinct.errors import Fault, PolicyError, VerificationError
from indistinct.table.policy import Policy
from indistinct.table.protection import Protection, Stage


@dataclass(frozen=True, slots=True)
class Protected:
    """A table whose columns are protected where the policy asks for it before counting.

    Parameters
    ----------
    frame : the table, of the same records in the same order
    entries : per protected column, what the manifest says of it
    """

    frame: pl.DataFrame
    entries: Mapping[str, Mapping[str, Any]]

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
    entries: dict[str, Mapping[str, Any]] = {}
    for protection, names in groups:
        masked = protection.mask(frame[names], source.apart(f"protect {', '.join(names)}"))
        _check_masked(protection, frame[names], masked.columns)
        frame = frame.with_columns(masked.columns)
        entries |= {name: entry_of(protection, masked.facts) for name in names}
    return Protected(frame, entries)


def _check_masked(protection: Protection, before: pl.DataFrame, masked: pl.DataFrame) -> None:
    """Hold what a protection made against the columns it was made from.

    Raises
    ------
    VerificationError
        when it is not what the protection promises, which is an error of this program
    """
    texts = masked.select(pl.all().cast(pl.String).fill_null(""))
    faults = [
        *protection.check_release(texts, None),
        *protection.check_against(texts, before, range(before.height)),
    ]
    if faults:
        raise VerificationError(faults)


def entry_of(protection: Protection, facts: Mapping[str, Any]) -> Mapping[str, Any]:
    """Say in the manifest how a column is protected."""
    return {
        "name": protection.name,
        "required": protection.required(),
        "in_classes": protection.in_classes,
        **facts,
    }


def protection_faults(
    released: pl.DataFrame, policy: Policy, manifest: Mapping[str, Any] | None
) -> Iterator[Fault]:
    """Find protected columns whose released cells say otherwise.

    Parameters
    ----------
    released : the release, all cells as text
    policy : what was promised
    manifest : what the release says of itself, if it is at hand
    """
    said = None if manifest is None else manifest.get("protection", {})
    for protection, names in groups_of(policy):
        unsaid = [] if said is None else [name for name in names if name not in said]
        for name in unsaid:
            yield Fault(
                f"manifest.protection.{name}",
                "is missing, though the policy protects this column",
                "Take the file, the manifest and the policy of one run.",
            )
        if not unsaid:
            facts = None if said is None else said[names[0]]
            yield from protection.check_release(released[names], facts)


def original_faults(
    released: pl.DataFrame, policy: Policy, original: pl.DataFrame, rows: Sequence[int] | None
) -> Iterator[Fault]:
    """Find protected columns that were not made from those of the original.

    Parameters
    ----------
    released : the release, all cells as text
    original : the input, before anything was masked
    rows : number in the input of each released record, if it is known
    """
    for protection, names in groups_of(policy):
        if all(name in original.columns for name in names):
            yield from protection.check_against(released[names], original[names], rows)


def groups_of(policy: Policy) -> list[tuple[Protection, list[str]]]:
    """Give each protection and its columns; those that act jointly share one entry."""
    groups: list[tuple[Protection, list[str]]] = []
    for name, protection in policy.protections.items():
        shared = [names for other, names in groups if protection.jointly and other == protection]
        if shared:
            shared[0].append(name)
        else:
            groups.append((protection, [name]))
    return groups
