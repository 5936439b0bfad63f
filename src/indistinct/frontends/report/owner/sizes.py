"""How many records, or people, are alike: in the original, in the release, in the population."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.base.brief import short_repr
from indistinct.base.compiled.kernels import group_rows
from indistinct.tables.counting import person_codes, read_population
from indistinct.tables.frames import cell_texts, encode
from indistinct.tables.policy import Specification


@dataclass(frozen=True, slots=True)
class Alike:
    """Groups of records that read the same in the columns that others may know.

    Parameters
    ----------
    records : (n_groups,), records of each
    people : (n_groups,), people of each, where the policy counts them and something tells them
    population : (n_groups,), people of the population that read the same, where there is a table
    """

    records: Ints
    people: Ints | None = None
    population: Ints | None = None

    __repr__ = short_repr

    @property
    def n(self) -> int:
        """Number of groups."""
        return len(self.records)

    def sizes(self, *, in_people: bool) -> Ints:
        """Return the size of each group, in people where that is asked for."""
        return self.people if in_people and self.people is not None else self.records


NOTHING = Alike(np.zeros(0, np.int64))


def alike_before(before: Any, spec: Specification) -> Alike:
    """Count the groups of the original, each with its people and with the population.

    Parameters
    ----------
    before : the original, as the policy says that it is read
    """
    names = spec.class_names
    if not names or any(name in spec.protections for name in names):
        return NOTHING
    others = (
        read_population(spec.people_file, spec.class_names, spec.reading)
        if spec.people_file is not None
        else None
    )
    labels, n_before, n_labels = _together(before, others, list(names))
    own, further = labels[:n_before], labels[n_before:]
    records = np.bincount(own, minlength=n_labels)
    shown = records > 0
    population = None
    if others is not None:
        population = np.bincount(further, minlength=n_labels)[shown].astype(np.int64)
    people = None
    if spec.data.person is not None and spec.data.person in before.columns:
        people = people_of(own, persons_in(before, spec.data.person), n_labels)[shown]
    return Alike(records[shown].astype(np.int64), people, population)


def alike_after(
    released: Any, class_names: Sequence[str], persons: Ints | None, sizes: Ints
) -> Alike:
    """Count the groups of the release, in people where it is known whose each record is.

    Parameters
    ----------
    persons : (n_records,), number of the person behind each released record; None where nothing
        tells it
    sizes : (n_groups,), records of each group, as they were assessed
    """
    if persons is None:
        return Alike(sizes)
    written = [
        column
        for name in class_names
        for column in (name, f"{name}_min", f"{name}_max")
        if column in released.columns
    ]
    labels, _, n_labels = _together(released, None, written)
    records = np.bincount(labels, minlength=n_labels).astype(np.int64)
    return Alike(records, people_of(labels, persons, n_labels))


def people_of(labels: Codes, persons: Ints, n_labels: int) -> Ints:
    """Count the different people of each group: (n_labels,)."""
    pairs = np.unique(np.stack([labels.astype(np.int64), persons]), axis=1)
    return np.bincount(pairs[0], minlength=n_labels).astype(np.int64)


def persons_in(frame: Any, name: str) -> Ints:
    """Return the number of each record's person."""
    return person_codes(frame[name]).astype(np.int64)


def _together(first: Any, second: Any | None, names: list[str]) -> tuple[Codes, int, int]:
    """Return the number of each record's group, of one table or of two."""
    columns: list[Codes] = []
    for name in names:
        cells = first[name]
        if second is not None:
            # A copy: the table itself must stay as it is.
            cells = cell_texts(cells).clone().extend(cell_texts(second[name]))
        elif cells.dtype.is_float() and cells.is_nan().any():
            cells = cell_texts(cells)  # in which a number that is none differs from a missing one
        columns.append(encode(cells, "").codes)
    labels, representatives, _ = group_rows(np.ascontiguousarray(np.stack(columns, axis=1)))
    return labels, first.height, len(representatives)
