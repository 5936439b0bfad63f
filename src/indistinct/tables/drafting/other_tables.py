"""What the other tables of a folder say of a column that its own table leaves undecided.

The same column of another table may be decided there, and codes may be listed in a table that says
what they mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from indistinct.base.coded_text import sentence
from indistinct.tables.core.schema import Role

LEAST_SHARED = 0.5  # of the values, so that two columns of one name are the same
FEWEST_CODES = 3  # values that a list of codes has
LETTER = re.compile(r"[^\W\d_]")  # numbers are among those of any other table by chance


@dataclass(frozen=True, slots=True)
class ColumnElsewhere:
    """A column of a table, as its own table judges it.

    Parameters
    ----------
    role : suggested
    values : the different ones, none missing
    is_unique : whether each row has its own
    """

    role: Role
    values: frozenset[str]
    is_unique: bool


@dataclass(frozen=True, slots=True)
class RoleElsewhere:
    """A role that another table gives a column, and why."""

    role: Role
    reason: str


Columns = Mapping[str, ColumnElsewhere]


def roles_elsewhere(tables: Mapping[str, Columns]) -> dict[str, dict[str, RoleElsewhere]]:
    """Return per table the undecided columns that the other tables decide, all of them alike."""
    found: dict[str, dict[str, RoleElsewhere]] = {}
    for table, columns in tables.items():
        found[table] = {}
        for name, own in columns.items():
            if own.role is not Role.UNDECIDED or not own.values:
                continue
            said = [
                one
                for other, theirs in tables.items()
                if other != table
                for one in (*_same(name, own, other, theirs), *_listed(own, other, theirs))
            ]
            if len({one.role for one in said}) == 1:
                found[table][name] = said[0]
    return found


def _same(name: str, own: ColumnElsewhere, table: str, columns: Columns) -> Iterator[RoleElsewhere]:
    """Yield the role of the column of the same name that shares its values."""
    for other, theirs in columns.items():
        shared = len(own.values & theirs.values)
        is_same = _plain(other) == _plain(name) and shared >= LEAST_SHARED * len(own.values)
        if is_same and theirs.role is not Role.UNDECIDED:
            yield RoleElsewhere(
                theirs.role,
                sentence(
                    "same-elsewhere",
                    'The table "{column}" has the same column, which is {role} there.',
                    column=table,
                    role=theirs.role.value,
                ),
            )


def _listed(own: ColumnElsewhere, table: str, columns: Columns) -> Iterator[RoleElsewhere]:
    """Yield the role of what codes mean, by a table that lists each of them once."""
    if len(own.values) < FEWEST_CODES or not all(map(LETTER.search, own.values)):
        return
    if not any(one.is_unique and own.values <= one.values for one in columns.values()):
        return
    meant = {
        (one.role, name)
        for name, one in columns.items()
        if one.role in {Role.SENSITIVE, Role.QUASI_IDENTIFIER}
    }
    if len({role for role, _ in meant}) == 1:
        role, name = min(meant)
        said = sentence(
            "listed-elsewhere",
            'The table "{column}" lists its codes; "{other}" says there what they mean. It is '
            "{role}.",
            column=table,
            other=name,
            role=role.value,
        )
        yield RoleElsewhere(role, said)


def _plain(name: str) -> str:
    """Return a name without case and marks between its words."""
    return re.sub(r"[\W_]", "", name).casefold()
