"""A release of data that stay where they are: its data are lazy, and of the kind that came in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self, final

from indistinct.core.protocols import Progress, no_progress
from indistinct.engines.choosing import Resources
from indistinct.engines.sinks import check_sink, sink_for
from indistinct.policy.policy import Policy
from indistinct.publish.large import decide, open_source, verified_plan, write_decided
from indistinct.publish.large_crosswalk import check_crosswalk
from indistinct.publish.large_refusals import refuse_what_needs_all
from indistinct.publish.record_names import record_names_of

PLAN = "plan"


@final
class LargeRelease:
    """A release that is decided, and not yet written.

    Every distinct row of the input was counted, and what becomes of it was verified. The input must
    stay as it is until the release is written or its data are used; ``write`` counts what it wrote,
    and finds out where it did not.

    Parameters
    ----------
    data, policy : of the input
    resources : which engine works, and with how much memory
    """

    def __init__(
        self, data: Any, policy: Policy, resources: Resources, progress: Progress = no_progress
    ) -> None:
        refuse_what_needs_all(policy)
        self._input, self.policy = data, policy
        self._source = open_source(data, policy, resources, progress)
        try:
            self._decided = decide(self._source, policy, resources, progress)
            self._plan = verified_plan(self._decided)
        except BaseException:
            self.close()
            raise

    def __repr__(self) -> str:
        return (
            f"LargeRelease(engine={self._source.engine!r}, records={self._plan.records.released})"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def data(self) -> Any:
        """The released records, lazily: a lazy frame, a relation or a data frame of a cluster."""
        return self._source.lazy(self._decided.plan.decision)

    @property
    def manifest(self) -> Mapping[str, Any]:
        """What was promised and reached; the decision was verified, nothing that was written."""
        return {**self._plan.document(), "verified": PLAN}

    @property
    def owner(self) -> Mapping[str, Any]:
        """The manifest with exact figures, for the owner alone."""
        return {**self._decided.owner.document(), "verified": PLAN}

    def write(  # noqa: PLR0913 - each is a word of the command
        self,
        path: str | Path,
        *,
        manifest: str | Path | None = None,
        owner: str | Path | None = None,
        crosswalk: str | Path | None = None,
        crosswalk_key: str | None = None,
        record_column: str | None = None,
        rows_per_file: int = 10_000_000,
        replace: bool = False,
        hashes: bool = True,
        partition_by: str | None = None,
    ) -> Mapping[str, Any]:
        """Write the release, and verify it by reading it again; all or nothing.

        Parameters
        ----------
        path : a file, a folder, or the address of a table
        manifest, owner : where the manifests go; the public one inside the folder or beside the
            file when left out
        crosswalk : where the owner's list goes of which released record came from which one: of
            Parquet files, and of CSV files with the engine ``polars``
        crosswalk_key, record_column : of any table, with a crosswalk that lists no rows: the column
            of the input that tells its records apart, and the column of the release for their
            random names
        rows_per_file : records of each file of a folder
        replace : whether a folder or table that is there may be replaced
        hashes : whether files are hashed
        partition_by : the released column whose values the folders of the files are named after

        Returns
        -------
        the manifest

        Raises
        ------
        OutputError
            when it cannot be written
        VerificationError
            when what was written, read afresh, does not hold the promise; nothing is then published
        """
        sink = sink_for(
            str(path),
            rows_per_file=rows_per_file,
            may_replace=replace,
            hashes=hashes,
            partition_by=partition_by,
        )
        check_sink(sink, self._input)
        beside = {
            "manifest": None if manifest is None else str(manifest),
            "owner": None if owner is None else str(owner),
            "crosswalk": None if crosswalk is None else str(crosswalk),
        }
        names = record_names_of(crosswalk_key, record_column, beside["crosswalk"])
        if crosswalk is not None:
            others = (beside["manifest"], beside["owner"])
            has_names = names is not None
            check_crosswalk(str(crosswalk), self._input, sink, others, has_names=has_names)
        return write_decided(self._decided, sink, **beside, names=names).published.document()

    def close(self) -> None:
        """Let go of the input, and remove what did not fit into memory."""
        self._source.__exit__(None, None, None)
