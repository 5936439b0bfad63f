"""Look at data before they are published: one table, or several about the same people."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Unpack, overload

from indistinct.errors import ParameterError
from indistinct.related import RelatedInspection, has_related_tables, inspect_related
from indistinct.tables.core.protocols import Progress, no_progress
from indistinct.tables.policy.given import GivenPolicy
from indistinct.tables.publish.given_reading import ReadingKeywords
from indistinct.tables.publish.inspection import Inspection
from indistinct.tables.publish.table_inspection import inspect_table


@overload
def inspect(  # pyright: ignore[reportOverlappingOverload] - a frame is no mapping
    data: Mapping[str, Any], *, progress: Progress = no_progress, profile: str | None = None
) -> RelatedInspection: ...


@overload
def inspect(
    data: Any,
    policy: GivenPolicy | None = None,
    *,
    vulnerability: Literal["sensitive", "identity"] | None = None,
    engine: str = "auto",
    memory: str | None = None,
    temp: str | Path | None = None,
    progress: Progress = no_progress,
    profile: str | None = None,
    **reading: Unpack[ReadingKeywords],
) -> Inspection: ...


def inspect(  # noqa: PLR0913 - each is a word of the command
    data: Any,
    policy: GivenPolicy | None = None,
    *,
    vulnerability: Literal["sensitive", "identity"] | None = None,
    engine: str = "auto",
    memory: str | None = None,
    temp: str | Path | None = None,
    progress: Progress = no_progress,
    profile: str | None = None,
    **reading: Unpack[ReadingKeywords],
) -> Inspection | RelatedInspection:
    """Describe every column of a table, or of related tables, and suggest its role.

    Parameters
    ----------
    data : a path, a folder or a pattern of files, the address of a table, or a frame; of tables
        about the same people a folder or a schema, or a frame for each name
    policy, vulnerability, engine, memory, temp, reading : of one table; see
        :func:`indistinct.tables.publish.table_inspection.inspect_table`
    progress : called with the share done and a message
    profile : of related tables, the known model of data that they follow, such as ``omop-5.4``

    Returns
    -------
    what the columns show; of related tables a :class:`RelatedInspection`, also of the path of a
    folder whose files have different columns

    Raises
    ------
    DataError
        when a table cannot be read
    ParameterError
        when a setting is not one of such data
    """
    if not (isinstance(data, Mapping) or profile is not None or _has_tables(data, policy)):
        return inspect_table(
            data,
            policy,
            vulnerability=vulnerability,
            engine=engine,
            memory=memory,
            temp=temp,
            progress=progress,
            **reading,
        )
    if policy is not None or vulnerability is not None or any(reading.values()):
        raise ParameterError(
            "related tables are inspected without a policy, and read as they are",
            "Leave the other settings out, or inspect the tables one by one.",
        )
    return inspect_related(data, profile=profile, progress=progress)


def _has_tables(data: Any, policy: GivenPolicy | None) -> bool:
    """Return whether a path is a folder of related tables; with a policy, it is one table."""
    return policy is None and isinstance(data, str | Path) and has_related_tables(data)
