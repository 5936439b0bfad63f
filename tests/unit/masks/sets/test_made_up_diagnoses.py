"""Priced cuts on made-up diagnoses with the shape of a hospital's."""

from __future__ import annotations

import time

import numpy as np
import pytest

from diagnoses import diagnosis_codes, hierarchy_of_codes
from indistinct.core.hierarchy_builders import from_rows
from indistinct.masks.sets.item_records import ItemRecords, supports_of
from indistinct.masks.sets.item_tree import ItemTree, item_tree
from indistinct.masks.sets.priced_cut import by_items, by_occurrences
from indistinct.masks.sets.supports import least_support

SEED = 1
PATIENTS = 71_518


def made_up(rows: int) -> tuple[ItemTree, ItemRecords]:
    tree = item_tree(from_rows(hierarchy_of_codes()))
    cells = diagnosis_codes(rows, np.random.default_rng(SEED))
    return tree, ItemRecords.of([tree.items[code] for code in cell] for cell in cells)


def test_two_codes_tell_a_quarter_of_the_patients_apart() -> None:
    tree, records = made_up(PATIENTS)
    is_rare = (supports_of(tree, records).together < 5).tolist()
    rare = [any(is_rare[a][b] for a in one for b in one) for one in records.sets()]
    assert 0.25 < np.mean(rare) < 0.33


@pytest.mark.slow
def test_little_is_lost_in_two_seconds() -> None:
    tree, records = made_up(PATIENTS)
    by_occurrences(*made_up(100), 5, 2, 1.0)
    by_items(*made_up(100), 5, 2, 1.0)
    started = time.process_time()
    deleted = by_occurrences(tree, records, 5, 2, 0.02)
    between = time.process_time()
    whole = by_items(tree, records, 5, 2, 1.0)
    ended = time.process_time()
    assert deleted.loss <= 0.0244
    assert whole.loss <= 0.0515
    assert between - started < 2
    assert ended - between < 2
    for found in (deleted, whole):
        least = least_support(found.labels, 2)
        assert least is not None
        assert least >= 5
