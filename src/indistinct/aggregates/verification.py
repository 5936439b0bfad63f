"""Verify published tables: from their files alone, and beside the records that they count."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from indistinct.aggregates.check import MANIFEST, WITNESSES, Checked, check_texts
from indistinct.base.inputs import read_bytes
from indistinct.base.verdicts import raise_unless_holds, truth
from indistinct.errors import DataError, Fault, ParameterError


@dataclass(frozen=True, slots=True)
class TablesVerification:
    """Whether published tables keep their promise.

    Parameters
    ----------
    checked : what was found in the files
    beside : why they are not the tables of the records that somebody gave
    """

    checked: Checked
    beside: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<TablesVerification: {self.verdict}, {self.checked.hidden:,} hidden cells>"

    __bool__ = truth
    raise_unless_holds = raise_unless_holds

    @property
    def holds(self) -> bool | None:
        """True, False, or None where the files do not decide it."""
        return False if self.beside else self.checked.holds

    @property
    def verdict(self) -> str:
        """The verdict in words: ``holds``, ``does not hold`` or ``undecided``."""
        return {True: "holds", False: "does not hold", None: "undecided"}[self.holds]

    @property
    def reasons(self) -> tuple[Fault, ...]:
        """What is wrong."""
        return tuple(Fault("", reason) for reason in (*self.checked.reasons, *self.beside))

    def sentence(self) -> str:
        """Return what was found, in one sentence."""
        found = self.checked
        if self.holds is None:
            return f"{found.hidden:,} hidden cells, and no file of complete tables beside them"
        if not found.hidden:
            return "nothing is hidden, and all parts add up"
        return (
            f"{found.hidden:,} hidden cells; {found.tables:,} complete tables agree with all that "
            f"is published; each hidden cell differs by {found.width:,} or more and can reach "
            f"{found.reaches:,}"
        )

    def document(self) -> dict[str, Any]:
        """Return the result as one JSON document."""
        found = self.checked
        return {
            "holds": self.holds,
            "verdict": self.verdict,
            "reasons": [fault.problem for fault in self.reasons],
            "hidden": found.hidden,
            "tables": found.tables,
            "width": found.width,
            "reaches": found.reaches,
        }


def are_published_tables(release: Any) -> bool:
    """Return whether a path is a folder of published tables, by its manifest."""
    if not isinstance(release, str | Path) or "://" in str(release):
        return False
    place = Path(release) / MANIFEST
    if not place.is_file():
        return False
    try:
        return json.loads(read_bytes(place)).get("form") == "tables"
    except (OSError, ValueError, AttributeError):
        return False


def verify_tables(
    folder: str | Path,
    policy: Any = None,
    *,
    original: Any = None,
    owner: str | Path | Mapping[str, Any] | None = None,
) -> TablesVerification:
    """Check published tables by addition.

    Parameters
    ----------
    folder : with the tables
    policy : what was promised; that of the manifest when left out
    original : the records: counts are compared with them, and with ``owner`` the moves, too
    owner : the owner's file

    Raises
    ------
    DataError
        when the folder cannot be read
    """
    files = _files(Path(folder))
    words = None
    if policy is not None:
        from indistinct.aggregates.policy import tables_policy
        from indistinct.aggregates.recount import with_labels

        words = with_labels(tables_policy(policy))
    found = check_texts(files, words)
    if original is None:
        if owner is not None:
            raise ParameterError(
                "the owner's file is compared with the records", "Give original, too."
            )
        return TablesVerification(found)
    from indistinct.aggregates.recount import recount_faults

    return TablesVerification(found, tuple(recount_faults(files, policy, original, owner)))


def _files(folder: Path) -> dict[str, bytes]:
    """Read the files of a folder: its tables, the manifest and the complete tables."""
    try:
        return {
            place.name: read_bytes(place)
            for place in sorted(folder.iterdir())
            if place.suffix == ".csv" or place.name in {MANIFEST, WITNESSES}
        }
    except OSError as error:
        raise DataError(
            [Fault(str(folder), f"cannot be read: {error.strerror}", "Check the path.")]
        ) from None
