"""Columns that single records out although no class tells them apart: a sign of a wrong role."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from indistinct.core.arrays import Ints
from indistinct.core.schema import Role
from indistinct.engines.frames import Column, Frame
from indistinct.engines.tallies import Hashes, value_hashes
from indistinct.policy.resolved import Resolved
from indistinct.release.entries import WarningEntry

LEAST_SHARE = 0.01  # of records that insensitive columns single out: dates, codes, free text
LEAST_SENSITIVE_SHARE = 0.5  # sensitive values differ inside a class, and should
SEED, MULTIPLIER = 5, np.uint64(0x9E3779B97F4A7C15)


def warnings_of(
    frame: Frame, labels: Ints, resolved: Resolved, rows: Ints | None = None
) -> list[WarningEntry]:
    """Count the released records that unprotected columns single out beside the classes.

    Parameters
    ----------
    frame : records, whose unprotected columns are as they were
    labels : (n_released,), class of each released record
    rows : (n_released,), places of the released records in the frame; None where they are all
    resolved : tells the roles, and how small a group of records may be

    Returns
    -------
    the warnings, with the share of the records that stand alone

    Notes
    -----
    Each column is hashed once. One sort of 64-bit numbers for each column, and one for all
    together: O(n_rows log n_rows).
    """
    insensitive = _unprotected(frame, resolved, Role.INSENSITIVE)
    sensitive = _unprotected(frame, resolved, Role.SENSITIVE)
    if not insensitive and not sensitive:
        return []
    keys = {
        name: _keys_of(frame[name], place, rows)
        for place, name in enumerate((*insensitive, *sensitive), start=1)
    }
    classes = value_hashes(labels, SEED)
    least = max((model.least_size for model in resolved.models), default=2)
    found: list[WarningEntry] = []
    for code, role, names, threshold in (
        ("insensitive-column-singles-out", "insensitive", insensitive, LEAST_SHARE),
        ("sensitive-column-singles-out", "sensitive", sensitive, LEAST_SENSITIVE_SHARE),
    ):
        for name in names:
            shares = _shares(classes * MULTIPLIER + keys[name], least)
            if shares[0] >= threshold:
                message = (
                    f"{_percent(shares[0])} of the released records can be singled out by someone "
                    f"who knows the value of {name} (declared {role}) besides the "
                    "quasi-identifiers"
                )
                found.append(WarningEntry(code, (name,), shares[0], message, shares[1]))
    together = _together(classes, keys, least, has_sensitive=bool(sensitive))
    alone = max((warning.share for warning in found), default=0.0)
    return [*found, *(warning for warning in together if warning.share > alone)]


def _together(
    classes: Hashes, keys: Mapping[str, Hashes], least: int, *, has_sensitive: bool
) -> list[WarningEntry]:
    """Count what all unprotected columns single out together."""
    names = list(keys)
    if len(names) < 2:  # noqa: PLR2004 - one column alone was counted already
        return []
    combined = classes
    for own in keys.values():
        combined = combined * MULTIPLIER + own
    shares = _shares(combined, least)
    if shares[0] < (LEAST_SENSITIVE_SHARE if has_sensitive else LEAST_SHARE):
        return []
    message = (
        f"{_percent(shares[0])} of the released records can be singled out by someone who knows "
        f"the values of {', '.join(names)} besides the quasi-identifiers"
    )
    code = "columns-together-single-out"
    return [WarningEntry(code, tuple(names), shares[0], message, shares[1])]


def _unprotected(frame: Frame, resolved: Resolved, role: Role) -> list[str]:
    """Name the released columns of a role whose cells are those of the input."""
    return [
        name
        for name in resolved.named(role)
        if name in frame.columns and name not in resolved.protections
    ]


def _keys_of(column: Column, place: int, rows: Ints | None) -> Hashes:
    """Return the value of each released record a number of 64 bits: (n_released,).

    Hashes in place of codes: two different kinds among a million records share one with a chance
    below 1e-7, and then a count is off by two.
    """
    keys = value_hashes(column, SEED + place)
    return keys if rows is None else keys[rows]


def _shares(keys: Hashes, least: int) -> tuple[float, float]:
    """Give the share of records that stand alone, and of those in groups smaller than the least."""
    ordered = np.sort(keys)
    is_first = np.ones(len(ordered), np.bool_)
    is_first[1:] = ordered[1:] != ordered[:-1]
    sizes = np.diff(np.append(np.flatnonzero(is_first), len(ordered)))
    n_records = max(len(keys), 1)
    alone, few = int((sizes == 1).sum()), int(sizes[sizes < least].sum())
    return round(alone / n_records, 6), round(few / n_records, 6)


def _percent(share: float) -> str:
    """Write a share."""
    return f"{share:.1%}"
