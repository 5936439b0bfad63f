"""Noise in the path of a table: classes first, then noise, then suppression."""

import json

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import NoSolutionError, PolicyError
from indistinct.tables.masks.mechanisms.discrete_laplace import half_width, mean_size

ALGORITHMS = ("optimal", "ola", "mondrian", "local", "k-member", "lattice-peel")
NOISY = {"role": "quasi-identifier", "protect": "noise"}


@pytest.fixture(scope="module")
def people():
    """Make up 1,500 records; heights are whole, weights have one decimal and gaps."""
    rng = np.random.default_rng(4)
    weight = np.round(rng.lognormal(4.3, 0.2, 1500), 1)
    return pl.DataFrame(
        {
            "age": rng.integers(20, 80, 1500),
            "sex": rng.choice(["f", "m"], 1500),
            "height": np.rint(rng.normal(170, 9, 1500)).astype(int),
            "weight": pl.Series(weight).set(pl.Series(rng.random(1500) < 0.1), None),
            "disease": rng.choice(["flu", "ulcer", "asthma", "gout"], 1500, p=[0.7, 0.1, 0.1, 0.1]),
        }
    )


def policy(*, models=("k-anonymity",), k=5, algorithm="optimal", columns=None, **words):
    """Promise something about them."""
    quasi = {"role": "quasi-identifier"}
    known = {name: {"name": name, "k": k} for name in ("k-anonymity", "confident-k-anonymity")}
    return ind.Policy(
        columns={
            "age": {**quasi, "hierarchy": {"intervals": [5, 10, 20]}},
            "sex": quasi,
            "height": NOISY,
            "weight": {"role": "insensitive"},
            "disease": {"role": "sensitive"},
        }
        | (columns or {}),
        models=[known[model] if isinstance(model, str) else model for model in models],
        method={"algorithm": algorithm, "max_suppression": 0.05},
        **words,
    )


def visible(release):
    """Give each released record with its input beside it and its class as a reader sees it."""
    original = release.original[release.crosswalk.tolist()]
    keys = release.frame.select(pl.concat_str(pl.col("age", "sex").cast(pl.String), separator="|"))
    return release.frame.with_columns(
        keys.to_series().alias("class"), original["height"].alias("true")
    )


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_noise_goes_with_every_algorithm(people, algorithm, tmp_path):
    """Classes stay, the column is noisy by their diameter, and the written file verifies."""
    asked = policy(algorithm=algorithm, noise={"epsilon": 2.0})
    release = ind.anonymize(people, asked, seed=3)
    seen = visible(release)
    assert seen["height"].dtype == pl.Int64
    assert seen.group_by("class").len()["len"].min() >= 5
    widths = (pl.col("true").max() - pl.col("true").min()).over("class")
    pairs = seen.select((pl.col("height") - pl.col("true")).abs().alias("off"), widths.alias("d"))
    expected = float(mean_size(pairs["d"].to_numpy() / 2.0).mean())
    spread = float((pairs["d"].to_numpy() / 2.0).std() + expected) / pairs.height**0.5
    assert abs(pairs["off"].mean() - expected) < 5 * spread  # false alarm 6e-7
    assert (pairs.filter(pl.col("d") == 0)["off"] == 0).all()
    document = release.write(tmp_path / "release.csv")
    assert ind.verify(tmp_path / "release.csv", asked, original=people).holds
    assert document["protection"]["height"]["epsilon"] == 2.0


def test_a_seed_repeats_a_release_and_secrecy_does_not(people):
    """The noise hangs on the seed alone."""
    first, second = (ind.anonymize(people, policy(), seed=3).frame for _ in range(2))
    assert first.equals(second)
    assert not ind.anonymize(people, policy()).frame.equals(ind.anonymize(people, policy()).frame)


def test_confident_suppression_leaves_nobody_standing_alone(people):
    """From the release, the input and the crosswalk: each record may be k of its class, or none."""
    asked = policy(models=("confident-k-anonymity",), noise={"epsilon": 6.0})
    release = ind.anonymize(people, asked, seed=2)
    plain = ind.anonymize(people, policy(noise={"epsilon": 6.0}), seed=2)
    suppression = release.owner["suppression"]
    gone = suppression["records"] + suppression["with_their_class"]
    assert gone == suppression["after_noise"] > 0
    assert release.manifest["records"]["suppressed"] == suppression["by_search"] + gone
    assert release.frame.height == plain.frame.height - gone
    assert suppression["share_after_noise"] == gone / people.height
    originals = visible(plain).group_by("class").agg("true")
    held = {name: np.array(values) for name, values in originals.iter_rows()}
    for (name,), rows in visible(release).group_by("class"):
        values = held[name]
        reach = half_width(np.array([np.ptp(values) / 6.0]), 0.99)[0]
        counts = [(np.abs(values - x) <= reach).sum() for x in rows["height"]]
        assert rows.height >= 5
        assert all(count == 0 or count >= 5 for count in counts)


