"""Write a release: under names that nobody sees, verified, and then with its manifests at once.

Every release is written by these steps. One that is in memory is staged by
:mod:`indistinct.tables.publish.released_tables`, and one that an engine writes in parts by
:mod:`indistinct.tables.publish.parts`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from indistinct.base.brief import short_repr
from indistinct.base.files.documents import json_text
from indistinct.errors import Fault, ParameterError
from indistinct.tables.publish.stated import StatedVerdict, with_statements
from indistinct.tables.release.manifest import Manifest


@dataclass(frozen=True, slots=True)
class WrittenManifests:
    """The manifests of a release that was written and verified.

    Parameters
    ----------
    exact : with exact figures, for the owner alone
    published : what stands beside or inside the release
    """

    exact: Manifest = field(repr=False)
    published: Manifest


@dataclass(frozen=True, slots=True)
class StagedTables:
    """A release that is written and that nobody can see yet, in one file or in several.

    Parameters
    ----------
    published, exact : the public manifest and the owner's, which say what was written
    important : columns of the policy whose importance is above the usual one
    verify : reads what was written afresh, refuses it where it does not hold the promise, and
        states what follows
    publish : lets it appear, with the texts of the public manifest and of the owner's
    """

    published: Manifest
    exact: Manifest
    important: Collection[str]
    verify: Callable[[Manifest], StatedVerdict]
    publish: Callable[[str, str], None]

    __repr__ = short_repr


def write_staged(staging: AbstractContextManager[StagedTables]) -> WrittenManifests:
    """Write a release, verify it by reading it again, and let it appear; all or nothing.

    Parameters
    ----------
    staging : writes it under hidden names; what was written is removed where an error leaves it

    Raises
    ------
    OutputError
        when a file cannot be written
    VerificationError
        when what was written, read afresh, does not hold the promise; nothing is then published
    """
    with staging as staged:
        published, exact = (one.as_verified() for one in (staged.published, staged.exact))
        stated = staged.verify(published).statements
        published, exact = with_statements(published, exact, stated, staged.important)
        staged.publish(json_text(published.document()), json_text(exact.document()))
    return WrittenManifests(exact, published)


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a release is written, and what is written beside it.

    Parameters
    ----------
    path : a file, a folder, the address of a table, or ``-`` for standard output
    manifest : where the public manifest goes; inside the folder or beside the file when left out
    owner, crosswalk : where the owner's files go; not written when left out
    crosswalk_key, record_column, partition_by : of releases that are written in parts
    rows_per_file, may_replace, hashes : the same
    """

    path: str
    manifest: str | None = None
    owner: str | None = None
    crosswalk: str | None = None
    crosswalk_key: str | None = None
    record_column: str | None = None
    partition_by: str | None = None
    rows_per_file: int = 10_000_000
    may_replace: bool = False
    hashes: bool = True

    @classmethod
    def of(
        cls,
        path: str | Path,
        manifest: str | Path | None = None,
        owner: str | Path | None = None,
        crosswalk: str | Path | None = None,
        **others: Any,
    ) -> Self:
        """Return a destination whose paths may be of either type."""
        places = [None if one is None else str(one) for one in (manifest, owner, crosswalk)]
        return cls(str(path), places[0], places[1], places[2], **others)

    @property
    def private(self) -> tuple[str, ...]:
        """The paths of the files that are for the owner alone."""
        return tuple(path for path in (self.crosswalk, self.owner) if path is not None)

    def refuse_parts(self) -> None:
        """Refuse what a release that is written whole cannot have.

        Raises
        ------
        ParameterError
            when something is asked for that only a release in parts has
        """
        names = ("crosswalk_key", "record_column", "partition_by")
        faults = [
            Fault(
                name,
                "is for releases that are written in parts",
                'Take engine="polars" or engine="duckdb".',
            )
            for name in names
            if getattr(self, name) is not None
        ]
        if faults:
            raise ParameterError(faults)
