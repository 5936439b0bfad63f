"""Tell whether a manifest has every part that it must have, each of the right type."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeGuard, cast

from indistinct.errors import Fault
from indistinct.tables.policy.resolved import Resolved

FORMAT = 3
LARGEST = 1e300  # beyond it, whole numbers of a JSON file are no floats any more
WHOLE_MANIFEST = "Take the manifest as it was written beside the release."


def shape_faults(manifest: object, promised: Resolved) -> Iterator[Fault]:
    """Find parts of a manifest that are missing or are not what they should be.

    Parameters
    ----------
    manifest : whatever a JSON file may hold
    protections : tell which columns the manifest must speak of
    """
    if not isinstance(manifest, Mapping):
        yield Fault("manifest", "is not an object of names and values", WHOLE_MANIFEST)
        return
    document = cast("Mapping[str, Any]", manifest)
    if document.get("format") != FORMAT:
        problem = f"is not {FORMAT}: another version of indistinct wrote this manifest"
        remedy = (
            "Verify the release with the version that made it; 0.2 and earlier write no format."
        )
        yield Fault("manifest.format", problem, remedy)
        return
    yield from _part_faults("manifest", document, PARTS)
    models = document.get("models")
    listed = cast("Sequence[object]", models) if isinstance(models, list | tuple) else ()
    for number, entry in enumerate(listed):
        place = f"manifest.models[{number}]"
        if isinstance(entry, Mapping):
            yield from _part_faults(place, cast("Mapping[str, Any]", entry), MODEL_PARTS)
        else:
            yield Fault(place, "is not an object", WHOLE_MANIFEST)
    yield from _protection_shape_faults(document.get("protection", {}), promised)
    for name, kind in (("warnings", "a list"), ("sensitive", "an object")):
        if name in document and not KINDS[kind](document[name]):
            yield Fault(f"manifest.{name}", f"is not {kind}", WHOLE_MANIFEST)


def _part_faults(
    place: str, document: Mapping[str, Any], parts: Mapping[str, str]
) -> Iterator[Fault]:
    """Find parts that are missing, or of another kind than they should be."""
    for name, kind in parts.items():
        found, is_there = part_of(document, name)
        if not is_there:
            yield Fault(f"{place}.{name}", "is missing", WHOLE_MANIFEST)
        elif not KINDS[kind](found):
            yield Fault(f"{place}.{name}", f"is not {kind}", WHOLE_MANIFEST)


def _protection_shape_faults(protection: object, promised: Resolved) -> Iterator[Fault]:
    """Find entries of protected columns that lack what their check reads."""
    if not isinstance(protection, Mapping):
        yield Fault("manifest.protection", "is not an object", WHOLE_MANIFEST)
        return
    entries = cast("Mapping[str, Any]", protection)
    for name, mask in promised.protections.items():
        if name not in entries:
            continue  # verification says so itself
        place, entry = f"manifest.protection.{name}", entries[name]
        if not isinstance(entry, Mapping):
            yield Fault(place, "is not an object", WHOLE_MANIFEST)
            continue
        for fact in mask.checked_facts:
            if not is_finite_number(cast("Mapping[str, Any]", entry).get(fact)):
                yield Fault(f"{place}.{fact}", "is not a number", WHOLE_MANIFEST)


def part_of(manifest: Mapping[str, Any], place: str) -> tuple[Any, bool]:
    """Follow a dotted place; tell also whether it is there."""
    found: Any = manifest
    for word in place.split("."):
        if not isinstance(found, Mapping) or word not in found:
            return None, False
        found = cast("Mapping[str, Any]", found)[word]
    return found, True


def mapping_in(document: object, name: str) -> Mapping[str, Any]:
    """Return the object that stands under a name; an empty one where there is none."""
    found = cast("Mapping[str, Any]", document).get(name) if isinstance(document, Mapping) else None
    return cast("Mapping[str, Any]", found) if isinstance(found, Mapping) else {}


def text_in(document: object, name: str) -> str | None:
    """Return the text that stands under a name; None where there is none."""
    found = cast("Mapping[str, Any]", document).get(name) if isinstance(document, Mapping) else None
    return found if isinstance(found, str) else None


def is_finite_number(value: object) -> TypeGuard[float]:
    """Return whether a value is a finite number, and not a truth value."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return abs(value) < LARGEST


def _is_count(value: object) -> bool:
    """Return whether a value is a whole number of things."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < LARGEST


def _has_numbers(value: object) -> bool:
    """Return whether a value is an object whose parts are finite numbers or null."""
    if not isinstance(value, Mapping):
        return False
    parts = cast("Mapping[str, object]", value).values()
    return all(part is None or is_finite_number(part) for part in parts)


KINDS: Mapping[str, Callable[[object], bool]] = {
    "an object": lambda value: isinstance(value, Mapping),
    "an object or null": lambda value: value is None or isinstance(value, Mapping),
    "an object of numbers": _has_numbers,
    "a list": lambda value: isinstance(value, list | tuple),
    "a text": lambda value: isinstance(value, str),
    "a text or null": lambda value: value is None or isinstance(value, str),
    "a count": _is_count,
    "a number or null": lambda value: value is None or is_finite_number(value),
    "true or false": lambda value: isinstance(value, bool),
}
PARTS: Mapping[str, str] = {
    "indistinct": "a text",
    "input": "an object",
    "input.rows": "a count",
    "input.fingerprint": "a text or null",
    "output": "an object",
    "output.rows": "a count",
    "output.sha256": "a text or null",
    "method": "an object",
    "method.algorithm": "a text",
    "models": "a list",
    "records": "an object",
    "records.released": "a count",
    "records.suppressed": "a count",
    "classes": "an object",
    "classes.count": "a count",
    "classes.smallest": "a number or null",
    "classes.mean": "a number or null",
    "classes.largest": "a number or null",
    "loss": "an object of numbers",
    "risk": "an object",
    "risk.prosecutor": "a number or null",
    "risk.journalist": "a number or null",
    "risk.marketer": "a number or null",
    "verified": "true or false",
}
MODEL_PARTS: Mapping[str, str] = {
    "name": "a text",
    "required": "an object",
    "achieved": "an object or null",
    "holds": "true or false",
}
