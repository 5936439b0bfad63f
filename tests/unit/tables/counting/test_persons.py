"""People instead of records: the words, the counting, the warnings, and what verification says."""

import json

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from encounters import ROLES, encounter_policy, encounters, people_of_classes
from indistinct.errors import DataError, NoSolutionError, PolicyError, SchemaError
from indistinct.tables.counting.persons import person_codes
from indistinct.tables.drafting.identifier_columns import repeats_people
from indistinct.tables.frames.distinct_values import counted_values

K3 = {"name": "k-anonymity", "k": 3}
TABLE = encounters(600, 150, 1)
ONE_EACH = pl.DataFrame(
    {
        "patient": [1, 1, 1, 2, 3, 4],
        "age": [30] * 3 + [40] * 3,
        "sex": ["f"] * 6,
        "ward": ["A"] * 6,
        "region": ["r"] * 6,
        "disease": ["flu", "flu", "gout", "gout", "cold", "cold"],
    }
)


def checked(release, *, crosswalk=True, **claims):
    """Verify a release in public, or with the input and the crosswalk."""
    owner = {"original": TABLE, "crosswalk": release.crosswalk.tolist()} if crosswalk else {}
    manifest = {**release.manifest, **claims}
    return ind.verify(release.frame, release.policy, manifest=manifest, **owner)


@pytest.mark.parametrize(
    "column",
    [
        pl.Series(["b", "a", None, "?", "b", ""]),
        pl.Series([2.5, 1.0, None, float("nan"), 2.5, None]),
        pl.Series([7, 3, None, None, 7, None]),
        pl.Series(["b", "a", None, None, "b", None], dtype=pl.Categorical),
    ],
)
def test_records_without_a_person_are_those_of_one_person(column):
    """Too few people are counted rather than too many."""
    codes = person_codes(column, ["", "?"])
    assert codes[0] == codes[4]
    assert codes[2] == codes[3] == codes[5]
    assert len(set(codes.tolist())) == 3


def test_one_person_with_three_records_is_no_class_of_three():
    """Without the word both classes of three stand; with it they are one class."""
    words = {**ROLES, "patient": {"role": "identifier"}}
    records = ind.anonymize(ONE_EACH, ind.Policy(columns=words, models=[K3]))
    people = ind.anonymize(ONE_EACH, encounter_policy(K3))
    assert records.manifest["classes"]["count"] == 2
    assert people.manifest["classes"] == {"count": 1, "smallest": 4, "mean": 4.0, "largest": 4}
    assert people.manifest["people"] == {"released": 4, "suppressed": 0}
    assert people.manifest["risk"]["prosecutor"] == 0.25


def test_the_person_may_be_listed_as_an_identifier():
    """It is left out either way, and the release is the same."""
    listed = ind.Policy(
        columns={**ROLES, "patient": {"role": "identifier"}},
        data={"person": "patient"},
        models=[K3],
    )
    first = ind.anonymize(TABLE, listed, seed=1)
    second = ind.anonymize(TABLE, encounter_policy(K3), seed=1)
    assert first.frame.equals(second.frame)
    assert "patient" not in first.frame.columns


def test_what_contradicts_the_word_is_refused_together():
    """Each fault names its place, and what to choose instead."""
    with pytest.raises(PolicyError) as caught:
        ind.Policy(
            columns={**ROLES, "patient": {"role": "sensitive"}},
            data={"person": "patient"},
            release={"suppressed_cell": "any"},
            models=[
                {"name": "distinct-l-diversity", "column": "disease", "l": 2,
                 "others": "quasi-identifiers"},
            ],
        )  # fmt: skip
    places = [fault.place for fault in caught.value.faults]
    assert "columns.patient.role" in places
    assert "release.suppressed_cell" in places
    assert "models.0.distinct-l-diversity.others" in places


def test_anatomy_refuses_and_names_what_can():
    """Two linked tables make groups of records."""
    with pytest.raises(PolicyError, match=r"release\.form: .* people"):
        encounter_policy(
            {"name": "distinct-l-diversity", "column": "disease", "l": 2},
            release={"form": "anatomy"},
        )


def test_a_person_that_the_data_lack():
    """The spelling is to be checked."""
    with pytest.raises(SchemaError, match=r'data\.person: names "visitor"'):
        ind.anonymize(TABLE.drop("patient"), encounter_policy(K3, data={"person": "visitor"}))


