"""The columns of a release as metadata describe them: type, role, what was done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from indistinct.policy.policy import Policy


class MetadataType(StrEnum):
    """What the cells of a column are."""

    WHOLE = "integer"
    NUMBER = "number"
    DATE = "date"
    TRUTH = "boolean"
    TEXT = "string"


@dataclass(frozen=True, slots=True)
class DescribedColumn:
    """A column of a release.

    Parameters
    ----------
    name : as released
    kind : of its cells
    about : one sentence
    """

    name: str
    kind: MetadataType
    about: str


def described(types: Mapping[str, object], policy: Policy) -> list[DescribedColumn]:
    """Describe the columns of a release.

    Parameters
    ----------
    types : by column name, the type as the library of frames names it, such as ``Int64``
    policy : tells the roles
    """
    return [
        DescribedColumn(name, _kind(str(kind)), _about(name, policy))
        for name, kind in types.items()
    ]


def _kind(written: str) -> MetadataType:
    """Read the name of a type."""
    if written.startswith(("Int", "UInt")):
        return MetadataType.WHOLE
    if written.startswith(("Float", "Decimal")):
        return MetadataType.NUMBER
    return {"Date": MetadataType.DATE, "Boolean": MetadataType.TRUTH}.get(
        written, MetadataType.TEXT
    )


def _about(name: str, policy: Policy) -> str:
    """Return what a column is, and what was done to it."""
    own = name if name in policy.columns else name.removesuffix("_min").removesuffix("_max")
    if own not in policy.columns:
        return "A column that the release adds."
    role = policy.columns[own].role.value
    if own in policy.protections:
        return f"Role: {role}. Protected by {policy.protections[own].name}."
    if own in policy.class_names:
        return f"Role: {role}. Made coarser where the promise needs it; * stands for any value."
    return f"Role: {role}. Released as it was."
