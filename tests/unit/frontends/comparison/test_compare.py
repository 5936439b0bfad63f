"""Contestants on the same people: raw records are found, others are not, and nothing is charged."""

import json
import stat

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError, OutputError, ParameterError
from indistinct.frontends.cli.main import status
from indistinct.frontends.comparison.result import QUARTILE, ContestantResult
from indistinct.questions.database.loading import load
from indistinct.questions.synthesis.plan import make_plan
from indistinct.tables.evaluation.attacks.membership import MembershipByNearest
from indistinct.tables.evaluation.contestants.people import DividedPeople
from indistinct.tables.evaluation.contestants.risk import measured
from indistinct.tables.evaluation.contestants.setup import scenario_of
from indistinct.tables.policy.specification import resolve
from indistinct.tables.publish.searching import searched

VALUES = {
    "sex": ("female", "male"),
    "insurance": ("none", "private", "public"),
    "diagnosis": None,
    "postcode": None,
}
NAMES = ("sex", "insurance", "height_cm", "weight_kg", "diagnosis", "postcode")
POLICY = ind.Policy(
    columns={
        "name": {"role": "identifier"},
        "sex": {"role": "quasi-identifier"},
        "insurance": {"role": "quasi-identifier"},
        "height_cm": {"role": "quasi-identifier", "hierarchy": ind.intervals(10, 20)},
        "weight_kg": {"role": "quasi-identifier", "hierarchy": ind.intervals(10, 20)},
        "postcode": {"role": "quasi-identifier", "hierarchy": ind.mask(5)},
        "diagnosis": {"role": "sensitive"},
    },
    models=[ind.KAnonymity(k=5)],
    method={"algorithm": "mondrian", "time_limit": 60.0},
)


@pytest.fixture(scope="module")
def declared(tmp_path_factory):
    """A table of 900 patients, its declaration, and the policy in a file."""
    folder = tmp_path_factory.mktemp("compare")
    table = ind.sample("patients", rows=900).select("name", *NAMES)
    table.write_csv(folder / "patients.csv")
    values = {
        name: listed or sorted(table[name].cast(pl.String).unique())
        for name, listed in VALUES.items()
    }
    ind.database.init(
        folder / "patients.csv", person="name", epsilon=5, out=folder / "patients.toml",
        delta=1e-6, values=values,
        bounds={"height_cm": (140, 210), "weight_kg": (40, 160)}, steps={"weight_kg": "0.1"},
        types={"postcode": "text"},
    )  # fmt: skip
    POLICY.save(folder / "policy.toml")
    return folder


@pytest.fixture(scope="module")
def found(declared):
    ways = ["policy", "mondrian:20", "mst:3", "focus:3", "independent:3", "answers:3"]
    return ind.compare(
        declared / "patients.csv", POLICY, target="insurance",
        declaration=declared / "patients.toml", contestants=ways, runs=2,
    )  # fmt: skip


def entry(found, name) -> ContestantResult:
    return next(one for one in found.entries if str(one.contestant) == name)


def test_raw_records_are_found_and_other_people_never(found):
    raw, fresh = entry(found, "raw").runs[0], entry(found, "fresh").runs[0]
    assert raw.findings["membership-nearest"].auc > 0.7
    assert raw.risk > 0.7
    assert abs(fresh.findings["membership-nearest"].auc - 0.5) < 0.08
    assert fresh.findings["membership-nearest"].interval[0] < 0
    assert all(loss < 1e-12 for cost, loss in raw.losses.items() if cost != "learning")


