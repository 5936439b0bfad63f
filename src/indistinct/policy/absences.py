"""What every policy needs, looked for in its words before they are checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from indistinct.core.schema import Role
from indistinct.errors import Fault


def absences(words: Mapping[str, Any]) -> Iterable[Fault]:
    """Find what every policy needs and this one lacks."""
    given: object = words.get("columns") or {}
    if not isinstance(given, Mapping):
        return
    columns = cast("Mapping[str, object]", given)
    if any(map(_is_protected, columns.values())):
        return
    if Role.QUASI_IDENTIFIER not in map(_role_of, columns.values()):
        yield Fault(
            "columns",
            "no column is a quasi-identifier",
            'Give role = "quasi-identifier" to the columns that help to find a person.',
        )
    if not words.get("models"):
        yield Fault("models", "no model is named", 'Add one, e.g. name = "k-anonymity", k = 5.')


def _role_of(column: object) -> object:
    """Return the role of a column, checked or not."""
    if isinstance(column, Mapping):
        return cast("Mapping[str, object]", column).get("role")
    return getattr(column, "role", None)


def _is_protected(column: object) -> bool:
    """Return whether a column, checked or not, names a protection."""
    if isinstance(column, Mapping):
        return "protect" in cast("Mapping[str, object]", column)
    return getattr(column, "protect", None) is not None
