"""A form of a release: what of the records is published, and in which tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic

from typing_extensions import TypeVar

from indistinct.base.brief import short_repr
from indistinct.base.randomness import RandomSource
from indistinct.tables.core.protocols import Deadline, Progress
from indistinct.tables.counting.preparation import Count
from indistinct.tables.engines.choosing import Resources
from indistinct.tables.engines.frame_table import FrameTable
from indistinct.tables.engines.sources import ReleasePlan, Source
from indistinct.tables.frames.frame import Frame
from indistinct.tables.history.entries import Past, Step
from indistinct.tables.policy.specification import Specification
from indistinct.tables.publish.public_manifest import public_manifest
from indistinct.tables.publish.repair.repaired_release import RepairOutcome
from indistinct.tables.publish.searching import FoundRecoding
from indistinct.tables.release.manifest import Manifest

Found = TypeVar("Found", default=Any)  # what a form's search finds
AnyTable = TypeVar("AnyTable", bound=Source, default=FrameTable)


@dataclass(frozen=True, slots=True)
class Earlier:
    """The earlier releases of a table.

    Parameters
    ----------
    path : of their record, which writing the release continues
    past : what the record says
    """

    path: Path
    past: Past

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class FormInput(Generic[AnyTable]):
    """A table, open, and what is to become of it.

    Parameters
    ----------
    source : the input with its protected columns masked
    spec : what is promised
    chance : secure, or seeded for tests
    progress : called with the share done and a message
    deadline : of the search; the policy's time limit from its beginning when left out
    earlier : the releases that this one continues; None where no history is given
    resources : which engine works, and with how much memory
    hashes : whether the input is hashed, where that takes another look at it
    """

    source: AnyTable
    spec: Specification
    chance: RandomSource
    progress: Progress
    deadline: Deadline | None = None
    earlier: Earlier | None = None
    resources: Resources = field(default_factory=Resources)
    hashes: bool = True

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class FormTables:
    """The tables of a release, before they are given back or written.

    Parameters
    ----------
    plan : the released records, and the row of the input behind each
    spec : with every rule written out that classes were searched with
    found : what was searched and found, where cells were generalized
    sensitive : the sensitive values of each group, of two linked tables
    counterfeits : groups that have records without a person, and how many
    step : what the release adds to the history, of a form that follows it
    repair : what was done so that less is read back
    """

    plan: ReleasePlan
    spec: Specification
    found: FoundRecoding | None = None
    sensitive: Frame | None = None
    counterfeits: Frame | None = None
    step: Step | None = None
    repair: RepairOutcome = field(default_factory=RepairOutcome)

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class Stages(Generic[Found, AnyTable]):
    """What a form does at each step of the pipeline.

    Parameters
    ----------
    search : finds the classes or groups of the counted rows
    tables : writes the rows by what was found
    manifests : says what was promised and reached: to the owner, with exact figures, and to all
    """

    search: Callable[[FormInput[AnyTable], Count], Found]
    tables: Callable[[FormInput[AnyTable], Found], FormTables]
    manifests: Callable[[FormInput[AnyTable], Found, FormTables], tuple[Manifest, Manifest]]


def steps_of(
    search: Callable[[FormInput, Count], Found],
    tables: Callable[[FormInput, Found], FormTables],
    manifest: Callable[[FormInput, Found, FormTables], Manifest],
) -> Stages[Found]:
    """Return the steps of a form of a table in memory.

    Parameters
    ----------
    manifest : returns the owner's, from which the public one is made
    """

    def manifests(given: FormInput, found: Found, made: FormTables) -> tuple[Manifest, Manifest]:
        owner = manifest(given, found, made)
        return owner, public_manifest(owner, made.spec, made.plan.cells, made.found)

    return Stages(search, tables, manifests)


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a release; another one is an entry in ``FORMS`` of ``tables/publish/forms``.

    Parameters
    ----------
    name : as the documentation has it
    fits : tells whether a policy asks for it
    steps : returns what it does, and loads the modules of a rare form
    """

    name: str
    fits: Callable[[Specification], bool]
    steps: Callable[[], Stages[Any]]
