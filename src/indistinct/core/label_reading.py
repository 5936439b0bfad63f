"""How a reader of a release reads its cells, where they are not written as their labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence

LabelReader = Callable[[int, Sequence[str]], Sequence[str]]
"""Gives, for a column and the labels of some cells, what a reader reads: equal texts where nobody
can tell two cells apart."""


def read_as_labels(column: int, labels: Sequence[str]) -> Sequence[str]:
    """Read each cell as its own label."""
    del column
    return labels
