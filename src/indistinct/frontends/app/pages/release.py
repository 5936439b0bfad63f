"""Step 8: verify, sign off, and write what is given away and what is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from indistinct.base.inputs import toml_words
from indistinct.errors import Fault, IndistinctError, UsageError
from indistinct.frontends.app.confirmations import keys_of, open_doubts, ranks_of, unpromised
from indistinct.frontends.app.edits import with_table
from indistinct.frontends.app.folder import StartFolder
from indistinct.frontends.app.pages.answers import said, several, then, whole
from indistinct.frontends.app.pages.search import figures_of, where
from indistinct.frontends.app.project import Project
from indistinct.frontends.app.runs import ReleaseRun
from indistinct.frontends.app.screen import shown
from indistinct.frontends.app.state import AppState
from indistinct.frontends.app.texts import text
from indistinct.frontends.app.work.copies import AS_INPUT, FORMS, WORKBOOK
from indistinct.frontends.app.work.publish import GIVE, KEEP
from indistinct.tables.policy import ContextPolicy

RELEASES = "releases"
FIELDS = tuple(name for name in ContextPolicy.model_fields if name != "accepted")
# The reports bring their own styles and no script; nothing in them may act for the application.
REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
MEANT = ("policy.toml", "about.html", "crosswalk.csv", "owner.json", "report.html")


def show(state: AppState) -> Response:
    """Show what is to be signed, and what was written."""
    return _page(state)


def publish(state: AppState, form: FormData) -> Response:
    """Sign, verify once more, and write everything."""
    project = state.opened()
    run = state.searched()
    context = {name: said(form, name).strip() or None for name in FIELDS}
    confirmed = several(form, "confirmed")
    form_of_copy = WORKBOOK if said(form, "form") == WORKBOOK else AS_INPUT
    project.remember_form(form_of_copy)
    if faults := _unsigned(state, run, context, confirmed):
        return _page(state, faults, context, confirmed)
    if context["approved_by"] is None:
        context["approved_on"] = None  # nobody approved anything
    words = with_table(project.words, "context", {**context, "accepted": confirmed or None})
    try:
        state.change(words, text("did.signed"), project.confirmed)
    except IndistinctError as error:
        return _page(state, error.faults, context, confirmed)
    out = state.start.next_number(project.folder / RELEASES)
    attack = state.jobs.results.get(f"attack {run.number}")
    known = [] if attack is None else [attack["known"]]
    arguments = {
        **where(state),
        "release": str(run.release),
        "out": str(out),
        "known": known,
        "form": form_of_copy,
    }
    state.jobs.start("publish", f"publish {run.number}", "/release", arguments)
    return then("/release")


def _page(
    state: AppState,
    faults: Sequence[Fault] = (),
    context: Mapping[str, Any] | None = None,
    confirmed: Sequence[str] = (),
) -> Response:
    """Show the page, with what its form said where it was refused.

    Parameters
    ----------
    context : that the form says; None for what the policy says
    confirmed : the warnings that are ticked
    """
    project = state.opened()
    run = state.current_run()
    earlier = _written(state.start, project)
    if run is None:
        return shown(state, "release", faults=faults, run=None, earlier=earlier)
    given = project.words.get("context", {}) if context is None else context
    written = state.jobs.results.get(f"publish {run.number}")
    return shown(
        state,
        "release",
        faults=faults,
        run=run,
        figures=figures_of(run.document),
        unpromised=unpromised(project.policy()),
        ranks=ranks_of(run.about["warnings"]),
        ticked=confirmed,
        fields=[(name, given.get(name) or _usual(name)) for name in FIELDS],
        forms=FORMS,
        form=project.form,
        doubts=open_doubts(state),
        attack=state.jobs.results.get(f"attack {run.number}"),
        earlier=earlier,
        published=written,
        where="" if written is None else state.start.relative(Path(written["folder"])),
        meanings=_meanings(run),
    )


def _unsigned(
    state: AppState, run: ReleaseRun, context: Mapping[str, Any], confirmed: Sequence[str]
) -> list[Fault]:
    """Return what a signature lacks: each warning confirmed, a name and a reason."""
    project, ranks = state.opened(), ranks_of(run.about["warnings"])
    open_ones = [*unpromised(project.policy()), *open_doubts(state)]
    asked = list(keys_of(open_ones, ranks))
    if names := project.unconfirmed():
        return [Fault("", text("search.not_confirmed"), text("search.confirm"), columns=(*names,))]
    if not asked:
        return []
    faults: list[Fault] = []
    if n_left := len([key for key in asked if key not in confirmed]):
        problem = text("release.not_confirmed", number=n_left)
        faults.append(Fault("", problem, text("release.not_confirmed_remedy")))
    faults += [
        Fault(text(f"context.{name}"), text("release.empty"), text("release.empty_remedy"))
        for name in ("approved_by", "reason")
        if context[name] is None
    ]
    return faults


def download(state: AppState, request: Request) -> Response:
    """Return a file of a release that was written, named by its number and listed name alone."""
    project = state.opened()
    number = whole(request.path_params["number"])
    kind, name = request.path_params["kind"], request.path_params["name"]
    folder = project.folder / RELEASES / f"{number:04}" / kind
    if kind not in {GIVE, KEEP} or name not in state.start.plain_files(folder):
        raise HTTPException(404)
    if name.endswith(".html"):
        return FileResponse(
            folder / name,
            media_type="text/html",
            headers={"Content-Security-Policy": REPORT_POLICY},
        )
    return FileResponse(folder / name, filename=name)


def _usual(name: str) -> str:
    """Return what a field of the form says at first: who signs usually does so today."""
    return datetime.now(UTC).date().isoformat() if name == "approved_on" else ""


@dataclass(frozen=True, slots=True)
class WrittenRelease:
    """A release that was signed and written, now or before the application was started."""

    number: int
    when: str
    signed: str
    give: list[str]
    keep: list[str]


def _written(start: StartFolder, project: Project) -> list[WrittenRelease]:
    """List the releases of a project, the newest first."""
    folder = project.folder / RELEASES
    folders = [folder / f"{number:04}" for number in reversed(start.numbers(folder))]
    return [_one(start, place) for place in folders if start.plain_files(place / GIVE)]


def _one(start: StartFolder, place: Path) -> WrittenRelease:
    """Describe a release by its files."""
    names = {kind: start.plain_files(place / kind) for kind in (GIVE, KEEP)}
    try:
        # Before it was kept, the policy was among the files to give away.
        found = next(
            (place / kind / "policy.toml" for kind in (KEEP, GIVE) if "policy.toml" in names[kind]),
            None,
        )
        policy = "" if found is None else start.read(found)
        signed = str(toml_words(policy).get("context", {}).get("approved_by", ""))
    except (OSError, ValueError, AttributeError, UsageError):
        signed = ""
    when = datetime.fromtimestamp(place.stat().st_mtime).astimezone()
    return WrittenRelease(
        int(place.name), when.isoformat(" ", "minutes")[:16], signed, names[GIVE], names[KEEP]
    )


def _meanings(run: ReleaseRun) -> dict[str, str]:
    """Return what each file is."""
    release = run.release.name
    known = {name: text(f"meant.{name.partition('.')[0]}") for name in MEANT}
    return {
        **known,
        release: text("meant.release"),
        f"{release}.manifest.json": text("meant.manifest"),
        f"{release}.metadata.jsonld": text("meant.metadata"),
        run.release.with_suffix(".copy.xlsx").name: text("meant.workbook"),
        run.release.with_suffix(f".copy{run.release.suffix}").name: text("meant.copy"),
    }
