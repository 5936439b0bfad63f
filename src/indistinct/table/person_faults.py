"""What a policy cannot ask for together with people instead of records."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from indistinct.core.schema import Role
from indistinct.errors import Fault

if TYPE_CHECKING:
    from indistinct.table.policy import Policy


def person_faults(policy: Policy) -> Iterable[Fault]:
    """Find what contradicts the word ``data.person``."""
    name = policy.data.person
    if name is None:
        return
    column = policy.columns.get(name)
    if column is not None and column.role is not Role.IDENTIFIER:
        yield Fault(
            f"columns.{name}.role",
            f"is {column.role.value}, but data.person names this column, which is left out",
            'Set it to "identifier", or leave the column out of [columns].',
        )
    if column is not None and column.protect is not None:
        yield Fault(
            f"columns.{name}.protect",
            "would keep the column of persons in the release, where it links a person's records",
            "Leave the protection out.",
        )
    if policy.release.form == "anatomy":
        yield Fault(
            "release.form",
            '"anatomy" makes groups of records and does not count the people in them',
            'Set it to "table": all algorithms count people there.',
        )
    if policy.release.suppressed_cell == "any":
        yield Fault(
            "release.suppressed_cell",
            '"any" counts the records that fit a row, not the people behind them',
            'Set it to "value": all algorithms, "cell-suppression" included, count people then.',
        )
    for index, model in enumerate(policy.models):
        if model.divides:
            yield Fault(
                f"models.{index}.{model.name}.others",
                "divides classes into records, whose people are not counted",
                'Set others to "separate", or leave out data.person.',
            )
