"""Cell suppression and two linked tables, as users run them."""

import json
import subprocess

import polars as pl
import pytest

import forked
from indistinct.frontends.cli.main import status
from shared import environment, shared

CELLS = """
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [5] }
min_level = 1
[columns.sex]
role = "quasi-identifier"
weight = 2.0
[columns.race]
role = "quasi-identifier"
[columns.education]
role = "quasi-identifier"
[columns.salary-class]
role = "sensitive"
[[models]]
name = "k-anonymity"
k = 5
[method]
algorithm = "cell-suppression"
[release]
suppressed_cell = "any"
"""
LINKED = """
[columns.name]
role = "identifier"
[columns.town]
role = "quasi-identifier"
[columns.illness]
role = "sensitive"
[[models]]
name = "probabilistic-l-diversity"
column = "illness"
l = 3
[release]
form = "anatomy"
"""


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run the command in a folder of its own; give exit code, standard output and error."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments):
        capsys.readouterr()
        code = status([str(argument) for argument in arguments], show_values=False)
        said = capsys.readouterr()
        return code, said.out, said.err

    return command


def people(n_rows=60, illnesses=4):
    """Write a table of people."""
    pl.DataFrame(
        {
            "name": [f"person {row}" for row in range(n_rows)],
            "town": [("Ulm", "Hof", "Jena")[row % 3] for row in range(n_rows)],
            "illness": [f"illness {row % illnesses}" for row in range(n_rows)],
        }
    ).write_csv("people.csv")


def test_adult_with_suppressed_cells(run, tmp_path):
    """Anonymized, verified and assessed from the file alone; given back, it no longer holds."""
    data = pl.read_csv(shared("data/adult/adult.csv"), separator=";")
    data.select("age", "sex", "race", "education", "salary-class").write_csv("adult.csv")
    (tmp_path / "policy.toml").write_text(CELLS)
    code, out, _ = run(
        "anonymize", "adult.csv", "--policy", "policy.toml", "--out", "out.csv", "--json"
    )
    assert code == 0
    method = json.loads(out)["method"]
    written = pl.read_csv("out.csv", infer_schema=False)
    stars = sum(int((written[name] == "*").sum()) for name in written.columns)
    assert method["suppressed_cells"]["count"] == stars
    assert 0 < method["suppressed_cells"]["share"] < 0.01
    assert run("verify", "out.csv", "--policy", "policy.toml")[0] == 0
    code, out, _ = run("assess", "out.csv", "--policy", "policy.toml", "--require", "k>=5")
    assert code == 0
    narrower = CELLS.replace('suppressed_cell = "any"', 'suppressed_cell = "value"')
    (tmp_path / "policy.toml").write_text(narrower)
    assert run("verify", "out.csv", "--policy", "policy.toml")[0] == 1


def test_two_linked_tables(run, tmp_path):
    """Three files appear, both tables are checked, and a page for people can be made."""
    people()
    (tmp_path / "policy.toml").write_text(LINKED)
    code, out, _ = run("anonymize", "people.csv", "--policy", "policy.toml", "--out", "out.csv")
    assert code == 0
    assert "out.sensitive.csv" in out
    names = {file.name for file in tmp_path.iterdir()}
    assert names >= {"out.csv", "out.sensitive.csv", "out.csv.manifest.json"}
    code, out, _ = run("verify", "out.csv", "--policy", "policy.toml", "--json")
    assert code == 0
    assert json.loads(out)["classes"] == 20
    second = tmp_path / "out.sensitive.csv"
    lines = second.read_text().splitlines()
    second.write_text("\n".join(lines[:-1]) + "\n")
    code, out, _ = run("verify", "out.csv", "--policy", "policy.toml")
    assert code == 1
    assert "illness 1" not in out


def test_a_value_that_is_too_common_ends_with_three_and_writes_nothing(run, tmp_path):
    """Two illnesses cannot fill groups of three; the message names no illness."""
    people(illnesses=2)
    (tmp_path / "policy.toml").write_text(LINKED)
    code, _, said = run("anonymize", "people.csv", "--policy", "policy.toml", "--out", "out.csv")
    assert code == 3
    assert "at most 2" in said
    assert "illness 0" not in said
    assert not (tmp_path / "out.csv").exists()
    assert not (tmp_path / "out.sensitive.csv").exists()


def test_the_second_table_may_not_replace_the_input(run, tmp_path):
    """An input that has the second table's name is safe."""
    people()
    (tmp_path / "people.csv").rename(tmp_path / "out.sensitive.csv")
    before = (tmp_path / "out.sensitive.csv").read_bytes()
    (tmp_path / "policy.toml").write_text(LINKED)
    code, _, said = run(
        "anonymize", "out.sensitive.csv", "--policy", "policy.toml", "--out", "out.csv"
    )
    assert code == 2
    assert "input" in said
    assert (tmp_path / "out.sensitive.csv").read_bytes() == before


def test_two_tables_do_not_fit_standard_output(tmp_path):
    """The command says so and prints no record."""
    frame = pl.DataFrame({"name": list("abcd"), "town": list("xyxy"), "illness": list("klmn")})
    frame.write_csv(tmp_path / "people.csv")
    (tmp_path / "policy.toml").write_text(LINKED)
    done = subprocess.run(
        forked.command("anonymize", "people.csv", "--policy", "policy.toml", "--out", "-"),
        cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stdout == ""
    assert "two linked tables" in done.stderr
