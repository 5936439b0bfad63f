"""How often drafted roles are right, over files whose columns have roles that somebody judged.

    python benchmarks/calibration.py [FOLDER] [--drafts]

The folder holds files and `labels.json`: a list with, for each file, `key`, `file`, `person` (the
column that says whose record each is, or null) and `columns`, each with `name` and the `roles` that
are right, or `constant`, which does not count. Columns match by place; a first column without a
name that reading leaves out counts as an identifier. Nothing is written but what is printed.

With `--drafts` every file is drafted with `--draft --yes-to-suggestions` and released with this
draft, in a temporary folder, which is deleted.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import indistinct as ind

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data" / "roles"
RELEASED, NO_RELEASE = 0, 3


@dataclass(frozen=True)
class Judged:
    """One column: what was said of it, and what is right."""

    file: str
    name: str
    right: frozenset[str]
    role: str
    confidence: str
    shown: tuple[str, ...]
    kind: str = ""

    @property
    def verdict(self) -> str:
        """Whether it is right, asked or wrong."""
        if self.role == "undecided":
            return "asked"
        return "right" if self.role in self.right else "wrong"


@dataclass
class Measured:
    """What was measured of all files."""

    columns: list[Judged] = field(default_factory=list)
    questions: list[int] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    persons_found: int = 0
    persons: int = 0
    falsely_called: int = 0
    seconds: float = 0.0
    seconds_of_four: float = 0.0


def measured(folder: Path) -> Measured:
    """Inspect every file of a folder, and hold what is said against its labels."""
    found = Measured()
    for entry in json.loads((folder / "labels.json").read_text(encoding="utf-8")):
        path = folder / entry["file"]
        try:
            inspection, seconds = timed(lambda path=path: ind.inspect(path))
        except ind.IndistinctError as error:
            found.refused.append(f"{entry['key']}: {error}")
            found.columns += [
                Judged(entry["key"], one["name"], frozenset(one["roles"]), "refused", "low", ())
                for one in entry["columns"]
                if "constant" not in one["roles"]
            ]
            continue
        found.seconds += seconds
        found.seconds_of_four += seconds_of_four(inspection)
        columns = list(columns_of(entry, inspection))
        found.columns += columns
        found.questions.append(n_questions(inspection))
        count_persons(found, entry, inspection)
    return found


def seconds_of_four(inspection: ind.Inspection) -> float:
    """Return the seconds of a processor that a file of the first four records takes."""
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "four.csv"
        inspection.records.held.head(4).write_csv(path)
        return timed(lambda: ind.inspect(path))[1]


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    """Return what a call returns, and the seconds of a processor that it takes."""
    before = time.process_time()
    result = call()
    return result, time.process_time() - before


def columns_of(entry: dict[str, Any], inspection: ind.Inspection) -> Iterator[Judged]:
    """Hold the columns of a file against their labels, by place."""
    labels = entry["columns"]
    if len(labels) == len(inspection.columns) + 1 and not labels[0]["name"]:
        yield Judged(entry["key"], "", frozenset(labels[0]["roles"]), "identifier", "medium", ())
        labels = labels[1:]
    for label, column in zip(labels, inspection.columns, strict=True):
        if "constant" not in label["roles"]:
            yield Judged(
                entry["key"],
                column.name,
                frozenset(label["roles"]),
                column.role,
                column.confidence,
                column.candidates,
                column.agreement,
            )


def n_questions(inspection: ind.Inspection) -> int:
    """Count what is asked of a file."""
    return len(inspection.doubts)


def count_persons(found: Measured, entry: dict[str, Any], inspection: ind.Inspection) -> None:
    """Count the columns that are called, or asked to be, a person's."""
    called = {name for one in inspection.doubts if one.kind == "person" for name in one.about}
    called |= {inspection.person} - {None}
    if entry["person"] is not None:
        found.persons += 1
        found.persons_found += entry["person"] in called
    found.falsely_called += len(called - {entry["person"]})


