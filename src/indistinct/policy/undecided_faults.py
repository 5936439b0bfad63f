"""Columns whose role nobody has decided yet: a policy with one does not run."""

from __future__ import annotations

from collections.abc import Iterable

from indistinct.core.schema import Role
from indistinct.errors import Fault
from indistinct.policy.tables import PolicyTables


def undecided_faults(policy: PolicyTables) -> Iterable[Fault]:
    """Find the columns that are undecided, with the reason that the draft gave."""
    for name, column in policy.columns.items():
        if column.role is Role.UNDECIDED:
            said = f": {column.reason}" if column.reason else ""
            yield Fault(
                f"columns.{name}.role",
                f"is undecided{said}",
                "Choose identifier (left out), quasi-identifier, sensitive or insensitive.",
            )
