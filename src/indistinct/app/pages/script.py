"""The page that shows the commands, and the Python, that make the same release."""

from __future__ import annotations

import shlex
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from indistinct.app.desk import Desk
from indistinct.app.project import Project
from indistinct.app.screen import shown
from indistinct.app.sources import stem_of
from indistinct.app.texts import text
from indistinct.engines.choosing import MEMORY, Resources, is_large
from indistinct.report.components import Code


def show(desk: Desk, request: Request) -> Response:
    """Show the policy and the scripts."""
    del request
    project = desk.opened()
    policy = project.policy_file.read_text(encoding="utf-8")
    blocks = [
        Code(text("script.commands"), commands(project)),
        Code(text("script.python"), python(project)),
        Code(text("script.policy", file=_relative(project, project.policy_file)), policy),
    ]
    return shown(desk, "script", blocks=blocks)


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


def _is_large(project: Project) -> bool:
    """Tell whether a command would leave the table where it is, and not read it whole."""
    return is_large(project.source.read, None, Resources())


def _quoted(project: Project) -> tuple[str, str]:
    """Give the data and the policy as a shell reads them."""
    policy = _relative(project, project.policy_file)
    return shlex.quote(project.data), shlex.quote(policy)


def _relative(project: Project, place: Path) -> str:
    """Write a place as seen from the start folder."""
    return project.start.relative(place)
