"""Long work: one job at a time, each in a process of its own, so that it can be stopped.

A spare process waits with everything loaded; a job is handed to it as one line of JSON. It writes
its progress and its result to a folder that only the owner may read.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from indistinct.errors import Fault, UsageError
from indistinct.frontends.app.texts import text

PATIENCE_SECONDS = 2.0
PROGRESS, RESULT, FAULTS = "progress.json", "result.json", "faults.json"
# Keys of what was found about other data than the open table.
ELSEWHERE = frozenset({"graph", "related", "related-tables"})


class JobState(StrEnum):
    """What became of a job."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(slots=True)
class Job:
    """One piece of long work.

    Parameters
    ----------
    number : from 1 on
    kind : name of the work; see ``work/``
    key : what its result is kept under
    title : for the person who waits
    page : where its result is shown
    """

    number: int
    kind: str
    key: str
    title: str
    page: str
    folder: Path
    process: subprocess.Popen[bytes] = field(repr=False)
    started: float = field(default_factory=time.monotonic)
    state: JobState = JobState.RUNNING
    seconds: float = 0.0
    faults: list[Fault] = field(default_factory=list[Fault])

    def progress(self) -> Mapping[str, Any]:
        """Return the ``share`` that is done, in [0, 1], and what is being done, with its code."""
        return {"share": 0.0, **_document(self.folder / PROGRESS)}

    def elapsed(self) -> float:
        """Return the seconds since it began, or that it took."""
        running = self.state is JobState.RUNNING
        return time.monotonic() - self.started if running else self.seconds


class Jobs:
    """Runs jobs and keeps their results while the application runs."""

    def __init__(self) -> None:
        self._place = tempfile.TemporaryDirectory(prefix="indistinct-")
        self._lock = threading.Lock()
        self._spare: subprocess.Popen[bytes] | None = None
        self._number = 0
        self.latest: Job | None = None
        self.results: dict[str, Mapping[str, Any]] = {}

    def warm(self) -> None:
        """Start the process that waits for the next job."""
        with self._lock:
            self._warm()

    def _warm(self) -> None:
        """Do it, while the lock is held."""
        if self._spare is not None and self._spare.poll() is not None:
            _end(self._spare)  # it ended while it waited
            self._spare = None
        if self._spare is None:
            self._spare = _waiting(self._place.name)

    def start(self, kind: str, key: str, page: str, arguments: Mapping[str, Any]) -> Job:
        """Begin a job.

        Raises
        ------
        UsageError
            when another one is still running
        """
        if self.current() is not None:
            raise UsageError(text("job.busy"), text("job.busy_remedy"))
        self.warm()
        with self._lock:
            process, self._spare = self._spare, None
            if process is None or process.stdin is None:
                raise UsageError(text("job.died"), text("job.died_remedy"))
            self._number += 1
            folder = Path(self._place.name) / str(self._number)
            folder.mkdir()
            order = {"kind": kind, "folder": str(folder), "arguments": dict(arguments)}
            process.stdin.write(json.dumps(order).encode() + b"\n")
            process.stdin.flush()
            job = Job(self._number, kind, key, text(f"job.{kind}"), page, folder, process)
            self.latest = job
        self.results.pop(key, None)
        return job

    def current(self) -> Job | None:
        """Return the job that is running; None where there is none."""
        job = self.poll()
        return job if job is not None and job.state is JobState.RUNNING else None

    def poll(self) -> Job | None:
        """Look at the latest job, and take its result when it has ended."""
        with self._lock:
            job = self.latest
            if job is None or job.state is not JobState.RUNNING or job.process.poll() is None:
                return job
            job.seconds = time.monotonic() - job.started
            _end(job.process)
            if (job.folder / RESULT).exists():
                self.results[job.key] = _document(job.folder / RESULT)
                job.state = JobState.DONE
            else:
                job.state = JobState.FAILED
                job.faults = _faults(job.folder / FAULTS)
            # Only now: while it ran, the next process would have taken its time.
            self._warm()
            return job

    def forget(self) -> None:
        """Forget what was found about a table; a job about it goes on, and its page is its own.

        What was found about a graph and about a folder stays, since no table has to do with it.
        """
        job = self.poll()
        with self._lock:
            self.results = {key: found for key, found in self.results.items() if key in ELSEWHERE}
            if job is None or job.key in ELSEWHERE:
                return
            if job.state is JobState.RUNNING:
                job.key, job.page = f"of another table: {job.key}", "/data"
            else:
                self.latest = None

    def cancel(self) -> None:
        """Stop the job that is running; it leaves nothing behind."""
        job = self.current()
        if job is None:
            return
        _end(job.process)
        with self._lock:
            job.state, job.seconds = JobState.CANCELLED, time.monotonic() - job.started
            self._warm()

    def close(self) -> None:
        """Stop everything."""
        self.cancel()
        if self._spare is not None:
            _end(self._spare)
        self._place.cleanup()


def _waiting(place: str) -> subprocess.Popen[bytes]:
    """Start a process that loads everything, with a folder to try it in, and waits for a job."""
    return subprocess.Popen(  # noqa: S603 - this program itself, and a folder that it made
        [sys.executable, "-m", "indistinct.frontends.app.worker", place],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process that this program started."""
    if process.poll() is None:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE_SECONDS)
    if process.poll() is None:
        process.kill()
        process.wait()
    if process.stdin is not None:
        with contextlib.suppress(OSError):
            process.stdin.close()


def _document(path: Path) -> dict[str, Any]:
    """Read a JSON document that may not be there yet."""
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found


def _faults(path: Path) -> list[Fault]:
    """Return why a job failed; a process that was killed could not say it itself."""
    found = [Fault.read(one) for one in _document(path).get("faults", [])]
    return found or [Fault("", text("job.died"), text("job.died_remedy"))]
