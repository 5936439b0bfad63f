"""A project: one policy, the path of its data, and the history of its policies.

Files of a project folder::

    policy.toml            what is promised now; every click edits it
    project.toml           which data; who confirmed which roles; where in the history we are
    history/0001.toml ...  every policy there was
    runs/0001/ ...         what a search found: the release, its manifest, the owner's files
    hierarchies/           files of hierarchies that were imported
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import tomli_w

from indistinct.base.files.writing import atomic
from indistinct.base.inputs import toml_words
from indistinct.errors import Fault, IndistinctError, PolicyError, UsageError
from indistinct.frontends.app.declared import SaidReading
from indistinct.frontends.app.edits import (
    measurable,
    runnable,
    undecided,
    with_roles,
    without_nothing,
)
from indistinct.frontends.app.folder import StartFolder
from indistinct.frontends.app.history import PolicyHistory, PolicyVersion
from indistinct.frontends.app.sources import Place, place_of, shown, stem_of
from indistinct.frontends.app.texts import text
from indistinct.frontends.app.work.copies import AS_INPUT, WORKBOOK
from indistinct.tables.policy import Policy
from indistinct.tables.publish import GivenReading
from indistinct.tables.reading import Reading, read_file

ENDING = ".indistinct"
OWNERS_ALONE = 0o700
PEOPLE = "(people)"  # among what was confirmed: whose record each is


@dataclass(slots=True)
class Project:
    """One project, as it stands on the disk.

    Parameters
    ----------
    start : the start folder, which holds the project and the data
    folder : of the project
    data : path of the data, from the start folder
    words : of the policy
    confirmed : columns whose role a person confirmed, and ``(people)``
    form : of the copy beside a release: as the input is, or a workbook
    history : of the policies
    tried : the roles with which a draft was tried, so that it is tried once
    """

    start: StartFolder
    folder: Path
    data: str
    words: dict[str, Any]
    confirmed: frozenset[str] = frozenset()
    history: PolicyHistory = field(default_factory=PolicyHistory)
    form: str = AS_INPUT
    tried: str = ""

    @classmethod
    def create(cls, start: StartFolder, data: str, words: Mapping[str, Any], what: str) -> Project:
        """Begin a project for a table, beside nothing that is there already."""
        stem = _plain(stem_of(data)) or "project"
        folder = _free(start.inside(f"{stem}{ENDING}"))
        folder.mkdir(mode=OWNERS_ALONE, parents=True)
        project = cls(start, folder, data, {})
        project.change(dict(words), frozenset(), what)
        return project

    @classmethod
    def load(cls, start: StartFolder, folder: Path, server: str = "") -> Project:
        """Open a project that is there.

        Parameters
        ----------
        server : address of a table on a server that the person named just now; a project cannot
            name one by itself, as it may come from a stranger and would be told the password

        Raises
        ------
        UsageError
            when a file of it is damaged, or a file that it names lies outside the start folder
        """
        try:
            about = toml_words(start.read(folder / "project.toml"))
            written = toml_words(start.read(folder / "policy.toml"))
            history = PolicyHistory.read(about["history"])
            data = str(about["data"])
            confirmed = frozenset(map(str, about["confirmed"]))
            tried = str(about.get("tried", ""))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
            raise UsageError(
                [
                    Fault(
                        folder.name,
                        text("problem.not_a_project", kind=type(error).__name__),
                        text("problem.not_a_project_remedy"),
                    )
                ]
            ) from None
        if place_of(start, data).file is None and data != server:
            raise UsageError(text("data.on_server"), text("data.on_server_remedy"))
        form = WORKBOOK if about.get("form") == WORKBOOK else AS_INPUT
        project = cls(start, folder, data, {}, confirmed, history, form, tried)
        project.words, _ = project.at(history.current)
        if written != runnable(project.words, confirmed):
            project.adopt(written)
        with contextlib.suppress(PolicyError):  # which pages show; nothing is read by such a policy
            project.policy()
        return project

    def adopt(self, written: dict[str, Any]) -> None:
        """Adopt a policy that was changed by hand; who changed it decided on its roles."""
        open_roles = set(undecided(written))
        known = {n: one["role"] for n, one in self.words["columns"].items() if n in open_roles}
        words = with_roles(written, {name: known[name] for name in open_roles & set(known)})
        self.change(words, frozenset(set(words["columns"]) - open_roles), text("did.by_hand"))

    @property
    def name(self) -> str:
        """Name of the project."""
        return self.folder.name.removesuffix(ENDING)

    @property
    def source(self) -> Place:
        """Where the table is."""
        return place_of(self.start, self.data)

    @property
    def reading(self) -> SaidReading:
        """How the table is read, by the policy."""
        return SaidReading.of_policy(self.words)

    @property
    def first_reading(self) -> SaidReading:
        """How the file alone is read, so that questions about its columns are asked again."""
        return SaidReading({w: v for w, v in self.reading.data.items() if w in GivenReading.WORDS})

    @property
    def table(self) -> str:
        """Name of the table, for people."""
        return shown(self.data)

    @property
    def policy_file(self) -> Path:
        """The file that every click edits."""
        return self.folder / "policy.toml"

    def policy(self) -> Policy:
        """Return the policy as it stands, undecided columns left out.

        Raises
        ------
        PolicyError
            when its parts contradict each other, which is possible between two clicks
        UsageError
            when it names a file outside the start folder
        """
        return checked(self.start, self.folder, self.words)

    def unconfirmed(self) -> list[str]:
        """Name the columns whose role nobody confirmed."""
        open_roles = undecided(self.words)
        columns = self.words["columns"]
        return [name for name in columns if name not in self.confirmed or name in open_roles]

    def change(self, words: dict[str, Any], confirmed: frozenset[str], what: str) -> None:
        """Make another policy the current one, and put it into the history.

        Parameters
        ----------
        words : of the policy, checked
        what : was done, in a few words
        """
        is_same = self.history.entries and words == self.words and confirmed == self.confirmed
        if is_same:
            return
        # The file first: an entry of the history without one could never be gone back to.
        entry_file = self._entry_file(self.history.next_number)
        self.start.inside(entry_file)
        entry_file.parent.mkdir(mode=OWNERS_ALONE, exist_ok=True)
        _write(entry_file, {**words, "confirmed": sorted(confirmed)})
        self.history.add(what, datetime.now(UTC).isoformat(timespec="seconds"))
        self.words, self.confirmed = words, confirmed
        self._save()

    def go(self, number: int) -> None:
        """Make an earlier policy the current one; the later ones stay in the history."""
        words, confirmed = self.at(number)
        self.history.go(number)
        self.words, self.confirmed = words, confirmed
        self._save()

    def at(self, number: int) -> tuple[dict[str, Any], frozenset[str]]:
        """Return the words and the confirmed columns of an entry of the history.

        Raises
        ------
        UsageError
            when there is no such entry
        """
        self.history.entry(number)
        words = toml_words(self.start.read(self._entry_file(number)))
        return words, frozenset(map(str, words.pop("confirmed")))

    @property
    def roles(self) -> dict[str, str]:
        """The role of each column that has one."""
        open_ones = set(undecided(self.words))
        columns = self.words["columns"].items()
        return {name: one["role"] for name, one in columns if name not in open_ones}

    def fingerprint(self, words: Mapping[str, Any] | None = None) -> str:
        """Return the fingerprint of a search: data, and policy without who answers for it."""
        asked = {k: v for k, v in (words or self.words).items() if k != "context"}
        state = [asked, self.data, *self.source.state()[1:]]
        return hashlib.sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()

    def remember_form(self, form: str) -> None:
        """Remember the form of the copy beside a release."""
        self.form = form
        self._save()

    def _entry_file(self, number: int) -> Path:
        """Return the file of an entry of the history."""
        return self.folder / "history" / f"{number:04}.toml"

    def _save(self) -> None:
        """Write the policy and what else there is to know."""
        about = {
            "data": self.data,
            "confirmed": sorted(self.confirmed),
            "form": self.form,
            "history": self.history.words(),
            "tried": self.tried,
        }
        _write(self.policy_file, runnable(self.words, self.confirmed))
        _write(self.folder / "project.toml", about)


def checked(start: StartFolder, folder: Path, words: Mapping[str, Any]) -> Policy:
    """Make a policy of its words, undecided columns left out.

    Raises
    ------
    PolicyError
        when its parts contradict each other
    UsageError
        when it names a file outside the start folder
    """
    policy = Policy.from_words(measurable(words), folder)
    for name in policy.named_files:
        start.inside(policy.path(name))
    return policy


def entries_with_policies(project: Project) -> Sequence[tuple[PolicyVersion, str]]:
    """Return the entries of the history, the newest first, each with its fingerprint."""
    listed = sorted(project.history.entries, key=lambda entry: -entry.number)
    return [(entry, project.fingerprint(project.at(entry.number)[0])) for entry in listed]


def _plain(name: str) -> str:
    """Return what can stand in the name of a folder everywhere."""
    return "".join(letter for letter in name if letter.isalnum() or letter in " -_")


def _free(wanted: Path) -> Path:
    """Return a name that no folder has yet."""
    place, number = wanted, 2
    while os.path.lexists(place):
        place = wanted.with_name(f"{wanted.name.removesuffix(ENDING)}-{number}{ENDING}")
        number += 1
    return place


def _write(path: Path, words: Mapping[str, Any]) -> None:
    """Write a TOML file that its owner alone reads, all or nothing."""
    with atomic(path, private=True) as temporary:
        temporary.write_text(tomli_w.dumps(words), encoding="utf-8")


def adopted(start: StartFolder, place: Path) -> Project:
    """Begin a project by a policy, for the only table of the folder that has its columns.

    Raises
    ------
    UsageError
        when no table has them, or several have; or the policy names a file outside the folder
    """
    policy = checked(start, place.parent, Policy.load(start.file(place)).words())
    named = set(policy.columns)
    reading = SaidReading.of_policy(policy.words()).given().reading
    fitting = [name for name in start.files() if _columns(start.file(name), reading) == named]
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
    for number, name in enumerate(policy.columns):
        rule = words["columns"][name].get("hierarchy", {})
        if "csv" in rule:
            rule["csv"] = _brought_along(project, policy.path(rule["csv"]), number)
    # Who wrote the policy decided on its roles.
    project.change(without_nothing(words), frozenset(words["columns"]), text("did.adopted"))
    return project


def _brought_along(project: Project, file: Path, number: int) -> str:
    """Copy the file of a hierarchy into the project, and return its place there."""
    (project.folder / "hierarchies").mkdir(mode=0o700, exist_ok=True)
    relative = f"hierarchies/column-{number}-1.csv"
    with atomic(project.folder / relative, private=True) as temporary:
        shutil.copyfile(project.start.file(file), temporary)
    return relative


def _columns(place: Path, reading: Reading) -> set[str]:
    """Name the columns of a table as it is read; none where it cannot be."""
    try:
        return set(read_file(str(place), reading=reading).frame.columns)
    except IndistinctError:
        return set()
