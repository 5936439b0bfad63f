"""Everything that can go wrong, as one tree.

::

    IndistinctError
    ├── UsageError                 exit code 2: what was asked cannot be done as it was asked
    │   ├── PolicyError            the policy contradicts itself or the data
    │   ├── ParameterError         a number or word is outside its range
    │   ├── HierarchyError         a generalization hierarchy is not one
    │   ├── DataError              the input cannot be read as a table
    │   │   └── LinksError         keys and references of several tables do not fit together
    │   ├── OutputError            the result cannot be written
    │   ├── MissingExtraError      a part that is installed on request is not there
    │   ├── TablesError            a family of tables of counts cannot be made as it was asked for
    │   ├── QuestionError          a question is not one that the database answers
    │   ├── AccessError            a token is unknown, or its owner may not do this
    │   ├── HistoryError           the record of earlier releases forbids what was asked
    │   ├── EngineError            a database or another engine does not work
    │   ├── SourceChangedError     the input changed while it was read
    │   └── SchemaError            exit code 5: the columns are not those that the policy describes
    ├── NoSolutionError            exit code 3: no release satisfies the policy
    │   ├── BudgetExceededError    the question costs more than what is left
    │   ├── CapacityError          the distinct rows of the table do not fit into memory
    │   └── WorkError              a release cannot be verified within the limit of work
    ├── UndecidedError             exit code 4: no proof was found, neither for nor against
    ├── VerificationError          exit code 1: a release does not hold what was promised
    ├── InterruptionError          exit code 130: the command was interrupted
    └── UnexpectedError            exit code 70: the program itself has a fault

Each class has a slug that leads to its paragraph in ``docs/errors.md``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar, Self

# Marks that steer a terminal, end a line unseen or turn its direction, and halves of characters. A
# tab and the end of a line are none, since texts of the program have them.
STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb"
    "\ud800-\udfff]"
)


def visible(text: str) -> str:
    r"""Return a text in which marks that steer a terminal, or the direction of a line, are seen.

    Whoever names a column, a cell or a file cannot steer the screen of those who look at it.

    Examples
    --------
    >>> visible("to\x1b[31mwn")
    'to\\x1b[31mwn'
    """
    return STEERING.sub(_escaped, text)


def visible_in_line(text: str) -> str:
    """Return the same for a text within a line: the end of a line is seen, too."""
    return visible(text).replace("\n", "\\n")


def _escaped(mark: re.Match[str]) -> str:
    return mark[0].encode("unicode_escape").decode("ascii")


@dataclass(frozen=True, slots=True)
class Way:
    """One edit of a policy that may end a fault.

    Parameters
    ----------
    place : the words that lead to it, as in ``("columns", "age", "role")``; a model is named by its
        name, its column (or nothing) and its parameter
    value : what is said there then; None takes it away
    possible, loss, left_out : of a trial on some records, where one was made
    """

    place: tuple[str, ...]
    value: Any
    possible: bool | None = None
    loss: float | None = None
    left_out: float | None = None

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        """Read an edit from JSON."""
        words: dict[str, Any] = dict(document)
        words["place"] = tuple(document["place"])
        return cls(**words)

    def after(self, words: Mapping[str, Any]) -> dict[str, Any]:
        """Return the words of a policy after the edit; those before stay as they are.

        Raises
        ------
        KeyError
            when the policy has no such column
        ValueError
            when the place is none
        """
        table, *path = self.place
        if table == "models":
            name, column, *rest = path
            models: list[dict[str, Any]] = []
            for model in words.get("models", []):
                is_meant = model["name"] == name and column in {"", model.get("column")}
                if not is_meant:
                    models.append(dict(model))
                elif rest:
                    models.append(_said(model, rest[0], self.value))
            return {**words, "models": models}
        if table == "columns":
            name, word = path
            columns = {**words[table], name: _said(words[table][name], word, self.value)}
            return {**words, table: columns}
        (word,) = path
        return _said(words, table, _said(words.get(table, {}), word, self.value) or None)


def _said(words: Mapping[str, Any], word: str, value: Any) -> dict[str, Any]:
    """Return a table of a policy with another value of a word; None takes it away."""
    changed = {**words, word: value}
    return {one: said for one, said in changed.items() if said is not None}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, where it is, and what to do about it.

    ``values`` holds values of records. They are shown only where the owner asks for them, so they
    take no part in the text or the representation of a fault.

    Parameters
    ----------
    code : its kind, by which other voices word it; empty where nothing but the text says it
    columns : that it is about
    parts : figures and words that its text is made with, by their names
    ways : edits of the policy, each of which may end it
    """

    place: str
    problem: str
    remedy: str = ""
    values: tuple[str, ...] = field(default=(), repr=False, compare=False)
    code: str = field(default="", repr=False, compare=False)
    columns: tuple[str, ...] = field(default=(), repr=False, compare=False)
    parts: Mapping[str, Any] = field(default_factory=dict[str, Any], repr=False, compare=False)
    ways: tuple[Way, ...] = field(default=(), repr=False, compare=False)

    def document(self) -> dict[str, Any]:
        """Return the fault as JSON has it, without the values of records."""
        return asdict(replace(self, values=()))

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        """Read a fault from JSON."""
        words: dict[str, Any] = dict(document)
        words |= {"values": (), "columns": tuple(document["columns"])}
        words["ways"] = tuple(map(Way.read, document["ways"]))
        return cls(**words)

    def __str__(self) -> str:
        """Return the place and the problem on one line, the remedy on the next."""
        where = f"{self.place}: " if self.place else ""
        what_to_do = f"\n  {visible(self.remedy)}" if self.remedy else ""
        return f"{visible_in_line(where + self.problem)}{what_to_do}"


