"""The checks of a verification, each in one of four states, and the verdicts that follow."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from indistinct.base.verdicts import Verdict

HOLDS, FAULT, UNDECIDED, NOT_LOOKED_AT = "holds", "fault", "undecided", "not examined"
PROMISES = "models."
READERS = frozenset({"release", "policy"})

Check = Mapping[str, Any]


def check(name: str, state: str, needs: Sequence[str], why: str = "") -> dict[str, Any]:
    """Return a check as JSON has it.

    Parameters
    ----------
    needs : what must be at hand to decide it
    why : it is not decided, or not examined
    """
    found = {"check": name, "state": state, "needs": list(needs)}
    return found | {"why": why} if why else found


def verdict_of(checks: Iterable[Check]) -> Verdict:
    """Return the verdict: any fault is one too many, and what is undecided proves nothing."""
    states = {one["state"] for one in checks}
    return Verdict.of(faults=FAULT in states, undecided=UNDECIDED in states)


def readers_verdict(checks: Iterable[Check]) -> Verdict:
    """Return what readers of the release, its manifest and its policy can decide of a promise."""
    return verdict_of([as_readers_see(one) for one in checks])


def as_readers_see(one: Check) -> Check:
    """Return a check in the state in which readers find it."""
    if READERS.issuperset(one["needs"]) or one["state"] == FAULT:
        return one
    return {**one, "state": UNDECIDED if one["check"].startswith(PROMISES) else NOT_LOOKED_AT}


def unexamined(checks: Iterable[Check]) -> list[str]:
    """Name the checks that were not examined."""
    return [one["check"] for one in checks if one["state"] == NOT_LOOKED_AT]


def promised(checks: Iterable[Check]) -> list[Check]:
    """Return the checks of what is promised."""
    return [one for one in checks if one["check"].startswith(PROMISES)]


def published_checks(
    checks: Iterable[Check], left_aside: Collection[str] = ()
) -> list[dict[str, Any]]:
    """Return the checks of a release as its public manifest has them.

    A release is published only where everything holds that its owner examined.

    Parameters
    ----------
    checks : of such a release, in whatever state
    left_aside : those that are not examined when a release is made
    """
    return [
        check(one["check"], NOT_LOOKED_AT if one["check"] in left_aside else HOLDS, one["needs"])
        for one in checks
    ]
