"""What a policy cannot ask for together with a history of earlier releases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from indistinct.core.schema import Role
from indistinct.errors import Fault
from indistinct.models import BoundedModel, MInvariance
from indistinct.policy.linked_form import GROUP
from indistinct.policy.tables import PolicyTables


def invariant_model(models: Sequence[BoundedModel]) -> MInvariance | None:
    """Give the model of all releases together, if a policy names it."""
    return next((model for model in models if isinstance(model, MInvariance)), None)


def republication_faults(policy: PolicyTables) -> Iterator[Fault]:
    """Find what contradicts m-invariance, or the column that says who is who."""
    yield from _person_faults(policy)
    model = invariant_model(policy.models)
    if (model is None) == policy.algorithm.republishes:
        named = "m-invariance" if model is None else 'algorithm = "invariant"'
        other = 'algorithm = "invariant"' if model is None else "m-invariance"
        yield Fault(
            "method.algorithm",
            f"{other} goes with {named} alone",
            f"Add {named}, or choose another {'algorithm' if model is None else 'model'}.",
        )
    if model is None:
        yield from _class_faults(policy)
        return
    if policy.history is None:
        yield Fault(
            "history.person",
            "is missing, and m-invariance must know who is who in all releases",
            'Add the table [history] with person = "COLUMN".',
        )
    for index, other in enumerate(policy.models):
        if other is not model:
            yield Fault(
                f"models.{index}.{other.name}",
                "cannot be promised beside m-invariance, whose groups have counterfeits in them",
                "Leave one of them out.",
            )
    yield from _column_faults(policy, model.column)
    yield from _form_faults(policy)


def _person_faults(policy: PolicyTables) -> Iterator[Fault]:
    """Find a column of persons that would be published, or that another word contradicts."""
    if policy.history is None:
        return
    name = policy.history.person
    column = policy.columns.get(name)
    if column is None or column.role is not Role.IDENTIFIER:
        yield Fault(
            "history.person",
            f'"{name}" is not an identifier of this policy',
            f'Give columns.{name} the role "identifier", so that it is left out.',
        )
    elif column.protect is not None:
        yield Fault(
            f"columns.{name}.protect",
            "would keep the column of persons in every release, which links them",
            "Leave the protection out.",
        )


def _class_faults(policy: PolicyTables) -> Iterator[Fault]:
    """Find forms whose classes cannot be compared with those of earlier releases."""
    if policy.history is None:
        return
    for word, said, plain in (
        ("form", policy.release.form, "table"),
        ("suppressed_cell", policy.release.suppressed_cell, "value"),
    ):
        if said != plain:
            yield Fault(
                f"release.{word}",
                f'"{said}" has no classes of equal cells, which a history compares',
                f'Set it to "{plain}", or leave out the table [history].',
            )


def _column_faults(policy: PolicyTables, sensitive: str) -> Iterator[Fault]:
    """Find columns that m-invariance says nothing of, or that have a name of the release's own."""
    for name, column in policy.columns.items():
        if column.role is Role.SENSITIVE and name != sensitive:
            yield Fault(
                f"columns.{name}",
                "is a second sensitive column, of which m-invariance promises nothing",
                "Leave it out, as an identifier, or release it apart.",
            )
        elif column.protect is not None:
            yield Fault(
                f"columns.{name}.protect",
                "is not possible beside m-invariance",
                "Leave the protection out.",
            )
        if name == GROUP and column.role is not Role.IDENTIFIER and policy.release.form == "table":
            yield Fault(f"columns.{name}", "has the name of a column of the release", "Rename it.")


def _form_faults(policy: PolicyTables) -> Iterator[Fault]:
    """Find what one table of groups with counterfeits does not have."""
    if policy.release.form == "table":
        for word in policy.release.model_dump(exclude_defaults=True):
            yield Fault(f"release.{word}", "is not possible beside m-invariance", "Leave it out.")
    if policy.data.person is not None:
        yield Fault(
            "data.person",
            "is not possible beside m-invariance, which takes one record per person",
            "Leave it out: history.person says who is who.",
        )
