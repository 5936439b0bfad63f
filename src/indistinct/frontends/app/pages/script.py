"""The page that shows the commands, and the Python, that make the same release."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.responses import Response

from indistinct.frontends.app.folder import StartFolder
from indistinct.frontends.app.project import Project
from indistinct.frontends.app.screen import shown
from indistinct.frontends.app.sources import stem_of
from indistinct.frontends.app.state import AppState
from indistinct.frontends.app.texts import text
from indistinct.frontends.report.components import Code
from indistinct.tables.engines import MEMORY, Resources, is_large


def show(state: AppState) -> Response:
    """Show the policy and the scripts."""
    project = state.opened()
    policy = state.start.read(project.policy_file)
    blocks = [
        Code(text("script.commands"), commands(project)),
        Code(text("script.python"), python(project)),
        Code(text("script.policy", file=_relative(project, project.policy_file)), policy),
    ]
    return shown(state, "script", blocks=blocks)


def commands(project: Project) -> str:
    """Write the commands, to be run in the start folder."""
    data, policy = _quoted(project)
    stem = stem_of(project.data)
    release = shlex.quote(f"{stem}-release.csv")
    owners = f"--crosswalk {shlex.quote(f'{stem}-crosswalk.csv')}"
    if _is_large(project):
        # The application reads every table whole, which only then has a crosswalk.
        owners += f" --engine {MEMORY}"
    return "\n".join(
        [
            f"cd {shlex.quote(str(project.start.root))}",
            f"indistinct anonymize {data} --policy {policy} --out {release} {owners}",
            f"indistinct verify {release} --policy {policy} --original {data} {owners}",
            f"indistinct report {release} --policy {policy} --original {data} --out report.html",
        ]
    )


def python(project: Project) -> str:
    """Write the same in Python."""
    stem = stem_of(project.data)
    engine = f", engine={MEMORY!r}" if _is_large(project) else ""
    return "\n".join(
        [
            "import indistinct as ind",
            "",
            f"policy = ind.Policy.load({_relative(project, project.policy_file)!r})",
            f"release = ind.anonymize({project.data!r}, policy{engine})",
            f"release.write({f'{stem}-release.csv'!r}, crosswalk={f'{stem}-crosswalk.csv'!r})",
            "release.report('report.html')",
        ]
    )


def graph_commands(start: StartFolder, found: Mapping[str, Any]) -> str:
    """Write the commands that make a release of a graph in the same way.

    Parameters
    ----------
    found : the result of the job: ``edges`` is the edge list that was read
    """
    edges = shlex.quote(start.relative(Path(found["edges"])))
    model, k = found["model"], found["k"]
    size = f" --k {k}" if model.startswith("k-") else ""
    release, owners = "graph-release.csv", "--crosswalk graph-crosswalk.csv"
    return "\n".join(
        [
            f"cd {shlex.quote(str(start.root))}",
            f"indistinct graph anonymize {edges} --model {model}{size} --out {release} {owners}",
            f"indistinct graph verify {release} --original {edges} {owners}",
        ]
    )


def question_commands(start: StartFolder, file: str, question: str, epsilon: str) -> str:
    """Write the commands that ask a question; who has asked it already gets the same answer."""
    asked = f"{shlex.quote(file)} {shlex.quote(question)} --epsilon {shlex.quote(epsilon)}"
    return f"cd {shlex.quote(str(start.root))}\nindistinct database ask {asked}"


def _is_large(project: Project) -> bool:
    """Return whether a command would leave the table where it is, and not read it whole."""
    return is_large(project.source.read, None, Resources())


def _quoted(project: Project) -> tuple[str, str]:
    """Return the data and the policy as a shell reads them."""
    policy = _relative(project, project.policy_file)
    return shlex.quote(project.data), shlex.quote(policy)


def _relative(project: Project, place: Path) -> str:
    """Write a place as seen from the start folder."""
    return project.start.relative(place)
