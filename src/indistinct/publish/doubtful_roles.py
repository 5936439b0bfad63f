"""Columns that a policy releases unchanged although they look like identifiers."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from indistinct.core.schema import Role
from indistinct.counting.columns import is_missing
from indistinct.policy.policy import Policy
from indistinct.release.entries import WarningEntry

CODE = "looks-like-an-identifier"
FEW = 20  # values that a column of names or numbers of people has at least
SAMPLE = 500  # records that are looked at, from the beginning


def doubtful_roles(frame: pl.DataFrame, policy: Policy) -> Iterator[WarningEntry]:
    """Warn of released columns that name people or number records, by their name and values.

    Parameters
    ----------
    frame : the input
    """
    for role in (Role.INSENSITIVE, Role.SENSITIVE):
        for name in policy.named(role):
            is_released_as_it_is = name in frame.columns and name not in policy.protections
            reason = _reason(frame[name], policy) if is_released_as_it_is else None
            if reason is not None:
                message = (
                    f"{name} (declared {role.value}) is released unchanged, but looks like an "
                    f"identifier: {reason}"
                )
                yield WarningEntry(CODE, (name,), 1.0, message)


def _reason(column: pl.Series, policy: Policy) -> str | None:
    """Say why a column looks like an identifier; None where that is not nearly certain."""
    first = column.head(SAMPLE)
    known = first.filter(~is_missing(first, policy))
    if known.dtype.is_float() or known.n_unique() < min(FEW, max(2, len(known) // 2)):
        return None
    # To import what drafts are made with takes a twentieth of a second.
    from indistinct.drafting.evidence import Evidence
    from indistinct.drafting.roles import suggest
    from indistinct.engines.distinct_values import distinct_values
    from indistinct.engines.kinds import type_name

    found = suggest(Evidence(column.name, type_name(known.dtype), distinct_values(known)[0]))
    is_certain = found.role is Role.IDENTIFIER and found.confidence == "high"
    return found.reason if is_certain else None
