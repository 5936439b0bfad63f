"""Watch which tests run which lines, once, so that a mutant meets the tests that can notice it."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import pytest

from mutants.forks import forked, pytest_run
from mutants.places import files_of, module_of, tests_of

# Watching slows a test down several times: so few examples take about as long as all unwatched.
EXAMPLES = 10
PATIENCE = 300.0  # seconds of a processor for the tests of one file while they are watched


@dataclass
class Seen:
    """Which tests run each line of each file, and the seconds of a processor that each takes."""

    lines: dict[str, dict[int, list[str]]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def tests(self, file: Path, first: int, last: int) -> list[str]:
        """List the tests that run one of some lines, the quickest first."""
        known = self.lines.get(str(file), {})
        found = {test for line in range(first, last + 1) for test in known.get(line, [])}
        return sorted(found, key=lambda test: (self.seconds[test], test))

    def every_test(self) -> list[str]:
        """List all tests, the quickest first: any may read a constant."""
        return sorted(self.seconds, key=lambda test: (self.seconds[test], test))


class Watch:
    """Notes the lines of some files that each test runs."""

    def __init__(self, files: set[str]) -> None:
        self.files, self.lines = files, defaultdict(set)
        self.test, self.seconds = "", {}

    def called(self, frame: object, *_: object) -> object:
        """Follow a call into the files that count."""
        if frame.f_code.co_filename not in self.files:
            return None
        self.noted(frame, "line")
        return self.noted

    def noted(self, frame: object, event: str, *_: object) -> object:
        """Note a line."""
        if event == "line":
            self.lines[frame.f_code.co_filename, frame.f_lineno].add(self.test)
        return self.noted

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.test, started = item.nodeid, time.process_time()
        threading.settrace(self.called)
        sys.settrace(self.called)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            threading.settrace(None)
            self.seconds[item.nodeid] = time.process_time() - started

    def written(self, place: Path) -> None:
        """Keep what was seen."""
        lines = [[file, line, sorted(tests)] for (file, line), tests in self.lines.items()]
        place.write_text(json.dumps({"lines": lines, "seconds": self.seconds}))


def watched(room: str, keep: Path, only: str = "") -> tuple[Seen, list[str]]:
    """Watch the tests of a room, or read what was seen before; name the files that failed."""
    seen, failed = Seen(), []
    keep.mkdir(exist_ok=True, parents=True)
    files = {sys.modules[module_of(file)].__file__ for file in files_of(room)}
    for test in tests_of(room):
        if not any(part in str(test) for part in only.split(",")):
            continue
        place = keep / f"{room}-{test.stem}-{_state(test, *sorted(files))}"
        if not place.exists():
            code = forked(lambda test=test, place=place: _watch(test, files, place), PATIENCE)
            print(f"watched {test.name}: {code}", flush=True)
        if place.exists():
            said = json.loads(place.read_text())
            seen.seconds |= said["seconds"]
            for file, line, tests in said["lines"]:
                seen.lines.setdefault(file, {}).setdefault(line, []).extend(tests)
        else:
            failed.append(test.name)
    return seen, failed


def _state(*files: str | Path) -> str:
    """Name what stands in some files: lines that moved would be watched at their old places."""
    state = sha256()
    for file in files:
        state.update(Path(file).read_bytes())
    return state.hexdigest()[:16]


def _watch(test: Path, files: set[str], place: Path) -> int:
    watch = Watch(files)
    code = pytest_run([test], watch, examples=EXAMPLES)
    if code in {0, 5}:
        watch.written(place)
    return code
