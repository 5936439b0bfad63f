"""The one state of the application: which project is open, its jobs, and what was measured."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from typing import Any, TypeVar

from indistinct.errors import Fault, PolicyError, UsageError
from indistinct.frontends.app.declared import SaidReading
from indistinct.frontends.app.edits import undecided, without_nothing
from indistinct.frontends.app.folder import StartFolder
from indistinct.frontends.app.jobs import Jobs
from indistinct.frontends.app.project import Project, checked
from indistinct.frontends.app.runs import ReleaseRun, RunFigures, outcome_of, runs_of
from indistinct.frontends.app.safety import AccessCheck
from indistinct.frontends.app.table_profiles import TableProfiles
from indistinct.frontends.app.texts import text
from indistinct.tables.drafting import Doubt

# What takes longer is shown by a later page, which the first one asks for by itself.
PATIENCE_SECONDS = 0.25
# What every policy needs, and a draft may not have before somebody said all roles.
UNFINISHED = frozenset({"no-quasi-identifier", "no-model"})
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class OpeningFile:
    """A table that is being opened: nothing of another one is shown beside it.

    Parameters
    ----------
    path : of the table, from the start folder, or its address
    reading : what was said of it
    project : whose table is read in another way; None for a table that is opened
    faults : why it cannot be read; none while it is being read
    asked : what has to be answered before it can be read; None while it is being read
    missing_as : what becomes of missing values; empty where it was not said
    """

    path: str
    reading: SaidReading = field(default_factory=SaidReading)
    project: Project | None = None
    faults: tuple[Fault, ...] = ()
    asked: Doubt | None = None
    missing_as: str = ""

    @property
    def is_pending(self) -> bool:
        """Whether it is being read."""
        return not self.faults and self.asked is None


@dataclass(slots=True)
class AppState:
    """What all pages share.

    Parameters
    ----------
    start : the start folder
    gate : who may come in
    project : the one that is open; None before a table was chosen
    opening : the table that is being opened; None where one is open, or none was chosen. What is
        open stays open until it is read
    folder : the folder whose tables are listed, from the start folder; empty for that one
    language : that the person chose; empty while the browser decides
    servers : addresses that the person named; only they are told a password
    """

    start: StartFolder
    gate: AccessCheck
    project: Project | None = None
    opening: OpeningFile | None = None
    folder: str = ""
    jobs: Jobs = field(default_factory=Jobs)
    looks: TableProfiles = field(default_factory=TableProfiles)
    language: str = ""
    servers: set[str] = field(default_factory=set[str])
    lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def pending(self) -> str | None:
        """The path of a table that is being read; None where there is none."""
        opening = self.opening
        return opening.path if opening is not None and opening.is_pending else None

    def enter(self, project: Project) -> None:
        """Go on with a table; what was found about another one is forgotten."""
        if self.project is None or project.folder != self.project.folder:
            self.jobs.forget()
        self.project, self.opening = project, None

    @property
    def shown_project(self) -> Project | None:
        """The project that a page is about; None while another table is being opened."""
        opening = self.opening
        is_other = opening is not None and opening.project is None and not opening.faults
        return None if is_other else self.project

    @property
    def is_refused(self) -> bool:
        """Whether a table that was to be opened cannot be read."""
        return self.opening is not None and bool(self.opening.faults)

    def opened(self) -> Project:
        """Return the open project.

        Raises
        ------
        UsageError
            when there is none
        """
        if self.project is None:
            raise UsageError(text("problem.no_project"), text("problem.no_project_remedy"))
        return self.project

    def change(self, words: dict[str, Any], what: str, confirmed: frozenset[str]) -> None:
        """Check other words of the policy, and make them the current ones.

        Raises
        ------
        PolicyError
            when they contradict each other, or lack what they had; nothing is then changed
        UsageError
            when they name a file outside the start folder
        """
        project = self.opened()
        try:
            checked(self.start, project.folder, words)
        except PolicyError as error:
            if not _is_only_unfinished(error, words, project):
                raise
        with self.lock:
            # As they were said: a default that changes later must not change an old policy.
            project.change(without_nothing(words), confirmed, what)

    def runs(self) -> list[ReleaseRun]:
        """List the runs of the open project, the newest first."""
        return [] if self.project is None else runs_of(self.start, self.project.folder)

    def run(self, number: int) -> ReleaseRun:
        """Find a run.

        Raises
        ------
        UsageError
            when there is none of that number
        """
        found = next((run for run in self.runs() if run.number == number), None)
        if found is None:
            raise UsageError(text("problem.no_run"), text("problem.no_run_remedy"))
        return found

    def current_run(self) -> ReleaseRun | None:
        """Return the newest run of the policy as it stands; None where it was not searched for."""
        if self.project is None:
            return None
        fingerprint = self.project.fingerprint()
        return next((run for run in self.runs() if run.fingerprint == fingerprint), None)

    def searched(self) -> ReleaseRun:
        """Return the newest run of the policy as it stands.

        Raises
        ------
        UsageError
            when it was not searched for
        """
        run = self.current_run()
        if run is None:
            raise UsageError(text("problem.no_release"), text("problem.no_run_remedy"))
        return run

    def trial(self) -> Mapping[str, Any] | None:
        """Return what the trial of the policy as it stands found."""
        if self.project is None:
            return None
        return self.jobs.results.get(f"trial {self.project.fingerprint()}")

    def outcome(self) -> tuple[str, RunFigures | None]:
        """Return the figures for the bar on top, and their origin: a run, a trial or nothing."""
        if (run := self.current_run()) is not None:
            return "run", run.outcome()
        if (trial := self.trial()) is not None:
            return "trial", outcome_of(trial["document"])
        return "nothing", None

    def close(self) -> None:
        """Stop everything that runs."""
        self.jobs.close()
        self.looks.close()


def settled(future: Future[Found], seconds: float | None = None) -> Found | None:
    """Wait a moment for something that is being measured; None when it takes longer."""
    wait_a_moment([future], seconds)
    return future.result() if future.done() else None


def wait_a_moment(measured: Sequence[Future[Any]], seconds: float | None = None) -> None:
    """Wait for all of them at once; those that take longer go on."""
    wait(measured, PATIENCE_SECONDS if seconds is None else seconds)


def _is_only_unfinished(error: PolicyError, words: Mapping[str, Any], project: Project) -> bool:
    """Return whether a policy lacks what it lacked before, and roles are still to be said."""
    if any(fault.code not in UNFINISHED for fault in error.faults):
        return False
    try:
        project.policy()
    except PolicyError:
        before, after = (
            [one["role"] for one in said["columns"].values()] for said in (project.words, words)
        )
        return bool(undecided(words)) or before == after
    return False
