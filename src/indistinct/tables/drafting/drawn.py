"""A hierarchy that was drawn for the draft of a policy."""

from __future__ import annotations

from collections.abc import Mapping, Sized
from dataclasses import dataclass

LONG = 12  # values of a hierarchy that is still written into the policy itself

Rows = list[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class DraftedHierarchy:
    """A hierarchy for the draft of a policy.

    Parameters
    ----------
    said : what it does, in a sentence
    rule : the words of ``hierarchy`` in a policy, for intervals, masks and dates
    rows : else one per value, level 0 first; none where a value is kept or hidden
    """

    said: str
    rule: Mapping[str, object] | None = None
    rows: Rows | None = None

    @property
    def height(self) -> int:
        """The level at which every value is hidden."""
        if self.rows:
            return len(self.rows[0]) - 1
        steps = next(iter((self.rule or {}).values()), ())
        if isinstance(steps, int):  # a mask, of which the last level hides everything
            return steps
        return (len(steps) if isinstance(steps, Sized) else 0) + 1

    @property
    def is_long(self) -> bool:
        """Whether its rows are too many to stand in the policy itself."""
        return self.rows is not None and len(self.rows) > LONG


# Without this rule, a policy draws intervals of numbers, and masks of codes.
KEPT_OR_HIDDEN: Mapping[str, object] = {"labels": []}
FLAT = DraftedHierarchy("A value is kept or hidden.", rule=KEPT_OR_HIDDEN)
