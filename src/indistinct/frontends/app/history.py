"""The history of a project: a tree of policies, in which one can go back and branch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from indistinct.errors import Fault, UsageError
from indistinct.frontends.app.texts import text


@dataclass(frozen=True, slots=True)
class PolicyVersion:
    """One policy.

    Parameters
    ----------
    number : from 1 on, in order of time
    parent : that it was changed from; 0 for the first
    what : was done, in a few words
    when : in ISO 8601
    """

    number: int
    parent: int
    what: str
    when: str


@dataclass(slots=True)
class PolicyHistory:
    """All policies there were, and which is the current one.

    Parameters
    ----------
    entries : in order of time
    current : number of the current one; 0 while there is none
    ahead : where *redo* leads, the next one last
    """

    entries: list[PolicyVersion] = field(default_factory=list[PolicyVersion])
    current: int = 0
    ahead: list[int] = field(default_factory=list[int])

    @classmethod
    def read(cls, words: Mapping[str, Any]) -> PolicyHistory:
        """Read a history as it was saved."""
        entries = [PolicyVersion(**entry) for entry in words["entries"]]
        return cls(entries, int(words["current"]), list(words["ahead"]))

    def words(self) -> dict[str, Any]:
        """Return the history as TOML has it."""
        entries: Sequence[Mapping[str, Any]] = [asdict(entry) for entry in self.entries]
        return {"current": self.current, "ahead": self.ahead, "entries": entries}

    def entry(self, number: int) -> PolicyVersion:
        """Find an entry.

        Raises
        ------
        UsageError
            when there is none of that number
        """
        if not 1 <= number <= len(self.entries):
            raise UsageError(
                [Fault(str(number), text("problem.no_step"), text("problem.no_step_remedy"))]
            )
        return self.entries[number - 1]

    @property
    def next_number(self) -> int:
        """The number that the next policy gets."""
        return len(self.entries) + 1

    def add(self, what: str, when: str) -> PolicyVersion:
        """Add a policy after the current one, and make it the current one."""
        entry = PolicyVersion(self.next_number, self.current, what, when)
        self.entries.append(entry)
        self.current = entry.number
        self.ahead = []
        return entry

    def back(self) -> int | None:
        """Return the number of the policy before the current one."""
        return (self.entry(self.current).parent or None) if self.current else None

    def forth(self) -> int | None:
        """Return the number of the policy that *redo* leads to."""
        return self.ahead[-1] if self.ahead else None

    def go(self, number: int) -> None:
        """Make another policy the current one."""
        self.entry(number)
        if number == self.back():
            self.ahead.append(self.current)
        elif number == self.forth():
            self.ahead.pop()
        else:
            self.ahead = []
        self.current = number
