"""The verdicts of a verification, in one set of words."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """Whether a release holds what it promises."""

    HOLDS = "holds"
    FAILS = "does not hold"
    UNDECIDED = "undecided"

    @property
    def holds(self) -> bool | None:
        """Give True, False, or None where it could not be decided."""
        return {Verdict.HOLDS: True, Verdict.FAILS: False}.get(self)

    @classmethod
    def of(cls, *, faults: bool, undecided: bool) -> Verdict:
        """Judge: any fault is one too many, and an open question is no promise kept."""
        if faults:
            return cls.FAILS
        return cls.UNDECIDED if undecided else cls.HOLDS
