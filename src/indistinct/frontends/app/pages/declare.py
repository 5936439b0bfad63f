"""Setting up a table for questions: which column tells persons apart, and what may be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import FormData

from indistinct.errors import Fault, IndistinctError, ParameterError
from indistinct.frontends.app.pages.answers import said
from indistinct.frontends.app.sources import place_of
from indistinct.frontends.app.state import AppState
from indistinct.frontends.app.texts import text
from indistinct.tables.core import Role
from indistinct.tables.policy import Policy

NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "FLOAT", "DOUBLE", "DECIMAL")


@dataclass(frozen=True, slots=True)
class DeclaredColumn:
    """A column that may be asked about."""

    number: int
    name: str
    is_number: bool


@dataclass(frozen=True, slots=True)
class Setup:
    """A table that is to be set up.

    Parameters
    ----------
    data : its path from the start folder
    person : the column that most likely tells persons apart
    """

    data: str
    columns: tuple[DeclaredColumn, ...]
    person: str


def setup_of(state: AppState, data: str) -> Setup | None:
    """Describe a table that is to be set up; None where none is chosen.

    Raises
    ------
    DataError
        when the table cannot be read
    """
    if not data:
        return None
    types = state.looks.sql_types(place_of(state.start, data)).result()
    columns = tuple(
        DeclaredColumn(number, name, kind.startswith(NUMBERS))
        for number, (name, kind) in enumerate(types.items())
    )
    return Setup(data, columns, _person(state, data, list(types)))


def asked_for(setup: Setup, form: FormData) -> Mapping[str, Any]:
    """Read the bounds and values of a form.

    Raises
    ------
    ParameterError
        when a bound is no number or has no other end; all faults at once
    """
    bounds: dict[str, tuple[str, str]] = {}
    values: dict[str, list[str]] = {}
    faults: list[Fault] = []
    for column in setup.columns:
        low, high = (said(form, f"{end}-{column.number}").strip() for end in ("low", "high"))
        listed = [one.strip() for one in said(form, f"values-{column.number}").split(",")]
        if low or high:
            bounds[column.name] = (low, high)
            if not (_is_number(low) and _is_number(high)):
                problem, remedy = text("questions.bad_bounds"), text("questions.bad_bounds_remedy")
                faults.append(Fault(column.name, problem, remedy))
        if any(listed):
            values[column.name] = [one for one in listed if one]
    if faults:
        raise ParameterError(faults)
    return {"bounds": bounds, "values": values}


def _is_number(given: str) -> bool:
    """Return whether a text is a number."""
    try:
        float(given)
    except ValueError:
        return False
    return True


def _person(state: AppState, data: str, names: list[str]) -> str:
    """Guess the column that tells persons apart: an identifier of the project, or the first."""
    project = state.project
    if project is None or project.data != data:
        return names[0] if names else ""
    try:
        policy: Policy = project.policy()
    except IndistinctError:
        return names[0]
    known = [name for name in policy.named(Role.IDENTIFIER) if name in names]
    return known[0] if known else names[0]
