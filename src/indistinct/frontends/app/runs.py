"""What searches found: a folder each, with the release and what is known of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from indistinct.base.files.documents import json_text
from indistinct.base.files.writing import atomic
from indistinct.base.inputs import json_document
from indistinct.base.statements.statements import Statements, is_known
from indistinct.errors import UsageError
from indistinct.frontends.app.folder import StartFolder

RUN_FILE = "run.json"


@dataclass(frozen=True, slots=True)
class RunFigures:
    """The four figures of a release, wherever it was found.

    Parameters
    ----------
    kept : share of the records, in [0, 1]
    information : share of the differences between records that can still be seen, in [0, 1]; None
        where it was not examined
    risk : the greatest chance to find somebody, in [0, 1]; None where it was not examined
    """

    kept: float
    information: float | None
    risk: float | None


@dataclass(frozen=True, slots=True)
class ReleaseRun:
    """One search that found a release.

    Parameters
    ----------
    number : from 1 on
    folder : its files
    about : what was written of it
    """

    number: int
    folder: Path
    about: Mapping[str, Any]

    @property
    def document(self) -> Mapping[str, Any]:
        """The owner's manifest."""
        return self.about["document"]

    @property
    def fingerprint(self) -> str:
        """Of the policy and the data that were searched."""
        return str(self.about["fingerprint"])

    @property
    def entry(self) -> int:
        """Number of the policy in the history."""
        return int(self.about["entry"])

    @property
    def release(self) -> Path:
        """The released table."""
        return self.folder / str(self.about["release"])

    @property
    def crosswalk(self) -> Path:
        """Which record is whose, for the owner alone."""
        return self.folder / "crosswalk.csv"

    @property
    def owner(self) -> Path:
        """The manifest with exact figures, for the owner alone."""
        return self.folder / "owner.json"

    def outcome(self) -> RunFigures:
        """Return its figures."""
        return outcome_of(self.document)


def outcome_of(document: Mapping[str, Any]) -> RunFigures:
    """Read the figures from an owner's manifest, which states them."""
    stated = Statements.read(document["statements"])
    share, highest = stated.kept["share"], stated.risk["highest"]
    return RunFigures(
        records_kept(document),
        float(share) if is_known(share) else None,
        float(highest["chance"]) if is_known(highest) else None,
    )


def records_kept(document: Mapping[str, Any]) -> float:
    """Return the share of the records that are released, by a manifest or a point of a sweep."""
    released, gone = (int(document["records"][word]) for word in ("released", "suppressed"))
    return released / max(released + gone, 1)


def runs_of(start: StartFolder, folder: Path) -> list[ReleaseRun]:
    """List the runs of a project, the newest first.

    Left out are those that did not end, those of earlier versions, which state nothing, and those
    with a link among their files.
    """
    found: list[ReleaseRun] = []
    for number in reversed(start.numbers(folder / "runs")):
        place = folder / "runs" / f"{number:04}"
        try:
            about: Mapping[str, Any] = json_document(start.read(place / RUN_FILE))
        except (OSError, ValueError, UsageError):
            continue
        run = ReleaseRun(number, place, about)
        names = start.plain_files(place)
        if "statements" not in about.get("document", {}):
            continue
        if str(about.get("release")) in names and len(names) == len(list(place.iterdir())):
            found.append(run)
    return found


def next_run(start: StartFolder, folder: Path) -> Path:
    """Return a folder for the next run."""
    return start.next_number(folder / "runs")


def written(path: Path, document: Mapping[str, Any]) -> None:
    """Write a JSON document that its owner alone reads."""
    with atomic(path, private=True) as temporary:
        temporary.write_text(json_text(document), encoding="utf-8")
