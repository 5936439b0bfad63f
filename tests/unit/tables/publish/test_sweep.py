"""One table under many promises."""

import json
from dataclasses import replace

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import NoSolutionError, OutputError, ParameterError, PolicyError, SchemaError
from indistinct.tables.counting import preparation as prepare
from indistinct.tables.publish import sweep_of_values as sweep_module
from indistinct.tables.publish.sweep_result import RULE

COLUMNS = {
    "sex": {"role": "quasi-identifier"},
    "postcode": {"role": "quasi-identifier", "hierarchy": {"mask": 5}},
    "height_cm": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 20]}},
    "diagnosis": {"role": "sensitive"},
    "insurance": {"role": "sensitive"},
}
PATIENTS = ind.sample("patients", rows=300, seed=7).select(list(COLUMNS))


def policy_of(*models, **method):
    least = {"name": "k-anonymity", "k": 4}
    words = {"columns": COLUMNS, "models": [least, *models], "method": method}
    return ind.Policy.from_words(words)


def closeness(column="diagnosis", t=0.9):
    return {"name": "t-closeness", "column": column, "t": t}


def test_each_row_is_what_a_run_of_its_own_says():
    """Every figure is that of the release made with the same words."""
    policy = policy_of(closeness(), algorithm="optimal", max_suppression=0.1)
    vary = {"k": [2, 7], "max_suppression": [0.0, 0.2], "t-closeness.t": [0.5, 0.9]}
    found = ind.sweep(PATIENTS, policy, vary=vary)
    assert len(found.points) == 8
    for point in found.points:
        words = policy.words()
        words["models"][0]["k"] = point.parameters["k"]
        words["models"][1]["t"] = point.parameters["t-closeness.t"]
        words["method"]["max_suppression"] = point.parameters["max_suppression"]
        manifest = ind.anonymize(PATIENTS, ind.Policy.from_words(words)).owner
        assert point.reached == {part: manifest[part] for part in point.reached}
        assert point.cost == manifest["loss"]["loss"]


@pytest.mark.parametrize("algorithm", ["optimal", "ola", "mondrian", "local"])
def test_the_table_is_counted_once(algorithm, monkeypatch):
    """Whatever searches, however often."""
    counted = []
    count = prepare.count_tuples
    monkeypatch.setattr(prepare, "count_tuples", lambda *given: counted.append(1) or count(*given))
    objective = {"objective": "precision"} if algorithm == "ola" else {}
    found = ind.sweep(PATIENTS, policy_of(algorithm=algorithm, **objective), vary={"k": [2, 4, 8]})
    assert len(counted) == 1
    costs = [point.cost for point in found.points]
    assert len(costs) == 3
    assert costs[0] <= costs[-1]


def test_words_of_the_method_vary():
    """Objectives and algorithms, measured by the objective of the policy."""
    vary = {"objective": ["loss", "discernibility"], "algorithm": ["optimal", "local"]}
    found = ind.sweep(PATIENTS, policy_of(objective="ncp"), vary=vary)
    assert found.cost == "ncp"
    for point in found.points:
        assert point.cost == point.reached["loss"]["ncp"]
    assert found.frame["objective"].to_list() == ["loss"] * 2 + ["discernibility"] * 2


def test_one_without_a_solution_does_not_end_it():
    """It says why, in a row of its own: by the search, and before any search."""
    found = ind.sweep(PATIENTS, policy_of(), vary={"k": [301, 2, 300, 5]})
    failed = [point for point in found.points if point.reached is None]
    assert [point.parameters["k"] for point in failed] == [301]
    assert "larger than the table" in failed[0].no_solution
    diverse = policy_of({"name": "distinct-l-diversity", "column": "insurance", "l": 2})
    found = ind.sweep(PATIENTS, diverse, vary={"l": [9, 2]})
    assert "achieves as a single class, which is l = 3" in found.points[0].no_solution
    assert found.frame["no_solution"][1] is None
    assert found.frontier == (1,)
    assert found.recommended == 1
    assert "No other combination has less of either" in found.reason


