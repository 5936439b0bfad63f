"""A release of whole households: counted by hand, and every planted fault is found."""

from __future__ import annotations

import random
from collections import Counter
from math import prod
from typing import Any

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError, NoSolutionError, PolicyError
from indistinct.tables.metrics.individual import household_risks
from indistinct.tables.verification.verify_release import verify

POLICY: dict[str, Any] = {
    "data": {"household": "home"},
    "columns": {
        "region": {"role": "quasi-identifier", "level": "household"},
        "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 20, 40]}},
        "sex": {"role": "quasi-identifier"},
        "income": {"role": "sensitive"},
    },
    "models": [{"name": "k-anonymity", "k": 3}],
    "method": {"max_suppression": 0.2},
}


def people(seed: int = 5, n_homes: int = 60) -> pl.DataFrame:
    """Draw households of one to three members, and one of seven."""
    chance = random.Random(seed)
    rows = [
        (f"h{home * 7 % n_homes}", chance.choice("NS"), age, chance.choice("fm"), chance.random())
        for home in range(n_homes)
        for age in [chance.randrange(80) for _ in range(7 if home == 0 else 1 + home % 3)]
    ]
    region = dict(zip([row[0] for row in rows], [row[1] for row in rows], strict=True))
    rows = [(home, region[home], *rest) for home, _, *rest in rows]
    columns = ["home", "region", "age", "sex", "income"]
    return pl.DataFrame(rows, schema=columns, orient="row")


def least_alike(frame: pl.DataFrame) -> int:
    """Count the households of each kind, and return the smallest number."""
    homes: dict[int, list[tuple[str, ...]]] = {}
    for *cells, home in frame.select("region", "age", "sex", "home").rows():
        homes.setdefault(home, []).append(tuple(map(str, cells)))
    return min(Counter(tuple(sorted(one)) for one in homes.values()).values())


def test_one_household_may_be_written_in_several_ways() -> None:
    """What is released has the classes that the same table with one writing has."""
    table = people()
    ways = ["", " ", "\u200b"]
    homes = [f"{home}{ways[row % 3]}" for row, home in enumerate(table["home"])]
    plain = ind.anonymize(table, POLICY, seed=1)

    release = ind.anonymize(table.with_columns(home=pl.Series(homes)), POLICY, seed=1)

    assert release.manifest["households"] == plain.manifest["households"]
    assert least_alike(release.data) == least_alike(plain.data)
    proofs = {"manifest": release.manifest, "original": table, "crosswalk": release.crosswalk}
    found = verify(release.data, POLICY, **proofs)
    assert found.holds, found


@pytest.mark.parametrize("seed", range(4))
def test_every_household_is_like_enough_others(seed: int) -> None:
    release = ind.anonymize(people(seed), POLICY, seed=1)
    assert least_alike(release.data) >= 3
    manifest = release.manifest
    assert manifest["models"][0]["achieved"] == {"k": least_alike(release.data)}
    assert manifest["households"] == {"released": 59, "suppressed": 1}
    assert manifest["records"]["suppressed"] == 7
    assert manifest["classes"]["counted"] == "households"
    assert manifest["risk"]["prosecutor"] == 1 / least_alike(release.data)


def test_numbers_are_new_and_tell_no_order() -> None:
    """A shuffle of 59 keeps the order of the input with a chance below 1e-80."""
    frame = people()
    release = ind.anonymize(frame, POLICY)
    assert sorted(set(release.data["home"])) == list(range(59))
    rows = release.crosswalk
    first = {home: place for place, home in reversed(list(enumerate(frame["home"])))}
    by_number = dict(zip(release.data["home"], frame["home"][rows], strict=True))
    places = [first[by_number[number]] for number in range(59)]
    assert places != sorted(places)


def test_a_release_from_flat_k_anonymity_does_not_hold() -> None:
    """Single records are alike; whole households are not."""
    frame = people().filter(pl.col("home") != "h0")
    flat = {**POLICY, "data": {}, "columns": {**POLICY["columns"], "home": {"role": "insensitive"}}}
    flat["columns"]["region"] = {"role": "quasi-identifier"}
    numbered = frame.with_columns(pl.col("home").rank("dense").cast(pl.Int64) - 1)
    plain = ind.anonymize(numbered, {**flat, "release": {"read_back": "accepted"}}).data
    found = verify(plain, POLICY)
    assert found.holds is False
    assert any(fault.place == "models.k-anonymity" for fault in found.faults)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("homes")
    people().write_csv(folder / "in.csv")
    release = ind.anonymize(folder / "in.csv", POLICY, seed=3)
    release.write(folder / "out.csv", crosswalk=folder / "rows.csv")
    return folder, release


def test_the_written_release_holds(written: Any) -> None:
    folder, _ = written
    assert verify(folder / "out.csv").holds is True
    with_input = verify(
        folder / "out.csv",
        POLICY,
        original=folder / "in.csv",
        crosswalk=folder / "rows.csv",
    )
    assert with_input.holds is True


def tampered(release: Any, **columns: pl.Expr) -> Any:
    """Verify a release with other cells, against its input and the crosswalk."""
    frame = release.data.with_columns(**columns)
    return verify(frame, POLICY, original=release.original, crosswalk=release.crosswalk)


