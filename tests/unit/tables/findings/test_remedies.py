"""Refusals beside the findings: each names what helps, and what it names is followed here."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import ParameterError, PolicyError
from indistinct.frontends.cli.main import status

QUASI = {"role": "quasi-identifier"}
VISITS = pl.DataFrame(
    {
        "pid": [f"P{n // 2}" for n in range(40)],
        "age": [20 * (n % 2) for n in range(40)],
        "ill": ["flu", "gout"] * 20,
    }
)


def test_a_folder_and_people_become_one_file(tmp_path):
    """Memory reads no folder, so that the remedy begins with a file."""
    words = {"columns": {"pid": {"role": "identifier"}, "age": QUASI, "ill": {"role": "sensitive"}}}
    words |= {"models": [{"name": "k-anonymity", "k": 2}], "data": {"person": "pid"}}
    (tmp_path / "parts").mkdir()
    VISITS.write_parquet(tmp_path / "parts" / "0.parquet")
    with pytest.raises(PolicyError) as error:
        ind.anonymize(tmp_path / "parts", words, engine="duckdb")
    (fault,) = error.value.faults
    assert fault.remedy.startswith("Write the table into one file, and take --engine memory")
    pl.read_parquet(tmp_path / "parts").write_parquet(tmp_path / "one.parquet")
    assert ind.anonymize(tmp_path / "one.parquet", words, engine="memory").frame.height == 40


def test_records_of_a_person_are_joined_as_their_finding_says():
    """The number of the person becomes that of a household, and everybody gets a new one."""
    words = {"columns": {"pid": {"role": "identifier"}, "age": QUASI}}
    words |= {"models": [{"name": "k-anonymity", "k": 2}], "data": {"person": "pid"}}
    visits = VISITS.select("pid", "age")
    release = ind.anonymize(visits, words)
    (found,) = (one for one in release.warnings if one["code"] == "records-cannot-be-joined")
    assert 'household = "pid" under [data] in place of person' in found["remedy"]
    joined = ind.anonymize(visits, words | {"data": {"household": "pid"}})
    assert "records-cannot-be-joined" not in {one["code"] for one in joined.warnings}
    numbers = joined.frame.group_by("pid").len()
    assert set(numbers["len"]) == {2}
    assert not set(numbers["pid"].cast(str)) & set(visits["pid"])


def test_a_table_is_assessed_by_a_policy_that_promises_nothing(tmp_path, capsys):
    VISITS.write_csv(tmp_path / "in.csv")
    policy = tmp_path / "policy.toml"
    policy.write_text(
        '[columns.age]\nrole = "quasi-identifier"\n[columns.ill]\nrole = "sensitive"\n'
    )
    assert (
        status(["assess", str(tmp_path / "in.csv"), "--policy", str(policy)], show_values=False)
        == 0
    )
    assert "Nothing is promised: the policy names no model." in capsys.readouterr().out
    found = ind.assess(VISITS, {"columns": {"age": QUASI}})
    assert (found.models, found.anonymity["k"]) == ((), 20)
    with pytest.raises(PolicyError, match="no column is a quasi-identifier"):
        ind.assess(VISITS, {"columns": {"ill": {"role": "sensitive"}}})


def test_an_attack_by_neighbors_says_that_the_register_has_no_identifier():
    policy = ind.Policy(columns={"age": QUASI}, models=[ind.KAnonymity(k=2)])
    release = ind.anonymize(VISITS.select("age"), policy, seed=1)
    owner = {"original": VISITS, "crosswalk": release.crosswalk, "register": VISITS}
    with pytest.raises(ParameterError, match="no identifier in common with the original"):
        ind.attack(release.frame, policy, attack="nearest-neighbor", **owner)
