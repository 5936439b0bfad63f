"""Noise by class through the command."""

import json
from pathlib import Path

import polars as pl
import pytest

from indistinct.frontends.cli.main import status
from indistinct.tables.publish.fictitious_patients import sample

POLICY = """
[columns.name]
role = "identifier"
[columns.birth_date]
role = "quasi-identifier"
hierarchy = { dates = ["year", "decade"] }
[columns.sex]
role = "quasi-identifier"
[columns.postcode]
role = "quasi-identifier"
hierarchy = { mask = 5 }
[columns.height_cm]
role = "quasi-identifier"
protect = "noise"
[columns.weight_kg]
role = "quasi-identifier"
protect = { name = "noise", resolution = 0.5 }
[columns.diagnosis]
role = "sensitive"
[columns.occupation]
role = "insensitive"
[columns.insurance]
role = "insensitive"
[columns.admission_date]
role = "insensitive"
[[models]]
name = "confident-k-anonymity"
k = 5
[noise]
epsilon = 2.0
confidence = 0.99
budget = "vector"
[method]
max_suppression = 0.05
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    sample("patients", rows=2000, seed=1).write_csv(tmp_path / "data.csv")
    (tmp_path / "policy.toml").write_text(POLICY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]):
    def command(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = status(list(arguments), show_values=False)
        out, err = capsys.readouterr()
        return code, out, err

    return command


def anonymize(run, *further):
    words = ("anonymize", "data.csv", "--policy", "policy.toml", "--out", "release.csv")
    code, out, err = run(*words, "--seed", "1", "--owner", "owner.json", *further, "--json")
    assert code == 0, err
    return json.loads(out)


def exact() -> dict:
    """Read what the owner's file says of the height."""
    return json.loads(Path("owner.json").read_text())["protection"]["height_cm"]


def test_a_release_with_noise_is_made_verified_and_assessed(folder, run):
    """Every command of the table's door takes the policy; the file holds noisy numbers."""
    document = anonymize(run)
    assert document["protection"]["height_cm"]["total_epsilon"] == 2
    assert document["suppression"]["confidence"] == 0.99
    assert document["models"][0]["achieved"]["k"] >= 5
    released = pl.read_csv("release.csv")
    assert released.height == document["records"]["released"]
    assert released["height_cm"].dtype == pl.Int64
    assert ((2 * released["weight_kg"].drop_nulls()) % 1 == 0).all()
    code, out, _ = run(
        "verify", "release.csv", "--policy", "policy.toml", "--original", "data.csv", "--json"
    )
    assert (code, json.loads(out)["holds"]) == (0, True)
    code, out, _ = run(
        "assess", "release.csv", "--policy", "policy.toml", "--original", "data.csv",
        "--require", "linking_risk<=0.2", "--require", "k>=5", "--json",
    )  # fmt: skip
    assert code == 0
    found = json.loads(out)["protection"]["height_cm"]
    assert found["expected_error"] == exact()["expected_error"]
    assert (
        0 <= document["protection"]["height_cm"]["expected_error"] - found["expected_error"] < 0.1
    )
    words = ("assess", "release.csv", "--policy", "policy.toml", "--original", "data.csv")
    assert run(*words, "--require", "linking_risk<=0.001")[0] == 1


def test_epsilon_may_be_given_on_the_command_line(folder, run):
    """Twice the epsilon is half the error."""
    anonymize(run)
    one = exact()["expected_error"]
    anonymize(run, "--epsilon", "4", "--replace")
    two = exact()
    assert two["epsilon"] == 4
    assert two["expected_error"] == pytest.approx(one / 2, rel=0.01)


def test_the_summary_says_what_the_noise_does(folder, run):
    """With --verbose a person reads epsilon, error and risk; --help says what it is not."""
    words = ("anonymize", "data.csv", "--policy", "policy.toml", "--out", "release.csv")
    code, out, _ = run(*words, "--seed", "1", "--verbose")
    assert code == 0
    assert "linking_risk" in out
    assert "expected_error" in out
    assert "not differential privacy" in " ".join(run("anonymize", "--help")[1].split())


def test_mistakes_are_refused_in_words(folder, run):
    """An epsilon of nothing, bounds that do not hold, a model without noise: exit code 2."""
    words = ("anonymize", "data.csv", "--policy", "policy.toml", "--out", "other.csv")
    code, _, err = run(*words, "--epsilon", "0")
    assert (code, "noise.epsilon" in err) == (2, True)
    bounds = 'protect = { name = "noise", lower = 150, upper = 160 }'
    (folder / "policy.toml").write_text(POLICY.replace('protect = "noise"', bounds))
    code, _, err = run(*words)
    assert (code, "outside the public bounds" in err) == (2, True)
    bare = POLICY.replace('protect = "noise"', "").replace("protect = {", "# {")
    (folder / "policy.toml").write_text(bare)
    code, _, err = run(*words)
    assert (code, "speaks of columns with noise" in err) == (2, True)
    assert not (folder / "other.csv").exists()
