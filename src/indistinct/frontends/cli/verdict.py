"""What the command says of a verified release: the answer first, in lines of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from indistinct.base.statements.sentences import (
    NO_MODEL,
    kept_words,
    promises_in,
    risk_words,
)
from indistinct.base.statements.statements import is_known
from indistinct.frontends.cli.summary import reached
from indistinct.tables.release import ModelEntry

if TYPE_CHECKING:
    from indistinct.aggregates import TablesVerification
    from indistinct.tables.verification import Verification

MOST_NAMES = 3


def verification_summary(result: Verification) -> str:
    """Return whether a release holds, and every reason against."""
    if result.holds:
        size = f"{result.records:,} records in {result.classes:,} classes"
        lines = [f"It holds: {size}." if result.models else f"{_without_model(result)}: {size}."]
        lines += _judged(result)
    elif result.holds is None:
        lines = [
            "IT IS UNDECIDED: no fault was found, but the given files do not prove that it holds."
        ]
        lines += _judged(result)
    else:
        lines = ["IT DOES NOT HOLD:", *(f"  {fault}" for fault in result.faults)]
    if result.statements is not None and _is_counted(result.statements.size):
        lines += [f"  kept: {kept_words(result.statements.kept)}"]
        lines += [f"  risk: {risk_words(result.statements.risk)}"]
    lines += [f"  note: {note}" for note in _together(result.notes)]
    # A note says it where bytes, cells or a file of a database could not be checked.
    claims = (claim for claim in result.not_checked if not claim.startswith("columns."))
    losses = [claim for claim in claims if "." in claim]
    if losses:
        lines.append(f"  not checked: {_not_checked(losses)}")
    return "\n".join(lines)


def _is_counted(size: Mapping[str, Any]) -> bool:
    """Return whether the release could be read, so that there are figures of it."""
    return is_known(size.get("records", size))


def _without_model(result: Verification) -> str:
    """Return that no model is promised, and what is masked in place of it."""
    return NO_MODEL if result.statements is None else promises_in(result.statements)


def tables_summary(result: TablesVerification) -> str:
    """Return whether published tables hold their promise, and every reason against."""
    if result.holds:
        return f"It holds: {result.sentence()}."
    if result.holds is None:
        return f"IT IS UNDECIDED: {result.sentence()}."
    return "\n".join(["IT DOES NOT HOLD:", *(f"  {fault}" for fault in result.reasons)])


def _together(notes: Sequence[str]) -> list[str]:
    """Return, once, what several columns have in common."""
    places: dict[str, list[str]] = {}
    for note in notes:
        place, between, said = note.partition(": ")
        is_place = bool(between) and place.startswith("columns.")
        places.setdefault(said if is_place else note, []).extend([place] if is_place else [])
    return [f"{', '.join(where)}: {said}" if where else said for said, where in places.items()]


def _not_checked(claims: Sequence[str]) -> str:
    """Name a few claims of the manifest, or say how many there are."""
    if len(claims) <= MOST_NAMES:
        return f"the manifest's {', '.join(claims)}"
    return f"{len(claims)} claims of the manifest, which the given files do not determine"


def _judged(result: Verification) -> list[str]:
    """Return, for each model, what the worst class reaches."""
    entries = [ModelEntry(**model) for model in result.models]
    return [f"  {one.name}: {reached(one)}" for one in entries]