def test_other_models_hold_after_suppression(people):
    """A class that loses what diversity asks for goes with it, and verification agrees."""
    diversity = {"name": "distinct-l-diversity", "column": "disease", "l": 3}
    asked = policy(
        models=("confident-k-anonymity", diversity),
        algorithm="local",
        noise={"epsilon": 16.0, "confidence": 0.9},
    )
    found = [
        ind.anonymize(people, asked, seed=seed).owner["suppression"]["by_other_models"]
        for seed in range(3)
    ]
    assert max(found) > 0


def test_masked_records_and_intervals_go_with_noise(people, tmp_path):
    """Suppressed records as rows of stars; noise stays a number beside bounds."""
    asked = policy(
        models=("confident-k-anonymity",),
        noise={"epsilon": 6.0},
        release={"suppressed": "mask", "intervals": "bounds"},
    )
    release = ind.anonymize(people, asked, seed=2)
    assert release.frame.height == people.height
    release.write(tmp_path / "release.csv", crosswalk=tmp_path / "crosswalk.csv")
    assert ind.verify(tmp_path / "release.csv", asked, original=people).holds
    lines = pl.read_csv(tmp_path / "crosswalk.csv")
    assert (lines["output_row"] == -1).sum() == release.manifest["records"]["suppressed"]


def test_several_columns_are_one_vector(people, tmp_path):
    """Gaps stay gaps, one decimal stays one decimal, the total epsilon is said."""
    columns = {"weight": NOISY}
    release = ind.anonymize(people, policy(columns=columns), seed=1)
    entry = release.owner["protection"]["weight"]
    assert (entry["resolution"], entry["total_epsilon"], entry["budget"]) == (0.1, 1.0, "vector")
    weights = release.frame["weight"]
    before = release.original["weight"][release.crosswalk.tolist()]
    assert weights.is_null().equals(before.is_null())
    assert weights.drop_nulls().round(1).equals(weights.drop_nulls())
    release.write(tmp_path / "release.csv")
    assert ind.verify(tmp_path / "release.csv", policy(columns=columns)).holds
    errors = {}
    for budget in ("vector", "split", "per_attribute"):
        asked = policy(columns=columns, noise={"budget": budget})
        entries = ind.anonymize(people, asked, seed=1).owner["protection"]
        errors[budget] = entries["height"]["expected_error"]
        assert entries["height"]["total_epsilon"] == (2 if budget == "per_attribute" else 1)
    assert errors["per_attribute"] < errors["vector"] <= errors["split"]


def test_confident_suppression_with_gaps_and_several_columns(people):
    """A gap stands for the gaps of its class: few are suppressed, but for noise beyond reach."""
    asked = policy(
        models=("confident-k-anonymity",), columns={"weight": NOISY}, noise={"epsilon": 4.0}
    )
    release = ind.anonymize(people, asked, seed=3)
    counted = visible(release).group_by("class").agg(gaps=pl.col("weight").is_null().sum())
    original = visible(ind.anonymize(people, policy(columns={"weight": NOISY}), seed=3))
    before = original.group_by("class").agg(gaps=pl.col("weight").is_null().sum())
    few = before.filter(pl.col("gaps").is_between(1, 4))["class"]
    assert len(few) > 0
    assert counted.filter(pl.col("class").is_in(few.to_list()))["gaps"].sum() == 0


def test_public_bounds_need_no_model(people):
    """Noise of the bounds in every class, also where a class is one record."""
    bounded = {**NOISY, "protect": {"name": "noise", "lower": 100, "upper": 250}}
    asked = policy(models=(), columns={"height": bounded}, noise={"epsilon": 15.0})
    release = ind.anonymize(people, asked, seed=1)
    entry = release.owner["protection"]["height"]
    assert "local differential privacy" in entry["guarantee"]
    assert "no model is promised" in release.manifest["promise"]
    off = np.abs(visible(release)["height"] - visible(release)["true"])
    assert off.mean() == pytest.approx(10, rel=0.15)  # 6 standard errors


