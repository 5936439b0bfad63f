"""Records in buckets are sorted as a whole table is, however many records one rank has."""

import numpy as np
import polars as pl
import pytest

from indistinct.tables.engines.sorted_records import (
    RANK,
    RecordOrder,
    ranked_cells,
    sorted_records,
    wanted_buckets,
)
from indistinct.tables.engines.sources import PersonKey, ReleasePlan
from indistinct.tables.frames.row_ranks import canonical_order

N_RECORDS = 2_000
CHANCE = np.random.default_rng(4)
PASSED = {
    "of few values": CHANCE.integers(0, 3, N_RECORDS),
    "codes": [f"{number:03}" for number in CHANCE.integers(0, 900, N_RECORDS)],
    "words": [None if number < 9 else f"w{number}" for number in CHANCE.integers(0, 99, N_RECORDS)],
}


@pytest.mark.parametrize("shares", [(1.0, 0.0, 0.0), (0.9, 0.05, 0.05), (0.4, 0.3, 0.3)])
@pytest.mark.parametrize("n_buckets", [1, 2, 7, 40])
@pytest.mark.parametrize("names", [[], ["codes"], list(PASSED)], ids=len)
def test_buckets_change_nothing(tmp_path, shares, n_buckets, names):
    cells = pl.DataFrame({"q": ["b", "a", "*"]})
    which = CHANCE.choice(3, N_RECORDS, p=shares)
    passed = pl.DataFrame({name: PASSED[name] for name in names})
    whole = pl.DataFrame([cells["q"].gather(which), *passed])
    decision = ReleasePlan(
        (PersonKey("q"),), cells, cells, tuple(whole.columns), np.bincount(which, minlength=3)
    )
    ranks = pl.Series(RANK, ranked_cells(decision)[1][which], pl.UInt32)
    rows = pl.DataFrame([*passed, ranks]).lazy()
    order = RecordOrder.of(rows, decision, whole.schema)
    found = list(sorted_records(rows, decision, order, tmp_path / "buckets", n_buckets))
    assert pl.concat(found).equals(whole[canonical_order(whole, ["q"])])
    if n_buckets > 2 and len(names) > 1:
        assert max(part.height for part in found) < N_RECORDS
    assert not list(tmp_path.iterdir())


def test_buckets_are_as_many_as_the_memory_asks_for():
    assert wanted_buckets(10**6, 10**9) == 1
    assert wanted_buckets(10**9, 10**9) == 32
    assert wanted_buckets(10**12, 10**9) == 256
