"""Numbers of a model's document as arrays, and the tree that its pairs make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from indistinct.base.arrays import Floats, Ints


def floats(given: Sequence[Any]) -> Floats:
    """Return numbers as an array."""
    return np.array(given, np.float64)


def ints(given: Sequence[Any]) -> Ints:
    """Return whole numbers as an array."""
    return np.array(given, np.int64)


def members(joined: Ints) -> Floats:
    """Return, as 0 or 1, which codes belong to each joined code, shape (joined, codes)."""
    numbers: Ints = np.arange(int(joined.max()) + 1, dtype=np.int64)
    return np.equal(joined[np.newaxis, :], numbers[:, np.newaxis]).astype(np.float64)


def tree_order(model: Mapping[str, Any]) -> list[tuple[str, str | None]]:
    """List columns after their parents, from the first column on; short where pairs are no tree."""
    names = [column["name"] for column in model["columns"]]
    if len(model["edges"]) not in {0, len(names) - 1}:
        return []
    listed: list[tuple[str, str | None]] = [(names[0], None)]
    for name, _ in listed:
        for edge in model["edges"]:
            if name in edge["columns"]:
                far = edge["columns"][1 - edge["columns"].index(name)]
                if far not in {known for known, _ in listed}:
                    listed.append((far, name))
    return listed if model["edges"] else [(name, None) for name in names]


def edge_of(model: Mapping[str, Any], one: str, other: str) -> Mapping[str, Any]:
    """Find the pair of two columns."""
    return next(edge for edge in model["edges"] if {one, other} == set(edge["columns"]))
