"""A form of a release: what of the records is published, and in which tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from indistinct.base.brief import short_repr
from indistinct.base.randomness import RandomSource
from indistinct.tables.core.protocols import Deadline, Progress
from indistinct.tables.counting.preparation import CountedTable
from indistinct.tables.engines.frame_table import FrameTable
from indistinct.tables.engines.sources import ReleasePlan
from indistinct.tables.frames.frame import Frame
from indistinct.tables.history.entries import Past, Step
from indistinct.tables.policy.resolved import Resolved
from indistinct.tables.publish.searching import SearchResult
from indistinct.tables.release.manifest import Manifest

Found = TypeVar("Found")  # what a form's search finds


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
class FormInput:
    """A table that was read, and what is to become of it.

    Parameters
    ----------
    source : the input, as it was read and with its protected columns masked
    resolved : what is promised
    chance : secure, or seeded for tests
    progress : called with the share done and a message
    deadline : of the search; the policy's time limit from its beginning when left out
    earlier : the releases that this one continues; None where no history is given
    """

    source: FrameTable
    resolved: Resolved
    chance: RandomSource
    progress: Progress
    deadline: Deadline | None = None
    earlier: Earlier | None = None

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class FormTables:
    """The tables of a release, before they are given back or written.

    Parameters
    ----------
    plan : the released records, and the row of the input behind each
    resolved : with every rule written out that classes were searched with
    found : what was searched and found, where cells were generalized
    sensitive : the sensitive values of each group, of two linked tables
    counterfeits : groups that have records without a person, and how many
    step : what the release adds to the history, of a form that follows it
    """

    plan: ReleasePlan
    resolved: Resolved
    found: SearchResult | None = None
    sensitive: Frame | None = None
    counterfeits: Frame | None = None
    step: Step | None = None

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class Steps(Generic[Found]):
    """What a form does at each step of the pipeline.

    Parameters
    ----------
    search : finds the classes or groups of the counted records
    tables : writes the records by what was found
    manifest : says what was promised and reached, with exact figures
    """

    search: Callable[[FormInput, CountedTable], Found]
    tables: Callable[[FormInput, Found], FormTables]
    manifest: Callable[[FormInput, Found, FormTables], Manifest]


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
    fits: Callable[[Resolved], bool]
    steps: Callable[[], Steps[Any]]
