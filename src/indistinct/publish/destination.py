"""Where a release is written, and what is written beside it."""

from __future__ import annotations

from dataclasses import dataclass

from indistinct.errors import Fault, ParameterError


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
