"""From the owner's manifest to the one that is published beside a release.

The owner's has exact figures. The public one says nothing that a suppressed record has a part in:
what the released file and the policy determine is exact, what else is useful is measured over the
released records and rounded (see :mod:`indistinct.publish.released_loss`), and the rest is left
out. ``docs/how-it-works.md`` says field by field what each can tell.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from indistinct.core.classes import EquivalenceClasses
from indistinct.core.protocols import Scope
from indistinct.core.recoding import Recoding
from indistinct.counting.population import n_people
from indistinct.counting.prepare import Prepared
from indistinct.masks import Protection
from indistinct.models import BoundedModel
from indistinct.policy.policy import Policy
from indistinct.publish.among_released import among_themselves
from indistinct.publish.released_loss import among_released, public_losses, roughly
from indistinct.publish.repeated_identifiers import CODE as REPEATED
from indistinct.release.manifest import (
    level_summary,
    model_entry,
    released_classes,
    warning_entry,
)

MEASURED = "measured_against"
RELEASED = "the released records"

# Facts of a search that its options or the released cells determine.
PUBLIC_FACTS = frozenset({"optimal", "relaxed", "minimal", "suppressed_cells"})
CHECKED_STEP = 1000  # a count of checked nodes is published as the next power of this

DEFINITION = frozenset({"name", "required", "in_classes"})  # of a protection, beside its facts


@dataclass(frozen=True, slots=True)
class Decided:
    """What was decided of a table's records, where classes were searched for.

    Parameters
    ----------
    prepared, recoding : the problem, and what became of each record
    """

    prepared: Prepared
    recoding: Recoding


def public_manifest(
    owner: Mapping[str, Any], policy: Policy, frame: pl.DataFrame, decided: Decided | None = None
) -> dict[str, Any]:
    """Give what of a manifest may be published.

    Parameters
    ----------
    owner : the exact manifest
    policy : what was promised
    frame : the release
    decided : what the losses are measured by; None where there are none
    """
    n_suppressed = int(owner["records"]["suppressed"])
    public = {**owner, "input": {name: owner["input"][name] for name in ("rows", "fingerprint")}}
    public["method"] = _method(owner["method"], policy)
    if decided is not None:
        public["models"] = _models(owner, policy, decided)
        prepared, recoding = decided.prepared, decided.recoding
        public["loss"] = public_losses(prepared, recoding, policy, owner["loss"])
        if "levels" in owner["method"]:
            # A range counts as the whole column by what is released, too.
            narrowed = among_released(prepared, recoding, policy)
            public["method"]["levels"] = level_summary(prepared.problem, narrowed)
    if "protection" in owner:
        public["protection"] = {
            name: _protection(entry, policy.protections[name], n_suppressed, _counter(frame, name))
            for name, entry in owner["protection"].items()
        }
    if "warnings" in owner:
        # Whether an identifier repeats is known from all records, suppressed ones included.
        shown = [one for one in owner["warnings"] if one["code"] != REPEATED]
        del public["warnings"]
        public |= warning_entry(shown)
    if "suppression" in owner:
        public["suppression"] = {"confidence": owner["suppression"]["confidence"]}
    if policy.release.suppressed_cell == "any":
        public["risk"] = {name: _at_most(value) for name, value in owner["risk"].items()}
    return public


def _method(method: Mapping[str, Any], policy: Policy) -> dict[str, Any]:
    """Leave out what a search tells of the records: bounds, gains, weights, counts of classes."""
    words = ("algorithm", "objective", "transformation", "levels", "groups")
    public = {name: method[name] for name in words if name in method}
    public |= {name: method[name] for name in method if name in PUBLIC_FACTS}
    if "lattice_nodes" in method and all(
        policy.columns[name].hierarchy is not None for name in policy.class_names
    ):
        public["lattice_nodes"] = method["lattice_nodes"]
    if "checked_nodes" in method:
        most = int(method["lattice_nodes"])
        public["checked_nodes"] = min(most, _next_power(int(method["checked_nodes"])))
    return {**public, "seconds": roughly(float(method["seconds"]), 0.0)}


def _next_power(count: int) -> int:
    """Give the least power of 1000 that is no smaller than a count."""
    power = 1
    while power < count:
        power *= CHECKED_STEP
    return power


def _models(
    owner: Mapping[str, Any], policy: Policy, decided: Decided
) -> Sequence[Mapping[str, Any]]:
    """Give each model what a reader of the file can measure.

    The distance to a distribution is that to the released records' where the input's has more.
    """
    n_suppressed = int(owner["records"]["suppressed"])
    models = policy.models_among(int(owner["input"]["rows"]), n_people(policy))
    afresh = [
        model
        for model in models
        if n_suppressed and model.compares_with_table and model.scope is not Scope.REGION
    ]
    classes = EquivalenceClasses(np.zeros(0, np.int64))
    if afresh:
        classes = released_classes(decided.prepared.problem, decided.recoding)
        classes = among_themselves(classes)
    entries: list[Mapping[str, Any]] = []
    for model, entry in zip(models, owner["models"], strict=True):
        if model in afresh:
            achieved = model_entry(model, classes)["achieved"]
            entries.append({**entry, "achieved": achieved, MEASURED: RELEASED})
        elif model.scope is Scope.REGION and entry["achieved"] is not None:
            entries.append({**entry, "achieved": _up_to(model, entry["achieved"])})
        else:
            entries.append(entry)
    return entries


def _up_to(model: BoundedModel, achieved: Mapping[str, Any]) -> dict[str, Any]:
    """Say of a distance to records that are not shown as such only what is promised of it."""
    return {
        name: model.bound if name == model.letter and value is not None else value
        for name, value in achieved.items()
    }


def _at_most(value: Any) -> Any:
    """Round a risk up to one digit, so that it is never understated."""
    if not isinstance(value, float) or value <= 0:
        return value
    power = math.floor(math.log10(value) + 1e-12)
    return min(1.0, float(f"{math.ceil(value / 10.0**power - 1e-9)}e{power}"))


def _protection(
    entry: Mapping[str, Any],
    protection: Protection,
    n_suppressed: int,
    n_values: Callable[[], int],
) -> dict[str, Any]:
    """Give what is known of a protected column without its values before.

    Parameters
    ----------
    entry : what the owner knows
    n_values : counts the different values that the released column shows
    """
    shown = DEFINITION | protection.public_facts
    public = {word: value for word, value in entry.items() if word in shown}
    public |= {word: _at_most(entry[word]) for word in entry if word in protection.rounded_facts}
    return public | dict(protection.among_released(n_values)) if n_suppressed else public


def _counter(frame: pl.DataFrame, name: str) -> Callable[[], int]:
    """Give what counts the values of a column: generalized ones may be released by other names."""
    return lambda: frame[name].drop_nulls().n_unique()
