"""A policy of one's own as the beginning of a project."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from indistinct.app.edits import without_nothing
from indistinct.app.folder import StartFolder
from indistinct.app.project import Project, checked
from indistinct.app.texts import text
from indistinct.core.writing import atomic
from indistinct.engines import files
from indistinct.errors import Fault, IndistinctError, UsageError
from indistinct.policy.policy import Policy


def adopted(start: StartFolder, place: Path) -> Project:
    """Begin a project by a policy, for the only table of the folder that has its columns.

    Raises
    ------
    UsageError
        when no table has them, or several have; or the policy names a file outside the folder
    """
    policy = checked(start, place.parent, Policy.load(start.file(place)).words())
    named = set(policy.columns)
    fitting = [name for name in start.files() if _columns(start.file(name)) == named]
    if len(fitting) != 1:
        raise UsageError(
            [
                Fault(
                    place.name,
                    text("server.no_table", number=len(fitting)),
                    text("server.no_table_remedy"),
                )
            ]
        )
    words = policy.words()
    project = Project.create(start, fitting[0], {"columns": {}}, text("did.opened"))
    for name, column in words["columns"].items():
        _bring_along(project, policy, name, column)
    # Who wrote the policy decided on its roles.
    project.change(without_nothing(words), frozenset(words["columns"]), text("did.adopted"))
    return project


def _bring_along(project: Project, policy: Policy, name: str, column: dict[str, Any]) -> None:
    """Copy the file of a hierarchy into the project."""
    rule = column.get("hierarchy", {})
    if "csv" in rule:
        folder = project.folder / "hierarchies"
        folder.mkdir(mode=0o700, exist_ok=True)
        number = list(policy.columns).index(name)
        relative = f"hierarchies/column-{number}-1.csv"
        with atomic(project.folder / relative, private=True) as temporary:
            shutil.copyfile(project.start.file(policy.path(rule["csv"])), temporary)
        rule["csv"] = relative


def _columns(place: Path) -> set[str]:
    """Name the columns of a table; none where it cannot be read."""
    try:
        return set(files.read(str(place)).frame.columns)
    except IndistinctError:
        return set()
