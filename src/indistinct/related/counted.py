"""The released tables as detectors count them: each row is a person's, and each person has a class.

A person is alone if one of her rows shows a cell that nobody else of her class shows there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.related.policy import RelatedPolicy
from indistinct.tables.findings import (
    CountedCells,
    CountedTable,
    both,
    rows_in_memory,
    table_in_memory,
)
from indistinct.tables.frames import Frame
from indistinct.tables.models import KAnonymity
from indistinct.tables.policy import Specification, resolve

PEOPLE = "people"


def counted_tables(policy: RelatedPolicy, frames: Mapping[str, Frame]) -> list[CountedTable]:
    """Return the released tables, that of the people first.

    Parameters
    ----------
    frames : the tables, keys without faults
    """
    units = _units(policy, frames)
    people = policy.people
    shown = {name: _shown(policy, name, frames[name]) for name in (people, *policy.row_tables)}
    classes = _rows(*shown[people], units[people]).classes
    if policy.related.rows == "known":
        for name in policy.row_tables:
            classes = both(classes, np.bincount(units[name], minlength=len(classes)))
    found: list[CountedTable] = []
    for name, (frame, spec) in shown.items():
        own = units[name]
        rows = replace(_rows(frame, spec, own), classes=classes[own], units=own)
        table = table_in_memory(rows, spec)
        found.append(replace(table, unit=PEOPLE, n_units=len(classes), table=name))
    return found


def _rows(frame: Frame, spec: Specification, units: Ints) -> CountedCells:
    """Return the rows of a table, which may have no column but its keys."""
    return rows_in_memory(frame, spec, np.ones(len(units), np.int64))


def _shown(policy: RelatedPolicy, name: str, frame: Frame) -> tuple[Frame, Specification]:
    """Return a table without its keys and without what it shows of rows above, and its promise."""
    spec = resolve(policy.flat(name, [{"name": KAnonymity.name, "k": policy.model.k}]))
    keys = {*policy.tables[name].key_columns, policy.tables[name].new_key}
    own = [one for one in frame.columns if one in spec.columns and one not in keys]
    return frame[own], spec


def _units(policy: RelatedPolicy, frames: Mapping[str, Frame]) -> dict[str, Ints]:
    """Return the number of the person of each row: per table, (n_rows,)."""
    people = policy.people
    keys: list[object] = frames[people][policy.tables[people].new_key or ""].to_list()
    behind = {people: {key: number for number, key in enumerate(keys)}}
    found: dict[str, Ints] = {people: np.arange(len(keys))}
    for name in policy.row_tables:
        table, frame = policy.tables[name], frames[name]
        top = policy.shown_above(name)[-1]
        column = frame[policy.pointers(name)[top]].to_list()
        # A key that leads to nobody is a fault, which verification tells.
        found[name] = np.array([behind[top].get(key, 0) for key in column], np.int64)
        if table.release_key and table.new_key is not None:
            own = frame[table.new_key].to_list()
            behind[name] = dict(zip(own, found[name].tolist(), strict=True))
    return found
