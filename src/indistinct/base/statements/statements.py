"""What is said about a release: a value that is computed once, and that every voice renders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Self, TypeAlias

from indistinct.base.brief import short_repr
from indistinct.base.files.documents import plain
from indistinct.errors import DataError

NeededEvidence: TypeAlias = dict[str, Any]
OWNER, PUBLIC = "owner", "public"
NOT_EXAMINED = "not_examined"


def not_examined(why: str, *needs: str) -> NeededEvidence:
    """Return what stands in the place of a figure that cannot be had, and what it takes."""
    return {NOT_EXAMINED: why, "needs": list(needs)}


def is_known(figure: object) -> bool:
    """Return whether something is a figure, and not the reason why there is none."""
    return figure is not None and not (isinstance(figure, Mapping) and NOT_EXAMINED in figure)


@dataclass(frozen=True, slots=True)
class Statements:
    """All that is said about a release, as JSON has it.

    Parameters
    ----------
    view : whose it is: ``owner`` or ``public``
    at_hand : what it was computed from
    verdict : the verdict, its faults, and the state of each check
    size : records, and people or households where they are counted: input, released, left out
    reached : per model what it asks and what the release reaches
    kept : what can still be seen of the differences between records; in the public view the levels
    risk : ``known``, ``further`` and ``highest``
    findings : what else was found, and what was looked for
    search : the algorithm, its objective and what that cost

    Notes
    -----
    A figure that cannot be had is :func:`not_examined` in its place.
    """

    view: str
    at_hand: Sequence[str]
    verdict: Mapping[str, Any]
    size: Mapping[str, Any]
    reached: Sequence[Mapping[str, Any]]
    kept: Mapping[str, Any]
    risk: Mapping[str, Any]
    findings: Mapping[str, Any]
    search: Mapping[str, Any] = field(default_factory=lambda: not_examined(NOT_TOLD, OWNER))

    __repr__ = short_repr

    def document(self) -> dict[str, Any]:
        """Return the statements as JSON has them."""
        return {name: plain(getattr(self, name)) for name in self.__slots__}

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        """Read statements from JSON.

        Raises
        ------
        DataError
            when a part is missing
        """
        try:
            return cls(**{name: document[name] for name in cls.__slots__})
        except (KeyError, TypeError):
            problem = "has no statements about the release"
            raise DataError(problem, "Write the release again.") from None


UNSTATED: Mapping[str, Any] = MappingProxyType({})  # in a manifest whose release is just verified
NOT_TOLD = "the owner alone knows how the release was found"
