"""Step 2: the role of every column, confirmed by a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from indistinct.app.edits import measurable, with_roles
from indistinct.app.pages.answers import said, then
from indistinct.app.screen import options, piece, shown
from indistinct.app.state import AppState, settled
from indistinct.app.texts import text
from indistinct.core.schema import Role
from indistinct.errors import Fault, IndistinctError, PolicyError
from indistinct.policy.policy import Policy
from indistinct.publish.inspection import ColumnReport, JointRisk
from indistinct.report.number_texts import percent

ROLES = tuple(role.value for role in Role)
DECIDED = tuple(role.value for role in Role if role is not Role.UNDECIDED)


@dataclass(frozen=True, slots=True)
class Row:
    """One column of the table, as the page shows it."""

    name: str
    role: str
    confirmed: bool
    type: str
    distinct: int
    missing: int
    separation: float
    why: str


@dataclass(frozen=True, slots=True)
class SeparationMeasure:
    """Which columns find people together, as far as it is known.

    Parameters
    ----------
    problem : why it cannot be measured; empty where it can
    waits : whether it is still being measured
    """

    problem: str = ""
    waits: bool = False
    together: JointRisk | None = None


def page(
    state: AppState,
    faults: tuple[Fault, ...] = (),
    roles: Mapping[str, str] | None = None,
    measured: SeparationMeasure | None = None,
) -> Response:
    """Show the page, with what its form was refused for.

    Parameters
    ----------
    roles : that the form says and that are not saved yet
    """
    project = state.opened()
    rows: list[Row] = []
    try:
        found = settled(state.looks.inspection(project.source, project.reading))
    except IndistinctError as error:
        found, faults = None, (*faults, *error.faults)
    if found is not None:
        known = {column.name: column for column in found.columns}
        rows = [_row(state, known[name]) for name in project.words["columns"] if name in known]
    if roles is not None:
        rows = [replace(row, role=roles[row.name]) for row in rows]
    n_open = len(project.unconfirmed())
    return shown(
        state,
        "roles",
        faults=faults,
        columns=rows,
        roles=options(ROLES, "role"),
        meanings=options(DECIDED, "role"),
        n_open=n_open,
        measured=measured,
    )


def save(state: AppState, form: FormData) -> Response:
    """Set the roles, and who confirmed them."""
    project = state.opened()
    names = list(project.words["columns"])
    roles = _roles(state, form)
    everything = said(form, "all") == "yes"
    checked = {name for n, name in enumerate(names) if said(form, f"checked-{n}") or everything}
    # Nobody can confirm a role that is none.
    checked -= {name for name in names if roles[name] == Role.UNDECIDED.value}
    changed = [name for name in names if roles[name] != project.words["columns"][name]["role"]]
    what = _what(changed, roles, len(checked))
    try:
        state.change(with_roles(project.words, roles), what, frozenset(checked))
    except PolicyError as error:
        return page(state, error.faults)
    return then("/roles" if len(checked) < len(names) else "/hierarchies")


def together(state: AppState, request: Request, form: FormData) -> Response:
    """Measure which columns find people together, by the roles that the form says now.

    A script asks for this part of the page; a form without script gets the whole page.
    """
    roles = _roles(state, form)
    measured = _measured(state, roles)
    if request.headers.get("hx-request") is None:
        return page(state, roles=roles, measured=measured)
    return piece(state, "together", measured=measured)


def _measured(state: AppState, roles: Mapping[str, str]) -> SeparationMeasure:
    """Measure which columns find people together."""
    project = state.opened()
    try:
        words = with_roles(project.words, roles)
        policy = Policy.from_words(measurable(words), project.folder)
        known = policy.named(Role.QUASI_IDENTIFIER)
        measuring = state.looks.together(project.source, project.reading, tuple(known))
        found = settled(measuring)
    except IndistinctError as error:
        return SeparationMeasure(problem=str(error.faults[0].problem))
    return SeparationMeasure(waits=not measuring.done(), together=found)


def _roles(state: AppState, form: FormData) -> dict[str, str]:
    """Read the roles of a form; a column that it does not name keeps its own."""
    columns = state.opened().words["columns"]
    return {
        name: given if (given := said(form, f"role-{number}")) in ROLES else column["role"]
        for number, (name, column) in enumerate(columns.items())
    }


def _row(state: AppState, column: ColumnReport) -> Row:
    """Return what is known of a column."""
    project = state.opened()
    role = project.words["columns"][column.name]["role"]
    name = "roles.why" if column.likely in {None, column.role} else "roles.likely"
    why = text(name, role=text(f"role.{column.likely or column.role}"), reason=column.reason)
    if column.cost is not None:
        why = f"{why} {text('roles.cost', share=percent(column.cost))}"
    return Row(
        column.name,
        role,
        column.name in project.confirmed,
        text(f"type.{column.type}"),
        column.distinct,
        column.missing,
        column.separation,
        why,
    )


def _what(changed: list[str], roles: dict[str, str], n_checked: int) -> str:
    """Return what was done."""
    if len(changed) == 1:
        name = changed[0]
        return text("did.role", column=name, role=text(f"role.{roles[name]}"))
    if changed:
        return text("did.roles", number=len(changed))
    return text("did.confirmed", number=n_checked)
