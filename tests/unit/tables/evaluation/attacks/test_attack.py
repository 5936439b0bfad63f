"""The use case: what it reads, whom it answers for, and what it refuses."""

import dataclasses
import json
from itertools import product

import polars as pl
import pytest

import indistinct as ind
from indistinct.base.parameters import bounds_of
from indistinct.errors import DataError, ParameterError
from indistinct.tables.evaluation.attacks import ATTACKERS, ATTACKS
from indistinct.tables.evaluation.attacks.scenario import AttackContext
from shared import longer

WORDS = {
    "columns": {
        "name": {"role": "identifier"},
        "birth_date": {"role": "quasi-identifier", "hierarchy": {"dates": ["year", "decade"]}},
        "sex": {"role": "quasi-identifier"},
        "postcode": {"role": "quasi-identifier", "hierarchy": {"mask": 5}},
        "height_cm": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 40]}},
        "diagnosis": {"role": "sensitive"},
    },
    "models": [{"name": "k-anonymity", "k": 5}],
    "method": {"max_suppression": 0.1},
}
COLUMNS = list(WORDS["columns"])
ROWS = 400
PATIENTS = ind.sample("patients", rows=ROWS).select(COLUMNS)
REGISTER = ind.sample("register", rows=ROWS)


def policy(**tables):
    return ind.Policy.from_words({**WORDS, **tables})


def test_the_register_goes_with_the_patients():
    """Twice as many people, nine of ten of the patients among them, nobody's illness."""
    assert REGISTER.height == 2 * ROWS
    assert REGISTER.columns == ["name", "birth_date", "sex", "postcode"]
    known = REGISTER.join(PATIENTS, on=REGISTER.columns).height
    assert 0.83 < known / ROWS < 0.96
    assert not REGISTER["name"].is_sorted()


def test_a_raw_table_is_found_out_and_its_release_at_most_one_in_five():
    raw = ind.attack(PATIENTS, policy(), register=REGISTER, seed=1).answer
    assert raw.found.rate > 0.95
    release = ind.anonymize(PATIENTS, policy(), seed=1)
    found = ind.attack(
        release.data, policy(), register=REGISTER, original=PATIENTS,
        crosswalk=release.crosswalk, seed=1,
    ).answer  # fmt: skip
    assert found.details["expected_rate"] <= 0.2
    assert found.found.interval[0] <= 0.2


WRITTEN = list(product(["drop", "mask"], ["label", "bounds"], ["csv", "parquet"]))


@pytest.mark.parametrize(
    ("form", "intervals", "ending"),
    longer(WRITTEN, [("drop", "bounds", "csv"), ("mask", "label", "parquet")]),
)
def test_files_are_read_as_they_were_written(tmp_path, form, intervals, ending):
    """Labels or bounds, records dropped or masked: the same chances from files and from frames."""
    asked = policy(release={"suppressed": form, "intervals": intervals})
    release = ind.anonymize(PATIENTS, asked, seed=1)
    out, crosswalk = tmp_path / f"out.{ending}", tmp_path / "crosswalk.csv"
    release.write(out, crosswalk=crosswalk)
    PATIENTS.write_csv(tmp_path / "patients.csv")
    REGISTER.write_csv(tmp_path / "register.csv")
    found = ind.attack(
        str(out), asked, register=tmp_path / "register.csv", original=tmp_path / "patients.csv",
        crosswalk=crosswalk, seed=1,
    ).answer  # fmt: skip
    plain = ind.anonymize(PATIENTS, policy(), seed=1)
    same = ind.attack(
        plain.data, policy(), register=REGISTER, original=PATIENTS, crosswalk=plain.crosswalk
    ).answer
    assert found.details["covered"] == same.details["covered"]
    assert found.details["expected_rate"] == pytest.approx(same.details["expected_rate"])


@pytest.mark.parametrize("native", ["pandas", "pyarrow"])
def test_frames_of_other_libraries_are_read(native):
    """Also where a library has no days, only moments."""
    patients, register = (
        frame.to_pandas() if native == "pandas" else frame.to_arrow()
        for frame in (PATIENTS, REGISTER)
    )
    found = ind.attack(patients, policy(), register=register, seed=1).answer
    assert found.found == ind.attack(PATIENTS, policy(), register=REGISTER, seed=1).answer.found


def test_the_population_of_the_policy_is_the_register_where_none_is_given(tmp_path):
    path = tmp_path / "population.csv"
    ind.sample("patients", rows=2 * ROWS, seed=1).select(COLUMNS[1:5]).write_csv(path)
    asked = policy(population={"data": str(path)})
    release = ind.anonymize(PATIENTS, asked, seed=1)
    found = ind.attack(release.data, asked, attacker="journalist").answer
    assert found.details["people"] == 2 * ROWS


def test_a_release_without_records_allows_no_attempt():
    empty = ind.anonymize(PATIENTS, policy(), seed=1).frame.head(0)
    for attacker in ("prosecutor", "insider"):
        report = ind.attack(empty, policy(), attacker=attacker, register=REGISTER)
        assert report.answer.found.attempts == 0


