"""Models that ask who else there is, from the policy to the verified release."""

import numpy as np
import polars as pl
import pytest

import indistinct as ind

COLUMNS = {
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 20]}},
    "zip": {"role": "quasi-identifier", "hierarchy": {"mask": 3}},
    "job": {"role": "quasi-identifier"},
    "s": {"role": "insensitive"},
}


def people(n, seed):
    chance = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": chance.integers(20, 70, n),
            "zip": [f"4{a}{b}" for a, b in chance.integers(0, 4, (n, 2)).tolist()],
            "job": chance.choice(["a", "b", "c", "d"], n),
            "s": chance.choice(["u", "v"], n),
        }
    )


@pytest.fixture
def census(tmp_path):
    everyone = people(2000, 3)
    everyone.write_csv(tmp_path / "census.csv")
    return everyone, tmp_path


def policy(folder, *models, **more):
    words = {
        "columns": COLUMNS,
        "models": list(models),
        "method": {"max_suppression": 0.05},
        **more,
    }
    return ind.Policy.from_words(words, folder)


def counted(release, everyone):
    """Count the people behind each released class, cell by cell."""
    fewest = []
    for (age, postcode, job), rows in release.data.group_by(["age", "zip", "job"]):
        low, high = (
            (float(part) for part in str(age)[1:-1].split(","))
            if str(age).startswith("[")
            else ((0, 1e9) if age == "*" else (float(age), float(age) + 0.5))
        )
        inside = everyone.filter(
            (pl.col("age") >= low)
            & (pl.col("age") < high)
            & pl.col("zip").str.starts_with(str(postcode).rstrip("*"))
            & ((pl.col("job") == job) | pl.lit(job == "*"))
        )
        fewest.append((rows.height, inside.height))
    return fewest


def test_k_map_counts_the_people_of_a_table(census):
    everyone, folder = census
    sample = everyone.sample(300, seed=1)
    release = ind.anonymize(
        sample, policy(folder, {"name": "k-map", "k": 8}, population={"data": "census.csv"}), seed=1
    )
    found = counted(release, everyone)
    assert min(n for _, n in found) >= 8
    assert release.manifest["models"][0]["achieved"] == {"k": min(n for _, n in found)}
    assert release.manifest["risk"]["journalist"] == pytest.approx(1 / min(n for _, n in found))
    marketer = sum(size / n for size, n in found) / sum(size for size, _ in found)
    assert release.manifest["risk"]["marketer"] == pytest.approx(marketer)
    assert min(size for size, _ in found) < 8


def test_delta_presence_keeps_membership_uncertain(census):
    everyone, folder = census
    sample = everyone.sample(400, seed=2)
    words = {"name": "delta-presence", "delta_min": 0.05, "delta_max": 0.4}
    chosen = policy(folder, words, population={"data": "census.csv"})
    release = ind.anonymize(sample, chosen, seed=1)
    assert all(0.05 <= size / n <= 0.4 for size, n in counted(release, everyone))
    assert ind.verify(release.data, chosen, manifest=release.manifest).holds
    assert ind.assess(release.data, chosen).models[0]["holds"]


def test_assessment_gives_the_journalists_risk_against_any_table(census):
    everyone, folder = census
    sample = everyone.sample(300, seed=1)
    plain = policy(folder, {"name": "k-anonymity", "k": 2})
    release = ind.anonymize(sample, plain, seed=1)
    assert release.manifest["risk"]["journalist"] is None
    risk = ind.assess(release.data, plain, population=folder / "census.csv").risk
    found = counted(release, everyone)
    assert risk["journalist"] == pytest.approx(1 / min(n for _, n in found))
    total = sum(size for size, _ in found)
    assert risk["marketer"] == pytest.approx(sum(size / n for size, n in found) / total)
    assert risk["prosecutor"] >= risk["journalist"] >= risk["marketer"]


def test_uniqueness_takes_its_size_from_the_table_of_the_population(census):
    everyone, folder = census
    words = {"name": "population-uniqueness", "threshold": 0.5}
    sample = everyone.sample(200, seed=1)
    listed, sized = (
        ind.assess(sample, policy(folder, words, population=given)).models[0]["achieved"]
        for given in ({"data": "census.csv"}, {"size": 2000})
    )
    assert listed == sized


def test_verification_counts_the_people_itself(census):
    everyone, folder = census
    sample = everyone.sample(300, seed=1)
    strict = policy(folder, {"name": "k-map", "k": 50}, population={"data": "census.csv"})
    assert not ind.verify(sample, strict).holds


def test_values_that_only_the_population_has_are_counted_where_they_belong(census):
    everyone, folder = census
    sample = everyone.filter(pl.col("age") != 33).sample(300, seed=1)
    chosen = policy(folder, {"name": "k-map", "k": 5}, population={"data": "census.csv"})
    release = ind.anonymize(sample, chosen, seed=1)
    assert release.manifest["models"][0]["achieved"]["k"] == min(
        n for _, n in counted(release, everyone)
    )


