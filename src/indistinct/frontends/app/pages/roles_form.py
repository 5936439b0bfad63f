"""The form of the roles: what it says, and the policy that follows from it."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from starlette.datastructures import FormData

from indistinct.frontends.app.edits import EditedWords, with_roles
from indistinct.frontends.app.pages.answers import said
from indistinct.tables.core import Role

ROLES = tuple(role.value for role in Role)


@dataclass(frozen=True, slots=True)
class SaidRoles:
    """What the form of the roles says.

    Parameters
    ----------
    roles : per column
    checked : columns whose role somebody checked
    picked : columns that are to get a role together
    reasons : per column whose field the form has, the reason that somebody wrote
    """

    roles: Mapping[str, str]
    checked: frozenset[str]
    picked: frozenset[str]
    reasons: Mapping[str, str]


def said_roles(columns: Mapping[str, Mapping[str, Any]], form: FormData) -> SaidRoles:
    """Read the form; a column that it does not name keeps its role.

    Parameters
    ----------
    columns : of the policy
    """
    numbered = list(enumerate(columns))
    roles = {
        name: given if (given := said(form, f"role-{n}")) in ROLES else str(columns[name]["role"])
        for n, name in numbered
    }
    picked = frozenset(name for n, name in numbered if said(form, f"pick-{n}"))
    checked = {name for n, name in numbered if said(form, f"checked-{n}") or said(form, "all")}
    # Nobody can confirm a role that is none.
    checked -= {name for name, role in roles.items() if role == Role.UNDECIDED.value}
    return SaidRoles(
        roles,
        frozenset(checked),
        picked,
        {name: said(form, f"reason-{n}").strip() for n, name in numbered if f"reason-{n}" in form},
    )


def with_picked(given: SaidRoles, role: str) -> SaidRoles:
    """Return the roles with one for the picked columns, which are then checked."""
    roles = {**given.roles, **dict.fromkeys(given.picked, role)}
    return replace(given, roles=roles, checked=given.checked | given.picked, picked=frozenset())


def policy_of(words: Mapping[str, Any], said: SaidRoles, found: Mapping[str, str]) -> EditedWords:
    """Return the words of the policy that a form asks for.

    Parameters
    ----------
    found : per column, the reason of the suggested role
    """
    changed = copy.deepcopy(with_roles(words, said.roles))
    for name, reason in said.reasons.items():
        column = changed["columns"][name]
        is_same = column["role"] == words["columns"][name]["role"]
        kept = reason or (found.get(name, "") if is_same else "")
        column.pop("reason", None)
        if kept:
            column["reason"] = kept
    return changed
