"""The sensitive table of a release of two linked tables, and the votes of its groups."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from indistinct.core.schema import Role
from indistinct.engines import files
from indistinct.engines.frames import texts_of
from indistinct.errors import DataError, Fault
from indistinct.policy.linked_form import COUNT, GROUP, sensitive_path
from indistinct.policy.policy import Policy
from indistinct.reader.verify.texts_as_read import texts_as_read


def earlier_table(release: Any, columns: Sequence[str], policy: Policy) -> Any:
    """Read the sensitive table that stands beside an earlier release; None where there is none.

    A table that is released again may have been released in another form before.

    Parameters
    ----------
    release : path or frame of the records
    columns : of the records

    Raises
    ------
    DataError
        when the records have no sensitive column, and no table that has it stands beside them
    """
    if set(policy.named(Role.SENSITIVE)) & set(columns) or GROUP not in columns:
        return None
    beside = sensitive_path(release) if isinstance(release, str | Path) else None
    if beside is None or not beside.exists():
        problem = "is one of two linked tables, and the sensitive one is not beside it"
        remedy = "Give its path, and put the sensitive table back beside it."
        raise DataError([Fault("--releases", problem, remedy)])
    return _read(beside)


def linked_table(release: Any, sensitive: Any, policy: Policy) -> Any:
    """Read the sensitive table that belongs to a release; None where there is none.

    Parameters
    ----------
    release : path or frame of the records
    sensitive : path or frame of the table; when left out, what stands beside ``release``

    Raises
    ------
    DataError
        when it cannot be read, or has other columns than group, value and count
    """
    if policy.release.form != "anatomy":
        return None
    if sensitive is None and isinstance(release, str | Path):
        beside = sensitive_path(release)
        sensitive = beside if beside.exists() else None
    return None if sensitive is None else _read(sensitive)


def _read(sensitive: Any) -> Any:
    """Read a sensitive table as texts."""
    frame = files.read(sensitive, typed=False).frame
    if not {GROUP, COUNT} <= set(frame.columns) or not _are_counts(texts_of(frame, COUNT)):
        problem = f"has no columns {GROUP} and {COUNT} with whole numbers"
        raise DataError([Fault("the sensitive table", problem, "Give the file of this release.")])
    return texts_as_read(frame)


def _are_counts(texts: Sequence[str | None]) -> bool:
    """Tell whether all are whole numbers."""
    return all(text is not None and text.isascii() and text.isdigit() for text in texts)
