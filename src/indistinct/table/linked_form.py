"""What a policy that asks for two linked tables may say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from indistinct.core.schema import Role
from indistinct.errors import Fault
from indistinct.models import DistinctLDiversity, ProbabilisticLDiversity
from indistinct.table.protection import Stage

if TYPE_CHECKING:
    from indistinct.table.policy import Policy

GROUP, COUNT = "group", "count"
FEWEST_VALUES = 2


def form_faults(policy: Policy) -> Iterator[Fault]:
    """Find what a policy asks for that two linked tables do not have."""
    if policy.release.form != "anatomy":
        return
    yield from _model_faults(policy)
    sensitive = policy.named(Role.SENSITIVE)
    if len(sensitive) != 1:
        yield Fault(
            "columns",
            f"have {len(sensitive)} sensitive columns; the sensitive table takes one",
            'Give the others another role, or set release.form to "table".',
        )
    yield from _column_faults(policy)
    for word, said in (
        ("suppressed", policy.release.suppressed != "drop"),
        ("suppressed_cell", policy.release.suppressed_cell != "value"),
        ("intervals", policy.release.intervals != "label"),
    ):
        if said:
            yield Fault(f"release.{word}", "says nothing of linked tables", "Leave it out.")


def _model_faults(policy: Policy) -> Iterator[Fault]:
    """Find models that linked tables cannot promise."""
    fitting = (DistinctLDiversity, ProbabilisticLDiversity)
    names = " and ".join(kind.name for kind in fitting)
    for index, model in enumerate(policy.models):
        if not isinstance(model, fitting):
            yield Fault(
                f"models.{index}.{model.name}",
                "cannot be promised by linked tables, whose quasi-identifiers are as they were",
                f'Keep {names}, or set release.form to "table".',
            )
        elif model.l < FEWEST_VALUES:
            yield Fault(
                f"models.{index}.{model.name}.l", "is below 2, which hides nothing", "Raise it."
            )
    if not policy.models:
        yield Fault("models", "no model is named", f"Add one of {names}.")


def _column_faults(policy: Policy) -> Iterator[Fault]:
    """Find columns whose names or words do not fit."""
    sensitive = policy.named(Role.SENSITIVE)
    for name in sorted(policy.columns.keys() & {GROUP, *({COUNT} & set(sensitive))}):
        yield Fault(
            f"columns.{name}", "has the name of a column of the linked tables", "Rename it."
        )
    for name, column in policy.columns.items():
        if name in sensitive and column.protect is not None:
            yield Fault(
                f"columns.{name}.protect", "is not needed beside linked tables", "Leave it out."
            )
        elif column.protect is not None and column.protect.stage is Stage.CLASSES:
            yield Fault(
                f"columns.{name}.protect",
                "acts on equivalence classes, which linked tables do not have",
                "Choose another protection.",
            )
        if column.min_level > 0:
            yield Fault(
                f"columns.{name}.min_level",
                "is above 0, but linked tables are not generalized",
                "Leave it out.",
            )
