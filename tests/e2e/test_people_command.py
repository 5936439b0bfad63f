"""People instead of records, as users of the command meet them."""

import json

import pytest

from encounters import encounters
from indistinct.frontends.cli.main import status

POLICY = """
[data]
person = "patient"
[columns.age]
role = "quasi-identifier"
[columns.sex]
role = "quasi-identifier"
[columns.ward]
role = "quasi-identifier"
[columns.region]
role = "quasi-identifier"
[columns.disease]
role = "sensitive"
[[models]]
name = "k-anonymity"
k = 4
[method]
max_suppression = 0.05
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Work beside a table of encounters and a policy that counts people."""
    encounters(800, 300, 4, frequent=0.2).write_csv(tmp_path / "data.csv")
    (tmp_path / "policy.toml").write_text(POLICY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys):
    """Run the command in this process; give exit code, standard output and standard error."""

    def command(*arguments):
        capsys.readouterr()
        code = status([str(argument) for argument in arguments], show_values=False)
        said = capsys.readouterr()
        assert "Traceback" not in said.out + said.err
        return code, said.out, said.err

    return command


def made(run, *more):
    """Make the release of the folder."""
    arguments = ("--policy", "policy.toml", "--out", "out.csv", "--crosswalk", "x.csv", *more)
    return run("anonymize", "data.csv", *arguments)


def test_the_owner_proves_it_and_the_public_cannot(folder, run):
    """The verdict on people is a proof with the crosswalk only."""
    code, out, _ = made(run)
    assert code == 0
    assert "people" in out
    assert "patient" not in (folder / "out.csv").read_text().splitlines()[0]
    check = ("verify", "out.csv", "--policy", "policy.toml", "--json")
    _, out, _ = run(*check)
    public = json.loads(out)
    assert [model["holds"] for model in public["models"]] == [None]
    assert "original, crosswalk" in public["notes"][0]
    code, out, _ = run(*check, "--original", "data.csv", "--crosswalk", "x.csv")
    assert code == 0
    assert [model["holds"] for model in json.loads(out)["models"]] == [True]


def test_too_few_people_are_refuted(folder, run):
    """The same file under a promise that counts records is no promise about people."""
    by_records = POLICY.replace('[data]\nperson = "patient"', "")
    by_records += '[columns.patient]\nrole = "identifier"\n'
    (folder / "records.toml").write_text(by_records)
    arguments = ("--policy", "records.toml", "--out", "out.csv", "--crosswalk", "x.csv")
    code, _, err = run("anonymize", "data.csv", *arguments, "--algorithm", "mondrian")
    assert code == 0
    first = err.splitlines()[0]
    assert first.startswith("warning: who can be found: ")
    assert "fewer different values of patient than the policy asks" in first
    assert 'person = "patient" under [data]' in first
    check = ("verify", "out.csv", "--policy", "policy.toml", "--json")
    owner = ("--original", "data.csv", "--crosswalk", "x.csv")
    (folder / "out.csv.manifest.json").unlink()
    code, out, _ = run(*check, *owner)
    assert code == 1
    assert "models.k-anonymity: does not hold" in json.loads(out)["reasons"][0]


def test_a_crosswalk_takes_the_original(folder, run):
    """It names rows of it."""
    made(run)
    code, _, err = run("verify", "out.csv", "--policy", "policy.toml", "--crosswalk", "x.csv")
    assert code == 2
    assert "original" in err
    assert (folder / "out.csv").exists()


def test_inspect_tells_a_repeating_identifier(folder, run):
    """Before anything is published."""
    text = (folder / "data.csv").read_text().replace("patient", "patient_id", 1)
    (folder / "data.csv").write_text(text)
    code, out, _ = run("inspect", "data.csv", "--json")
    reasons = {column["name"]: column["reason"] for column in json.loads(out)["columns"]}
    assert code == 0
    assert "as those of a person with several records do" in reasons["patient_id"]
