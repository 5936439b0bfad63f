"""Models of columns that a policy does not have as the model reads them."""

from __future__ import annotations

from collections.abc import Iterable

from indistinct.core.distances import Distance
from indistinct.core.protocols import Scope
from indistinct.core.schema import Role
from indistinct.errors import Fault
from indistinct.models import BoundedModel
from indistinct.policy.tables import PolicyTables


def model_faults(policy: PolicyTables) -> Iterable[Fault]:
    """Find what is wrong between the models and the columns they read."""
    for index, model in enumerate(policy.models):
        yield from _column_faults(policy, index, model)
        if model.scope is Scope.REGION and policy.release.intervals == "midpoint":
            yield Fault(
                "release.intervals",
                "midpoints do not show which numbers they represent, so it is impossible to find "
                f"the larger sets around a class with which {model.name} compares it",
                'Set it to "label" or "bounds".',
            )


def _column_faults(policy: PolicyTables, index: int, model: BoundedModel) -> Iterable[Fault]:
    """Find what is wrong between one model and the columns it reads."""
    place = f"models.{index}.{model.name}"
    for name in model.columns:
        column = policy.columns.get(name)
        if column is None or column.role is not Role.SENSITIVE:
            yield Fault(
                f"{place}.column",
                f'"{name}" is not a sensitive column of this policy',
                f'Give columns.{name} the role "sensitive".',
            )
        elif column.hierarchy is None and _reads_tree(model):
            yield Fault(
                f"columns.{name}.hierarchy",
                f"is missing, and {model.name} measures along it",
                "Add a hierarchy, or choose another distance.",
            )


def _reads_tree(model: BoundedModel) -> bool:
    """Tell whether a model measures along the hierarchy of its column."""
    distance: Distance | None = getattr(model, "measured_by", None)
    return distance is not None and distance.reads_tree
