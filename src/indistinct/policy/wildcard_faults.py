"""What cannot be told where a star in a cell stands for any value."""

from __future__ import annotations

from collections.abc import Iterable

from indistinct.errors import Fault
from indistinct.models import KAnonymity
from indistinct.policy.tables import PolicyTables


def wildcard_faults(policy: PolicyTables) -> Iterable[Fault]:
    """Find what cannot be told where a star in a cell stands for any value."""
    if policy.release.suppressed_cell == "value":
        return
    for index, model in enumerate(policy.models):
        if model.name != KAnonymity.name:
            yield Fault(
                f"models.{index}.{model.name}",
                "is not defined for groups of compatible records, which overlap",
                f'Keep {KAnonymity.name}, or set release.suppressed_cell to "value".',
            )
    if policy.release.intervals != "label":
        yield Fault(
            "release.intervals",
            "leaves suppressed cells empty, like missing values, which do not represent any value",
            'Set it to "label", or release.suppressed_cell to "value".',
        )
