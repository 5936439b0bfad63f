"""A release of data that stay where they are: decided, and written when somebody asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, Never, final

from indistinct.errors import OutputError
from indistinct.tables.core.protocols import Progress, no_progress
from indistinct.tables.engines.choosing import Resources
from indistinct.tables.engines.sinks import sink_for
from indistinct.tables.engines.sources import EngineTable
from indistinct.tables.frames.frame import Frame
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.resolved import resolve
from indistinct.tables.publish.parts import (
    checked_names,
    open_source,
    staged_parts,
    verified_plan,
)
from indistinct.tables.publish.parts_refusals import refuse_what_needs_all
from indistinct.tables.publish.pipeline import PlannedRelease, decide
from indistinct.tables.publish.release import Release
from indistinct.tables.publish.writing import Destination, StagedTables
from indistinct.tables.reading.native_frames import collected
from indistinct.tables.release.manifest import Manifest


@final
class DecidedRelease:
    """A decision about a table that stays where it is, and what was verified of it.

    Parameters
    ----------
    given : the data, as they came
    policy : what was promised
    decided : what becomes of each distinct row, with the table, which is open
    plan : the public manifest, as far as it is known before anything is written
    """

    sensitive = counterfeits = None

    def __init__(
        self, given: Any, policy: Policy, decided: PlannedRelease[EngineTable], plan: Manifest
    ) -> None:
        self.given, self.policy, self.decided, self.plan = given, policy, decided, plan

    def __reduce__(self) -> Never:
        raise OutputError(
            "the records of this release stay where they are, so that no pickle holds it",
            "Write the release, and hand over what was written.",
        )

    @property
    def data(self) -> Any:
        """The released records, lazily: a lazy frame, a relation or a data frame of a cluster."""
        return self.decided.source.lazy(self.decided.plan)

    @property
    def frame(self) -> Frame:
        """The released records, collected."""
        return collected(self.data)

    @property
    def manifest(self) -> Mapping[str, Any]:
        """What was promised and reached; the decision was verified, nothing that was written."""
        return {**self.plan.document(), "verified": Manifest.PLAN}

    @property
    def owner(self) -> Mapping[str, Any]:
        """The manifest with exact figures."""
        return {**self.decided.owner.document(), "verified": Manifest.PLAN}

    @property
    def warnings(self) -> tuple[Mapping[str, Any], ...]:
        """What the owner is told of the release."""
        return tuple(one.document() for one in self.decided.owner.warnings)

    @property
    def crosswalk(self) -> Never:
        """Nothing: an engine numbers the records when it writes them."""
        raise OutputError(
            "the records stay where they are, and are numbered when they are written",
            "Name a file: release.write(path, crosswalk=file).",
        )

    @property
    def original(self) -> Never:
        """Nothing: the input was not read whole."""
        raise OutputError(
            "the input of this release was not read whole",
            'Take engine="memory", or read the input yourself.',
        )

    def staged(self, destination: Destination) -> AbstractContextManager[StagedTables]:
        """Write the release in parts, under hidden names."""
        sink = sink_for(
            destination.path,
            rows_per_file=destination.rows_per_file,
            may_replace=destination.may_replace,
            hashes=destination.hashes,
            partition_by=destination.partition_by,
        )
        names = checked_names(self.given, sink, destination)
        return staged_parts(self.decided, sink, destination, names)

    def close(self) -> None:
        """Let go of the input, and remove what did not fit into memory."""
        self.decided.source.__exit__(None, None, None)


def decided_release(
    data: Any, policy: Policy, resources: Resources, progress: Progress = no_progress
) -> Release:
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
    resolved = resolve(policy)
    refuse_what_needs_all(resolved)
    source = open_source(data, resolved, resources, progress)
    try:
        decided = decide(source, resolved, resources, progress)
        return Release(DecidedRelease(data, policy, decided, verified_plan(decided)))
    except BaseException:
        source.__exit__(None, None, None)
        raise
