"""The patterns of rows that belong to rows, beside a plain enumeration of them."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from indistinct.base.arrays import Bools
from indistinct.errors import WorkError
from indistinct.related.verify.patterns import SeenRow, patterns_of
from indistinct.tables.masks.sets.listed_patterns import grouped_rows, listed_patterns
from indistinct.tables.masks.sets.patterns import Rows

N_UNITS = 5
DEPTHS = 3


def drawn(seed: int) -> tuple[Any, ...]:
    """Draw rows of a few units, up to three deep, those of a table with one kind of key."""
    chance = random.Random(seed)
    released = [chance.random() < 1 / 2 for _ in range(DEPTHS)]
    units: list[int] = []
    labels: list[int] = []
    parents: list[int] = []
    depths: list[int] = []
    numbers: dict[Any, int] = {}
    for unit in range(N_UNITS):
        for _ in range(chance.randint(0, 5)):
            above = [n for n, one in enumerate(units) if one == unit and depths[n] < DEPTHS - 1]
            parent = chance.choice([-1, *above])
            depth = 0 if parent < 0 else depths[parent] + 1
            label = (depth, chance.randint(0, 1), -1 if parent < 0 else labels[parent])
            units.append(unit)
            parents.append(parent)
            depths.append(depth)
            labels.append(numbers.setdefault(label, len(numbers)))
    is_released = np.array([released[depth] for depth in depths], np.bool_)
    columns = (np.array(one, np.int64) for one in (units, labels, parents))
    return (*columns, is_released)


def enumerated(rows: tuple[Any, ...], kept: Bools, m: int) -> Counter[frozenset[int]]:
    """Return the units that have each pattern, by the enumeration that verification has."""
    units, labels, parents, is_released = (one.tolist() for one in rows)
    having: dict[Any, set[int]] = {}
    for unit in range(N_UNITS):
        seen: dict[int, SeenRow] = {-1: SeenRow(None)}
        of_chain: dict[int, int] = {}
        for row in np.flatnonzero(kept).tolist():
            if units[row] != unit:
                continue
            above = seen[parents[row]]
            chain, hidden = above.chain, above.hidden
            if is_released[row]:
                chain = (*chain, row)
                of_chain[row] = labels[row]
            else:
                hidden = (*hidden, (len(chain), labels[row]))
            seen[row] = SeenRow(labels[row], chain, hidden)
        del seen[-1]
        for pattern in patterns_of(list(seen.values()), of_chain, m):
            having.setdefault(pattern, set()).add(unit)
    return Counter(frozenset(one) for one in having.values())


@pytest.mark.parametrize("m", [1, 2, 3, 4])
def test_patterns_are_those_of_an_enumeration(m: int) -> None:
    """Of all rows, and of those left when rows and what is below them are left out."""
    chance = np.random.default_rng(m)
    for seed in range(60 // m):
        units, labels, parents, is_released = rows = drawn(seed)
        if not len(units):
            continue
        grouped = grouped_rows(units, labels, parents, is_released)
        instances = listed_patterns(grouped, m)
        own = Rows(units, grouped.of_row, parents, np.ones(len(units)))
        for share in (1.0, 0.6):
            kept = own.without_orphans(chance.random(len(units)) < share)
            living = instances.living(own.sizes(kept))
            having: dict[int, set[int]] = {}
            for pattern, unit in zip(
                instances.patterns[living].tolist(), instances.units[living].tolist(), strict=True
            ):
                having.setdefault(pattern, set()).add(unit)
            found = Counter(frozenset(one) for one in having.values())
            assert found == enumerated(rows, kept, m), seed


def test_too_many_patterns_are_refused() -> None:
    """One history of 100 rows has 5,050 pairs and 100 single rows."""
    none = np.full(100, -1, np.int64)
    grouped = grouped_rows(np.zeros(100, np.int64), np.arange(100), none, none > 0)
    assert len(listed_patterns(grouped, 2, 5_050).units) == 100 + 4_950
    with pytest.raises(WorkError, match="the longest has 100 different rows"):
        listed_patterns(grouped, 2, 5_049)