def test_k_beyond_the_people():
    """Six records are four people."""
    with pytest.raises(PolicyError, match="larger than the table, which has 4 people"):
        ind.anonymize(ONE_EACH, encounter_policy({"name": "k-anonymity", "k": 5}))


def test_the_suppression_limit_counts_records():
    """Person 1 has half of the records: suppressing them takes a limit of one half."""
    apart = ONE_EACH.with_columns(sex=pl.Series(["m"] * 3 + ["f"] * 3))
    columns = {**ROLES, "age": {"role": "insensitive"}}
    columns["sex"] = {"role": "quasi-identifier", "max_level": 0}

    def policy(limit):
        method = {"max_suppression": limit}
        data = {"person": "patient"}
        return ind.Policy(columns=columns, models=[K3], method=method, data=data)

    assert ind.anonymize(apart, policy(0.5)).manifest["people"] == {"released": 3, "suppressed": 1}
    with pytest.raises(NoSolutionError):
        ind.anonymize(apart, policy(0.4))


def test_ten_encounters_of_one_disease_are_one_person():
    """Nine of ten records are of one patient with flu; of the two people each has a disease."""
    rows = {"patient": [1] * 9 + [2], "disease": ["flu"] * 9 + ["gout"]}
    table = pl.DataFrame(rows).with_columns(
        age=pl.lit(30), sex=pl.lit("f"), ward=pl.lit("A"), region=pl.lit("r")
    )
    reached = {}
    for name, letter in (
        ("probabilistic-l-diversity", "l"),
        ("entropy-l-diversity", "l"),
        ("distinct-l-diversity", "l"),
    ):
        model = {"name": name, "column": "disease", letter: 2}
        release = ind.anonymize(table, encounter_policy(model))
        reached[name] = release.manifest["models"][0]["achieved"][letter]
    assert reached == pytest.approx(dict.fromkeys(reached, 2))


def test_a_person_with_two_diseases_has_both():
    """Two of three people have flu, though flu is two of four (person, value) pairs."""
    table = ONE_EACH[[0, 2, 3, 4]].with_columns(
        patient=pl.Series([1, 1, 2, 3]), disease=pl.Series(["flu", "gout", "flu", "cold"])
    )
    table = table.with_columns(age=pl.lit(30))
    model = {"name": "alpha-k-anonymity", "column": "disease", "alpha": 0.7, "k": 3}
    release = ind.anonymize(table, encounter_policy(model))
    assert release.manifest["models"][0]["achieved"]["alpha"] == pytest.approx(2 / 3)


def test_the_file_alone_proves_nothing_about_people():
    """Enough records: undecided, with a note. Too few records: refuted."""
    release = ind.anonymize(TABLE, encounter_policy(K3, method={"max_suppression": 0.1}), seed=1)
    public = checked(release, crosswalk=False)
    assert [model["holds"] for model in public.models] == [None]
    assert "counts people" in public.notes[0] or "count people" in public.notes[0]
    assert [model["holds"] for model in checked(release).models] == [True]
    asked = encounter_policy({"name": "k-anonymity", "k": 30})
    refuted = ind.verify(release.frame, asked)
    assert [model["holds"] for model in refuted.models] == [False]


def test_distinct_values_are_proven_by_the_file():
    """People do not matter to them."""
    model = {"name": "distinct-l-diversity", "column": "disease", "l": 2}
    release = ind.anonymize(TABLE, encounter_policy(model, method={"max_suppression": 0.1}), seed=1)
    public = checked(release, crosswalk=False)
    assert [found["holds"] for found in public.models] == [True]


def test_a_release_that_counted_records_is_refuted():
    """By the owner's verification; in public it stays undecided."""
    table = encounters(600, 150, 1, frequent=0.7)
    words = {**ROLES, "patient": {"role": "identifier"}}
    method = {"algorithm": "mondrian"}
    release = ind.anonymize(table, ind.Policy(columns=words, models=[K3], method=method), seed=1)
    assert min(map(len, people_of_classes(release).values())) < 3
    claimed = encounter_policy(K3)
    rows = release.crosswalk.tolist()
    found = ind.verify(release.frame, claimed, original=table, crosswalk=rows)
    assert not found.holds
    assert [model["holds"] for model in found.models] == [False]
    assert [model["holds"] for model in ind.verify(release.frame, claimed).models] == [None]


