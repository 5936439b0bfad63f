"""The sensitive values of the groups in which a person's rows are, where two tables are linked."""

from __future__ import annotations

import numpy as np

from indistinct.core.arrays import Ints
from indistinct.errors import DataError, Fault
from indistinct.policy.hierarchies import missing_text
from indistinct.policy.linked_form import COUNT, GROUP
from indistinct.reader.attacks.matching import match
from indistinct.reader.attacks.scene import REGISTER, Scene


def value_counts_of_groups(
    scene: Scene, column: str, rows: Ints | None
) -> tuple[tuple[str, ...], Ints]:
    """Count, per person of the register, the values of the groups of the person's rows.

    Parameters
    ----------
    rows : (n_people,), the own row of each person, -1 for none; None where nobody knows it, so that
        each row with the person's quasi-identifiers may be the own one

    Returns
    -------
    the values, and (n_people, n_values)

    Raises
    ------
    DataError
        when the two tables do not belong together
    """
    values, of_record = _values_of_records(scene, column)
    if rows is not None:
        nobody = np.zeros((1, len(values)), np.int64)
        return values, np.vstack([of_record, nobody])[rows]
    found = match(scene.columns(scene.covered(REGISTER)), REGISTER)
    of_box = np.zeros((len(found.sizes), len(values)), np.int64)
    np.add.at(of_box, found.box_of_record, of_record)
    counts = np.zeros((len(found.begins) - 1, len(values)), np.int64)
    np.add.at(counts, found.owners, of_box[found.boxes])
    return values, counts


def _values_of_records(scene: Scene, column: str) -> tuple[tuple[str, ...], Ints]:
    """Count the values of the group of each row of the first table: (n_records, n_values)."""
    if scene.linked is None or not {GROUP, COUNT, column} <= set(scene.linked.columns):
        problem = f'"{column}" is neither in the release nor in a sensitive table beside it'
        raise DataError([Fault("columns", problem, "Give both tables of one release.")])
    missing = dict.fromkeys(["", *scene.policy.data.missing], missing_text(scene.policy, column))
    texts = scene.linked[column].replace(missing).to_numpy().astype(np.str_)
    groups = scene.linked[GROUP].to_numpy().astype(np.str_)
    values, value_of = np.unique(texts, return_inverse=True)
    known, group_of = np.unique(groups, return_inverse=True)
    table = np.zeros((len(known), len(values)), np.int64)
    np.add.at(table, (group_of, value_of), scene.linked[COUNT].to_numpy().astype(np.int64))
    own = scene.released[GROUP].to_numpy().astype(np.str_)
    place = np.minimum(np.searchsorted(known, own), len(known) - 1)
    if not (known[place] == own).all():
        problem = "has groups that are not in the sensitive table"
        raise DataError([Fault(f"columns.{GROUP}", problem, "Give the two files of one release.")])
    return tuple(values.tolist()), table[place]
