"""Hierarchies from what a user wrote: the rows of a file, a tree, or characters to hide."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
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
DECIMALS = re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+)")
# As floats are written. A number without a point and a sign in its exponent may be a code, 1E2.
WITH_EXPONENT = re.compile(
    r"[+-]?(?:(?:[0-9]+\.[0-9]*|\.[0-9]+)[eE][+-]?|[0-9]+(?:[eE][+-]|e(?=[2-9][0-9]|1[5-9]|1[0-9]{2})))"
    r"([0-9]{1,3})"
)
LARGEST_POWER = 400  # a double has 308 at most


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


def tree_rows(tree: NestedLabels) -> list[list[str]]:
    """Return the labels of each leaf of nested groups, itself first, the root last.

    Examples
    --------
    >>> tree_rows({"respiratory": ["flu", "pneumonia"]})
    [['flu', 'respiratory', '*'], ['pneumonia', 'respiratory', '*']]
    """
    return [[*path[::-1], ROOT] for path in _paths(tree, ()) if path]


def from_masks(
    values: Sequence[str], hidden: int, gone: Sequence[bool] | None = None
) -> GeneralizationHierarchy:
    """Build a hierarchy that hides 1 to ``hidden`` characters from the right.

    A text of which nothing is left is hidden: it stands for the whole column. The top level is the
    root when every value is then hidden; otherwise the root follows it. Of a number, the characters
    are its digits as in :func:`in_plain_digits`: a star for the zero of 47101.0 would hide nothing.

    Parameters
    ----------
    gone : (n_values,), which of them is the missing value, which keeps its label below the root
    """
    is_gone = [False] * len(values) if gone is None else gone
    marked = [
        (text if none else in_plain_digits(text), none)
        for text, none in zip(values, is_gone, strict=True)
    ]
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


def in_plain_digits(text: str) -> str:
    """Return a number in plain decimals without zeros behind the point, and other texts unchanged.

    Examples
    --------
    >>> [in_plain_digits(text) for text in ("47101.0", "47101.50", "1e+21", "-0.0", "E11.0")]
    ['47101', '47101.5', '1000000000000000000000', '0', 'E11.0']
    """
    if DECIMALS.fullmatch(text):
        plain = text.rstrip("0").removesuffix(".")
    elif (found := WITH_EXPONENT.fullmatch(text)) and int(found[1]) <= LARGEST_POWER:
        plain = plainly(Decimal(text))
    else:
        return text
    return plain if plain.strip("+-0") else "0"


def plainly(number: Decimal) -> str:
    """Return a decimal with all its digits: no exponent, no zeros behind them, no ``-0``."""
    text = format(number, "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


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
