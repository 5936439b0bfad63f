"""Suggest keys and references of several tables: by unique values, contained values and names."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from indistinct.tables.core.key_columns import SEPARATOR

LEAST_VALUES = 2  # different ones, so that to be contained says something


@dataclass(frozen=True, slots=True)
class KeyColumn:
    """A column that may be a key or hold keys: its values, and whether each row has its own."""

    values: frozenset[str]
    is_unique: bool


@dataclass(frozen=True, slots=True)
class SuggestedLinks:
    """How tables seem to hang together.

    Parameters
    ----------
    people : the table of units; None where none is found
    keys : per table that others reference, its key
    references : per table, the columns that hold keys, and of which table
    """

    people: str | None = None
    keys: Mapping[str, str] = field(default_factory=dict[str, str])
    references: Mapping[str, Mapping[str, str]] = field(
        default_factory=dict[str, Mapping[str, str]]
    )


def suggested_links(tables: Mapping[str, Mapping[str, KeyColumn]]) -> SuggestedLinks:
    """Return how tables seem to hang together.

    A column references a key if all its values are among those of the key and one name ends with
    the other. The table of people is the one that references none and that most others lead to.

    Parameters
    ----------
    tables : per table, its columns
    """
    found: dict[str, dict[str, str]] = {name: {} for name in tables}
    keys: dict[str, str] = {}
    for name, columns in tables.items():
        for column, own in columns.items():
            for other, key in _keys_of(tables, name, column, own):
                if keys.setdefault(other, key) == key:
                    found[name].setdefault(column, other)
    reach = {name: sum(name in _above(one, found) for one in tables) for name in keys}
    tops = [name for name in keys if not found[name]]
    people = max(tops, key=reach.__getitem__, default=None)
    if people is None:
        return SuggestedLinks()
    with_people = {people, *(name for name in tables if people in _above(name, found))}
    return SuggestedLinks(
        people,
        {name: key for name, key in keys.items() if name in with_people},
        {
            name: {column: one for column, one in own.items() if one in with_people}
            for name, own in found.items()
            if name in with_people and name != people
        },
    )


def pairs_to_try(
    tables: Mapping[str, Collection[str]], keys: Collection[str]
) -> dict[str, list[str]]:
    """Return per table the pairs of columns that may be a key together, or hold one.

    Two tables have both, and the first is named like a key that was found alone: a patient's
    visits may be numbered from 1 on, and the diagnoses then name the patient and the number.
    """
    found: dict[str, dict[str, None]] = {name: {} for name in tables}
    for name, columns in tables.items():
        for other, there in tables.items():
            both = [one for one in columns if one in there and SEPARATOR not in one]
            if other != name:
                found[name] |= {
                    f"{first}{SEPARATOR} {second}": None
                    for first in both
                    if first in keys
                    for second in both
                    if second not in keys
                }
    return {name: list(pairs) for name, pairs in found.items()}


def _keys_of(
    tables: Mapping[str, Mapping[str, KeyColumn]], name: str, column: str, own: KeyColumn
) -> list[tuple[str, str]]:
    """Return the tables and keys that a column may reference."""
    if len(own.values) < LEAST_VALUES:
        return []
    return [
        (other, key)
        for other, columns in tables.items()
        if other != name
        for key, there in columns.items()
        if there.is_unique and _are_alike(column, key) and own.values <= there.values
        # Of two tables with one row each, that of the more values is above.
        if not own.is_unique or len(there.values) > len(own.values)
    ]


def _are_alike(one: str, other: str) -> bool:
    """Return whether one name ends with the other."""
    first, second = one.lower(), other.lower()
    return first.endswith(second) or second.endswith(first)


def _above(name: str, found: Mapping[str, Mapping[str, str]]) -> set[str]:
    """Return all tables that a table leads to."""
    met, new = set[str](), {*found[name].values()}
    while new - met:
        met |= new
        new = {further for one in new for further in found[one].values()}
    return met
