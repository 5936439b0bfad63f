"""Step 2: the role of every column, confirmed by a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from indistinct.app.desk import AppState, settled
from indistinct.app.edits import measurable, with_roles
from indistinct.app.pages.answers import said, then
from indistinct.app.screen import options, piece, shown
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
    desk: AppState,
    faults: tuple[Fault, ...] = (),
    roles: Mapping[str, str] | None = None,
    measured: SeparationMeasure | None = None,
) -> Response:
    """Show the page, with what its form was refused for.

    Parameters
    ----------
    roles : that the form says and that are not saved yet
    """
    project = desk.opened()
    rows: list[Row] = []
    try:
        found = settled(desk.looks.inspection(project.source))
    except IndistinctError as error:
        found, faults = None, (*faults, *error.faults)
    if found is not None:
        known = {column.name: column for column in found.columns}
        rows = [_row(desk, known[name]) for name in project.words["columns"] if name in known]
    if roles is not None:
        rows = [replace(row, role=roles[row.name]) for row in rows]
    n_open = len(project.unconfirmed())
    return shown(
        desk,
        "roles",
        faults=faults,
        columns=rows,
        roles=options(ROLES, "role"),
        meanings=options(DECIDED, "role"),
        n_open=n_open,
        measured=measured,
    )


def save(desk: AppState, form: FormData) -> Response:
    """Set the roles, and who confirmed them."""
    project = desk.opened()
    names = list(project.words["columns"])
    roles = _roles(desk, form)
    everything = said(form, "all") == "yes"
    checked = {name for n, name in enumerate(names) if said(form, f"checked-{n}") or everything}
    # Nobody can confirm a role that is none.
    checked -= {name for name in names if roles[name] == Role.UNDECIDED.value}
    changed = [name for name in names if roles[name] != project.words["columns"][name]["role"]]
    what = _what(changed, roles, len(checked))
    try:
        desk.change(with_roles(project.words, roles), what, frozenset(checked))
    except PolicyError as error:
        return page(desk, error.faults)
    return then("/roles" if len(checked) < len(names) else "/hierarchies")


def together(desk: AppState, request: Request, form: FormData) -> Response:
    """Measure which columns find people together, by the roles that the form says now.

    A script asks for this part of the page; a form without script gets the whole page.
    """
    roles = _roles(desk, form)
    measured = _measured(desk, roles)
    if request.headers.get("hx-request") is None:
        return page(desk, roles=roles, measured=measured)
    return piece(desk, "together", measured=measured)


def _measured(desk: AppState, roles: Mapping[str, str]) -> SeparationMeasure:
    """Measure which columns find people together."""
    project = desk.opened()
    try:
        words = with_roles(project.words, roles)
        policy = Policy.from_words(measurable(words), project.folder)
        measuring = desk.looks.together(project.source, policy)
        found = settled(measuring)
    except IndistinctError as error:
        return SeparationMeasure(problem=str(error.faults[0].problem))
    return SeparationMeasure(waits=not measuring.done(), together=found)


def _roles(desk: AppState, form: FormData) -> dict[str, str]:
    """Read the roles of a form; a column that it does not name keeps its own."""
    columns = desk.opened().words["columns"]
    return {
        name: given if (given := said(form, f"role-{number}")) in ROLES else column["role"]
        for number, (name, column) in enumerate(columns.items())
    }


def _row(desk: AppState, column: ColumnReport) -> Row:
    """Return what is known of a column."""
    project = desk.opened()
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