class IndistinctError(Exception):
    """Root of all errors that indistinct raises on purpose; carries every fault found at once."""

    slug: ClassVar[str] = "indistinct"
    exit_code: ClassVar[int] = 2

    def __init__(
        self, faults: Iterable[Fault] | str, remedy: str = "", *, code: str = "", **parts: Any
    ) -> None:
        if isinstance(faults, str):
            faults = (Fault("", faults, remedy, code=code, parts=parts),)
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


class UsageError(IndistinctError):
    """What was asked cannot be done as it was asked."""

    slug = "usage"


class PolicyError(UsageError):
    """The policy contradicts itself or the data."""

    slug = "policy"


class ParameterError(UsageError):
    """A parameter is missing, unknown or outside its range."""

    slug = "parameter"


class SchemaError(UsageError):
    """The columns or types of the input are not those that the policy or declaration describes."""

    slug = "schema"
    exit_code = 5


class HierarchyError(UsageError):
    """A generalization hierarchy lacks a value, is ragged or gives a value two parents."""

    slug = "hierarchy"


class DataError(UsageError):
    """The input cannot be read as a table of records."""

    slug = "data"


class EmptyDataError(DataError):
    """The input holds no record."""

    slug = "empty-data"


class LinksError(DataError):
    """The keys and references of several tables do not fit together."""

    slug = "links"


class OutputError(UsageError):
    """The result cannot be written where it was asked for."""

    slug = "output"


class MissingExtraError(UsageError):
    """A part that is installed on request is not installed."""

    slug = "missing-extra"


class TablesError(UsageError):
    """A family of tables of counts cannot be made as it was asked for."""

    slug = "tables"


class UndecidedError(IndistinctError):
    """Neither a proof that the promise holds was found nor one that it does not."""

    slug = "undecided"
    exit_code = 4


class NoSolutionError(IndistinctError):
    """No release satisfies the policy; the remedy says what would."""

    slug = "no-solution"
    exit_code = 3


class QuestionError(UsageError):
    """A question is not one that the database answers; says so from its text alone."""

    slug = "question"


class AccessError(UsageError):
    """A token is unknown, or its owner may not do this."""

    slug = "access"


class EngineError(UsageError):
    """The database under the questions does not work; says nothing of its content.

    Parameters
    ----------
    cause : for the owner, the name of the class of the error that a question failed with
    is_passing : whether it failed for want of a connection, memory or time
    """

    slug = "engine"

    def __init__(
        self,
        faults: Iterable[Fault] | str,
        remedy: str = "",
        *,
        cause: str = "",
        is_passing: bool = True,
    ) -> None:
        super().__init__(faults, remedy)
        self.cause = cause or type(self).__name__
        self.is_passing = is_passing


class SourceChangedError(UsageError):
    """The input is not what it was when it was counted."""

    slug = "source-changed"


class CapacityError(NoSolutionError):
    """The distinct rows of a table are more than fit into memory, at every level allowed."""

    slug = "capacity"


class WorkError(NoSolutionError):
    """A release cannot be verified within the limit of work, so that it is not published."""

    slug = "work"


class HistoryError(UsageError):
    """The record of earlier releases forbids what was asked."""

    slug = "history"


class HistoryMovedError(HistoryError):
    """Another run added a release to the history while this one was planned."""

    slug = "history-moved"


class BudgetExceededError(NoSolutionError):
    """A question costs more than what is left of a budget.

    Parameters
    ----------
    asked, left : in billionths of the account's unit
    most : the largest epsilon that can still be asked for, in billionths; ``left`` if left out
    renews : the day on which there is something again; None where no calendar decides that
    """

    slug = "budget"

    def __init__(
        self,
        asked: int,
        left: int,
        unit: str = "epsilon",
        most: int | None = None,
        renews: str | None = None,
    ) -> None:
        self.asked = asked
        self.left = left
        self.unit = unit
        self.renews = renews
        self.most = left if most is None else most
        ways = f"Ask with an epsilon of at most {self.most / 10**9:.9g}"
        if self.most <= 0:
            ways = f"The budget renews on {renews}" if renews else "Ask the owner of the data"
        super().__init__(
            f"the question costs {asked / 10**9:.9g} of {unit}, but {left / 10**9:.9g} is left",
            f"{ways}; repeating an answered question is free.",
            code="beyond-the-budget"
            if self.most > 0
            else "budget-renews"
            if renews
            else "budget-spent",
            asked=f"{asked / 10**9:.9g}",
            left=f"{left / 10**9:.9g}",
            most=f"{self.most / 10**9:.9g}",
            unit=unit,
            renews=renews,
        )


class VerificationError(IndistinctError):
    """A release does not hold what its policy promises."""

    slug = "verification"
    exit_code = 1


class InterruptionError(IndistinctError):
    """The command was interrupted; nothing was written."""

    slug = "interrupted"
    exit_code = 130  # what a shell reports of a program that SIGINT ended: 128 and the number 2


class UnexpectedError(IndistinctError):
    """The program itself has a fault."""

    slug = "unexpected"
    exit_code = 70
