"""Release data that stay where they are: planned, and written when somebody asks for it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Never, final

from indistinct.base.brief import Confidential
from indistinct.errors import OutputError
from indistinct.tables.core.protocols import Progress, no_progress
from indistinct.tables.engines.choosing import Resources
from indistinct.tables.engines.sinks import sink_for
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.specification import resolve
from indistinct.tables.publish.parts import (
    PlannedTable,
    checked_names,
    open_source,
    refuse_plan,
    staged_parts,
)
from indistinct.tables.publish.parts_refusals import refuse_what_needs_all
from indistinct.tables.publish.pipeline import decide
from indistinct.tables.publish.released_tables import OwnerParts, ReleasedTables
from indistinct.tables.publish.writing import Destination, StagedTables


@final
class TableInPlace:
    """A table that stays where it is, open, and what becomes of it.

    Parameters
    ----------
    given : the data, as they came
    planned : what becomes of each distinct row
    """

    def __init__(self, given: Any, planned: PlannedTable) -> None:
        self._given, self._planned = given, planned

    def __reduce__(self) -> Never:
        raise OutputError(
            "the records of this release stay where they are, so that no pickle holds it",
            "Write the release, and hand over what was written.",
        )

    @property
    def data(self) -> Any:
        """The released records, lazily: a lazy frame, a relation or a data frame of a cluster."""
        return self._planned.source.lazy(self._planned.plan)

    def staged(self, destination: Destination) -> AbstractContextManager[StagedTables]:
        """Write the release in parts, under hidden names."""
        sink = sink_for(
            destination.path,
            rows_per_file=destination.rows_per_file,
            may_replace=destination.may_replace,
            hashes=destination.hashes,
            partition_by=destination.partition_by,
        )
        names = checked_names(self._given, sink, destination)
        return staged_parts(self._planned, sink, destination, names)

    def close(self) -> None:
        """Let go of the input, and remove what did not fit into memory."""
        self._planned.source.__exit__(None, None, None)


def planned_tables(
    data: Any, policy: Policy, resources: Resources, progress: Progress = no_progress
) -> ReleasedTables:
    """Decide on a release of data that stay where they are, and verify the decision.

    Raises
    ------
    PolicyError
        when the policy asks for what takes all records in memory
    NoSolutionError
        when no release satisfies the policy
    VerificationError
        when the decision does not hold the promise
    """
    spec = resolve(policy)
    refuse_what_needs_all(spec, data)
    source = open_source(data, spec, resources, progress)
    try:
        planned = decide(source, spec, resources, progress)
        refuse_plan(planned)
    except BaseException:
        source.__exit__(None, None, None)
        raise
    return ReleasedTables(
        planned.published.as_planned(),
        Confidential(OwnerParts(planned.owner.as_planned())),
        policy,
        planned.spec,
        in_place=TableInPlace(data, planned),
    )