def lines(found: Measured) -> Iterator[str]:
    """Yield the table of what was measured."""
    columns = found.columns
    n = max(len(columns), 1)
    verdicts = Counter(one.verdict for one in columns)
    shares = [f"{verdicts[word] / n:.1%} {word}" for word in ("right", "asked", "wrong")]
    yield f"roles      {', '.join(shares)}, of {len(columns)} columns"
    for word in ("high", "medium"):
        some = [one for one in columns if one.confidence == word and one.verdict != "asked"]
        wrong = sum(one.verdict == "wrong" for one in some)
        yield f"{word:<11}{len(some) - wrong} right, {wrong} wrong, of {len(some)}"
    asked = [one for one in columns if one.verdict == "asked"]
    shown = sum(bool(set(one.shown) & one.right) for one in asked)
    yield f"asked      the right one is shown for {shown} of {len(asked)}"
    yield (
        f"questions  {statistics.median(found.questions or [0])} a file in the median, "
        f"{max(found.questions, default=0)} at most"
    )
    yield (
        f"persons    {found.persons_found} of {found.persons} found or asked, "
        f"{found.falsely_called} columns falsely called one"
    )
    yield (
        f"seconds    {found.seconds:.1f}, {found.seconds / max(found.seconds_of_four, 1e-9):.2f} "
        "times those for as many tables of four records"
    )
    yield from (f"refused    {one}" for one in found.refused)


def agreement_lines(columns: list[Judged]) -> Iterator[str]:
    """Yield how often each kind of agreement is right."""
    yield f"\n{'kind of agreement':<44}{'right':>6}{'wrong':>6}{'files':>6}"
    for kind in sorted({one.kind for one in columns if one.verdict != "asked"}):
        some = [one for one in columns if one.kind == kind and one.verdict != "asked"]
        wrong = sum(one.verdict == "wrong" for one in some)
        files = len({one.file for one in some})
        yield f"{kind or 'not told':<44}{len(some) - wrong:>6}{wrong:>6}{files:>6}"


def file_lines(columns: list[Judged]) -> Iterator[str]:
    """Yield what was said of each file, and the columns that are wrong or badly asked."""
    yield f"\n{'file':<14}{'right':>6}{'asked':>6}{'wrong':>6}"
    for file in dict.fromkeys(one.file for one in columns):
        some = [one for one in columns if one.file == file]
        counts = Counter(one.verdict for one in some)
        yield f"{file:<14}{counts['right']:>6}{counts['asked']:>6}{counts['wrong']:>6}"
        for one in some:
            badly = one.verdict == "asked" and not set(one.shown) & one.right
            if one.verdict == "wrong" or badly:
                said = " or ".join(one.shown) if badly else f"{one.role} ({one.confidence})"
                yield f"    {one.name}: {said or 'nothing shown'}; right: {' or '.join(one.right)}"


def drafts_line(folder: Path) -> str:
    """Draft and release every file, and count what the next command refuses."""
    endings = Counter[int]()
    seconds = 0.0
    for entry in json.loads((folder / "labels.json").read_text(encoding="utf-8")):
        with tempfile.TemporaryDirectory() as temporary:
            data, policy = str(folder / entry["file"]), str(Path(temporary) / "policy.toml")
            drafting = ["inspect", data, "--draft", policy, "--yes-to-suggestions"]
            before = time.monotonic()
            drafted = run(drafting)
            seconds = max(seconds, time.monotonic() - before)
            release = ["anonymize", data, "--policy", policy, "--out", str(Path(temporary) / "out")]
            code, said = drafted if drafted[0] != RELEASED else run(release)
            endings[code] += 1
            if code != RELEASED:
                sys.stdout.write(f"draft      {entry['key']}: exit {code}: {said}\n")
    refused = sum(n for code, n in endings.items() if code not in {RELEASED, NO_RELEASE})
    return (
        f"drafts     {refused} refused by the next command, {endings[NO_RELEASE]} without a "
        f"release, of {endings.total()}; the slowest takes {seconds:.1f} s"
    )


def run(words: list[str]) -> tuple[int, str]:
    """Run a command, and return how it ends and what it says of an error."""
    command = [sys.executable, "-m", "indistinct", *words]
    ended = subprocess.run(command, capture_output=True, check=False, text=True)
    said = [line for line in ended.stderr.splitlines() if line.strip()]
    return ended.returncode, next(
        (line for line in said if line.startswith("error")), "".join(said[-1:])
    )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER)
    parser.add_argument("--drafts", action="store_true")
    told = parser.parse_args()
    if not (told.folder / "labels.json").exists():
        sys.exit(f"{told.folder} has no labels.json. Name a folder: make calibration ROLES=FOLDER")
    found = measured(told.folder)
    text = [*lines(found), *agreement_lines(found.columns), *file_lines(found.columns)]
    sys.stdout.write("\n".join(text) + "\n")
    if told.drafts:
        sys.stdout.write(f"\n{drafts_line(told.folder)}\n")


if __name__ == "__main__":
    main()
