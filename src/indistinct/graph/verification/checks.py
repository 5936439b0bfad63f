"""What the checks of a released graph have found, and the verdict."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from indistinct.base.verdicts import Verdict, raise_unless_holds, truth
from indistinct.errors import Fault

ONE_RUN = "Take the files and the manifest of one release."
PUBLISH_NOT = "Do not publish this release."
# Sums of many floats in another order differ by far less; what a manifest could hide, by more.
TOLERANCE = 2e-8


@dataclass(frozen=True, slots=True)
class GraphVerification:
    """Whether a released graph holds what its manifest promises.

    Parameters
    ----------
    verdict : whether it holds, does not hold, or could not be decided
    faults : what is wrong; no id of the original
    undecided : what could not be decided, and what would decide it
    notes : what a reader should know beside the verdict
    found : model, required, achieved, levels, vertices, edges and certain edges as counted here
    """

    verdict: Verdict
    faults: tuple[Fault, ...]
    undecided: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    found: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def holds(self) -> bool | None:
        """Return True, False, or None where it could not be decided."""
        return self.verdict.holds

    __bool__ = truth
    raise_unless_holds = raise_unless_holds

    @property
    def reasons(self) -> tuple[Fault, ...]:
        """What is wrong."""
        return self.faults

    def document(self) -> dict[str, Any]:
        """Return the result as one JSON document."""
        return {
            "holds": self.holds,
            "verdict": str(self.verdict),
            "reasons": [f"{fault.place}: {fault.problem}" for fault in self.faults],
            "undecided": list(self.undecided),
            **self.found,
            "notes": list(self.notes),
        }


@dataclass(slots=True)
class Checks:
    """What the checks have found so far."""

    faults: list[Fault] = field(default_factory=list[Fault])
    undecided: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])
    found: dict[str, Any] = field(default_factory=dict[str, Any])
    unreadable: bool = False

    def add(self, place: str, problem: str, remedy: str = PUBLISH_NOT) -> None:
        """Note a fault."""
        self.faults.append(Fault(place, problem, remedy))

    def compare(self, place: str, said: object, counted: object) -> None:
        """Note a fault where the manifest says something else than was counted."""
        if not same(said, counted):
            self.add(f"manifest.{place}", "is not what the release shows", ONE_RUN)

    def verification(self) -> GraphVerification:
        """Return the verdict."""
        verdict = Verdict.of(faults=bool(self.faults), undecided=bool(self.undecided))
        return GraphVerification(
            verdict, tuple(self.faults), tuple(self.undecided), tuple(self.notes), self.found
        )


def same(said: object, counted: object) -> bool:
    """Return whether two values of a manifest are equal, floats up to rounding."""
    if isinstance(said, bool) or isinstance(counted, bool) or said is None or counted is None:
        return said is counted
    if isinstance(counted, dict):
        expected = cast("dict[str, object]", counted)
        given = cast("dict[str, object]", said) if isinstance(said, dict) else {}
        return given.keys() == expected.keys() and all(
            same(given[name], value) for name, value in expected.items()
        )
    if not isinstance(said, int | float) or not isinstance(counted, int | float):
        return said == counted
    return math.isclose(said, counted, rel_tol=TOLERANCE, abs_tol=2e-9)


def part(document: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a nested part of a manifest; an empty one where it lacks."""
    found: object = document.get(name)
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}