def test_without_class_columns_all_records_are_one_class(people):
    """Only noise: the diameter is the table's."""
    columns = {name: {"role": "insensitive"} for name in ("age", "sex")}
    release = ind.anonymize(people, policy(models=(), columns=columns), seed=1)
    spread = people["height"].max() - people["height"].min()
    off = (release.frame["height"] - people["height"][release.crosswalk.tolist()]).abs()
    assert off.mean() == pytest.approx(spread, rel=0.15)
    assert release.manifest["classes"]["count"] == 1


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ({"models": ()}, "a class may be one record"),
        ({"columns": {"height": {**NOISY, "hierarchy": {"intervals": [5]}}}}, "not used"),
        (
            {"models": ("confident-k-anonymity",), "columns": {"height": {"role": "insensitive"}}},
            "there is none",
        ),
        ({"columns": {"height": {**NOISY, "role": "sensitive"}}}, "does not fit the role"),
        ({"release": {"form": "anatomy"}}, "anatomy forms no classes"),
        ({"release": {"suppressed_cell": "any"}}, "be one record"),
        ({"noise": {"epsilon": 0}}, "noise.epsilon"),
        ({"noise": {"confidence": 1}}, "noise.confidence"),
        ({"noise": {"budget": "all"}}, "noise.budget"),
    ],
)
def test_contradictions_are_refused(words, problem):
    """Before any data are seen, each with its place."""
    with pytest.raises(PolicyError, match=problem):
        policy(**words)


def test_data_that_noise_cannot_protect_are_refused(people):
    """A column of words, before any search."""
    with pytest.raises(PolicyError, match=r"columns\.height\.protect: noise needs numbers"):
        ind.anonymize(people.with_columns(pl.col("height").cast(pl.String) + " or so"), policy())


def test_nobody_left_is_no_release():
    """One class of k records that loses one: the message says what would help."""
    frame = pl.DataFrame({"age": [30] * 5, "height": [100, 150, 160, 170, 300]})
    asked = ind.Policy(
        columns={"age": {"role": "quasi-identifier"}, "height": NOISY},
        models=[ind.ConfidentKAnonymity(k=5)],
        noise={"epsilon": 50.0, "confidence": 0.1},
    )
    with pytest.raises(NoSolutionError, match="leaves no record"):
        ind.anonymize(frame, asked, seed=1)


def test_assessing_finds_what_the_manifest_says(people, tmp_path):
    """Expected error and linking risk anew from the file and the input; a requirement of them."""
    asked = policy(models=("confident-k-anonymity",), noise={"epsilon": 4.0})
    release = ind.anonymize(people, asked, seed=2)
    release.write(tmp_path / "release.csv")
    found = ind.assess(tmp_path / "release.csv", asked, original=people)
    said = release.owner["protection"]["height"]
    assert found.protection is not None
    assert found.document()["protection"]["height"] == said
    assert found.meets("linking_risk<=0.3")
    assert not found.meets("expected_error<=0.0001")
    assert ind.assess(tmp_path / "release.csv", asked).protection is None


def test_the_manifest_holds_no_value(people):
    """Figures and words only: it is one JSON document without any height."""
    text = json.dumps(dict(ind.anonymize(people, policy(), seed=2).manifest))
    extremes = (people["height"].min(), people["height"].max())
    assert "not differential privacy of the release" in text
    assert not any(f": {value}," in text for value in extremes)


def test_a_changed_file_does_not_verify(people, tmp_path):
    """A value finer than the resolution, and a class column changed."""
    release = ind.anonymize(people, policy(), seed=2)
    release.write(tmp_path / "release.csv")
    manifest = json.loads((tmp_path / "release.csv.manifest.json").read_text("utf-8"))
    finer = release.frame.with_columns(pl.col("height").cast(pl.Float64) + 0.25)
    assert any(
        "finer" in fault.problem for fault in ind.verify(finer, policy(), manifest=manifest).faults
    )
    alone = release.frame.with_columns(
        pl.when(pl.int_range(pl.len()) == 0).then(pl.lit("x")).otherwise("sex").alias("sex")
    )
    assert not ind.verify(alone, policy()).holds