def test_a_made_up_table_is_not_found_but_one_with_real_records_is(declared, found):
    """Half of the records of the second are real: of these the nearest record tells."""
    assert abs(entry(found, "mst:3").runs[0].findings["membership-nearest"].auc - 0.5) < 0.1
    people = DividedPeople.of(
        declared / "patients.csv", POLICY.reading, POLICY.set_forms, "name", 1
    )
    mixed = pl.concat([people.inside[: people.inside.height // 2], people.reference])
    scenario = scenario_of(resolve(POLICY), people, mixed, searched)
    assert MembershipByNearest(2000).run(scenario)[0].details["auc"] > 0.65


def test_the_proven_risk_is_the_bound_of_the_declaration(declared, found):
    plan = make_plan(load(declared / "patients.toml"), "3")
    for name in ("mst:3", "focus:3", "independent:3", "answers:3"):
        assert entry(found, name).proven == plan.membership_bound
    assert entry(found, "policy").proven == entry(found, "mondrian:20").proven == 1


def test_nothing_is_charged_and_everybody_is_counted(declared, found):
    assert ind.database.ledger(declared / "patients.toml").spent == 0
    assert (found.n_inside, found.n_outside, found.n_reference) == (540, 180, 180)
    assert [len(one.runs) for one in found.entries] == [1, 1, 2, 2, 2, 2, 1, 1]
    assert found.columns == list(NAMES)


def test_more_anonymity_loses_more(found):
    losses = [entry(found, name).loss("marginals-2") for name in ("raw", "policy", "mondrian:20")]
    assert losses == sorted(losses)
    assert losses[0] < losses[1] < losses[2]
    far, near = (entry(found, name).loss("marginals-2") for name in ("independent:3", "raw"))
    assert near < far


def test_the_frontier_is_of_those_that_none_beats(found):
    placed = {str(one.contestant): (one.proven, one.loss("ranges")) for one in found.placed}
    assert set(placed) == {
        "policy",
        "mondrian:20",
        "mst:3",
        "focus:3",
        "independent:3",
        "answers:3",
    }
    best = {
        name
        for name, (risk, loss) in placed.items()
        if not any((r <= risk and x <= loss and (r, x) != (risk, loss)) for r, x in placed.values())
    }
    assert set(found.frontier(proven=True)) == best
    assert "answers:3" not in found.frontier(proven=False)


def test_asking_pays_up_to_as_many_questions_as_the_error_allows(found):
    """At Q* questions the median error of noise is that of the made-up table."""
    one = entry(found, "mst:3")
    error = np.mean([run.range_error for run in one.runs])
    until = found.questions_until(one)
    noise = [QUARTILE * (q / (2 * one.rho)) ** 0.5 for q in (until, until + 1)]
    assert noise[0] <= error <= noise[1]
    assert found.questions_until(entry(found, "policy")) is None


def test_answers_err_as_their_noise_does(found):
    """The median of 500 errors within 5 deviations, about 1.25 / sqrt(500) of it each (6e-7)."""
    one = entry(found, "answers:3")
    expected = QUARTILE * (1000 / (2 * one.rho)) ** 0.5
    for run in one.runs:
        assert run.range_error == pytest.approx(expected, rel=5 * 1.25 / 500**0.5)
    assert one.upper is None


def test_luck_is_subtracted_and_the_best_attacker_counts(found):
    raw = entry(found, "raw").runs[0].findings
    assert measured(raw, raw)[0] == 0
    luck = entry(found, "fresh").runs[0].findings
    gains = [raw[name].advantage - luck[name].advantage for name in raw]
    assert measured(raw, luck)[0] == pytest.approx(min(1.0, max(gains)))


def test_the_split_is_repeatable_and_divides_people(declared):
    one, same, other = (
        DividedPeople.of(declared / "patients.csv", POLICY.reading, POLICY.set_forms, "name", s)
        for s in (1, 1, 2)
    )
    assert one.inside.equals(same.inside)
    assert not one.inside.equals(other.inside)
    twice = pl.concat([pl.read_csv(declared / "patients.csv")] * 2)
    parts = DividedPeople.of(twice, POLICY.reading, POLICY.set_forms, "name", 1)
    names = [set(part["name"]) for part in (parts.inside, parts.outside, parts.reference)]
    assert not names[0] & names[1]
    assert not names[0] & names[2]
    assert not names[1] & names[2]
    assert parts.inside.height == 2 * len(names[0])


def test_the_page_and_the_figures_are_for_the_owner_alone(found, tmp_path):
    found.write(tmp_path / "compare.html")
    found.write(tmp_path / "compare.json")
    page = (tmp_path / "compare.html").read_text("utf-8")
    document = json.loads((tmp_path / "compare.json").read_text("utf-8"))
    assert document == json.loads(json.dumps(found.document()))
    for one in found.entries:
        assert str(one.contestant) in page
    for note in (*found.notes, "Confidential"):
        assert note in page
    assert page.count("<svg") == 1
    for name in ("compare.html", "compare.json"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
    with pytest.raises(OutputError):
        found.write(tmp_path / "compare.pdf")


def test_no_value_of_a_record_is_in_page_or_figures(declared, found, tmp_path):
    found.write(tmp_path / "compare.html")
    shown = (tmp_path / "compare.html").read_text("utf-8") + json.dumps(found.document())
    table = pl.read_csv(declared / "patients.csv")
    assert not any(text in shown for name in ("name", "diagnosis") for text in set(table[name]))


@pytest.mark.slow  # the page and the figures are written above
def test_the_command_compares_and_writes(declared, tmp_path, capsys):
    words = [
        "compare", str(declared / "patients.csv"), "--policy", str(declared / "policy.toml"),
        "--declaration", str(declared / "patients.toml"), "--target", "insurance", "--runs", "1",
        "--contestants", "policy,independent:1", "--cost", "marginals-2",
        "--out", str(tmp_path / "compare.html"),
    ]  # fmt: skip
    assert status(words, show_values=False) == 0
    said = capsys.readouterr().out
    assert "independent:1" in said
    assert "Frontier by proven risk" in said
    assert (tmp_path / "compare.html").exists()
    assert status([*words[:-2], "--json"], show_values=False) == 0
    assert json.loads(capsys.readouterr().out)["kind"] == "comparison"


def test_everything_that_is_wrong_is_said(declared):
    data = declared / "patients.csv"
    with pytest.raises(ParameterError) as caught:
        ind.compare(
            data, POLICY, target="insurance", contestants=["magic:1", "local", "mst:1", "policy:3"]
        )
    assert len(caught.value.faults) == 4
    with pytest.raises(ParameterError) as caught:
        ind.compare(data, POLICY, target="insurance", contestants=["policy"], cost="beauty", runs=0)
    assert [fault.place for fault in caught.value.faults] == ["--cost", "--runs"]
    with pytest.raises(ParameterError):
        ind.compare(data, POLICY, target="nose", contestants=["policy"])
    with pytest.raises(ParameterError):
        ind.compare(
            data,
            POLICY,
            target="insurance",
            contestants=["mst:none"],
            declaration=declared / "patients.toml",
        )
    with pytest.raises(DataError):
        ind.compare(
            ind.sample("patients", rows=20), POLICY, target="insurance", contestants=["policy"]
        )


def test_a_contestant_without_a_solution_has_a_row_that_says_why(declared):
    strict = ind.compare(
        declared / "patients.csv",
        POLICY,
        target="insurance",
        contestants=["optimal:541", "mondrian:5"],
    )
    failed, solved = strict.entries[:2]
    assert failed.no_solution
    assert not failed.runs
    assert solved.runs
    assert "optimal:541" not in strict.frontier(proven=True)