def test_no_solution_at_all_is_an_error():
    """As for one release."""
    diverse = policy_of({"name": "distinct-l-diversity", "column": "insurance", "l": 2})
    with pytest.raises(NoSolutionError, match="as a single class"):
        ind.sweep(PATIENTS, diverse, vary={"l": [8, 9]})
    with pytest.raises(PolicyError, match="larger than the table"):
        ind.sweep(PATIENTS, policy_of(), vary={"k": [400, 500]})


def test_data_that_do_not_fit_end_it_at_once():
    """They would fail every time."""
    with pytest.raises(SchemaError):
        ind.sweep(PATIENTS.drop("sex"), policy_of(), vary={"k": [2, 3]})


@pytest.mark.parametrize(
    ("vary", "place", "said"),
    [
        ({}, "vary", "no parameter"),
        ({"k": []}, "vary.k", "has no value"),
        ({"luck": [1]}, "vary.luck", "t-closeness.diagnosis.t"),
        ({"t": [0.1]}, "vary.t", "several"),
        ({"t-closeness.t": [0.1]}, "vary.t-closeness.t", "several"),
        ({"l-diversity.k": [2]}, "vary.l-diversity.k", "k-anonymity.k"),
        ({"column": ["sex"]}, "vary.column", "is neither a setting"),
        ({"k": [1, 2]}, "vary.k", "at least 2"),
        ({"max_suppression": [0, 1.5]}, "vary.max_suppression", "less than or equal to 1"),
        ({"algorithm": ["magic"]}, "vary.algorithm", "is not known"),
    ],
)
def test_parameters_that_mean_nothing(vary, place, said):
    """Refused before anything is read, with what there is to choose from."""
    policy = policy_of(closeness(), closeness("insurance"))
    with pytest.raises(ParameterError) as caught:
        ind.sweep("no such file", policy, vary=vary)
    assert [fault.place for fault in caught.value.faults] == [place]
    assert said in str(caught.value)


def test_all_faults_at_once():
    """Each parameter, each value."""
    with pytest.raises(ParameterError) as caught:
        ind.sweep(PATIENTS, policy_of(), vary={"k": [0, 1, 2], "luck": [1]})
    assert len(caught.value.faults) == 3


def test_a_model_of_a_column_has_its_full_name():
    """Of two alike, each can be meant."""
    policy = policy_of(closeness(), closeness("insurance"))
    found = ind.sweep(PATIENTS, policy, vary={"t-closeness.insurance.t": [0.05, 0.9]})
    asked = [point.reached["models"][2]["required"]["t"] for point in found.points]
    assert asked == [0.05, 0.9]
    assert {"achieved t-closeness.insurance.t", "achieved k-anonymity.k"} <= set(
        found.frame.columns
    )


def test_risk_is_one_that_is_measured():
    """The journalist's needs a population."""
    with pytest.raises(ParameterError, match="risk"):
        ind.sweep(PATIENTS, policy_of(), vary={"k": [2]}, risk="journalist")
    found = ind.sweep(PATIENTS, policy_of(), vary={"k": [2, 5]}, risk="marketer")
    assert [p.reached["risk"]["marketer"] for p in found.points] == found.frame[
        "marketer"
    ].to_list()


def test_a_population_gives_the_journalist_s_risk(tmp_path):
    """Journalist risk against cost."""
    PATIENTS.select("sex", "postcode", "height_cm").write_csv(tmp_path / "all.csv")
    words = {**policy_of().words(), "population": {"data": str(tmp_path / "all.csv")}}
    found = ind.sweep(PATIENTS, ind.Policy.from_words(words), vary={"k": [2, 6]}, risk="journalist")
    assert all(0 < p.reached["risk"]["journalist"] <= 0.5 for p in found.points)


def test_progress_goes_up_to_one_and_names_the_combination():
    """Shares never fall; messages count."""
    told = []
    ind.sweep(
        PATIENTS, policy_of(), vary={"k": [2, 3, 4]}, progress=lambda *given: told.append(given)
    )
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert ("k = 3 (2 of 3)") in {message for _, message in told}