def test_k_map_is_estimated_from_the_size_of_the_population(census):
    everyone, folder = census
    sample = everyone.sample(200, seed=1)
    chosen = policy(folder, {"name": "k-map", "k": 20}, population={"size": 2000})
    release = ind.anonymize(sample, chosen, seed=1)
    assert release.manifest["classes"]["smallest"] >= 7
    assert release.manifest["models"][0]["achieved"]["k"] >= 20
    assert ind.verify(release.data, chosen, manifest=release.manifest).holds


def test_population_uniqueness_reads_the_size(census):
    everyone, folder = census
    words = {"name": "population-uniqueness", "threshold": 0.01}
    chosen = policy(folder, words, population={"size": 2000})
    release = ind.anonymize(everyone.sample(200, seed=1), chosen, seed=1)
    assert release.manifest["models"][0]["achieved"]["threshold"] <= 0.01


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ({}, "population"),
        ({"population": {}}, "population"),
        ({"population": {"size": 100}}, "population.data"),
    ],
)
def test_a_policy_must_say_who_else_there_is(tmp_path, words, place):
    models = [{"name": "delta-presence", "delta_min": 0.0, "delta_max": 0.5}]
    if not words:
        models = [{"name": "k-map", "k": 3}]
    with pytest.raises(ind.PolicyError) as caught:
        policy(tmp_path, *models, **words)
    assert place in {fault.place for fault in caught.value.faults}


def test_a_population_without_a_quasi_identifier_is_refused(census):
    everyone, folder = census
    everyone.drop("job").write_csv(folder / "census.csv")
    chosen = policy(folder, {"name": "k-map", "k": 3}, population={"data": "census.csv"})
    with pytest.raises(ind.PolicyError, match="job"):
        ind.anonymize(everyone.sample(100, seed=1), chosen)


def test_values_outside_a_hierarchy_are_refused_without_being_shown(tmp_path):
    pl.DataFrame({"city": ["Bonn", "Atlantis"]}).write_csv(tmp_path / "census.csv")
    chosen = ind.Policy.from_words(
        {
            "columns": {
                "city": {
                    "role": "quasi-identifier",
                    "hierarchy": {"tree": {"west": ["Bonn", "Koeln"]}},
                }
            },
            "models": [{"name": "k-map", "k": 2}],
            "population": {"data": "census.csv"},
        },
        tmp_path,
    )
    with pytest.raises(ind.HierarchyError) as caught:
        ind.anonymize(pl.DataFrame({"city": ["Bonn", "Koeln"]}), chosen)
    assert "Atlantis" not in str(caught.value)


RANGED = {
    "age": {"role": "quasi-identifier"},
    "zip": {"role": "quasi-identifier", "hierarchy": {"mask": 3}},
    "job": {"role": "quasi-identifier", "hierarchy": {"tree": {"x": ["a", "b"], "y": ["c", "d"]}}},
    "s": {"role": "sensitive"},
}
JOBS = {"a": "x", "b": "x", "c": "y", "d": "y"}


def lies_in(row, cells):
    """Return whether a person's values lie in released cells, by hand."""
    age, postcode, job = cells
    if str(age).startswith("["):
        low, high = (float(end) for end in age[1:-1].split(","))
        fits = row["age"] is not None and low <= row["age"] <= high
    else:
        own = None if age in {None, ""} else age
        fits = age == "*" or (
            row["age"] is None
            if own is None
            else row["age"] is not None and row["age"] == float(own)
        )
    return (
        fits
        and str(row["zip"]).startswith(postcode.rstrip("*"))
        and job in {"*", row["job"], JOBS[row["job"]]}
    )


@pytest.mark.parametrize("relaxed", [False, True])
@pytest.mark.parametrize("gone", [0.0, 0.1])
def test_mondrian_counts_the_people_of_its_ranges(tmp_path, relaxed, gone):
    """Every class has eight people of the census, most of them fewer than eight records."""
    chance = np.random.default_rng(9)
    everyone = people(1500, 4).with_columns(
        age=pl.when(pl.Series(chance.random(1500) >= gone)).then("age")
    )
    everyone.write_csv(tmp_path / "census.csv")
    sample = everyone.sample(250, seed=1)
    words = {
        "columns": RANGED,
        "models": [
            {"name": "k-map", "k": 8},
            {"name": "distinct-l-diversity", "column": "s", "l": 1},
        ],
        "method": {"algorithm": "mondrian", "relaxed": relaxed},
        "population": {"data": "census.csv"},
    }
    asked = ind.Policy.from_words(words, tmp_path)
    release = ind.anonymize(sample, asked, seed=1)
    classes = {
        cells: (rows.height, sum(lies_in(row, cells) for row in everyone.iter_rows(named=True)))
        for cells, rows in release.data.group_by(["age", "zip", "job"])
    }
    fewest = min(found for _, found in classes.values())
    assert fewest >= 8
    assert min(size for size, _ in classes.values()) < 8
    assert release.manifest["models"][0]["achieved"] == {"k": fewest}
    assert release.manifest["risk"]["journalist"] == pytest.approx(1 / fewest)
    for original in (None, sample):
        known = {"manifest": release.manifest, "original": original}
        verified = ind.verify(release.data, asked, **known)
        assert verified.holds
        assert verified.models[0]["achieved"] == {"k": fewest}


