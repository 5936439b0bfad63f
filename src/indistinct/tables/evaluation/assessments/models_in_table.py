"""Parts of an assessment that a table in memory and one that an engine counts have in common."""

from __future__ import annotations

from collections.abc import Container, Sequence

from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.frequencies import PERSON
from indistinct.tables.models import BoundedModel
from indistinct.tables.models.in_people import in_people
from indistinct.tables.release.entries import ModelEntry
from indistinct.tables.release.manifest import model_entry
from indistinct.tables.verification.verify_release import (
    VerificationInput,
    judge_plainly,
    looks_beyond,
)


def unit_of(person: str | None, *, counts_people: bool) -> str | None:
    """Return whether sizes count people, where the policy wants them counted."""
    if person is None:
        return None
    return "people" if counts_people else "records"


def masks_classes(class_names: Sequence[str], protections: Container[str]) -> bool:
    """Return whether there is nothing to compare: cells generalize masked values, or none do."""
    masked = any(name in protections for name in class_names)
    return masked or not class_names


def model_entries(
    models: Sequence[BoundedModel], classes: EquivalenceClasses, reading: VerificationInput
) -> tuple[ModelEntry, ...]:
    """Measure every model; those that look beyond a class from their definition."""
    beyond = [model for model in models if looks_beyond(model, reading.spec.people_file)]
    plainly = iter(judge_plainly(reading, beyond) if beyond else ())
    counted_models = in_people(models) if PERSON in classes.value_counts else models
    return tuple(
        ModelEntry(**next(plainly))
        if looks_beyond(model, reading.spec.people_file)
        else model_entry(asked, classes)
        for model, asked in zip(models, counted_models, strict=True)
    )
