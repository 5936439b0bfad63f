"""What one table says of the columns of another: keys, and columns of the same name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from indistinct.core.schema import Role
from indistinct.drafting.links import SuggestedLinks
from indistinct.publish.inspection import ColumnReport, Inspection

# What leads to one row of a table may repeat in another one.
TOLD = frozenset({Role.QUASI_IDENTIFIER, Role.SENSITIVE, Role.INSENSITIVE})


def agreed(tables: Mapping[str, Inspection], links: SuggestedLinks) -> dict[str, Inspection]:
    """Return the tables, with the roles that other tables give their columns.

    A column with the name of a key, which leads to no row, is an identifier. A column that nobody
    can decide on has the role that one of the same name has in another table.

    Parameters
    ----------
    links : the keys and references; their columns have no role
    """
    keys = {key: name for name, key in links.keys.items()}
    decided: dict[str, tuple[str, ColumnReport]] = {}
    for name, table in tables.items():
        for column in table.columns:
            if column.role in TOLD and not _is_key(links, name, column.name):
                decided.setdefault(column.name, (name, column))
    return {
        name: replace(
            table,
            columns=tuple(
                column
                if _is_key(links, name, column.name)
                else _as_elsewhere(column, keys.get(column.name), decided.get(column.name))
                for column in table.columns
            ),
        )
        for name, table in tables.items()
    }


def _is_key(links: SuggestedLinks, name: str, column: str) -> bool:
    """Return whether a column is a key, or leads to one."""
    return links.keys.get(name) == column or column in links.references.get(name, {})


def _as_elsewhere(
    column: ColumnReport, key_of: str | None, other: tuple[str, ColumnReport] | None
) -> ColumnReport:
    """Return a column with the role that another table gives it."""
    if key_of is not None:
        reason = f"It has the name of the key of {key_of}."
        return replace(column, role=Role.IDENTIFIER.value, reason=reason, likely=None)
    if column.role != Role.UNDECIDED or other is None:
        return column
    name, like = other
    return replace(
        column,
        role=like.role,
        confidence=like.confidence,
        reason=f"As in {name}: {like.reason}",
        likely=None,
    )