@pytest.mark.parametrize(
    ("algorithm", "model"),
    [
        ("mondrian", {"name": "delta-presence", "delta_min": 0.0, "delta_max": 0.5}),
        ("local", {"name": "delta-presence", "delta_min": 0.0, "delta_max": 0.5}),
        ("k-member", {"name": "delta-presence", "delta_min": 0.0, "delta_max": 0.5}),
    ],
)
def test_a_share_of_the_people_needs_classes_that_do_not_overlap(census, algorithm, model):
    _, folder = census
    with pytest.raises(ind.PolicyError, match="cells may overlap"):
        policy(folder, model, method={"algorithm": algorithm}, population={"data": "census.csv"})


@pytest.mark.parametrize("algorithm", ["mondrian", "local", "lattice-peel", "k-member"])
def test_every_algorithm_counts_the_people_of_a_table(census, algorithm):
    """Where the policy gives the hierarchies; records that nobody resembles are suppressed."""
    everyone, folder = census
    sample = everyone.sample(200, seed=1)
    method = {"algorithm": algorithm, "max_suppression": 0.1, "effort": "fast"}
    model = {"name": "k-map", "k": 8}
    asked = policy(folder, model, method=method, population={"data": "census.csv"})
    release = ind.anonymize(sample, asked, seed=1)
    found = counted(release, everyone)
    assert min(n for _, n in found) >= 8
    assert min(size for size, _ in found) < 8
    assert release.manifest["models"][0]["achieved"] == {"k": min(n for _, n in found)}
    assert release.manifest["risk"]["journalist"] == pytest.approx(1 / min(n for _, n in found))
    verified = ind.verify(release.data, asked, manifest=release.manifest)
    assert verified.models[0]["achieved"] == {"k": min(n for _, n in found)}


@pytest.mark.parametrize("algorithm", ["optimal", "mondrian", "local", "k-member"])
def test_people_under_a_label_that_no_record_has_look_like_no_record(tmp_path, algorithm):
    """The record without a town is suppressed; the file of the hierarchy still lists its label."""
    rows = "65160;west;*\n85392;west;*\n;nowhere;*\n20095;north;*\n"
    (tmp_path / "towns.csv").write_text(rows, encoding="utf-8")
    town, sex = ["65160", "85392"] * 3 + [None], ["f"] * 3 + ["m"] * 4
    everyone = pl.DataFrame({"town": [*town * 2, None, "20095"], "sex": [*sex * 2, "f", "m"]})
    everyone.write_csv(tmp_path / "everyone.csv")
    asked = ind.Policy.from_words(
        {
            "columns": {
                "town": {"role": "quasi-identifier", "hierarchy": {"csv": "towns.csv"}},
                "sex": {"role": "quasi-identifier"},
            },
            "data": {"missing_as": "suppress"},
            "models": [{"name": "k-map", "k": 3}],
            "method": {"algorithm": algorithm, "max_suppression": 0.5},
            "population": {"data": "everyone.csv"},
        },
        tmp_path,
    )
    release = ind.anonymize(pl.DataFrame({"town": town, "sex": sex}), asked, seed=1)
    above = {"65160": "west", "85392": "west", "20095": "north", None: "nowhere"}
    fewest = min(
        sum(
            cell in {home, above[home], "*"} and shown in {own, "*"}
            for home, own in everyone.iter_rows()
        )
        for cell, shown in release.data.iter_rows()
    )
    assert release.manifest["models"][0]["achieved"] == {"k": fewest}


@pytest.mark.parametrize(
    ("postcodes", "is_refused"),
    [(["8", "41"], True), (["8", "9"], False), (["41", "-417"], True), (["4117", "8203"], False)],
)
def test_the_mask_of_a_short_value_is_not_taken_for_a_hidden_cell(tmp_path, postcodes, is_refused):
    """One star would stand for everybody, or for those whose postcode is as short as the mask."""
    table = pl.DataFrame({"zip": postcodes * 4})
    table.write_csv(tmp_path / "census.csv")
    words = {
        "columns": {"zip": {"role": "quasi-identifier", "hierarchy": {"mask": 3}}},
        "models": [{"name": "k-anonymity", "k": 2}, {"name": "k-map", "k": 2}],
        "data": {"missing": ["?"]},
        "population": {"data": "census.csv"},
    }
    asked = ind.Policy.from_words(words, tmp_path)
    if is_refused:
        with pytest.raises(ind.PolicyError, match="shorter than others"):
            ind.anonymize(table.with_columns(pl.col("zip").cast(pl.String)), asked)
    else:
        assert ind.anonymize(table, asked).manifest["verified"]
