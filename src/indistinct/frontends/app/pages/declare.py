"""Setting up a table for questions: which column tells persons apart, and what may be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import FormData

from indistinct.errors import DataError, Fault, IndistinctError, ParameterError
from indistinct.frontends.app.declared import SaidReading
from indistinct.frontends.app.number_words import typed
from indistinct.frontends.app.pages.answers import said
from indistinct.frontends.app.sources import place_of
from indistinct.frontends.app.state import AppState
from indistinct.frontends.app.texts import text
from indistinct.tables.core import Role
from indistinct.tables.policy import Policy

# How a file is read beyond what questions read: UTF-8, names in the first line, then records.
OTHERWISE = frozenset({"encoding", "skip_rows", "skip_last", "quote", "escape"})
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
    _check_as_it_is(state, data)
    types = state.looks.sql_types(place_of(state.start, data)).result()
    columns = tuple(
        DeclaredColumn(number, name, kind.startswith(NUMBERS))
        for number, (name, kind) in enumerate(types.items())
    )
    return Setup(data, columns, _person(state, data, list(types)))


def _check_as_it_is(state: AppState, data: str) -> None:
    """Refuse a file that questions would read in another way than the page of the data.

    Raises
    ------
    DataError
        when its names do not stand in the first line, or its letters are not UTF-8
    """
    place = place_of(state.start, data)
    is_open = state.project is not None and state.project.data == data
    reading = state.project.reading if is_open and state.project is not None else SaidReading()
    found = state.looks.first_rows(place, reading).result().preview.reading
    if OTHERWISE & {*found} or found.get("header", 1) != 1:
        problem, remedy = text("questions.read_otherwise"), text("questions.read_otherwise_remedy")
        raise DataError([Fault(data, problem, remedy)])


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
        low, high = (typed(said(form, f"{end}-{column.number}")) for end in ("low", "high"))
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
