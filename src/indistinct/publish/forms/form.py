"""A form of a release: what of the records is published, and in which tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from indistinct.core.brief import short_repr
from indistinct.core.protocols import Deadline, Progress
from indistinct.core.randomness import RandomSource
from indistinct.engines.frame_table import FrameTable
from indistinct.history.entries import Past
from indistinct.policy.policy import Policy
from indistinct.publish.released_tables import ReleasedTables


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
    policy : what is promised
    chance : secure, or seeded for tests
    deadline : of the search
    progress : called with the share done and a message
    earlier : the releases that this one continues; None where no history is given
    """

    source: FrameTable
    policy: Policy
    chance: RandomSource
    deadline: Deadline
    progress: Progress
    earlier: Earlier | None = None

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a release; another one is an entry in :data:`indistinct.publish.forms.FORMS`.

    Parameters
    ----------
    name : as the documentation has it
    fits : tells whether a policy asks for it
    draft : makes a release that nobody has verified yet
    """

    name: str
    fits: Callable[[Policy], bool]
    draft: Callable[[FormInput], ReleasedTables]
