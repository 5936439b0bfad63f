"""What the command says of a verified release: the answer first, in lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indistinct.cli.summary import reached
from indistinct.release.entries import ModelEntry

if TYPE_CHECKING:
    from indistinct.reader.verify.verify import Verification


def verification_summary(result: Verification) -> str:
    """Say whether a release holds, and every reason against."""
    if result.holds:
        lines = [f"It holds: {result.records:,} records in {result.classes:,} classes."]
        lines += _judged(result)
    elif result.holds is None:
        lines = [
            "IT IS UNDECIDED: no fault was found, but the given files do not prove that it holds."
        ]
        lines += _judged(result)
    else:
        lines = ["IT DOES NOT HOLD:", *(f"  {fault}" for fault in result.faults)]
    lines += [f"  note: {note}" for note in result.notes]
    if result.not_checked:
        lines.append(f"  not checked: the manifest's {', '.join(result.not_checked)}")
    return "\n".join(lines)


def _judged(result: Verification) -> list[str]:
    """Say of each model what the worst class reaches."""
    entries = [ModelEntry(**model) for model in result.models]
    return [f"  {one.name}: {reached(one)}" for one in entries]
