"""A table measured as it is."""

from itertools import product

import polars as pl
import pytest
from hypothesis import assume, given

import indistinct as ind
from indistinct.errors import DataError, NoSolutionError, ParameterError, SchemaError
from indistinct.tables.metrics import METRICS
from indistinct.tables.publish.fictitious_patients import sample
from shared import examples, longer
from strategies import frames, policy_words

WORDS = {
    "columns": {
        "name": {"role": "identifier"},
        "sex": {"role": "quasi-identifier"},
        "postcode": {"role": "quasi-identifier", "hierarchy": {"mask": 5}},
        "height_cm": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 20]}},
        "diagnosis": {"role": "sensitive"},
    },
    "models": [
        {"name": "k-anonymity", "k": 4},
        {"name": "t-closeness", "column": "diagnosis", "t": 0.6},
    ],
    "method": {"algorithm": "optimal", "max_suppression": 0.2},
}
PATIENTS = sample("patients", rows=300, seed=7).select(list(WORDS["columns"]))


def assert_as_the_manifest_says(found, manifest):
    """Models, records, classes, risk and loss of an assessment are those of a manifest."""
    for model, expected in zip(found["models"], manifest["models"], strict=True):
        assert model["achieved"] == pytest.approx(expected["achieved"])
        assert model["holds"] == expected["holds"]
    for part in ("records", "classes", "risk"):
        said = {name: found[part][name] for name in manifest[part]}
        assert said == pytest.approx(manifest[part])
    for name, value in found["loss"].items():
        assert value == pytest.approx(manifest["loss"][name], rel=1e-9, abs=1e-9), name


@pytest.mark.parametrize("form", ["drop", "mask"])
@pytest.mark.parametrize("objective", METRICS)
def test_a_release_is_measured_as_its_manifest_says(form, objective):
    """Models, classes, risk, records and loss, from the cells and the input alone."""
    words = {**WORDS, "release": {"suppressed": form}}
    words["method"] = {**WORDS["method"], "objective": objective}
    policy = ind.Policy.from_words(words)
    release = ind.anonymize(PATIENTS, policy, seed=1)
    found = ind.assess(release.frame, policy, original=PATIENTS)
    assert_as_the_manifest_says(found.document(), release.owner)


FOUND_BY = ("optimal", "ola", "local", "lattice-peel", "mondrian", "k-member")


@pytest.mark.parametrize(
    ("algorithm", "hierarchies", "form"),
    longer(
        product(FOUND_BY, ["own", "made"], ["drop", "mask"]),
        {*product(FOUND_BY, ["made"], ["mask"]), *product(["optimal"], ["own", "made"], ["drop"])},
    ),
)
def test_a_written_release_is_measured_as_its_manifest_says(tmp_path, algorithm, hierarchies, form):
    """The same from the files alone, for every way to find a release; two columns lack values."""
    columns = {name: dict(column) for name, column in WORDS["columns"].items()}
    if hierarchies == "made":
        for column in columns.values():
            column.pop("hierarchy", None)
    columns["salary"] = {"role": "sensitive"}
    models = [*WORDS["models"], {"name": "distinct-l-diversity", "column": "diagnosis", "l": 2}]
    if algorithm == "k-member":
        models = WORDS["models"][:1]
    else:
        models.append({"name": "t-closeness", "column": "salary", "t": 0.6, "distance": "ordered"})
    words = {"columns": columns, "models": models, "release": {"suppressed": form},
             "method": {"algorithm": algorithm, "max_suppression": 0.2}}  # fmt: skip
    policy = ind.Policy.from_words(words)
    data = PATIENTS.with_columns(
        pl.when(pl.int_range(pl.len()) % 17 > 0).then(pl.col("height_cm")),
        pl.when(pl.int_range(pl.len()) % 23 > 0).then(pl.col("diagnosis")),
        salary=pl.int_range(pl.len()) * 37 % 101 * 100,
    )
    data.write_csv(tmp_path / "patients.csv")
    release = ind.anonymize(tmp_path / "patients.csv", policy, seed=1)
    release.write(tmp_path / "release.csv")
    found = ind.assess(tmp_path / "release.csv", policy, original=tmp_path / "patients.csv")
    assert_as_the_manifest_says(found.document(), release.owner)


