"""Columns that a policy releases unchanged although they look like identifiers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from indistinct.core.schema import Role
from indistinct.counting.columns import first_values
from indistinct.policy.resolved import Resolved
from indistinct.release.entries import WarningEntry

CODE = "looks-like-an-identifier"
FEW = 20  # values that a column of names or numbers of people has at least
SAMPLE = 500  # records that are looked at, from the beginning


def doubtful_roles(frame: Any, resolved: Resolved) -> Iterator[WarningEntry]:
    """Warn of released columns that name people or number records, by their name and values.

    Parameters
    ----------
    frame : the input, as a frame of Polars
    """
    for role in (Role.INSENSITIVE, Role.SENSITIVE):
        for name in resolved.named(role):
            is_released_as_it_is = name in frame.columns and name not in resolved.protections
            reason = _reason(frame, resolved.data.missing, name) if is_released_as_it_is else None
            if reason is not None:
                message = (
                    f"{name} (declared {role.value}) is released unchanged, but looks like an "
                    f"identifier: {reason}"
                )
                yield WarningEntry(CODE, (name,), 1.0, message)


def _reason(frame: Any, missing: Sequence[str], name: str) -> str | None:
    """Return why a column looks like an identifier; None where that is not nearly certain."""
    kind, values = first_values(frame, missing, name, SAMPLE)
    n_known = int(values.records.sum())
    if kind == "number" or len(values.texts) < min(FEW, max(2, n_known // 2)):
        return None
    # To import what drafts are made with takes a twentieth of a second.
    from indistinct.drafting.evidence import Evidence
    from indistinct.drafting.roles import suggest

    found = suggest(Evidence(name, kind, values))
    is_certain = found.role is Role.IDENTIFIER and found.confidence == "high"
    return found.reason if is_certain else None
