"""The protections of a policy, and the columns that each of them protects together."""

from __future__ import annotations

from collections.abc import Mapping

from indistinct.masks import Protection


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
