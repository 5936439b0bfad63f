"""What an attacker, or the owner who plays one, knows of earlier releases and linked tables."""

from __future__ import annotations

import hmac
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from indistinct.base.arrays import Bools
from indistinct.base.files.pair import sensitive_path
from indistinct.errors import DataError, Fault, ParameterError
from indistinct.tables.core.schema import COUNT, GROUP
from indistinct.tables.frames.frame import texts_of
from indistinct.tables.history.writing import opened
from indistinct.tables.policy.sections.history import HistoryPolicy
from indistinct.tables.reading import files
from indistinct.tables.verification.texts import texts_as_read

PRESENT = ("person", "release")


def read_present(
    given: Any, register: Any, history: HistoryPolicy | None, n_releases: int
) -> Bools:
    """Read who was in which release: (n_people, n_releases).

    Parameters
    ----------
    given : path or frame with the columns ``person`` and ``release``, the oldest being 1
    register : the people, with the policy's column of persons

    Raises
    ------
    DataError
        when the table lacks a column or names a release that is not there
    """
    person = _person_column(history)
    frame = files.read_file(given).frame
    if not set(PRESENT) <= set(frame.columns):
        problem = "has no columns person and release"
        raise DataError([Fault("--present", problem, "Give it with this header.")])
    if register is None or person not in register.columns:
        problem = f'has no column "{person}", by which --present names people'
        raise DataError([Fault("--register", problem, "Add it.")])
    place = {text: row for row, text in enumerate(texts_of(register, person))}
    found = np.zeros((len(place), n_releases), np.bool_)
    pairs = zip(*(texts_of(frame, name) for name in PRESENT), strict=True)
    for who, release in pairs:
        if not str(release).isdigit() or not 1 <= int(release) <= n_releases:
            problem = f"names a release that is not one of 1 to {n_releases}"
            raise DataError([Fault("--present", problem, "Number the oldest release 1.")])
        if who in place:
            found[place[who], int(release) - 1] = True
    return found


def groups_in(history: str | Path) -> list[tuple[bytes, ...]]:
    """Read the people of each group of each release that a history has."""
    groups: list[tuple[bytes, ...]] = []
    with opened(history) as record:
        for made in record.past().releases:
            members: dict[int, list[bytes]] = defaultdict(list)
            for person, number in record.members(made.number).items():
                members[number].append(person)
            groups += map(tuple, members.values())
    return groups


def owns_in(history: str | Path, original: Any, words: HistoryPolicy | None) -> Mapping[bytes, str]:
    """Return the sensitive value of each person of an input, by the history's codes."""
    person = _person_column(words)
    with opened(history) as record:
        facts = record.facts()
    sensitive = "" if facts is None else facts.sensitive
    if facts is None or person not in original.columns or sensitive not in original.columns:
        return {}
    columns = (texts_of(original, name) for name in (person, sensitive))
    pairs: Sequence[tuple[str | None, str | None]] = list(zip(*columns, strict=True))
    return {
        hmac.digest(facts.key, (who or "").encode(), "sha256"): value or "" for who, value in pairs
    }


def _person_column(history: HistoryPolicy | None) -> str:
    """Return the column that says who is who."""
    if history is None:
        raise ParameterError(
            [
                Fault(
                    "history.person",
                    "is missing in the policy, but is needed to identify persons",
                    'Add the table [history] with person = "COLUMN".',
                )
            ]
        )
    return history.person


def earlier_table(release: Any, columns: Sequence[str], sensitive: Sequence[str]) -> Any:
    """Read the sensitive table that stands beside an earlier release; None where there is none.

    A table that is released again may have been released in another form before.

    Parameters
    ----------
    release : path or frame of the records
    columns : of the records
    sensitive : names of the sensitive columns

    Raises
    ------
    DataError
        when the records have no sensitive column, and no table that has it stands beside them
    """
    if set(sensitive) & set(columns) or GROUP not in columns:
        return None
    sensitive_file = sensitive_path(release) if isinstance(release, str | Path) else None
    if sensitive_file is None or not sensitive_file.exists():
        problem = "is one of two linked tables, and the sensitive one is not beside it"
        remedy = "Give its path, and put the sensitive table back beside it."
        raise DataError([Fault("--releases", problem, remedy)])
    return _read(sensitive_file)


def linked_table(release: Any, sensitive: Any, form: str) -> Any:
    """Read the sensitive table that belongs to a release; None where there is none.

    Parameters
    ----------
    release : path or frame of the records
    sensitive : path or frame of the table; when left out, what stands beside ``release``
    form : of the release, as in the policy

    Raises
    ------
    DataError
        when it cannot be read, or has other columns than group, value and count
    """
    if form != "anatomy":
        return None
    if sensitive is None and isinstance(release, str | Path):
        sensitive_file = sensitive_path(release)
        sensitive = sensitive_file if sensitive_file.exists() else None
    return None if sensitive is None else _read(sensitive)


def _read(sensitive: Any) -> Any:
    """Read a sensitive table as texts."""
    frame = files.read_file(sensitive, typed=False).frame
    if not {GROUP, COUNT} <= set(frame.columns) or not _are_counts(texts_of(frame, COUNT)):
        problem = f"has no columns {GROUP} and {COUNT} with whole numbers"
        raise DataError([Fault("the sensitive table", problem, "Give the file of this release.")])
    return texts_as_read(frame)


def _are_counts(texts: Sequence[str | None]) -> bool:
    """Return whether all are whole numbers."""
    return all(text is not None and text.isascii() and text.isdigit() for text in texts)
