"""What contradicts the survey weight that a policy names."""

from __future__ import annotations

from collections.abc import Iterable

from indistinct.core.schema import Role
from indistinct.errors import Fault
from indistinct.policy.tables import PolicyTables

ROLES = (Role.INSENSITIVE, Role.IDENTIFIER)


def weight_faults(policy: PolicyTables) -> Iterable[Fault]:
    """Find a column of weights that is not there, or whose role would change its numbers."""
    name = policy.data.weight
    if name is None:
        return
    column = policy.columns.get(name)
    if column is None:
        yield Fault(
            "data.weight",
            f'names "{name}", which is not a column of this policy',
            f'Add [columns.{name}] with role = "insensitive", or check the spelling.',
        )
    elif column.role not in ROLES:
        yield Fault(
            f"columns.{name}.role",
            f"is {column.role.value}, but data.weight names this column as the survey weight",
            'Set it to "insensitive" to release the weight, or to "identifier" to leave it out.',
        )
    elif column.protect is not None:
        yield Fault(
            f"columns.{name}.protect",
            "would change the survey weights, so that weighted figures would be wrong",
            "Leave the protection out.",
        )
