"""The columns of a release as metadata describe them: type, role, what was done."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from indistinct.tables.masks import Protection
from indistinct.tables.policy import Policy


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
    about = {
        name: f"Role: {column.role.value}. {_done(name, policy.protections, policy.class_names)}"
        for name, column in policy.columns.items()
    }
    found: list[DescribedColumn] = []
    for name, kind in types.items():
        own = name if name in about else name.removesuffix("_min").removesuffix("_max")
        said = about.get(own, "A column that the release adds.")
        found.append(DescribedColumn(name, _kind(str(kind)), said))
    return found


def _kind(written: str) -> MetadataType:
    """Read the name of a type."""
    if written.startswith(("Int", "UInt")):
        return MetadataType.WHOLE
    if written.startswith(("Float", "Decimal")):
        return MetadataType.NUMBER
    return {"Date": MetadataType.DATE, "Boolean": MetadataType.TRUTH}.get(
        written, MetadataType.TEXT
    )


def _done(name: str, protections: Mapping[str, Protection], class_names: Collection[str]) -> str:
    """Return what was done to a column."""
    if name in protections:
        return f"Protected by {protections[name].name}."
    if name in class_names:
        return "Made coarser where the promise needs it; * stands for any value."
    return "Released as it was."
