"""Survey weights: what is refused, and the weighted figures against plain sums."""

import math

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError, IndistinctError, PolicyError
from indistinct.tables.frames.cell_numbers import weight_faults, weights_in
from indistinct.tables.metrics.individual import weighted_risk

WORDS = {
    "data": {"weight": "w"},
    "columns": {
        "sex": {"role": "quasi-identifier", "max_level": 0},
        "region": {"role": "quasi-identifier"},
        "smokes": {"role": "sensitive"},
        "cigarettes": {"role": "insensitive"},
        "w": {"role": "insensitive"},
    },
    "models": [{"name": "k-anonymity", "k": 2}],
    "method": {"max_suppression": 0.4, "algorithm": "local"},
}


def survey() -> pl.DataFrame:
    chance = np.random.default_rng(3)
    return pl.DataFrame(
        {
            "sex": ["f"] * 10 + ["m"] * 9 + ["x"],
            "region": ["n", "s"] * 10,
            "smokes": chance.choice(["yes", "no"], 20).tolist(),
            "cigarettes": chance.integers(0, 20, 20),
            "w": [0.0, 2.5, 100.0, 7.25] * 5,
        }
    )


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([1.0, None, float("nan")], "2 of 3 survey weights are missing"),
        ([1.0, -2.0, -0.5], "2 of 3 survey weights are negative"),
        (["1", "many", "2"], "1 of 3 survey weights are missing or are not numbers"),
        ([float("inf"), 1.0, 2.0], "1 of 3 survey weights are infinite"),
        ([0, 0, 0], "all survey weights are 0"),
    ],
)
def test_what_is_no_weight_is_refused_with_column_and_count(cells, said):
    with pytest.raises(DataError) as caught:
        weights_in(pl.Series("w", cells))
    assert said in str(caught.value)
    assert "columns.w" in str(caught.value)
    assert "many" not in str(caught.value)


def test_weights_from_zero_are_weights():
    assert weights_in(pl.Series("w", [0.0, 0.5, 3.0])).tolist() == [0.0, 0.5, 3.0]
    assert not list(weight_faults(pl.Series("w", [0.0, 1.0])))


def test_faults_are_found_before_anything_is_measured():
    """Beside the other faults of the table."""
    frame = survey().with_columns(w=-pl.col("w"), smokes=pl.lit(None, pl.String))
    with pytest.raises(PolicyError) as caught:
        ind.anonymize(frame, ind.Policy.from_words(WORDS))
    assert "15 of 20 survey weights are negative" in str(caught.value)
    assert "is sensitive but has no values" in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        {"data": {"weight": "gone"}},
        {"columns": {**WORDS["columns"], "w": {"role": "sensitive"}}},
        {"columns": {**WORDS["columns"], "w": {"role": "insensitive", "protect": "rounding"}}},
    ],
)
def test_a_policy_whose_weight_is_no_weight_is_refused(change):
    with pytest.raises(PolicyError, match=r"weight|round"):
        ind.Policy.from_words(WORDS | change)


def test_a_class_stands_at_least_for_its_own_records():
    """Weights that add up to less than the records give the risk in the sample."""
    labels = np.array([0, 0, 1, 1], np.int32)
    found = weighted_risk(labels, np.array([0.0, 0.3, 0.0, 1.9]))
    assert found.tolist() == pytest.approx([0.5, 0.5])


def test_an_assessment_weighs_risk_and_utility():
    """Against sums over the records, one by one."""
    policy = ind.Policy.from_words(WORDS)
    release = ind.anonymize(survey(), policy, seed=1)
    assert release.manifest["records"]["suppressed"] == 1
    found = ind.assess(release.data, policy, original=survey(), queries=50)
    kept = release.data.rows(named=True)
    classes = {}
    for row in kept:
        classes.setdefault((row["sex"], row["region"]), []).append(row["w"])
    people = [max(sum(weights), len(weights)) for weights in classes.values()]
    individual = found.risk["individual"]
    assert individual["method"] == "weights"
    assert individual["people"] == pytest.approx(sum(people))
    assert individual["fewest_people"] == pytest.approx(min(people))
    weighted = found.utility["weighted"]
    for when, rows in (("before", survey().rows(named=True)), ("after", kept)):
        total = sum(row["w"] for row in rows)
        assert weighted["people"][when] == pytest.approx(total)
        mean = sum(row["w"] * row["cigarettes"] for row in rows) / total
        assert weighted["means"]["cigarettes"][when] == pytest.approx(mean)
    assert found.meets(f"fewest_people>={math.floor(min(people))}")


