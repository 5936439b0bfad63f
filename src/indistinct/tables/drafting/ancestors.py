"""Hierarchies of codes above which a table lists their ancestors, such as concepts of OMOP."""

from __future__ import annotations

from collections.abc import Sequence

from indistinct.base.hierarchy import ROOT
from indistinct.tables.drafting.drawn import FLAT, DraftedHierarchy, Rows
from indistinct.tables.frames.ancestors import parents_of
from indistinct.tables.frames.frame import Frame

GATHERED = 2  # times fewer labels that make a level worth having


def of_ancestors(texts: Sequence[str], table: Frame) -> DraftedHierarchy:
    """Draw the ancestors of codes, level by level from the top.

    A code may have several parents, and a hierarchy has one; see
    :func:`~indistinct.tables.frames.ancestors.parents_of`. A level that hardly gathers more codes
    than the one below it is left out.

    Parameters
    ----------
    texts : the codes
    table : the ancestors, with the columns of ``concept_ancestor``; names in any case

    Returns
    -------
    the hierarchy; a value is kept or hidden where the table lists no ancestors
    """
    parents = parents_of(texts, table)
    if not parents:
        return FLAT
    above = set(parents.values())
    paths = {text: _path(text, parents, above) for text in texts}
    depth = max(map(len, paths.values()))
    rows: Rows = [
        (text, *(path[n] if n < len(path) else text for n in range(depth - 1, -1, -1)), ROOT)
        for text, path in paths.items()
    ]
    levels = list(_useful(rows))
    if not levels:
        return FLAT
    return DraftedHierarchy(
        "The ancestors of the codes, of several the one above most of them; then hidden.",
        rows=[(row[0], *(row[level] for level in levels), ROOT) for row in rows],
    )


def _path(text: str, parents: dict[str, str], above: set[str]) -> list[str]:
    """Return the labels of the ancestors of a code, the top first, and its own if it is one.

    A code whose ancestors lead in a circle has none.
    """
    chain = [text]
    while (parent := parents.get(chain[-1])) is not None:
        if parent in chain:
            return []
        chain.append(parent)
    return [f"{one} and descendants" for one in reversed(chain) if one in above]


def _useful(rows: Rows) -> list[int]:
    """Return the levels that gather codes, the finest first; the top one if it gathers any."""
    before = len(rows)
    found: list[int] = []
    for level in range(1, len(rows[0]) - 1):
        labels = len({row[level] for row in rows})
        is_top = level == len(rows[0]) - 2
        if 1 < labels <= (before - 1 if is_top else before // GATHERED):
            found.append(level)
            before = labels
    return found
