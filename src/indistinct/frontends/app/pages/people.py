"""Step 2: whose record each is, how many people it stands for, and what joins their records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.responses import Response

from indistinct.errors import Fault, IndistinctError
from indistinct.frontends.app.coded_texts import finding_text
from indistinct.frontends.app.edits import EditedWords
from indistinct.frontends.app.number_words import count
from indistinct.frontends.app.pages.answers import said, then
from indistinct.frontends.app.people_edits import counted_by, joined_by, weighted_by
from indistinct.frontends.app.project import PEOPLE
from indistinct.frontends.app.screen import shown
from indistinct.frontends.app.state import AppState, settled
from indistinct.frontends.app.texts import text
from indistinct.tables.findings import REPEATED, Finding
from indistinct.tables.publish import ColumnReport, Inspection

NUMBERS = ("integer", "number")
TOGETHER, APART = "together", "apart"


@dataclass(frozen=True, slots=True)
class PeopleQuestion:
    """A question about the people in the table.

    Parameters
    ----------
    word : of the form
    chosen : the column that the policy names; empty for none
    suggested : the column that something speaks for; empty for none
    evidence : what speaks for it, in sentences; empty for nothing
    columns : that may be the answer
    """

    word: str
    chosen: str
    suggested: str
    evidence: str
    columns: Sequence[str]


def page(state: AppState, faults: tuple[Fault, ...] = ()) -> Response:
    """Show the questions, with what an answer was refused for."""
    project = state.opened()
    found: Inspection | None = None
    try:
        found = settled(state.looks.inspection(project.source, project.reading))
    except IndistinctError as error:
        faults = (*faults, *error.faults)
    reports = {} if found is None else {one.name: one for one in found.columns}
    data: Mapping[str, Any] = project.words.get("data", {})
    person = data.get("household") or data.get("person") or ""
    people = reports.get(person)
    return shown(
        state,
        "people",
        faults=faults,
        waits=found is None and not faults,
        questions=[] if found is None else _questions(found, reports, data, person),
        person=person,
        is_joined=bool(data.get("household")),
        counted=None
        if people is None or found is None
        else text("people.counted", people=count(people.distinct), rows=count(found.rows)),
        repeated=_repeated(state),
        is_answered=PEOPLE in project.confirmed,
    )


def save(state: AppState, form: FormData) -> Response:
    """Set an answer; the page stays, unless all three are said at once."""
    project = state.opened()
    words: EditedWords = dict(project.words)
    names = {"", *words["columns"]}
    if (person := said(form, "person")) in names and "person" in form:
        words = counted_by(words, person)
    if (weight := said(form, "weight")) in names and "weight" in form:
        words = weighted_by(words, weight)
    if (joined := said(form, "joined")) in {TOGETHER, APART}:
        words = joined_by(words, together=joined == TOGETHER)
    try:
        state.change(words, text("did.people"), project.confirmed | {PEOPLE})
    except IndistinctError as error:
        return page(state, error.faults)
    return then("/roles" if said(form, "next") else "/people")


def _questions(
    found: Inspection, reports: Mapping[str, ColumnReport], data: Mapping[str, Any], person: str
) -> list[PeopleQuestion]:
    """Return the two questions about columns, with what speaks for each answer."""
    asked = next((one for one in found.doubts if one.kind == "person"), None)
    suggested = found.person or ("" if asked is None else asked.about[0])
    evidence = _why(reports.get(found.person or ""))
    if not evidence and asked is not None:
        evidence = asked.text
    weight, numbers = found.weight or "", [n for n, one in reports.items() if one.type in NUMBERS]
    return [
        PeopleQuestion("person", person, suggested, evidence, list(reports)),
        PeopleQuestion(
            "weight", data.get("weight", ""), weight, _why(reports.get(weight)), numbers
        ),
    ]


def _why(column: ColumnReport | None) -> str:
    """Return why a column is what it seems to be; empty where nothing was found."""
    return "" if column is None else column.reason


def _repeated(state: AppState) -> list[Markup]:
    """Return what the latest release tells of groups with fewer people than records."""
    run = state.current_run()
    warnings: list[dict[str, Any]] = [] if run is None else list(run.about["warnings"])
    return [finding_text(Finding.read(one)) for one in warnings if one["code"] == REPEATED]
