"""What a release says of lost columns and of classes with one value, against plain counting."""

from collections import defaultdict

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.findings.kinds import KEEPS_LITTLE, MISSING, ONE_VALUE, WHOLLY_HIDDEN

QUASI = ("age", "town")
MISSING_SHARE = 0.1


def drawn(seed: int) -> pl.DataFrame:
    """Draw 120 people whose illness goes with their town, with some illnesses missing."""
    chance = np.random.default_rng(seed)
    towns = chance.integers(0, 6, 120)
    ill = np.where(chance.random(120) < 0.8, towns // 2, chance.integers(0, 4, 120))
    words = [None if chance.random() < MISSING_SHARE else f"ill {one}" for one in ill]
    return pl.DataFrame(
        {
            "age": chance.integers(20, 80, 120),
            "town": [f"town {one}" for one in towns],
            "ill": words,
        }
    )


def released(table: pl.DataFrame, k: int, **words) -> ind.Release:
    return ind.anonymize(
        table,
        quasi_identifiers=list(QUASI),
        sensitive=["ill"],
        hierarchies={"age": ind.intervals(10, 20)},
        k=k,
        max_suppression=0.3,
        **words,
    )


def said(release: ind.Release, code: str) -> dict[str, float]:
    """Return the share that each column has in the warnings of a kind."""
    return {
        warning["columns"][0]: warning["share"]
        for warning in release.warnings
        if warning["code"] == code
    }


def classes_of(table: pl.DataFrame) -> dict[tuple, list]:
    classes = defaultdict(list)
    for *cells, ill in table.select(*QUASI, "ill").rows():
        classes[tuple(cells)].append(ill)
    return classes


@pytest.mark.parametrize("algorithm", ["local", "optimal", "mondrian"])
@pytest.mark.parametrize("seed", range(4))
def test_shares_are_those_of_plain_counting(seed: int, algorithm: str) -> None:
    release = released(drawn(seed), 3, algorithm=algorithm)
    n = release.data.height
    alone = sum(len(ill) for ill in classes_of(release.data).values() if len(set(ill)) == 1)
    gone = release.data["ill"].null_count()
    assert said(release, ONE_VALUE) == ({"ill": round(alone / n, 6)} if alone else {})
    assert said(release, MISSING) == ({"ill": round(gone / n, 6)} if gone else {})


def test_some_of_the_tables_have_such_classes_and_some_missing_values() -> None:
    """Else the test above would compare nothing."""
    found = [released(drawn(seed), 3, algorithm="mondrian") for seed in range(4)]
    assert any(said(release, ONE_VALUE) for release in found)
    assert all(said(release, MISSING) for release in found)


def test_a_table_with_one_illness_has_no_such_warning() -> None:
    """Everybody knows the value anyway, whatever the classes are."""
    table = drawn(1).with_columns(pl.lit("flu").alias("ill"))
    assert said(released(table, 3), ONE_VALUE) == {}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("k", [3, 20, 60])
def test_a_column_is_wholly_hidden_when_every_cell_is_the_same(seed: int, k: int) -> None:
    release = released(drawn(seed), k, algorithm="optimal")
    stars = {name for name in QUASI if release.data[name].n_unique() == 1}
    assert set(said(release, WHOLLY_HIDDEN)) == stars
    assert not stars & set(said(release, KEEPS_LITTLE))


def test_large_classes_hide_a_column() -> None:
    """Else the test above would compare nothing."""
    assert said(released(drawn(0), 60, algorithm="optimal"), WHOLLY_HIDDEN)


def test_a_column_that_keeps_little_is_named_with_what_it_keeps() -> None:
    """All but one town of 40 are hidden, so the column keeps the share of that town's records."""
    towns = ["big"] * 8 + [f"town {one}" for one in range(192)]
    table = pl.DataFrame({"age": [30] * 200, "town": towns, "ill": ["a", "b"] * 100})
    release = released(table, 5, algorithm="local")
    kept = (release.data["town"] == "big").mean()
    assert 0 < kept < 0.1
    assert said(release, KEEPS_LITTLE)["town"] == pytest.approx(kept, abs=1e-6)
