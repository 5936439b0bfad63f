"""Hierarchies from what a user wrote: the rows of a file, a tree, or characters to hide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from indistinct.base.hierarchy import (
    MAX_EXAMPLES,
    ROOT,
    GeneralizationHierarchy,
    from_levels,
    with_hidden_cells,
)
from indistinct.errors import Fault, HierarchyError

NestedLabels = Mapping[str, object]


def from_rows(rows: Sequence[Sequence[str]]) -> GeneralizationHierarchy:
    """Build a hierarchy from the rows of a file: one per value, level 0 first.

    Raises
    ------
    HierarchyError
        when rows differ in length, a value stands in two rows or a label has two parents
    """
    if not rows:
        raise HierarchyError([Fault("", "the hierarchy has no row", "Give one row per value.")])
    depth = len(rows[0])
    ragged = [number for number, row in enumerate(rows, start=1) if len(row) != depth]
    if ragged:
        raise HierarchyError([_ragged(ragged, depth)])
    return from_levels(list(zip(*rows, strict=True)))


def from_tree(tree: NestedLabels) -> GeneralizationHierarchy:
    """Build a hierarchy from nested groups; the leaves must all have the same depth.

    Raises
    ------
    HierarchyError
        when leaves differ in depth, a value stands twice or a label has two parents

    Examples
    --------
    >>> from_tree({"respiratory": ["flu", "pneumonia"], "digestive": ["ulcer"]}).labels[1]
    ('respiratory', 'digestive')
    """
    paths = [path for path in _paths(tree, ()) if path]
    return from_rows([[*path[::-1], ROOT] for path in paths])


def from_masks(
    values: Sequence[str], hidden: int, gone: Sequence[bool] | None = None
) -> GeneralizationHierarchy:
    """Build a hierarchy that hides 1 to ``hidden`` characters from the right.

    A text of which nothing is left is hidden: it stands for the whole column. The top level is the
    root when every value is then hidden; otherwise the root follows it.

    Parameters
    ----------
    gone : (n_values,), which of them is the missing value, which keeps its label below the root
    """
    is_gone = [False] * len(values) if gone is None else gone
    marked = list(zip(values, is_gone, strict=True))
    levels = [tuple(values)]
    levels += [
        tuple(text if none else _masked(text, count) for text, none in marked)
        for count in range(1, hidden + 1)
    ]
    known = [label for label, none in zip(levels[-1], is_gone, strict=True) if not none]
    root = (ROOT,) * len(values)
    if all(label == ROOT for label in known):
        levels[-1] = root
    else:
        levels.append(root)
    return with_hidden_cells(from_levels(levels))


def flat(values: Sequence[str]) -> GeneralizationHierarchy:
    """Build the hierarchy that keeps a value or hides it."""
    return from_levels([tuple(values), (ROOT,) * len(values)])


def _ragged(rows: Sequence[int], depth: int) -> Fault:
    """Report rows whose length differs from the first row's."""
    listed = ", ".join(str(row) for row in rows[:MAX_EXAMPLES])
    return Fault(
        "",
        f"{len(rows)} rows do not have {depth} levels (rows {listed})",
        "Give every value the same number of levels.",
    )


def _paths(node: object, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Walk a tree, as a user wrote it, down to its leaves."""
    if isinstance(node, Mapping):
        for name, child in cast("Mapping[object, object]", node).items():
            yield from _paths(child, (*above, str(name)))
    elif isinstance(node, Sequence) and not isinstance(node, str):
        for leaf in cast("Sequence[object]", node):
            yield (*above, str(leaf))
    else:
        raise HierarchyError(
            [Fault("tree", "a group is neither a table nor a list", "List the values of a group.")]
        )


def _masked(text: str, count: int) -> str:
    """Return a text without its last ``count`` characters, a star for each; one if none is left."""
    kept = len(text) - count
    return text[:kept] + ROOT * count if kept > 0 else ROOT