def test_masked_columns_come_first_and_codes_are_shares():
    """Noise changes the mean, and the numbers of codes have none."""
    noise = {"role": "insensitive", "protect": {"name": "noise-additive", "share": 0.5}}
    codes = {"role": "insensitive", "type": "nominal"}
    columns = {**WORDS["columns"], "code": codes, "income": noise}
    policy = ind.Policy.from_words({**WORDS, "columns": columns})
    place = pl.int_range(pl.len())
    table = survey().with_columns(code=place % 3, income=1000.0 + place * 37 % 500)
    release = ind.anonymize(table, policy, seed=1)
    weighted = ind.assess(release.data, policy, original=table).utility["weighted"]
    assert next(iter(weighted["means"])) == "income"
    for when, rows in (("before", table), ("after", release.data)):
        mean = (rows["income"].cast(float) * rows["w"]).sum() / rows["w"].sum()
        assert weighted["means"]["income"][when] == pytest.approx(mean)
    assert weighted["means"]["income"]["before"] != weighted["means"]["income"]["after"]
    shares = [
        {code: rows.filter(code=code)["w"].sum() / rows["w"].sum() for code in range(3)}
        for rows in (table, release.data)
    ]
    variation = sum(abs(shares[0][code] - shares[1][code]) for code in range(3)) / 2
    assert weighted["total_variation"]["code"] == pytest.approx(variation)
    assert "code" not in weighted["means"]


def test_equal_weights_leave_the_query_error_as_it_is():
    """A weight of 3 for everybody triples truth and answers alike; other weights do not."""
    policy = ind.Policy.from_words(WORDS)
    plain = ind.Policy.from_words({**WORDS, "data": {}})

    def error(frame, chosen):
        release = ind.anonymize(frame, chosen, seed=1)
        found = ind.assess(release.data, chosen, original=frame, queries=200)
        return found.utility["query_error"]["mean"]

    alike = survey().with_columns(w=pl.lit(3.0))
    assert error(alike, policy) == pytest.approx(error(alike, plain))
    assert error(survey(), policy) != pytest.approx(error(survey(), plain))


def test_a_release_without_its_weights_has_no_weighted_figures():
    words = {**WORDS, "columns": {**WORDS["columns"], "w": {"role": "identifier"}}}
    policy = ind.Policy.from_words(words)
    release = ind.anonymize(survey(), policy, seed=1)
    found = ind.assess(release.data, policy, original=survey())
    assert found.risk["individual"] is None
    assert "weighted" not in found.utility


def test_the_importance_of_a_column_has_two_names():
    """The old word stays, and the hash of a policy is that of the old word."""
    columns = {"age": {"role": "quasi-identifier", "weight": 2.0}}
    models = [{"name": "k-anonymity", "k": 5}]
    old = ind.Policy.from_words({"columns": columns, "models": models})
    new = ind.Policy.from_words(
        {"columns": {"age": {"role": "quasi-identifier", "importance": 2.0}}, "models": models}
    )
    assert old.columns["age"].importance == new.columns["age"].importance == 2.0
    assert old.sha256 == new.sha256
    assert new.sha256 == "1b2fb30feffd0dc3b53a6e488ad63d8260e9e0df8afc32c8d9128200e5de513f"
    assert new.words()["columns"]["age"]["importance"] == 2.0
    both = {"age": {"role": "quasi-identifier", "weight": 1.0, "importance": 2.0}}
    with pytest.raises(PolicyError, match=r"columns\.age\.weight"):
        ind.Policy.from_words({"columns": both, "models": models})


@pytest.mark.parametrize("engine", ["memory", "polars", "duckdb"])
@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([-1.0, 2.0] * 10, "10 of 20 survey weights are negative"),
        ([None, 2.0] * 10, "10 of 20 survey weights are missing"),
        ([0.0] * 20, "all survey weights are 0"),
    ],
)
def test_every_engine_refuses_what_is_no_weight(tmp_path, engine, weights, said):
    """Before anything is written, with the number of records and not of different values."""
    survey().with_columns(w=pl.Series(weights)).write_csv(tmp_path / "survey.csv")
    policy = ind.Policy.from_words(WORDS)
    with pytest.raises(IndistinctError, match=said):
        ind.anonymize(tmp_path / "survey.csv", policy, engine=engine)
    with pytest.raises(DataError, match=said):
        ind.assess(tmp_path / "survey.csv", policy, engine=engine)


@pytest.mark.parametrize("engine", ["memory", "polars", "duckdb"])
def test_individual_risk_is_that_of_the_plain_series(tmp_path, engine):
    """The mean of 1 / F, where F people share the values of f records of weight W."""
    release = ind.anonymize(survey(), ind.Policy.from_words(WORDS), seed=1)
    release.write(tmp_path / "release.csv")
    classes = {}
    for row in release.data.rows(named=True):
        classes.setdefault((row["sex"], row["region"]), []).append(row["w"])
    risks = []
    for weights in classes.values():
        f, p = len(weights), len(weights) / max(sum(weights), len(weights))
        series = (math.comb(n - 1, f - 1) * p**f * (1 - p) ** (n - f) / n for n in range(f, 5000))
        risks += [sum(series)] * f
    policy = ind.Policy.from_words(WORDS)
    found = ind.assess(tmp_path / "release.csv", policy, engine=engine).risk["individual"]
    assert found["mean"] == pytest.approx(sum(risks) / len(risks), rel=1e-6)
    assert found["highest"] == pytest.approx(max(risks), rel=1e-6)