def test_the_document_has_the_keys_that_programs_rely_on():
    document = ind.attack(PATIENTS, policy(), register=REGISTER, seed=1).document()
    assert {"attempts", "successes", "rate", "interval", "control"} <= set(document)
    assert document["rate"] == document["successes"] / document["attempts"]
    assert document["attacks"][0]["attack"] == "prosecutor-linkage"
    text = json.dumps(document)
    assert not any(name in text for name in PATIENTS["name"].head(50))


@pytest.mark.parametrize(
    ("requirement", "holds"),
    [("rate<=1", True), ("rate<0.5", False), ("lower<=0.5", False), ("upper <= 1.0", True)],
)
def test_requirements(requirement, holds):
    report = ind.attack(PATIENTS, policy(), register=REGISTER, seed=1)
    assert report.meets(requirement) is holds


@pytest.mark.parametrize("requirement", ["rate", "rate>=0.2", "risk<=0.1", "rates<=1"])
def test_requirements_that_say_nothing(requirement):
    """There is no control group, so there is no risk beyond it."""
    report = ind.attack(PATIENTS, policy(), register=REGISTER, seed=1)
    with pytest.raises(ParameterError):
        report.meets(requirement)


@pytest.mark.parametrize(
    "words",
    [
        {"attacker": "nobody"},
        {"attack": "nothing"},
        {"register": None},
        {"attempts": 0},
        {"confidence": 1.0},
        {"gain": 0.0},
        {"neighbors": 0},
        {"predicate_columns": 0},
        {"excluded": -1},
        {"tolerance": 2.0},
        {"strength": 3},
        {"crosswalk": [0]},
        {"attack": "linkability"},
        {"attack": "singling-out-univariate"},
    ],
)
def test_what_cannot_be_attacked_is_refused_in_words(words):
    with pytest.raises((ParameterError, DataError)) as caught:
        ind.attack(PATIENTS, policy(), **{"register": REGISTER, **words})
    assert all(fault.remedy for fault in caught.value.faults)


def test_a_crosswalk_of_another_release_is_refused(tmp_path):
    for content in ("output_row,input_row\n9999,0\n", "row,other\n1,1\n"):
        (tmp_path / "crosswalk.csv").write_text(content)
        with pytest.raises(DataError, match="does not fit"):
            ind.attack(
                PATIENTS, policy(), register=REGISTER, original=PATIENTS,
                crosswalk=tmp_path / "crosswalk.csv",
            )  # fmt: skip
    with pytest.raises(DataError, match="does not fit"):
        ind.attack(PATIENTS, policy(), register=REGISTER, original=PATIENTS, crosswalk=[1])


def test_a_register_with_other_columns_is_refused():
    with pytest.raises(DataError):
        ind.attack(PATIENTS, policy(), register=pl.DataFrame({"name": ["a"], "shoe": [42]}))
    with pytest.raises(DataError, match="shoe"):
        ind.attack(PATIENTS, policy(), register=REGISTER, known=["shoe"])


def test_midpoints_are_refused_by_their_name():
    asked = policy(release={"intervals": "midpoint"})
    release = ind.anonymize(PATIENTS, asked, seed=1)
    with pytest.raises(DataError, match="midpoint"):
        ind.attack(release.data, asked, register=REGISTER)


def test_british_spelling_is_understood():
    report = ind.attack(
        PATIENTS, policy(), attacker="neighbour", register=REGISTER, attempts=50, seed=1
    )
    assert report.answer.attack == "nearest-neighbor"


def test_attackers_know_their_attacks():
    assert all(attack in ATTACKS for attacks in ATTACKERS.values() for attack in attacks)


def test_a_word_means_the_same_in_every_attack():
    """One option stands for it, with one range, one default and one line of help."""
    said = {}
    for kind in (AttackContext, *ATTACKS):
        for field in dataclasses.fields(kind):
            meaning = (bounds_of(field), field.default)
            assert said.setdefault(field.name, meaning) == meaning


def test_all_faults_of_the_words_are_named_at_once():
    """Those of attacks that are not run as well: the command has one set of options."""
    with pytest.raises(ParameterError) as caught:
        ind.attack(PATIENTS, policy(), register=REGISTER, attempts=0, gain=2.0, strength=3)
    assert {fault.place for fault in caught.value.faults} == {"attempts", "gain", "strength"}


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_every_attack_says_which_table_it_lacks(attack):
    """Before anything is tried; what needs none runs on the release alone."""
    missing = set()
    try:
        ind.attack(PATIENTS, policy(), attack=attack.name, seed=1)
    except ParameterError as error:
        missing = {fault.place for fault in error.faults}
    needed = {"--register"} if attack.needs_register else set()
    needed |= {"--original"} if attack.needs_original else set()
    # Without groups of values, similarity has nothing to attack, and says so.
    assert missing - {"--attack"} == needed
