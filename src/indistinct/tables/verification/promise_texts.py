"""What a manifest says of its promise in words, where the models do not say it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from indistinct.errors import Fault
from indistinct.tables.policy.settings import invariant_model
from indistinct.tables.policy.specification import Specification

OPENLY = (
    "quasi-identifiers are published as they are: who is in the table, and which row is whose, is "
    "not hidden"
)
FOR_EVER = "in every release of this table, each released person "
COMPATIBLE = (
    "each record is compatible with enough others, a star being any value; someone who knows a "
    "person's own values may find fewer records that fit"
)
NO_MODEL = "no model is promised; columns are protected as protection says"
LINKED = f"sensitive values are linked to groups only; {OPENLY}"
IN_GROUPS = (
    f"{FOR_EVER}stands in a group of at least m people or counterfeits, whose sensitive values "
    "all differ and are the same ones each time"
)
LINKED_FOR_EVER = (
    f"{FOR_EVER}is linked to a group of at least m sensitive values, which all differ and are "
    f"the same ones each time; {OPENLY}"
)


def promise_faults(spec: Specification, manifest: Mapping[str, Any]) -> Iterator[Fault]:
    """Find that a manifest says another promise in words than its policy makes."""
    if "promise" in manifest and manifest["promise"] != _promise_in_words(spec):
        problem = "is not what the policy promises"
        yield Fault("manifest.promise", problem, "Take the manifest of the same run.")


def _promise_in_words(spec: Specification) -> str | None:
    """Return what a manifest says of a promise; None where its models say it."""
    is_linked = spec.release.form == "anatomy"
    if invariant_model(spec.models) is not None:
        return LINKED_FOR_EVER if is_linked else IN_GROUPS
    if is_linked:
        return LINKED
    if spec.release.suppressed_cell == "any":
        return COMPATIBLE
    return None if spec.models else NO_MODEL
