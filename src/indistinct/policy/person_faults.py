"""What a policy cannot ask for together with people instead of records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from indistinct.core.protocols import PrivacyModel
from indistinct.core.schema import Role
from indistinct.errors import Fault


def person_faults(
    name: str | None,
    columns: Mapping[str, Any],
    models: Sequence[PrivacyModel],
    release: Mapping[str, Any],
) -> Iterable[Fault]:
    """Find what contradicts the word ``data.person``.

    Parameters
    ----------
    name : the word; None where records are counted
    columns, models : of the policy
    release : the words of its table ``[release]``
    """
    if name is None:
        return
    column = columns.get(name)
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
    if release["form"] == "anatomy":
        yield Fault(
            "release.form",
            '"anatomy" makes groups of records and does not count the people in them',
            'Set it to "table": all algorithms count people there.',
        )
    if release["suppressed_cell"] == "any":
        yield Fault(
            "release.suppressed_cell",
            '"any" counts the records that fit a row, not the people behind them',
            'Set it to "value": all algorithms, "cell-suppression" included, count people then.',
        )
    for index, model in enumerate(models):
        if model.divides:
            yield Fault(
                f"models.{index}.{model.name}.others",
                "divides classes into records, whose people are not counted",
                'Set others to "separate", or leave out data.person.',
            )