@examples(10)
@given(frames(), policy_words(algorithms=("optimal", "local", "mondrian")))
def test_whatever_was_released_is_measured_as_its_manifest_says(frame, words):
    """Any policy and form but midpoints, which name no cell; suppressed records as they come."""
    assume(words["release"]["intervals"] != "midpoint")
    policy = ind.Policy.from_words(words)
    try:
        release = ind.anonymize(frame, policy, seed=1)
    except NoSolutionError:
        return
    found = ind.assess(release.frame, policy, original=frame).document()
    said = dict(release.owner)
    if not release.frame.height or words["release"]["intervals"] == "bounds":
        # Bounds of the whole column are empty: which level it was is not in the file.
        names = ("loss", "ncp", "discernibility", "average-class-size")
        found["loss"] = {name: found["loss"][name] for name in names}
    assert_as_the_manifest_says(found, said)


@pytest.mark.parametrize("missing_as", ["value", "suppress"])
def test_models_compare_with_the_whole_original(missing_as):
    """Records left out for a missing value count in the distribution that t is measured to."""
    words = {**WORDS, "data": {"missing_as": missing_as}}
    some = pl.int_range(pl.len()) % 7 > 0
    rare = (pl.int_range(pl.len()) % 5 == 0) & (pl.col("diagnosis") == "flu")
    data = PATIENTS.with_columns(
        pl.when(some).then(pl.col("height_cm")), pl.when(~rare).then(pl.col("diagnosis"))
    )
    policy = ind.Policy.from_words(words)
    release = ind.anonymize(data, policy, seed=1)
    found = ind.assess(release.frame, policy, original=data)
    assert_as_the_manifest_says(found.document(), release.owner)
    for said in ind.verify(release.frame, policy, original=data).models:
        assert said in [dict(model) for model in found.models]


def test_the_original_is_not_anonymous():
    """Measured as it is, the input fails, and says how far it gets."""
    found = ind.assess(PATIENTS, ind.Policy.from_words(WORDS))
    assert found.models[0]["achieved"] == {"k": 1}
    assert not found.models[0]["holds"]
    assert found.loss is None
    assert found.risk["prosecutor"] == 1.0


@pytest.mark.parametrize(
    ("requirement", "meets"),
    [("k>=1", True), ("k > 1", False), ("k=1", True), ("k==1", True), ("prosecutor<1", False),
     ("t<=1", True), ("t(diagnosis)<=1", False), ("t_equal(diagnosis)<=1", True),
     ("distinct_l>=2", False), ("delta<=1000", False), ("unique>=0.5", True)],
)  # fmt: skip
def test_requirements(requirement, meets):
    """A figure, a sign, a number; of the table or of one sensitive column."""
    found = ind.assess(PATIENTS, ind.Policy.from_words(WORDS))
    if requirement.startswith("t("):
        with pytest.raises(ParameterError, match=r"t_equal\(diagnosis\)"):
            found.meets(requirement)
        return
    assert found.meets(requirement) is meets


def test_requirements_of_utility():
    """Costs by their hyphens, utility by its underscores, single columns in parentheses."""
    policy = ind.Policy.from_words(WORDS)
    found = ind.assess(PATIENTS, policy, original=PATIENTS)
    for requirement in ("loss<=0", "kl-divergence<=0.0000001", "gcp=0", "loss(sex)<=0",
                        "information_lost<=0.000001", "mutual_bits(sex)>0.5",
                        "classification_metric(diagnosis)<0.5", "suppressed=0"):  # fmt: skip
        assert found.meets(requirement), requirement


def test_the_worse_of_two_models_counts():
    """Two columns must be diverse: l is that of the worse one, whatever their order."""
    frame = PATIENTS.with_columns(constant=pl.lit("same"))
    columns = {**WORDS["columns"], "constant": {"role": "sensitive"}}
    models = [{"name": "distinct-l-diversity", "column": name, "l": 1}
              for name in ("constant", "diagnosis")]  # fmt: skip
    only = pl.lit("*")
    frame = frame.with_columns(sex=only, postcode=only, height_cm=only)
    for order in (models, models[::-1]):
        policy = ind.Policy.from_words({"columns": columns, "models": order})
        assert ind.assess(frame, policy).figures()["l"] == 1.0