def test_planted_faults_are_found(written: Any) -> None:
    _, release = written
    frame = release.data
    homes = frame["home"]
    large = next(one for one in homes if (homes == one).sum() == 3)
    single = next(one for one in homes if (homes == one).sum() == 1)
    own = release.original["age"].cast(pl.String).gather(pl.Series(release.crosswalk))
    is_first = (pl.col("home") == large) & pl.col("home").is_first_distinct()
    finer = pl.when(is_first).then(own).otherwise("age")
    moved = pl.when(is_first).then(single).otherwise("home")
    varies = pl.when(is_first).then(pl.lit("*")).otherwise(pl.lit("N"))
    places = {
        "models.k-anonymity": tampered(release, age=finer),
        "columns.region": tampered(release, region=varies),
        "columns.home": tampered(release, home=moved),
    }
    for place, found in places.items():
        assert found.holds is False, place
        assert place in {fault.place for fault in found.faults}, place


def test_the_input_s_numbers_and_wrong_counts_are_found() -> None:
    frame = people().filter(pl.col("home") != "h0")
    numbered = frame.with_columns(pl.col("home").rank("dense").cast(pl.Int64) - 1)
    release = ind.anonymize(numbered, POLICY)
    before = numbered["home"].gather(pl.Series(release.crosswalk))
    kept = release.data.with_columns(home=before)
    found = verify(kept, POLICY, original=numbered, crosswalk=release.crosswalk)
    assert "columns.home" in {fault.place for fault in found.faults}
    wrong = {**release.manifest, "households": {"released": 58, "suppressed": 1}}
    found = verify(release.data, POLICY, manifest=wrong)
    assert "manifest.households.released" in {fault.place for fault in found.faults}


def test_what_cannot_be_released_is_said_with_numbers_and_no_value() -> None:
    frame = people()
    with pytest.raises(NoSolutionError, match=r"7 of \d+ records .* fewer than 3 households"):
        ind.anonymize(frame, {**POLICY, "method": {}})
    is_first = pl.when(pl.int_range(pl.len()) == 0)
    varying = frame.with_columns(region=is_first.then(pl.lit("W")).otherwise("region"))
    with pytest.raises(DataError, match="vary among the members of 1 households"):
        ind.anonymize(varying, POLICY)
    without = frame.with_columns(home=is_first.then(None).otherwise("home"))
    with pytest.raises(DataError, match="1 records have no household"):
        ind.anonymize(without, POLICY)


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ({"data": {}}, "columns.region.level"),
        ({"models": []}, "data.household"),
        ({"columns": {**POLICY["columns"], "home": {"role": "sensitive"}}}, "columns.home.role"),
        ({"columns": {"age": {"role": "sensitive"}}}, "data.household"),
    ],
)
def test_policies_that_do_not_fit(said: dict[str, Any], place: str) -> None:
    with pytest.raises(PolicyError) as raised:
        ind.Policy.from_words({**POLICY, **said})
    assert place in {fault.place for fault in raised.value.faults}


def test_the_risk_of_a_household_is_that_of_any_member() -> None:
    """Three members who are found with .2, .2 and .5 make a risk of .68."""
    found = household_risks(
        pl.Series([0.2, 0.2, 0.5, 1.0]).to_numpy(), pl.Series([0, 0, 0, 1]).to_numpy()
    )
    assert found.tolist() == pytest.approx([0.68, 1.0])


def test_assess_measures_households() -> None:
    frame = people().filter(pl.col("home") != "h0")
    found = ind.assess(frame, POLICY)
    sizes = frame.group_by("region", "age", "sex").len(name="size")
    risks = frame.join(sizes, on=["region", "age", "sex"])
    homes: dict[str, list[float]] = {}
    for home, size in risks.select("home", "size").rows():
        homes.setdefault(home, []).append(1 - 1 / size)
    own = [1 - prod(homes[home]) for home in frame["home"]]
    risk = found.risk["household_risk"]
    assert risk["highest"] == pytest.approx(max(own))
    assert risk["mean"] == pytest.approx(sum(own) / len(own))
    assert risk["expected"] == pytest.approx(sum(own))
    assert found.models[0]["achieved"] == {"k": least_alike(frame)}


def test_examples_counted_by_hand() -> None:
    """Two alike, two alone: k = 1; in decades all four are alike, whatever the order of members."""
    members = [
        (34, "f"),
        (36, "m"),
        (36, "m"),
        (34, "f"),
        (35, "f"),
        (36, "m"),
        (31, "f"),
        (39, "m"),
    ]
    frame = pl.DataFrame(
        {
            "home": [0, 0, 1, 1, 2, 2, 3, 3],
            "region": ["N"] * 8,
            "age": [str(age) for age, _ in members],
            "sex": [sex for _, sex in members],
            "income": [1] * 8,
        }
    )
    four = {**POLICY, "models": [{"name": "k-anonymity", "k": 4}]}
    assert ind.assess(frame, four).models[0]["achieved"] == {"k": 1}
    decades = frame.with_columns(age=pl.lit("[30, 40)"))
    assert ind.assess(decades, four).models[0]["achieved"] == {"k": 4}
