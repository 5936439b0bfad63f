"""Columns that determine others: where a region is hidden, its districts are, too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from indistinct.base.arrays import Codes
from indistinct.base.hierarchy import ROOT
from indistinct.errors import Fault, LinksError
from indistinct.related.policy_section import TableSection
from indistinct.tables.core import Recoding
from indistinct.tables.frames import Frame, text_rows


def hidden_with(table: TableSection, names: Sequence[str]) -> list[tuple[int, ...]]:
    """Return per column the places of those that are hidden where it is.

    Parameters
    ----------
    names : the quasi-identifiers
    """
    return [
        tuple(at for at, name in enumerate(names) if above in table.all_parents(name))
        for above in names
    ]


def check_parents(frame: Frame, table: TableSection) -> None:
    """Refuse parents that the values of a column do not determine.

    Raises
    ------
    LinksError
        with the number of such values, for all columns at once
    """
    faults = [
        Fault(
            f"columns.{column}.parent",
            f"{count:,} values of {column} stand beside several values of {said.parent}",
            "Correct these rows, or leave parent out.",
        )
        for column, said in table.columns.items()
        if said.parent is not None and (count := _n_torn(frame, column, said.parent))
    ]
    if faults:
        raise LinksError(faults)


def _n_torn(frame: Frame, column: str, parent: str) -> int:
    """Count the values of a column that stand beside several values of another one."""
    times = Counter(own for own, _ in {*text_rows(frame, [column, parent])})
    return sum(count > 1 for count in times.values())


def with_hidden_below(recoding: Recoding, hides: Sequence[Sequence[int]]) -> tuple[Recoding, Codes]:
    """Return a recoding that hides cells with others, and the class that each class became.

    Classes become coarser, and those that then look alike become one: each holds at least as many
    records as before.

    Parameters
    ----------
    hides : per column, the places of those that are hidden where it is
    """
    if not any(hides):
        return recoding, np.arange(recoding.n_classes, dtype=np.int32)
    cells = recoding.cells.copy()
    for at, others in enumerate(hides):
        labels = np.array(recoding.domains[at].labels, dtype=object)
        is_hidden = labels[recoding.cells[:, at]] == ROOT
        for other in others:
            cells[is_hidden, other] = _root(recoding, other)
    kinds = np.column_stack([recoding.released, cells])
    _, first, became = np.unique(kinds, axis=0, return_index=True, return_inverse=True)
    became = became.reshape(-1).astype(np.int32)
    merged = replace(
        recoding,
        labels=became[recoding.labels],
        cells=cells[first],
        released=recoding.released[first],
        transformation=None,
        regions=None,
    )
    return merged, became


def _root(recoding: Recoding, column: int) -> int:
    """Return the cell that hides a column: the last of those that are written so."""
    labels = recoding.domains[column].labels
    return len(labels) - 1 - labels[::-1].index(ROOT)
