"""Hold the input of a large release as places in lists of texts, once it was counted."""

from __future__ import annotations

from dataclasses import replace

from indistinct.counting.prepare import Prepared
from indistinct.engines import files
from indistinct.engines.cell_texts import coded, may_be_coded
from indistinct.policy.policy import Policy
from indistinct.publish.protect import Protected


def may_hold_codes(source: files.TableFile, policy: Policy) -> bool:
    """Return whether texts can be held as places: in a plain release of a large file."""
    return (
        source.native is None
        and source.labels is None
        and policy.release.suppressed == "drop"
        and policy.release.intervals == "label"
        and not policy.set_names
        and may_be_coded(source.frame)
    )


def in_codes(
    source: files.TableFile, protected: Protected, prepared: Prepared
) -> tuple[files.TableFile, Protected, Prepared]:
    """Hold the texts of the input as places; the frames of texts can then be forgotten."""
    before = {id(frame): frame for frame in (source.frame, protected.frame, prepared.frame)}
    held = {place: coded(frame) for place, frame in before.items()}
    return (
        replace(source, frame=held[id(source.frame)]),
        replace(protected, frame=held[id(protected.frame)]),
        replace(prepared, frame=held[id(prepared.frame)]),
    )
