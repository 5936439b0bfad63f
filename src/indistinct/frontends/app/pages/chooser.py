"""The tables, databases and projects of the start folder, to choose from."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

from indistinct.errors import IndistinctError
from indistinct.frontends.app.project import ENDING, Project
from indistinct.frontends.app.sources import KINDS, tables
from indistinct.frontends.app.state import AppState


@dataclass(frozen=True, slots=True)
class Chooser:
    """What can be opened.

    Parameters
    ----------
    has_fault : whether the form of databases was refused, so that it is shown open
    """

    files: Sequence[str]
    databases: Sequence[str]
    projects: Sequence[str]
    has_fault: bool = False


def chooser_of(state: AppState, *, has_fault: bool = False) -> Chooser:
    """List what can be opened."""
    return Chooser(
        tables(state.start), state.start.files(KINDS), projects_in(state), has_fault=has_fault
    )


def projects_in(state: AppState) -> list[str]:
    """List the projects of the start folder."""
    return sorted(
        place.name
        for place in state.start.root.glob(f"*{ENDING}")
        if not place.is_symlink() and (place / "project.toml").is_file()
    )


def projects_of(state: AppState, data: str) -> list[Project]:
    """Load the projects of a table; those that cannot be opened are left out."""
    found: list[Project] = []
    for name in projects_in(state):
        with contextlib.suppress(IndistinctError):
            project = Project.load(state.start, state.start.inside(name), data)
            if project.data == data:
                found.append(project)
    return found
