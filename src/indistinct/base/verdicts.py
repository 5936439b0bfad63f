"""The verdicts of a verification, in one set of words."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from indistinct.errors import Fault, VerificationError

UNDECIDED = "it is not decided whether the promise holds"
ASK = "Give the input to decide it, ask whether .holds is True, or call raise_unless_holds()."


class Judged(Protocol):
    """A result with a verdict."""

    @property
    def holds(self) -> bool | None:
        """True, False, or None where it could not be decided."""
        ...

    @property
    def reasons(self) -> Sequence[Fault]:
        """What is wrong, where something is."""
        ...


def truth(self: Judged) -> bool:
    """Return whether the promise holds, so that ``assert`` does what it reads.

    Taken as ``__bool__`` by the classes of results with a verdict.

    Raises
    ------
    VerificationError
        when it is not decided, which is neither
    """
    if self.holds is None:
        raise VerificationError(UNDECIDED, ASK)
    return self.holds


def raise_unless_holds(self: Judged) -> None:
    """Do nothing where the promise holds.

    Raises
    ------
    VerificationError
        with every fault when it does not hold; also when it is not decided
    """
    if not truth(self):
        raise VerificationError(self.reasons)


class Verdict(StrEnum):
    """Whether a release holds what it promises."""

    HOLDS = "holds"
    FAILS = "does not hold"
    UNDECIDED = "undecided"

    @property
    def holds(self) -> bool | None:
        """Return True, False, or None where it could not be decided."""
        return {Verdict.HOLDS: True, Verdict.FAILS: False}.get(self)

    @classmethod
    def of(cls, *, faults: bool, undecided: bool) -> Verdict:
        """Judge: any fault is one too many, and an open question is no promise kept."""
        if faults:
            return cls.FAILS
        return cls.UNDECIDED if undecided else cls.HOLDS
