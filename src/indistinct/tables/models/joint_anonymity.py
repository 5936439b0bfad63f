"""Joint anonymity: what somebody knows of a person and of some events of theirs fits k people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from indistinct.base.parameters import check, parameter


@final
@dataclass(frozen=True, slots=True)
class JointAnonymity:
    """Every pattern of at most ``m`` rows of a unit is had by ``k`` units of its class.

    A class is the units with the same released quasi-identifiers in the table of people. A pattern
    is a multiset of rows of one unit, by their released quasi-identifiers. It is a promise about
    several tables together, so that it is no model of a flat table. Where ``m`` is "all", each unit
    has the same whole pattern as ``k`` - 1 others of its class.

    Source: our own; docs/related.md. The case of sets without copies is terrovitis2008.
    """

    k: int = parameter(int, at_least=2, help="least people who have each pattern")
    m: int | str = parameter(
        int, at_least=1, at_most=3, word="all", help="events that somebody may know"
    )

    name: ClassVar[str] = "joint-anonymity"
    promise: ClassVar[str] = (
        "Whoever knows what is released of a person and {m} of the person's events, finds at least "
        "{k} people who have all of them."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        "What all people have in common who have the known events is learned.",
    )
    leaves_open_beyond: ClassVar[tuple[str, ...]] = (
        "Somebody who knows more than {m} events of a person may find the person.",
        "That an event did not happen is not hidden.",
    )

    def __post_init__(self) -> None:
        """Check every parameter once."""
        check(self)

    @property
    def known_rows(self) -> int | None:
        """The events that somebody may know; None for all of them."""
        return None if isinstance(self.m, str) else self.m

    def promised_text(self) -> str:
        """Return the sentence that says what is promised."""
        number = "all" if self.known_rows is None else f"up to {self.m}"
        return self.promise.format(k=self.k, m=number)

    def texts_left_open(self) -> list[str]:
        """Return sentences that say what it does not protect against."""
        beyond = () if self.known_rows is None else self.leaves_open_beyond
        return [text.format(**self.required()) for text in (*beyond, *self.leaves_open)]

    def required(self) -> dict[str, int | str]:
        """Return the parameters as the manifest names them."""
        return {"k": self.k, "m": self.m}
