"""Step 2: the role of every column, confirmed by a person."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup, escape
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from indistinct.errors import Fault, IndistinctError
from indistinct.frontends.app.coded_texts import columns_of, fault_text, spoken, spoken_sentences
from indistinct.frontends.app.edits import measurable, with_roles
from indistinct.frontends.app.hidden_columns import hidden_in, shown_again, with_hidden
from indistinct.frontends.app.number_words import listed, percent
from indistinct.frontends.app.pages.answers import said, then, whole
from indistinct.frontends.app.pages.roles_form import (
    ROLES,
    SaidRoles,
    policy_of,
    said_roles,
    with_picked,
)
from indistinct.frontends.app.project import PEOPLE
from indistinct.frontends.app.screen import options, piece, shown
from indistinct.frontends.app.state import AppState, settled
from indistinct.frontends.app.texts import text
from indistinct.tables.core import Role
from indistinct.tables.drafting import Doubt
from indistinct.tables.policy import Policy
from indistinct.tables.publish import ColumnReport, Inspection, JointRisk

DECIDED = tuple(role for role in ROLES if role != Role.UNDECIDED.value)
SENTENCES = re.compile(r"(?<=[.!?]) (?=[A-Z0-9])")
MOST_SHOWN = 8  # columns that others may know, beyond which a draft may hide some
EXAMPLES, LONGEST_EXAMPLE = 3, 40


@dataclass(frozen=True, slots=True)
class Row:
    """One column of the table, as the page shows it.

    Parameters
    ----------
    number : of the column in the policy
    why, further : the reason of the program in a line, and what else it says
    reason : that somebody wrote; empty where nobody did
    examples : of its values, where somebody asked for them
    """

    number: int
    name: str
    role: str
    checked: bool
    picked: bool
    type: str
    distinct: int
    missing: int
    separation: float
    why: Markup
    further: Markup
    reason: str
    examples: Sequence[str]


@dataclass(frozen=True, slots=True)
class RoleAnswer:
    """One of the two answers to a question about roles.

    Parameters
    ----------
    label : of its button
    facts : what speaks for it; what the role means where nothing does
    against : what speaks against it
    """

    label: str
    facts: Sequence[str]
    against: Sequence[str]


@dataclass(frozen=True, slots=True)
class RoleQuestion:
    """A question about the roles of some columns.

    Parameters
    ----------
    number : among the questions of the table
    columns : whose roles an answer decides, in short
    said : what is known, and what decides
    """

    number: int
    columns: str
    said: str
    answers: Sequence[RoleAnswer]


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
    given: SaidRoles | None = None,
    measured: SeparationMeasure | None = None,
    *,
    examples: bool = False,
) -> Response:
    """Show the page, with what its form was refused for.

    Parameters
    ----------
    given : what the form says and is not saved yet
    examples : whether values of each column are shown
    """
    project = state.opened()
    found: Inspection | None = None
    said_of_trial = ""
    try:
        found = _inspected(state)
        said_of_trial = tried_again(state)
    except IndistinctError as error:
        faults = (*faults, *error.faults)
    shown_values = _examples(state) if examples else {}
    known = {} if found is None else {column.name: column for column in found.columns}
    rows = [
        _row(state, number, known[name], given, shown_values.get(name, ()))
        for number, name in enumerate(project.words["columns"])
        if name in known
    ]
    # What is open comes first.
    rows.sort(key=lambda row: row.role != Role.UNDECIDED.value)
    return shown(
        state,
        "roles",
        faults=faults,
        columns=rows,
        roles=options(ROLES, "role"),
        meanings=options(DECIDED, "role"),
        n_open=len(project.unconfirmed()),
        questions=[] if found is None else list(_questions(state, found)),
        hidden=hidden_in(project.words),
        tried=said_of_trial,
        measured=measured,
        examples=examples,
    )


def save(state: AppState, form: FormData) -> Response:
    """Set the roles, and who confirmed them."""
    columns = state.opened().words["columns"]
    given = said_roles(columns, form)
    return _saved(state, given, "/hierarchies" if len(given.checked) == len(columns) else "/roles")


def set_several(state: AppState, form: FormData) -> Response:
    """Set one role for several columns."""
    given = said_roles(state.opened().words["columns"], form)
    if (role := said(form, "several")) not in DECIDED or not given.picked:
        fault = Fault("", text("roles.none_ticked"), text("roles.none_ticked_remedy"))
        return page(state, (fault,), given)
    return _saved(state, with_picked(given, role), "/roles")


def answer(state: AppState, form: FormData) -> Response:
    """Set the role that was answered for the columns of a question; what the form says is kept."""
    given = said_roles(state.opened().words["columns"], form)
    number, _, place = said(form, "answer").partition("-")
    doubts: Sequence[Doubt] = () if (found := _inspected(state)) is None else found.doubts
    if not (0 <= whole(number) < len(doubts) and place in {"0", "1"}):
        return then("/roles")
    doubt = doubts[int(number)]
    about = frozenset({*doubt.about} & given.roles.keys())
    decided = with_picked(replace(given, picked=about), doubt.candidates[int(place)].answer)
    return _saved(state, decided, "/roles")


def keep(state: AppState, form: FormData) -> Response:
    """Show a column that was hidden from the start."""
    project, name = state.opened(), said(form, "column")
    if name in hidden_in(project.words):
        words = shown_again(project.words, name)
        state.change(words, text("did.keep", column=name), project.confirmed)
    return then("/roles")


def tried_again(state: AppState) -> str:
    """Hide the columns that a trial with the roles as they are asks for, once it has ended.

    Returns
    -------
    what changed, or that it is being tried; empty where nothing is to be said
    """
    project = state.opened()
    roles = project.roles
    key = json.dumps(roles)
    if project.tried == key:
        return ""
    hidden = settled(state.looks.hidden(project.source, project.reading, roles), 0)
    if hidden is None:
        return text("roles.trying") if _is_long(project.words) else ""
    project.tried = key
    before = set(hidden_in(project.words))
    words = with_hidden(project.words, hidden)
    after = set(hidden_in(words))
    if words == project.words:
        return ""
    state.change(words, text("did.hidden", number=len(after)), project.confirmed)
    shown_now = before - after
    return text("roles.shown_again", columns=listed(sorted(shown_now))) if shown_now else ""


def _is_long(words: Mapping[str, Any]) -> bool:
    """Return whether so many columns may be known that a draft hides some, or did before."""
    roles = [one["role"] for one in words["columns"].values()]
    return bool(hidden_in(words)) or roles.count(Role.QUASI_IDENTIFIER.value) > MOST_SHOWN


def _questions(state: AppState, found: Inspection) -> Iterator[RoleQuestion]:
    """Yield what is still asked about roles, by number."""
    columns = state.opened().words["columns"]
    for number, one in enumerate(found.doubts):
        is_open = any(
            columns.get(name, {}).get("role") == Role.UNDECIDED.value for name in one.about
        )
        if one.kind == "role" and is_open:
            answers = [
                RoleAnswer(
                    text(f"role.{each.answer}"),
                    [*map(spoken, each.for_)] or [text(f"role_means.{each.answer}")],
                    [*map(spoken, each.against)],
                )
                for each in one.candidates
            ]
            yield RoleQuestion(number, columns_of(one), one.text, answers)


def _saved(state: AppState, given: SaidRoles, following: str) -> Response:
    """Make what a form says the policy."""
    project = state.opened()
    columns = project.words["columns"]
    changed = [name for name in columns if given.roles[name] != columns[name]["role"]]
    what = _what(changed, given.roles, len(given.checked))
    try:
        found = _inspected(state)
        reasons = {} if found is None else {one.name: one.reason for one in found.columns}
        confirmed = given.checked | (project.confirmed & {PEOPLE})
        state.change(policy_of(project.words, given, reasons), what, confirmed)
    except IndistinctError as error:
        return page(state, error.faults, given)
    return then(following)


def show_examples(state: AppState, form: FormData) -> Response:
    """Show some values of each column; what the form says is kept."""
    return page(state, given=said_roles(state.opened().words["columns"], form), examples=True)


def together(state: AppState, request: Request, form: FormData) -> Response:
    """Measure which columns find people together, by the roles that the form says now.

    A script asks for this part of the page; a form without script gets the whole page.
    """
    given = said_roles(state.opened().words["columns"], form)
    measured = _measured(state, given.roles)
    if request.headers.get("hx-request") is None:
        return page(state, given=given, measured=measured)
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
        return SeparationMeasure(problem=fault_text(error.faults[0]))
    return SeparationMeasure(waits=not measuring.done(), together=found)


def _inspected(state: AppState) -> Inspection | None:
    """Return what is known of the columns; None while the table is being read."""
    project = state.opened()
    return settled(state.looks.inspection(project.source, project.reading))


def _row(
    state: AppState,
    number: int,
    column: ColumnReport,
    given: SaidRoles | None,
    examples: Sequence[str],
) -> Row:
    """Return what is known of a column, and what the form says of it."""
    project = state.opened()
    words = project.words["columns"][column.name]
    why, further = _sentences(column)
    reason = words.get("reason", "")
    if words["role"] == Role.UNDECIDED.value:
        reason = ""  # it is the question, which stands above
    if SENTENCES.split(reason)[0] == SENTENCES.split(column.reason)[0]:
        reason = ""  # the program's: what it says further depends on how the table was read
    return Row(
        number,
        column.name,
        words["role"] if given is None else given.roles[column.name],
        column.name in (project.confirmed if given is None else given.checked),
        given is not None and column.name in given.picked,
        text(f"type.{column.type}"),
        column.distinct,
        column.missing,
        column.separation,
        why,
        further,
        reason if given is None else given.reasons.get(column.name, reason),
        examples,
    )


def _sentences(column: ColumnReport) -> tuple[Markup, Markup]:
    """Return the first sentence of the reason for a role, and all further ones, in the language."""
    first, *rest = spoken_sentences(column.reason) or [Markup()]
    if column.cost is not None:
        rest.append(escape(text("roles.cost", share=percent(column.cost))))
    return first, Markup(" ").join(rest)


def _examples(state: AppState) -> dict[str, list[str]]:
    """Return the first different values of each column."""
    project = state.opened()
    first = settled(state.looks.first_rows(project.source, project.reading))
    if first is None:
        return {}
    return {
        name: _different([row[place] for row in first.preview.rows])
        for place, name in enumerate(first.preview.names)
    }


def _different(cells: Sequence[str]) -> list[str]:
    """Return the first different values among cells, each cut short."""
    found = dict.fromkeys(cell[:LONGEST_EXAMPLE] for cell in cells if cell)
    return list(found)[:EXAMPLES]


def _what(changed: list[str], roles: Mapping[str, str], n_checked: int) -> str:
    """Return what was done."""
    if len(changed) == 1:
        name = changed[0]
        return text("did.role", column=name, role=text(f"role.{roles[name]}"))
    if changed:
        return text("did.roles", number=len(changed))
    return text("did.confirmed", number=n_checked)