def test_it_can_be_interrupted():
    """An interruption is no failure of one combination."""

    def interrupt(share, _):
        if share > 0.3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ind.sweep(PATIENTS, policy_of(), vary={"k": [2, 3, 4]}, progress=interrupt)


def test_the_kind_of_frame_comes_back():
    """A path gives Polars, pandas gives pandas."""
    import pandas as pd

    found = ind.sweep(PATIENTS.to_pandas(), policy_of(), vary={"k": [2, 3]})
    assert isinstance(found.data, pd.DataFrame)
    again = ind.sweep(PATIENTS, policy_of(), vary={"k": [2]}).data
    assert isinstance(again, pl.DataFrame)
    assert again.schema["no_solution"] == pl.String
    assert again.schema["journalist"] == pl.Float64


@pytest.fixture(scope="module")
def of_three():
    """Sweep once, also with a k above the records, for all forms that it is written in."""
    return ind.sweep(PATIENTS, policy_of(), vary={"k": [2, 3, 301]})


@pytest.mark.parametrize("ending", ["csv", "json", "svg", "html"])
def test_it_is_written_in_each_form(of_three, tmp_path, ending):
    """The ending chooses; no value of a record is in it."""
    path = tmp_path / f"sweep.{ending}"
    of_three.write(path)
    text = path.read_text()
    assert not any(value in text for value in ("influenza", "female", "asthma"))
    if ending == "csv":
        assert pl.read_csv(path)["k"].to_list() == [2, 3, 301]
    if ending == "json":
        document = json.loads(text)
        assert document["recommended"]["rule"] == "knee"
        assert [row["frontier"] for row in document["rows"]].count(True) == len(of_three.frontier)
    if ending in {"svg", "html"}:
        assert "k=2" in text
        assert "k=301" not in text
    if ending == "html":
        assert "larger than the table" in text


def test_other_endings_are_refused(tmp_path):
    """In words."""
    with pytest.raises(OutputError, match="does not say what to write"):
        ind.sweep(PATIENTS, policy_of(), vary={"k": [2]}).write(tmp_path / "sweep.png")
    assert RULE == "knee"


@pytest.mark.slow  # words of the method that vary have a test of their own
def test_what_an_algorithm_or_weights_read_is_counted_when_it_is_asked_for():
    """Words of the method that look at sensitive columns, after some that do not."""
    vary = {"algorithm": ["optimal", "infogain-mondrian"], "weights": ["policy", "vulnerability"]}
    found = ind.sweep(PATIENTS, policy_of(max_suppression=0.1), vary=vary)
    for point in found.points:
        method = {"max_suppression": 0.1, **point.parameters}
        manifest = ind.anonymize(PATIENTS, policy_of(**method)).owner
        assert point.reached["loss"] == manifest["loss"]


def test_what_was_found_for_a_stronger_promise_serves_a_weaker_one(monkeypatch):
    """Here the search for k = 2 finds no more than classes of 30."""
    searched = sweep_module.search

    def clumsy(prepared, *arguments):
        (model,) = prepared.problem.models
        asked = replace(model, k=30) if model.k == 2 else model
        return searched(replace(prepared, problem=replace(prepared.problem, models=(asked,))))

    monkeypatch.setattr(sweep_module, "search", clumsy)
    found = ind.sweep(PATIENTS, policy_of(), vary={"k": [2, 5, 40]})
    weak, strong, _ = found.points
    assert weak.cost == strong.cost
    assert (weak.found_for, strong.found_for) == ("k = 5", None)
    assert found.data["found_for"].to_list() == ["k = 5", None, None]
    assert weak.reached["risk"]["prosecutor"] <= 1 / 5
    other = ind.sweep(PATIENTS, policy_of(), vary={"k": [2, 5], "algorithm": ["optimal", "local"]})
    assert [point.found_for for point in other.points if point.parameters["k"] == 5] == [None] * 2
