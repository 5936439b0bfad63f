"""Tell whether a manifest has every part that it must have and no other, each of its type."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeGuard, cast

from indistinct.errors import Fault
from indistinct.tables.policy.sections.method import ALGORITHM_NAMES
from indistinct.tables.policy.specification import Specification

FORMAT = 3
LARGEST = 1e300  # beyond it, whole numbers of a JSON file are no floats any more
WHOLE_MANIFEST = "Take the manifest as it was written beside the release."


def shape_faults(manifest: object, spec: Specification) -> Iterator[Fault]:
    """Find parts of a manifest that are missing, that no manifest has, or that are something else.

    Parameters
    ----------
    manifest : whatever a JSON file may hold
    spec : tells which parts a manifest of its releases has
    """
    if not isinstance(manifest, Mapping):
        yield Fault("manifest", "is not an object of names and values", WHOLE_MANIFEST)
        return
    document = cast("Mapping[str, Any]", manifest)
    if (wrong := format_fault(document)) is not None:
        yield wrong
        return
    shape = {**FIELDS, **{f"{name}?": one for name, one in _parts_of(spec)}}
    shape["protection?"] = {
        f"{name}?": {**PROTECTION, **_facts_of(spec, name)} for name in spec.protections
    }
    yield from part_faults("manifest", document, shape)
    entries = mapping_in(document, "protection")
    for name, mask in spec.protections.items():
        for fact in mask.checked_facts if isinstance(entries.get(name), Mapping) else ():
            if not is_finite_number(entries[name].get(fact)):
                yield Fault(f"manifest.protection.{name}.{fact}", "is not a number", WHOLE_MANIFEST)


def format_fault(document: Mapping[str, Any]) -> Fault | None:
    """Return the fault of a manifest of another format; None where it is of this one."""
    said = document.get("format")
    if _is_count(said) and said == FORMAT:
        return None
    problem = f"is not {FORMAT}: another version of indistinct wrote this manifest"
    remedy = "Verify the release with the version that made it; 0.2 and earlier write no format."
    return Fault("manifest.format", problem, remedy)


def part_faults(place: str, found: object, shape: Shape) -> Iterator[Fault]:
    """Find parts of a document that are missing, unknown, or of another kind than they should be.

    Parameters
    ----------
    shape : the word of a kind; a list of one shape, which each part of a list has; or an object of
        shapes by name, of which those with ``?`` behind may be left out, and ``*`` is any name
    """
    if isinstance(shape, str):
        if not KINDS[shape](found):
            yield Fault(place, f"is not {shape}", WHOLE_MANIFEST)
    elif isinstance(shape, Mapping):
        if isinstance(found, Mapping):
            yield from _object_faults(place, cast("Mapping[str, object]", found), shape)
        else:
            yield Fault(place, "is not an object", WHOLE_MANIFEST)
    elif isinstance(found, list | tuple):
        for number, part in enumerate(cast("Sequence[object]", found)):
            yield from part_faults(f"{place}[{number}]", part, shape[0])
    else:
        yield Fault(place, "is not a list", WHOLE_MANIFEST)


def _object_faults(
    place: str, document: Mapping[str, object], shape: Mapping[str, Shape]
) -> Iterator[Fault]:
    """Find the parts of an object that are missing, unknown, or of another kind."""
    for name in shape:
        if not name.endswith("?") and name != "*" and name not in document:
            yield Fault(f"{place}.{name}", "is missing", WHOLE_MANIFEST)
    for name, part in document.items():
        own = shape.get(name, shape.get(f"{name}?", shape.get("*")))
        if own is None:
            yield Fault(f"{place}.{name}", "is no part of a manifest", WHOLE_MANIFEST)
        else:
            yield from part_faults(f"{place}.{name}", part, own)


def _parts_of(spec: Specification) -> Iterator[tuple[str, Shape]]:
    """Yield the parts that a manifest has for some promises alone."""
    if spec.data.person is not None:
        yield "people", COUNTS
    if spec.data.household is not None:
        yield "households", COUNTS
    if spec.release.form == "anatomy":
        yield "sensitive", SENSITIVE
    if spec.set_names:
        yield "sets", dict.fromkeys((f"{name}?" for name in spec.set_names), SET)
    if spec.history is not None:
        yield "history", HISTORY
        yield "counterfeits", COUNTERFEITS
        yield "composition", COMPOSITION
    if any(model.suppresses_later for model in spec.models):
        yield "suppression", {"confidence": "a number"}


def _facts_of(spec: Specification, name: str) -> dict[str, Shape]:
    """Return what a manifest may say of a masked column."""
    mask = spec.protections[name]
    published = mask.public_facts | mask.rounded_facts | {*mask.among_released(int)}
    return {f"{fact}?": "a fact" for fact in published | {*mask.checked_facts}}


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


def _is_algorithm(value: object) -> bool:
    """Return whether a value names algorithms, by commas where sets took several."""
    known = {*ALGORITHM_NAMES, "anatomy"}
    return isinstance(value, str) and {*value.split(", ")} <= known


def _matches(pattern: str) -> Callable[[object], bool]:
    """Return what tells whether a value is a text of some form."""
    form = re.compile(pattern)
    return lambda value: isinstance(value, str) and form.fullmatch(value) is not None


Shape: TypeAlias = str | Sequence["Shape"] | Mapping[str, "Shape"]
KINDS: Mapping[str, Callable[[object], bool]] = {
    "an object": lambda value: isinstance(value, Mapping),
    "an object or null": lambda value: value is None or isinstance(value, Mapping),
    "a text": lambda value: isinstance(value, str),
    "a text or null": lambda value: value is None or isinstance(value, str),
    "a version": _matches(r"[0-9]+(\.[0-9a-z+]+){1,5}"),
    "a hash": _matches(r"[0-9a-f]{16,128}"),
    "a hash or null": lambda value: value is None or KINDS["a hash"](value),
    "a word": _matches(r"[A-Za-z][A-Za-z0-9_-]{0,39}"),
    "an algorithm": _is_algorithm,
    "a count": _is_count,
    "a number": is_finite_number,
    "a number or null": lambda value: value is None or is_finite_number(value),
    "true or false": lambda value: isinstance(value, bool),
    "a fact": lambda value: not isinstance(value, Mapping),
    "the released records": lambda value: value == "the released records",
}
COUNTS: Shape = {"released": "a count", "suppressed": "a count"}
SENSITIVE: Shape = {"column": "a text", "rows": "a count", "file?": "a text", "sha256?": "a hash"}
SET: Shape = {"empty": "a count", "labels": "a count", "algorithm": "an algorithm"}
HISTORY: Shape = {
    **dict.fromkeys(("release", "people", "kept", "new", "changed", "left_out"), "a count"),
    "founded_with_counterfeits?": "a count",
}
COUNTERFEITS: Shape = {"records": "a count", "share": "a number", "groups": "a count"}
COMPOSITION: Shape = {
    "releases": "a count",
    "people": "a count",
    "below_k": "a number",
    "alone": "a number",
    "certain": {"*": "a number"},
}
PROTECTION: Mapping[str, Shape] = {
    "name": "a word",
    "required": "an object",
    "in_classes": "true or false",
}
WARNING: Shape = {
    "code": "a word",
    "rank": "a word",
    "table": "a text or null",
    "columns": ["a text"],
    "count": "a count",
    "of": "a count",
    "unit": "a word",
    "share": "a number",
    "k_after?": "a count",
    "message": "a text",
    "remedy": "a text",
}
KNOWN_RISK: Shape = {
    "columns": ["a text"],
    "unit": "a word",
    "smallest": "a count",
    "chance": "a number",
    "of": "a count",
    "units": "a count",
    "value?": "a text",
    "items?": {"column": "a text", "chance": "a number", "m?": "a count"},
    "after_read_back?": {"smallest": "a count", "units": "a count"},
}
FURTHER_RISK: Shape = {
    "column": "a text or null",
    "alone": "a count",
    "below_k": "a count",
    "of": "a count",
    "unit": "a word",
    "columns": {
        "*": {"alone": "a count", "below_k": "a count", "of": "a count", "needs": ["a word"]}
    },
    "together?": {"columns": ["a text"], "alone": "a count"},
}
STATEMENTS: Shape = {
    "view": "a word",
    "at_hand": ["a word"],
    "verdict": {
        "verdict": "a text",
        "checks": [{"check": "a text", "state": "a text", "needs": ["a word"]}],
    },
    "size": {"*": {"input": "a count", "released": "a count", "left_out": "a count"}},
    "reached": [
        {
            "name": "a word",
            "column": "a text or null",
            "required": "an object",
            "achieved": "an object",
            "counts": "a word",
            "holds": "true or false",
        }
    ],
    "kept": {"levels": {"*": {"*": "a number"}}},
    "risk": {
        "known?": KNOWN_RISK,
        "further?": FURTHER_RISK,
        "highest?": {
            "chance": "a number",
            "units": "a count",
            "of": "a count",
            "unit": "a word",
            "scope": "a word",
        },
    },
    "findings": {"list": [WARNING]},
    "search": {"algorithm?": "an algorithm", "objective?": "a word"},
}
FIELDS: Mapping[str, Shape] = {
    "indistinct": "a version",
    "format": "a count",
    "input": {"rows": "a count", "fingerprint": "a hash or null"},
    "output": {
        "rows": "a count",
        "sha256": "a hash or null",
        "parts?": [{"path": "a text", "rows": "a count", "bytes": "a count", "sha256?": "a hash"}],
        "fingerprint?": "a text",
        "partition_by?": "a text",
        "record_column?": "a text",
        "writer?": {"*": "a version"},
        "shared?": "true or false",
    },
    "policy": "an object",
    "codebook?": "an object",
    "statements?": STATEMENTS,
    "method": {
        "algorithm": "an algorithm",
        "objective?": "a word",
        "transformation?": {"*": "a count"},
        "levels?": {"*": {"*": "a number"}},
        "groups?": "a count",
        "engine?": "a word",
        "counted?": {"levels": {"*": "a count"}},
        **dict.fromkeys(("optimal?", "relaxed?", "minimal?"), "true or false"),
        "suppressed_cells?": {"count": "a count", "share": "a number", "columns": {"*": "a count"}},
    },
    "models": [
        {
            "name": "a word",
            "required": "an object",
            "achieved": "an object or null",
            "holds": "true or false",
            "measured_against?": "the released records",
        }
    ],
    "records": COUNTS,
    "classes": {
        "count": "a count",
        "smallest": "a number or null",
        "mean": "a number or null",
        "largest": "a number or null",
        "counted?": "a word",
    },
    "loss": dict.fromkeys(
        ("loss?", "ncp?", "discernibility?", "average-class-size?"), "a number or null"
    ),
    "risk": dict.fromkeys(("prosecutor", "journalist", "marketer"), "a number or null"),
    "promise?": "a text",
    "read_back?": {
        "cells": "a count",
        "below": "a number",
        "k_after": "a count",
        "may_be_hidden": ["a text"],
    },
    "verified": "true or false",
    "warnings?": [WARNING],
}