@pytest.mark.parametrize(
    "claims",
    [
        {"people": {"released": 149, "suppressed": 1}},
        {"classes": {"count": 1, "smallest": 3, "mean": 3, "largest": 3}},
    ],
)
def test_claims_about_people_are_counted(claims):
    """With the input and the crosswalk at hand."""
    release = ind.anonymize(TABLE, encounter_policy(K3, method={"max_suppression": 0.1}), seed=1)
    assert checked(release).holds
    assert not checked(release, **claims).holds


@pytest.mark.parametrize("spoiled", ["short", "twice", "beyond", "without input"])
def test_crosswalks_of_another_release(spoiled):
    """Each is refused in words."""
    release = ind.anonymize(TABLE, encounter_policy(K3), seed=1)
    rows = release.crosswalk.tolist()
    rows = {
        "short": rows[:-1],
        "twice": [rows[0], *rows[:-1]],
        "beyond": [TABLE.height, *rows[1:]],
        "without input": rows,
    }[spoiled]
    original = None if spoiled == "without input" else TABLE
    with pytest.raises(DataError, match=r"crosswalk|original"):
        ind.verify(release.frame, release.policy, original=original, crosswalk=rows)


def test_masked_records_have_no_row_in_the_crosswalk_file(tmp_path):
    """The others are proven."""
    policy = encounter_policy(
        {"name": "k-anonymity", "k": 8},
        method={"algorithm": "mondrian", "max_suppression": 0.3},
        release={"suppressed": "mask"},
        data={"missing_as": "suppress"},
    )
    table = TABLE.with_columns(
        pl.when(pl.int_range(pl.len()) % 10 > 0).then(pl.col("ward")).alias("ward")
    )
    release = ind.anonymize(table, policy, seed=1)
    release.write(tmp_path / "out.csv", crosswalk=tmp_path / "x.csv")
    found = ind.verify(tmp_path / "out.csv", policy, original=table, crosswalk=tmp_path / "x.csv")
    assert found.holds, found.faults
    assert [model["holds"] for model in found.models] == [True]
    assert release.manifest["records"]["suppressed"] == 60


def test_noise_counts_the_people_that_a_record_may_stand_for():
    """Confident k-anonymity: every class keeps k people after the noise."""
    columns = {**ROLES, "age": {"role": "quasi-identifier", "protect": "noise"}}
    policy = ind.Policy(
        columns=columns,
        data={"person": "patient"},
        models=[{"name": "confident-k-anonymity", "k": 3}],
        method={"max_suppression": 0.2},
    )
    release = ind.anonymize(encounters(300, 100, 2), policy, seed=1)
    patients = release.original["patient"].to_list()
    classes: dict[tuple, set[int]] = {}
    cells = release.frame.select("sex", "ward", "region").iter_rows()
    for cell, row in zip(cells, release.crosswalk.tolist(), strict=True):
        classes.setdefault(cell, set()).add(patients[row])
    assert min(map(len, classes.values())) >= 3


def test_assessing_the_input_counts_people():
    """Where the table has the column; elsewhere records, and the document says which."""
    found = ind.assess(TABLE, encounter_policy(K3))
    keys = ["age", "sex", "ward", "region"]
    sizes = TABLE.group_by(keys).agg(pl.col("patient").n_unique())["patient"]
    assert found.classes["smallest"] == sizes.min()
    assert found.classes["mean"] == pytest.approx(sizes.mean())
    assert found.classes["counted"] == "people"
    assert found.anonymity["k"] == sizes.min()
    assert ind.assess(TABLE.drop("patient"), encounter_policy(K3)).classes["counted"] == "records"


def test_attempts_of_a_linkage_attack_are_people():
    """Marketer: classes / people, as the manifest says; no prosecutor is surer than 1 / k."""
    release = ind.anonymize(TABLE, encounter_policy(K3, method={"algorithm": "optimal"}), seed=1)
    owner = {"register": TABLE, "original": TABLE, "crosswalk": release.crosswalk, "seed": 1}
    sizes = [len(people) for people in people_of_classes(release).values()]
    marketer = ind.attack(release.frame, release.policy, attacker="marketer", **owner).answer
    assert marketer.found.attempts == sum(sizes)
    assert marketer.details["expected_rate"] == pytest.approx(len(sizes) / sum(sizes))
    assert release.manifest["risk"]["marketer"] == pytest.approx(len(sizes) / sum(sizes))
    prosecutor = ind.attack(release.frame, release.policy, attacker="prosecutor", **owner).answer
    assert prosecutor.found.attempts == TABLE["patient"].n_unique()
    assert prosecutor.details["highest_chance"] <= 1 / 3 + 1e-12
    blind = ind.attack(release.frame, release.policy, register=TABLE, seed=1).answer
    assert "records were counted, not people" in blind.document()["warnings"][0]


