"""The tables, databases and projects of the start folder, to choose from."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

from indistinct.errors import IndistinctError
from indistinct.frontends.app.project import ENDING, Project
from indistinct.frontends.app.sources import KINDS, is_owners, tables
from indistinct.frontends.app.state import AppState


@dataclass(frozen=True, slots=True)
class Chooser:
    """What can be opened.

    Parameters
    ----------
    folder, folders, root : the folder whose tables are listed, those to choose from, each from
        the start folder, and the name of that one
    has_fault : whether the form of databases was refused, so that it is shown open
    """

    folder: str
    folders: Sequence[str]
    root: str
    files: Sequence[str]
    databases: Sequence[str]
    projects: Sequence[str]
    has_fault: bool = False


def chooser_of(state: AppState, *, has_fault: bool = False) -> Chooser:
    """List what can be opened."""
    start = state.start
    folder = state.folder if start.has_folder(state.folder) else ""
    folders = start.folders()
    return Chooser(
        folder,
        ["", *folders] if folders else [],
        start.root.name,
        tables(start, folder),
        [name for name in start.files(KINDS, folder) if not is_owners(start.root / name)],
        projects_in(state),
        has_fault=has_fault,
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
