"""Cuts of the rows of classes: the cheapest one, whatever is not worth counting."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hospitals import hospital, policy
from indistinct.base.arrays import Floats, Ints
from indistinct.base.randomness import RandomSource
from indistinct.related.policy import RelatedPolicy
from indistinct.related.publish.class_cuts import ALPHAS, best_cells
from indistinct.related.publish.history import flat_history, labelled, saved_by
from indistinct.related.publish.tables import RowTable, read_related
from indistinct.tables.masks.sets.generalization_paths import ClassRows, Shares, cut_labels
from indistinct.tables.masks.sets.patterns import without_rare_patterns
from indistinct.tables.models.joint_anonymity import JointAnonymity

PRICE = 1.0


def events_of(seed: int, n_units: int) -> RowTable:
    """Return the events of a made-up hospital."""
    words: dict[str, Any] = policy(2, 2)
    read = read_related(
        hospital(seed, n_units), RelatedPolicy.from_words(words), RandomSource(seed)
    )
    return read.row_tables[0]


def lost_by(table: RowTable, cells: Ints, classes: Ints, k: int, m: int) -> Floats:
    """Return what the rows of each class lose by some cells, every pattern of theirs counted."""
    rows = labelled(table, cells, classes, 0)
    some = np.flatnonzero(rows.kept)
    units, saved = table.attached.units[some], saved_by(table, rows.cells[some])
    part, instances = flat_history(some, units, rows.labels[some], saved).instances(m)
    kept = some[without_rare_patterns(part, instances, k, passes=0)]
    lost = np.full(table.n_rows, PRICE)
    lost[kept] = Shares(table.levels).losses(cells[kept])
    return np.bincount(classes, lost).astype(np.float64)


@pytest.mark.parametrize("seed", range(12))
def test_no_cut_of_a_class_costs_less(seed: int) -> None:
    """Each path and price is tried by itself, without a look at what it could reach."""
    k, m = 2 + seed % 2, 1 + seed % 2
    table = events_of(seed, 40)
    of_unit = np.random.default_rng(seed).integers(0, 3, 40)
    classes = of_unit[table.attached.units]
    found = best_cells(table, of_unit, classes, JointAnonymity(k, m), PRICE, every=True)
    reached = lost_by(table, found, classes, k, m)
    for kind in range(3):
        rows = np.flatnonzero(classes == kind)
        part = ClassRows(
            np.unique(table.attached.units[rows], return_inverse=True)[1].astype(np.int64),
            table.codes[rows],
            table.levels,
            np.zeros(len(rows), np.int64),
        )
        for of_alphas in cut_labels(part, k, ALPHAS, price=PRICE, stricter=m - 1):
            for own in of_alphas:
                cells = np.full_like(found, -1)
                cells[rows] = own
                assert reached[kind] <= lost_by(table, cells, classes, k, m)[kind] + 1e-6
