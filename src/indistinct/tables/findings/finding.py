"""What was found in a release, what was looked for, and what could not be examined."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from indistinct.base.statements.number_texts import percent
from indistinct.tables.findings.kinds import KINDS, RANKS, REPEATED, TITLES

MOST_NAMES = 4  # columns that a line names before it counts the others
DIGITS = 6  # of a share


@dataclass(frozen=True, slots=True)
class Finding:
    """What looks wrong in a release.

    Parameters
    ----------
    code : its kind, a key of ``KINDS``
    columns : that it is about, of one table
    count, of : how many are concerned, of all
    unit : what these are, such as ``records`` or ``people``
    table : of related tables; empty for the one table of a release
    share : in [0, 1]; ``count / of`` unless it says something else, as ``column-keeps-little`` does
    k_after : records of the smallest class once cells are read back
    """

    code: str
    columns: tuple[str, ...]
    count: int
    of: int
    unit: str = "records"
    table: str = ""
    share: float = -1.0
    k_after: int | None = None

    def __post_init__(self) -> None:
        """Divide, where the share is not given."""
        if self.share < 0:
            object.__setattr__(self, "share", round(self.count / max(self.of, 1), DIGITS))

    @property
    def rank(self) -> str:
        """How grave it is."""
        return KINDS[self.code].rank

    @property
    def message(self) -> str:
        """What was found, in words: no value of any record."""
        return self._filled(KINDS[self.code].message)

    @property
    def remedy(self) -> str:
        """What to do about it."""
        return self._filled(KINDS[self.code].remedy)

    def _filled(self, words: str) -> str:
        prefix = f"{self.table}." if self.table else ""
        return words.format(
            columns=some_names([f"{prefix}{name}" for name in self.columns]),
            count=self.count,
            of=self.of,
            unit=self.unit,
            share=percent(self.share),
            k_after=self.k_after or 0,
        )

    def document(self) -> dict[str, Any]:
        """Return the finding as JSON has it: the words last."""
        k_after = {} if self.k_after is None else {"k_after": self.k_after}
        return {
            "code": self.code,
            "rank": self.rank,
            "table": self.table or None,
            "columns": list(self.columns),
            "count": self.count,
            "of": self.of,
            "unit": self.unit,
            "share": self.share,
            **k_after,
            "message": self.message,
            "remedy": self.remedy,
        }

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        """Read a finding from JSON; its words are made from its figures again."""
        figures = {name: document[name] for name in ("code", "count", "of", "unit", "share")}
        if figures["code"] not in KINDS:
            raise KeyError(figures["code"])
        table, columns = document["table"] or "", tuple(document["columns"])
        return cls(columns=columns, table=table, k_after=document.get("k_after"), **figures)


@dataclass(frozen=True, slots=True)
class NotExamined:
    """A code that could not be looked for, although it may apply.

    Parameters
    ----------
    code : its kind
    needs : what is not at hand
    why : in words
    """

    code: str
    needs: str
    why: str

    def document(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        rank = KINDS[self.code].rank
        return {"code": self.code, "rank": rank, "needs": [self.needs], "why": self.why}


@dataclass(frozen=True, slots=True)
class ReleaseFindings:
    """All codes, each in one place.

    Parameters
    ----------
    found : what was found
    looked_for : codes of which nothing was found
    not_examined : codes that could not be looked for
    does_not_apply : codes that this release cannot have
    partly : codes that were found, and could not be looked for in every column
    """

    found: tuple[Finding, ...] = ()
    looked_for: tuple[str, ...] = ()
    not_examined: tuple[NotExamined, ...] = ()
    does_not_apply: tuple[str, ...] = field(default=tuple(KINDS))
    partly: frozenset[str] = frozenset()

    def document(self) -> dict[str, Any]:
        """Return all of it as JSON has it."""
        return {
            "list": [one.document() for one in self.found],
            "looked_for": list(self.looked_for),
            "not_examined": [one.document() for one in self.not_examined],
            "does_not_apply": list(self.does_not_apply),
        }

    def fails(self, rank: str) -> bool | None:
        """Return whether something of a rank was found, or of one before it.

        None where nothing was, and one of these codes was not examined.
        """
        grave = RANKS[: RANKS.index(rank) + 1]
        if any(one.rank in grave for one in self.found):
            return True
        return None if self.missed(rank) else False

    def missed(self, rank: str) -> list[NotExamined]:
        """Return what could not be examined of a rank, or of one before it."""
        grave = RANKS[: RANKS.index(rank) + 1]
        return [one for one in self.not_examined if KINDS[one.code].rank in grave]

    def among(self, needs: str) -> list[Finding]:
        """Return what was found by one thing alone, such as the release."""
        return [one for one in self.found if KINDS[one.code].needs == needs]


def some_names(names: Sequence[str]) -> str:
    """Return the first names, and how many more there are."""
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"{', '.join(names[:MOST_NAMES])}{more}"


def of_rank(found: Iterable[Finding], rank: str) -> list[Finding]:
    """Return the findings of a rank, those that concern the most first."""
    own = [one for one in found if one.rank == rank]
    return sorted(own, key=lambda one: (one.code != REPEATED, -one.share))


def first_of_each_rank(found: Sequence[Finding]) -> Iterator[str]:
    """Yield one line a rank, and how many findings these leave out."""
    n_left = len(found)
    for rank in RANKS:
        own = of_rank(found, rank)
        if own:
            n_left -= 1
            yield line_of(own[0])
    if n_left:
        yield f"{n_left} more: --warnings all prints each of them"


def all_ranked(found: Sequence[Finding]) -> Iterator[str]:
    """Yield a line a finding."""
    for rank in RANKS:
        yield from map(line_of, of_rank(found, rank))


def line_of(finding: Finding) -> str:
    """Return a finding with its rank, and what to do."""
    return f"{TITLES[finding.rank]}: {finding.message}. {finding.remedy}"