def test_identifiers_that_repeat_are_a_warning():
    """For the owner and in inspect; neither when people count nor when nothing repeats."""
    words = {**ROLES, "patient": {"role": "identifier"}}
    policy = ind.Policy(columns=words, models=[K3])
    release = ind.anonymize(TABLE, policy)
    (warning,) = [one for one in release.warnings if one["code"] == "repeated-identifier"]
    assert warning not in release.manifest.get("warnings", ())
    people = dict.fromkeys(release.frame.select(policy.class_names).rows(), frozenset())
    for row, record in zip(
        release.frame.select(policy.class_names).rows(), release.crosswalk, strict=True
    ):
        people[row] |= {TABLE["patient"][int(record)]}
    few = np.mean([len(one) < 3 for one in people.values()])
    assert warning["code"] == "repeated-identifier"
    assert warning["columns"] == ["patient"]
    assert warning["share"] == pytest.approx(few, abs=1e-4)
    assert 'person = "patient" under [data]' in warning["remedy"]
    json.dumps(warning)
    counted = ind.anonymize(TABLE, encounter_policy(K3)).warnings
    assert all(one["code"] != "repeated-identifier" for one in counted)
    unique = TABLE.with_columns(patient=pl.int_range(pl.len()))
    few = unique.with_columns(patient=pl.when(pl.col("patient") > 2).then(pl.col("patient")))
    for table in (unique, few.with_columns(pl.col("patient").fill_null(3))):
        told = ind.anonymize(table, policy).warnings
        assert all(one["code"] != "repeated-identifier" for one in told)


@pytest.mark.parametrize(
    ("values", "is_told"),
    [(["P-0001", "P-0002"], True), (["all is well", "too early to say"], False)],
)
def test_only_what_is_shaped_like_numbers_of_people_is_said_to_repeat(values, is_told):
    """Remarks, places and offices repeat, and say nothing of how many records a person has."""
    texts = [f"{values[n % 2]} {n // 6}" for n in range(600)]
    values = counted_values(pl.Series(texts), np.ones(len(texts), np.int64))[0]
    assert repeats_people("zremark", "text", values) is is_told


def test_inspect_tells_identifiers_that_repeat():
    """A number of patients that repeats is the person, and one that does not is none."""
    frame = TABLE.rename({"patient": "patient_id"})
    assert ind.inspect(frame).person == "patient_id"
    unique = frame.with_columns(patient_id=pl.Series(np.random.default_rng(1).permutation(600)))
    assert ind.inspect(unique).person is None
    told = ind.inspect(TABLE, encounter_policy(K3)).columns[0]
    assert (told.role, told.reason) == ("identifier", "the policy counts its people")


def test_the_report_on_a_release_speaks_of_people(tmp_path):
    """Classes are counted in people there, and so is the greatest chance to find somebody."""
    release = ind.anonymize(TABLE, encounter_policy(K3))
    release.report(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text("utf-8")
    smallest = release.manifest["classes"]["smallest"]
    assert f"Counted in people, the smallest group has {smallest} people." in page
    assert f"1 in {smallest}<" in page


def test_presence_divides_people_by_people(tmp_path):
    """Four people, one with three records, among eight: one half is present, not six eighths."""
    there = ONE_EACH.unique("patient").drop("patient", "disease")
    pl.concat([there, there]).write_csv(tmp_path / "population.csv")
    model = {"name": "delta-presence", "delta_min": 0.0, "delta_max": 0.5}
    population = {"data": str(tmp_path / "population.csv")}
    release = ind.anonymize(ONE_EACH, encounter_policy(model, population=population))
    assert release.manifest["models"][0]["achieved"] == {"delta_max": 0.5}
    assert ind.verify(release.frame, release.policy).models[0]["holds"] is None
