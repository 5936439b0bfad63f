"""Priced cuts on made-up diagnoses with the shape of a hospital's."""

from __future__ import annotations

import time

import numpy as np
import pytest

import indistinct as ind
from indistinct.base.hierarchy_builders import from_rows
from indistinct.errors import NoSolutionError, ParameterError
from indistinct.tables.masks.sets import PARTITION, PRICED_CUT
from indistinct.tables.masks.sets.item_records import ItemRecords, supports_of
from indistinct.tables.masks.sets.item_tree import ItemTree, item_tree
from indistinct.tables.masks.sets.partition import by_partition
from indistinct.tables.masks.sets.priced_cut import by_items, by_occurrences
from indistinct.tables.masks.sets.publishing import publish_sets
from indistinct.tables.masks.sets.supports import least_support
from indistinct.tables.publish.fictitious_patients import diagnosis_codes, hierarchy_of_codes

SEED = 1
PATIENTS = 71_518


def made_up(rows: int) -> tuple[ItemTree, ItemRecords]:
    tree = item_tree(from_rows(hierarchy_of_codes()))
    cells = diagnosis_codes(rows, np.random.default_rng(SEED))
    nodes = tree.items
    return tree, ItemRecords.of([nodes[code] for code in cell] for cell in cells)


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
    assert whole.lower_bound is not None
    assert 0.95 * whole.loss <= whole.lower_bound <= whole.loss
    assert between - started < 2
    assert ended - between < 2
    started = time.process_time()
    alike = by_partition(tree, records, 5, 0.02)
    assert time.process_time() - started < 2.5  # 1.5 on a quiet machine
    assert (alike.loss < 0.0186, alike.share_deleted < 0.004) == (True, True)
    for found in (deleted, whole, alike):
        least = least_support(found.labels, 2)
        assert least is not None
        assert least >= 5


def test_where_nothing_may_go_or_three_codes_are_known_less_is_lost() -> None:
    """Whole sets made alike lose less than a cut that must leave nothing out, or keep triples."""
    tree, records = made_up(4_000)
    words = {"k": 5, "suppression": "occurrences"}
    with pytest.raises(NoSolutionError):
        publish_sets(tree, records, algorithm=PRICED_CUT, m=2, max_suppression=0.0, **words)
    whole = publish_sets(tree, records, algorithm="optimal", m=2, max_suppression=0.0, **words)
    assert (whole.algorithm, whole.n_deleted) == (PARTITION, 0)
    assert whole.loss < 0.3  # a cut that leaves nothing out ends at the root
    cut = by_occurrences(tree, records, 5, 3, 1.0)
    best = publish_sets(tree, records, algorithm="optimal", m=3, max_suppression=1.0, **words)
    assert best.loss <= cut.loss
    for found in (whole, best):
        least = least_support(found.labels, 3)
        assert least is not None
        assert least >= 5


def test_patients_of_the_sample_may_have_codes() -> None:
    """The other columns stay as they are without codes; every code is in the hierarchy."""
    plain, coded = ind.sample(rows=200), ind.sample(rows=200, with_codes=True)
    assert coded.drop("codes").equals(plain)
    listed = set(ind.sample("codes")["code"])
    assert {code for cell in coded["codes"] for code in cell.split(";")} <= listed
    with pytest.raises(ParameterError, match="no codes"):
        ind.sample("register", rows=10, with_codes=True)
