"""The rows of a release tell nothing that its cells do not tell."""

import math
import random
from collections import Counter
from contextlib import nullcontext

import polars as pl
import pytest

import indistinct as ind
from indistinct.base.randomness import RandomSource
from indistinct.tables.counting.orders_of_records import numbers_of_groups, secret_order
from indistinct.tables.search import ALGORITHMS

SOURCE = random.Random(8)
PEOPLE = pl.DataFrame(
    {
        "age": [SOURCE.randint(20, 49) for _ in range(90)],
        "town": [SOURCE.choice(["Aarau", "Basel", "Chur"]) for _ in range(90)],
        "ill": [SOURCE.choice(["flu", "gout", "cold"]) for _ in range(90)],
        "note": [f"n{SOURCE.randint(0, 9)}" for _ in range(90)],
    }
)
COLUMNS = {
    "age": {"role": "quasi-identifier"},
    "town": {"role": "quasi-identifier"},
    "ill": {"role": "sensitive"},
    "note": {"role": "insensitive"},
}
OF_ONE_RELEASE = [one.name for one in ALGORITHMS if not one.republishes]
DIVERSE = [{"name": "distinct-l-diversity", "column": "ill", "l": 2}]


def policy_of(columns=COLUMNS, models=({"name": "k-anonymity", "k": 3},), **more) -> ind.Policy:
    return ind.Policy.from_words({"columns": columns, "models": list(models), **more})


def shuffled(frame: pl.DataFrame, seed: int) -> pl.DataFrame:
    return frame.sample(fraction=1, shuffle=True, seed=seed)


def texts_of(release: ind.Release) -> str:
    sensitive = "" if release.sensitive is None else release.sensitive.write_csv()
    return release.frame.write_csv() + sensitive


@pytest.mark.parametrize("name", OF_ONE_RELEASE)
def test_with_a_seed_the_order_of_the_input_does_not_show(name):
    """Whatever is divided among classes: the release is a function of the records and the seed."""
    policy = policy_of(method={"algorithm": name, "max_suppression": 0.1})
    releases = [ind.anonymize(shuffled(PEOPLE, seed), policy, seed=5) for seed in range(3)]
    assert len({texts_of(release) for release in releases}) == 1


@pytest.mark.parametrize(
    "words",
    [
        {"models": DIVERSE, "release": {"form": "anatomy"}},
        {"release": {"suppressed": "mask"}, "method": {"max_suppression": 0.2}},
        {"columns": {**COLUMNS, "age": {"role": "quasi-identifier", "protect": "noise"}}},
    ],
    ids=["anatomy", "masked rows", "noise"],
)
def test_with_a_seed_no_form_and_no_mask_shows_the_order_of_the_input(words):
    policy = policy_of(**words)
    releases = [ind.anonymize(shuffled(PEOPLE, seed), policy, seed=5) for seed in range(3)]
    assert len({texts_of(release) for release in releases}) == 1


@pytest.mark.parametrize("engine", ["memory", "polars", "duckdb"])
def test_every_engine_writes_one_order(engine, tmp_path):
    """What divides no equal records is the same file from every engine and every input order."""
    policy = policy_of(method={"algorithm": "optimal", "max_suppression": 0.1})
    written = set()
    for seed in range(2):
        shuffled(PEOPLE, seed).write_parquet(tmp_path / "in.parquet")
        source = tmp_path / "in.parquet"
        release = ind.anonymize(source, policy, engine=engine)
        with nullcontext() if engine == "memory" else release:
            release.write(tmp_path / "out.csv")
        written.add((tmp_path / "out.csv").read_bytes())
    ind.anonymize(PEOPLE, policy).write(tmp_path / "memory.csv")
    assert written == {(tmp_path / "memory.csv").read_bytes()}


# Each release below has 12 records with equal quasi-identifiers in classes of 3.
ALIKE = pl.DataFrame({"age": [30] * 12, "note": [f"n{number:02}" for number in range(12)]})
APART = {"age": {"role": "quasi-identifier"}, "note": {"role": "insensitive"}}


def test_which_of_equal_records_goes_where_is_secret():
    """2,000 draws: how often each record is in the first class, against a bound of chi-square.

    The first class holds 3 of 12 records. The bound is exceeded by chance less than once in
    1,000,000 runs: draws without replacement make the sum smaller than that of the distribution.
    """
    n_draws = 2_000
    counts = Counter(
        row
        for _ in range(n_draws)
        for row in secret_order(
            ALIKE, policy_of(APART).class_names, policy_of(APART).left_out, RandomSource()
        ).tolist()[:3]
    )
    expected = n_draws * 3 / 12
    statistic = sum((counts[row] - expected) ** 2 / expected for row in range(12))
    # Of a chi-square variable with 11 degrees of freedom 51.5 is exceeded once in 3,000,000.
    assert statistic < 51.5
    assert math.isclose(sum(counts.values()), n_draws * 3)


def test_groups_are_numbered_by_the_rows_that_come_first():
    """Ties by the other rows of the group, then by its sensitive values."""
    frame = pl.DataFrame({"age": [5, 3, 3, 9, 3, 7]})
    groups = pl.Series([0, 1, 2, 1, 0, 2]).to_numpy()
    numbers = numbers_of_groups(
        frame, groups, [[0, 1], [0, 1], [0, 1]], policy_of(APART).class_names
    )
    assert numbers.tolist() == [0, 2, 1]
    alike = pl.DataFrame({"age": [1, 1, 1]})
    places = pl.Series([0, 1, 2]).to_numpy()
    assert numbers_of_groups(
        alike, places, [[2], [0], [1]], policy_of(APART).class_names
    ).tolist() == [2, 0, 1]
