"""The words of a graph's manifest: each of its kind, none besides, in the one way to write them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from indistinct.base.parameters import Bounds, declared
from indistinct.base.shapes import (
    Shape,
    ShapeTest,
    is_count,
    is_one_of,
    is_whole,
    is_written_so,
    matches,
    shape_faults,
)
from indistinct.errors import Fault
from indistinct.graph.models.model import GraphModel
from indistinct.graph.verification.checks import ONE_RUN, part

VERSION = r"[0-9]{1,4}(\.[0-9]{1,4}){1,3}((a|b|rc|\.post|\.dev)[0-9]{1,4})?"


def is_figure(value: object) -> bool:
    """Return whether a value has at most nine digits and nine decimals, which hold nothing more."""
    return (
        isinstance(value, float)
        and math.isfinite(value)
        and value == round(float(f"{value:.9g}"), 9)
    )


def is_count_or_null(value: object) -> bool:
    """Return whether a value is a number of things, or unknown."""
    return value is None or is_count(value)


def allowed_by(bounds: Bounds | None) -> ShapeTest:
    """Return the check that a value is one that a word of a model may have; null without bounds."""
    if bounds is None:
        return is_one_of(None)
    kinds = (int, float) if bounds.kind is float else bounds.kind
    return lambda value: isinstance(value, kinds) and bounds.allows(value)


LEVELS: Shape = dict.fromkeys(("degree", "h2", "h3", "neighborhood"), is_count)
FURTHER: Mapping[str, Shape] = {
    "gap": is_whole,
    "probes": is_count,
    "grouping": {
        **dict.fromkeys(("groups", "smallest", "largest"), is_count),
        **dict.fromkeys(("log_worlds", "structural_loss", "normalized_structural_loss"), is_figure),
        "supernodes": dict.fromkeys(("classes", "unique"), is_count),
    },
    "certain_edges": {
        "count": is_count,
        "share": is_figure,
        **dict.fromkeys(("full_pairs", "empty_pairs", "non_edges"), is_count),
    },
    "labels": {
        **dict.fromkeys(("penalty", "mean_penalty"), is_figure),
        "words": is_count,
        "cost": is_figure,
        # The checks of levels look for the column; what is not released has no name here.
        "column": lambda value: value is None or isinstance(value, str),
        "released": lambda value: isinstance(value, bool),
    },
}


def shape_of(said: Mapping[str, Any], model: type[GraphModel]) -> dict[str, Shape]:
    """Return the words that a manifest of a model has, in their order, with the kind of each."""
    bounds = declared(model)
    promised = [name for name in model.promises if name in part(said, "required")]
    edges: dict[str, Shape] = dict.fromkeys(("input", "output"), is_count)
    if not model.publishes_groups:
        edges |= {**dict.fromkeys(("added", "removed", "kept"), is_count), "overlap": is_figure}
    further: dict[str, Shape] = {
        name: FURTHER.get(name, allowed_by(bounds.get(name)))
        for name in model.entries
        if name != "labels" or name in said
    }
    return {
        "indistinct": matches(VERSION),
        "model": is_one_of(model.name),
        "k": allowed_by(bounds.get("k")),
        "mode": allowed_by(bounds.get("mode")),
        "required": {name: allowed_by(bounds[name]) for name in promised},
        "achieved": {name: is_count if name == "k" else is_figure for name in promised},
        "vertices": is_count,
        "edges": edges,
        "levels": LEVELS,
        "cost": is_count_or_null,
        "lower_bound": is_count_or_null,
        **further,
        "files": {
            name: {"sha256": matches("[0-9a-f]{64}")} for name in sorted(part(said, "files"))
        },
    }


def manifest_faults(
    content: bytes, said: Mapping[str, Any], model: type[GraphModel]
) -> Iterator[Fault]:
    """Find what a manifest says besides its words, or says in another way than is written.

    Parameters
    ----------
    content : of the file
    said : what was read of it
    """
    shape = shape_of(said, model)
    faults = [
        Fault(place, problem, ONE_RUN) for place, problem in shape_faults(said, shape, "manifest")
    ]
    yield from faults
    if not faults and not is_written_so(content, said, shape):
        problem = "has other blanks, another order of words, or a word twice"
        yield Fault("manifest", problem, "Take the manifest as it was written.")
