"""The protections of a policy, and the columns that each of them protects together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from indistinct.errors import Fault
from indistinct.tables.masks import Protection

if TYPE_CHECKING:
    from indistinct.tables.masks import DateShiftProtection


def groups_of(protections: Mapping[str, Protection]) -> list[tuple[Protection, list[str]]]:
    """Return each protection and its columns; those that act jointly share one entry."""
    groups: list[tuple[Protection, list[str]]] = []
    for name, protection in protections.items():
        shared = [names for other, names in groups if protection.jointly and other == protection]
        if shared:
            shared[0].append(name)
        else:
            groups.append((protection, [name]))
    return groups


def shifts_apart(shifts: Mapping[str, DateShiftProtection]) -> Iterator[Fault]:
    """Find columns whose dates would not be moved as those of the first one are."""
    names = list(shifts)
    for name in names[1:]:
        if not shifts[name].agrees_with(shifts[names[0]]):
            yield Fault(
                f"columns.{name}.protect",
                f"shifts dates otherwise than {names[0]} does",
                "Give all the same days, weekday and key; only edges may differ.",
            )
