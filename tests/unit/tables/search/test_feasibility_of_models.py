"""What no release can give is said at once, with the most that the table gives."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.models import MODELS
from indistinct.tables.models.of_one_column import SensitiveModel

FRAME = pl.DataFrame({"zip": ["11", "12", "21", "22"] * 5, "s": ["a", "a", "b", "c"] * 5})


def refusal(model, **method):
    policy = ind.Policy(
        columns={"zip": {"role": "quasi-identifier"}, "s": {"role": "sensitive"}},
        models=[model],
        method=method,
    )
    with pytest.raises(ind.NoSolutionError) as caught:
        ind.anonymize(FRAME, policy)
    return str(caught.value)


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ({"name": "distinct-l-diversity", "column": "s", "l": 4}, "l = 3"),
        ({"name": "probabilistic-l-diversity", "column": "s", "l": 2.5}, "l = 2"),
        ({"name": "entropy-l-diversity", "column": "s", "l": 3.0}, "l = 2.82843"),
        ({"name": "recursive-cl-diversity", "column": "s", "c": 1.0, "l": 4}, "no c at all"),
        ({"name": "alpha-k-anonymity", "column": "s", "alpha": 0.4, "k": 2}, "alpha = 0.5"),
        ({"name": "average-risk", "threshold": 0.04}, "threshold = 0.05"),
    ],
)
@pytest.mark.parametrize("method", [{}, {"algorithm": "ola"}, {"max_suppression": 0.1}])
def test_more_than_the_whole_table_gives_is_refused(model, said, method):
    assert said in refusal(model, **method)


def test_a_column_of_one_value_is_close_but_not_diverse():
    frame = FRAME.with_columns(s=pl.lit("a"))
    columns = {"zip": {"role": "quasi-identifier"}, "s": {"role": "sensitive"}}
    close = [{"name": "t-closeness", "column": "s", "t": 0.0}]
    release = ind.anonymize(frame, ind.Policy(columns=columns, models=close))
    assert release.manifest["models"][0]["achieved"] == {"t": 0.0}
    diverse = [{"name": "distinct-l-diversity", "column": "s", "l": 2}]
    with pytest.raises(ind.NoSolutionError, match="l = 1"):
        ind.anonymize(frame, ind.Policy(columns=columns, models=diverse))


@pytest.mark.parametrize("distance", ["equal", "ordered", "kernel"])
def test_a_missing_sensitive_value_is_a_value_of_its_own(distance):
    frame = FRAME.with_columns(s=pl.when(pl.col("s") != "c").then("s"))
    columns = {"zip": {"role": "quasi-identifier"}, "s": {"role": "sensitive"}}
    models = [
        {"name": "distinct-l-diversity", "column": "s", "l": 3},
        {"name": "nt-closeness", "column": "s", "n": 10, "t": 0.3, "distance": distance},
    ]
    models = [{**words, "missing_counts": True} for words in models]
    release = ind.anonymize(frame, ind.Policy(columns=columns, models=models))
    assert all(entry["holds"] for entry in release.manifest["models"])
    assert release.manifest["models"][0]["achieved"] == {"l": 3}


def test_n_beyond_the_table_is_refused():
    policy = ind.Policy(
        columns={"zip": {"role": "quasi-identifier"}, "s": {"role": "sensitive"}},
        models=[{"name": "nt-closeness", "column": "s", "n": 21, "t": 0.5}],
    )
    with pytest.raises(ind.PolicyError, match="larger than the table"):
        ind.anonymize(FRAME, policy)


# What generalizing to the whole table always reaches: these can only fail in finer releases.
SATISFIED = [
    {"name": "k-anonymity", "k": 20},
    {"name": "t-closeness", "column": "s", "t": 0.0},
    {"name": "nt-closeness", "column": "s", "n": 20, "t": 0.0},
    {"name": "beta-likeness", "column": "s", "beta": 0.001},
    {"name": "delta-disclosure", "column": "s", "delta": 0.001},
    {"name": "sample-uniqueness", "threshold": 0.0},
    {"name": "population-uniqueness", "threshold": 0.0},
]
ONE_VALUE = {
    "simpson-diversity": {"d": 1.0},
    "distinct-l-diversity": {"l": 1},
    "probabilistic-l-diversity": {"l": 1.0},
    "entropy-l-diversity": {"l": 1.0},
    "recursive-cl-diversity": {"c": 1.5, "l": 1},
    "alpha-k-anonymity": {"alpha": 1.0, "k": 2},
    "t-closeness": {"t": 0.0},
    "nt-closeness": {"n": 20, "t": 0.0},
    "beta-likeness": {"beta": 0.001},
    "delta-disclosure": {"delta": 0.001},
}
COLUMNS = {"zip": {"role": "quasi-identifier"}, "s": {"role": "sensitive"}}


@pytest.mark.parametrize("model", SATISFIED, ids=lambda model: model["name"])
@pytest.mark.parametrize("algorithm", ["optimal", "ola", "mondrian", "local"])
def test_the_whole_table_satisfies_the_strictest_bound(model, algorithm):
    """Nothing is refused that one class of all records gives."""
    policy = ind.Policy(
        columns=COLUMNS,
        models=[model],
        method={"algorithm": algorithm},
        **({"population": {"size": 20}} if model["name"] == "population-uniqueness" else {}),
    )
    release = ind.anonymize(FRAME, policy, seed=1)
    assert release.manifest["models"][0]["holds"]
    assert release.manifest["records"]["suppressed"] == 0


def test_only_models_of_a_sensitive_column_are_asked_about_one_value_and_missing_ones():
    """A new model may join them; it need not."""
    assert set(ONE_VALUE) <= {model.name for model in MODELS if issubclass(model, SensitiveModel)}


@pytest.mark.parametrize("name", ONE_VALUE)
def test_a_column_of_one_value_satisfies_what_asks_for_one(name):
    """The class says no more than the table: every closeness is 0, every diversity 1."""
    frame = FRAME.with_columns(s=pl.lit("a"))
    words = {"name": name, "column": "s", **ONE_VALUE[name]}
    release = ind.anonymize(frame, ind.Policy(columns=COLUMNS, models=[words]), seed=1)
    assert release.manifest["models"][0]["holds"]
    assert release.owner["loss"]["loss"] == 0 or name == "nt-closeness"


@pytest.mark.parametrize("name", ONE_VALUE)
def test_missing_values_count_as_one_more_value(name):
    """The measures of a table are those of the same table with a word for the missing value."""
    words = {"name": name, "column": "s", **ONE_VALUE[name], "missing_counts": True}
    policy = ind.Policy(columns=COLUMNS, models=[words])
    spelled = FRAME.with_columns(s=pl.col("s").replace({"c": "zzz"}))
    missing = FRAME.with_columns(s=pl.when(pl.col("s") != "c").then("s"))
    first, second = (ind.assess(frame, policy).models for frame in (spelled, missing))
    assert first == second
    assert ind.verify(missing, policy).models == ind.verify(spelled, policy).models


@pytest.mark.parametrize("missing_as", ["suppress", "refuse"])
def test_missing_values_can_be_kept_out(missing_as):
    """Suppressed with their records, or refused with their number."""
    missing = FRAME.with_columns(s=pl.when(pl.col("s") != "c").then("s"))
    words = {"name": "distinct-l-diversity", "column": "s", "l": 2}
    policy = ind.Policy(columns=COLUMNS, models=[words], data={"missing_as": missing_as})
    if missing_as == "refuse":
        with pytest.raises(ind.PolicyError, match=r"columns\.s: 5 values are missing"):
            ind.anonymize(missing, policy)
        return
    release = ind.anonymize(missing, policy, seed=1)
    assert release.manifest["records"] == {"released": 15, "suppressed": 5}
    assert release.data["s"].null_count() == 0


def test_a_column_that_is_missing_everywhere_is_refused():
    empty = FRAME.with_columns(s=pl.lit(None, pl.String))
    words = {"name": "distinct-l-diversity", "column": "s", "l": 1}
    with pytest.raises(ind.PolicyError, match="is sensitive but has no values"):
        ind.anonymize(empty, ind.Policy(columns=COLUMNS, models=[words]))


@pytest.mark.parametrize(
    ("model", "people", "said"),
    [
        ({"name": "k-map", "k": 41}, 40, "k = 40"),
        ({"name": "delta-presence", "delta_min": 0.0, "delta_max": 0.4}, 40, "delta_max = 0.5"),
    ],
)
def test_more_than_a_population_gives_is_refused(tmp_path, model, people, said):
    """Everybody as one class: as many people as there are, and the table's share of them."""
    census = pl.concat([FRAME.select("zip")] * (people // FRAME.height))
    census.write_csv(tmp_path / "census.csv")
    words = {"columns": COLUMNS, "models": [model], "population": {"data": "census.csv"}}
    with pytest.raises(ind.NoSolutionError, match=said):
        ind.anonymize(FRAME, ind.Policy.from_words(words, tmp_path))


def test_an_estimate_that_needs_more_records_than_there_are_is_refused():
    """Of a population of 40 half is in the table: all 20 records speak for fewer people."""
    words = {"columns": COLUMNS, "models": [{"name": "k-map", "k": 40}]}
    policy = ind.Policy(**words, population={"size": 40})
    with pytest.raises(ind.NoSolutionError, match="k = "):
        ind.anonymize(FRAME, policy)
