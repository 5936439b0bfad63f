"""Whether a public manifest states what its release shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from indistinct.base.statements.checks import published_checks
from indistinct.base.statements.public_view import public_view
from indistinct.base.statements.statements import Statements, is_known
from indistinct.base.verdicts import Verdict
from indistinct.errors import Fault
from indistinct.tables.verification.manifest_check import SAME_RUN, is_same
from indistinct.tables.verification.manifest_shape import mapping_in

WORD = "statements"


def statement_faults(manifest: Mapping[str, Any] | None, stated: Statements) -> Iterator[Fault]:
    """Compare what a manifest states with what follows from what is at hand.

    Parameters
    ----------
    manifest : without faults of its shape; None where there is none
    stated : what follows
    """
    if manifest is None or WORD not in manifest:
        return
    said = mapping_in(manifest, WORD)
    expected = public_view(
        stated,
        mapping_in(manifest["method"], "levels"),
        cast("Sequence[Mapping[str, Any]]", manifest.get("warnings", ())),
        cast("Sequence[Mapping[str, Any]]", manifest["models"]),
        manifest["method"],
    ).document()
    for part in ("view", "at_hand", "reached", "kept", "findings", "search"):
        # Other models than the policy's are a fault of their own.
        is_open = part == "reached" and len(manifest["models"]) != len(stated.reached)
        if not is_open and not _are_same(said[part], expected[part]):
            yield _fault(part)
    yield from _size_faults(said["size"], stated.size)
    is_of_engine = "engine" in manifest["method"]
    for clause, own in expected["risk"].items():
        if clause not in said["risk"]:
            if not is_of_engine:
                yield _fault(f"risk.{clause}", "is missing")
        elif not _are_same(said["risk"][clause], own):
            yield _fault(f"risk.{clause}")


def _fault(part: str, problem: str = "is not what the release shows") -> Fault:
    """Return the fault of a part of the statements."""
    return Fault(f"manifest.{WORD}.{part}", problem, SAME_RUN)


def _are_same(said: object, found: object) -> bool:
    """Compare parts of statements, numbers up to the digits that are written."""
    if isinstance(said, list | tuple) and isinstance(found, list | tuple):
        one, other = cast("Sequence[object]", said), cast("Sequence[object]", found)
        return len(one) == len(other) and all(map(_are_same, one, other))
    if isinstance(said, Mapping) and isinstance(found, Mapping):
        first, second = cast("Mapping[str, object]", said), cast("Mapping[str, object]", found)
        return first.keys() == second.keys() and all(
            _are_same(first[name], second[name]) for name in first
        )
    return is_same(cast("object", said), found)


def verdict_faults(
    manifest: Mapping[str, Any], checks: Sequence[Mapping[str, Any]]
) -> Iterator[Fault]:
    """Compare the checks of a manifest with those of a release that was published.

    Parameters
    ----------
    checks : those of this verification
    """
    said = mapping_in(mapping_in(manifest, WORD), "verdict")
    if not said:
        return
    # Random masks are tested later, and an engine compares rows by their counts.
    aside = {"masks", "crosswalk"} if "engine" in manifest["method"] else {"masks"}
    if not _are_same(said["checks"], published_checks(checks, aside)):
        yield _fault("verdict.checks", "are not those of a release that was verified")
    if said["verdict"] != Verdict.HOLDS:
        yield _fault("verdict.verdict", "says that the promise was not proven")


def _size_faults(said: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[Fault]:
    """Compare numbers of records and units, as far as these can be counted."""
    for unit, own in found.items():
        counts = mapping_in(said, unit)
        if is_known(own) and any(
            is_known(number) and counts.get(word) != number for word, number in own.items()
        ):
            yield _fault(f"size.{unit}")
    for unit in said.keys() - found.keys():
        yield _fault(f"size.{unit}", "is not counted in such a release")