@pytest.mark.parametrize("requirement", ["", "k", "k>=", "luck>1", "k>=x", "k>=1.2.3"])
def test_requirements_that_cannot_be_read(requirement):
    """Refused in words."""
    with pytest.raises(ParameterError):
        ind.assess(PATIENTS, ind.Policy.from_words(WORDS)).meets(requirement)


def test_utility_is_measured_when_it_is_asked_for():
    """The error of queries and the accuracy of a model, beside the loss; masked or dropped."""
    found = {}
    for form in ("drop", "mask"):
        policy = ind.Policy.from_words({**WORDS, "release": {"suppressed": form}})
        release = ind.anonymize(PATIENTS, policy, seed=1)
        assert release.manifest["records"]["suppressed"] > 0
        asked = {"original": PATIENTS, "queries": 100, "learn": "diagnosis"}
        found[form] = ind.assess(release.frame, policy, **asked).document()["utility"]
    assert found["drop"]["query_error"] == pytest.approx(found["mask"]["query_error"])
    assert found["drop"]["query_error"]["queries"] == 100
    assert found["drop"]["learning"]["target"] == "diagnosis"
    assert 0 < found["drop"]["learning"]["accuracy"] < 1
    assert found["drop"]["learning"]["original"] == found["mask"]["learning"]["original"]
    for asked in ({"queries": 10}, {"learn": "diagnosis"}):
        with pytest.raises(ParameterError, match="original"):
            ind.assess(PATIENTS, policy, **asked)


def test_tables_that_do_not_fit():
    """A column that is not there, and cells that come from elsewhere."""
    policy = ind.Policy.from_words(WORDS)
    with pytest.raises(SchemaError, match=r"columns\.sex"):
        ind.assess(PATIENTS.drop("sex"), policy)
    foreign = PATIENTS.with_columns(sex=pl.lit("Zanzibarite"))
    with pytest.raises(DataError, match=r"columns\.sex") as caught:
        ind.assess(foreign, policy, original=PATIENTS)
    assert "Zanzibarite" not in str(caught.value)


def test_an_assessment_says_what_other_columns_give_back():
    """A weight of each region; one region is hidden, and the weight tells it."""
    regions = [region for region in "abcd" for _ in range(10)]
    weights = [100 + 10 * "abcd".index(region) for region in regions]
    hidden = ["*", *regions[1:]]
    words = {
        "columns": {
            "region": {"role": "quasi-identifier", "hierarchy": {"labels": []}},
            "weight": {"role": "insensitive"},
        },
        "models": [{"name": "k-anonymity", "k": 5}],
    }
    table = pl.DataFrame({"region": hidden, "weight": weights})
    found = ind.assess(table, ind.Policy.from_words(words))
    assert found.findings.read_back.cells == 1
    assert found.findings.read_back.k == 10
    assert found.meets("k_read_back>=10")
    assert not found.meets("cells_read_back<=0")
    document = found.document()["read_back"]
    assert document["k"] == 10
    assert document["by"][0]["columns"] == ["weight"]
    independent = table.with_columns(weight=pl.Series([1, 2] * 20))
    nothing = ind.assess(independent, ind.Policy.from_words(words)).findings.read_back
    assert (nothing.cells, nothing.k) == (0, 1)


def test_a_policy_that_asks_for_more_people_than_there_are_is_judged():
    """It does not hold; what the release keeps is measured all the same."""
    columns = {"age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10]}}}
    original = pl.DataFrame({"age": [21, 22, 33, 34]})
    released = pl.DataFrame({"age": ["[20, 30)", "[20, 30)", "[30, 40)", "[30, 40)"]})
    policy = {"columns": columns, "models": [{"name": "k-anonymity", "k": 5}]}
    found = ind.assess(released, ind.Policy.from_words(policy), original=original)
    assert not found.holds
    assert found.loss is not None
