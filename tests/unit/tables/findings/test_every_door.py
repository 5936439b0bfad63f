"""The same findings in memory and by engines, in three commands, with the exit codes of each."""

import json

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.frontends.cli.main import status
from indistinct.tables.findings.kinds import KINDS

POLICY = """
[columns.pid]
role = "identifier"
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [20, 40] }
[columns.town]
role = "quasi-identifier"
[columns.visits]
role = "insensitive"
[columns.sent_by]
role = "insensitive"
[columns.note]
role = "insensitive"
[columns.ill]
role = "sensitive"
[[models]]
name = "k-anonymity"
k = 5
[release]
read_back = "accepted"
"""
FOUND = {
    "repeated-identifier",
    "insensitive-column-singles-out",
    "sensitive-column-singles-out",
    "columns-together-single-out",
    "names-in-text",
    "refers-to-identifiers",
    "classes-of-one-sensitive-value",
    "read-alike",
    "missing-sensitive-values",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Write a table in which much is wrong, and its policy."""
    place = tmp_path_factory.mktemp("doors")
    chance, n = np.random.default_rng(3), 400
    age = chance.integers(0, 80, n)
    people = [f"P{one:04}" for one in chance.integers(0, 90, n)]
    ill = [f"ill {one}" if one % 9 == 0 else "flu" if one < 40 else "Flu" for one in age]
    table = pl.DataFrame(
        {
            "pid": people,
            "age": age,
            "town": chance.choice(["Ulm", "Kiel", "Bonn"], n),
            "visits": chance.integers(0, 30, n),
            "sent_by": [people[one] for one in chance.integers(0, n, n)],
            "note": [f"call 0351 35399{one % 10}" if one < 9 else "paid" for one in age],
            "ill": [None if one == 7 else text for one, text in zip(age, ill, strict=True)],
        }
    )
    table.write_parquet(place / "in.parquet")
    (place / "policy.toml").write_text(POLICY)
    return place


def findings_by(folder, engine):
    out, owner = folder / f"{engine}.parquet", folder / f"{engine}.json"
    with ind.anonymize(folder / "in.parquet", folder / "policy.toml", engine=engine) as release:
        written = release.write(out, owner=owner)
    return json.loads(owner.read_text())["statements"]["findings"], written["warnings"]


def test_every_engine_finds_the_same(folder):
    """Every code of the registry, with all figures: an engine has the input and the plan."""
    found, public = findings_by(folder, "memory")
    assert {one["code"] for one in found["list"]} >= FOUND
    for engine in ("polars", "duckdb"):
        assert findings_by(folder, engine) == (found, public)
    readers = {code for code, kind in KINDS.items() if kind.needs == "release"}
    assert {one["code"] for one in public} <= readers


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_an_engine_does_not_examine_what_a_mask_drew(engine, folder):
    """It has the masked cells alone: memory compares them with the values."""
    plain = '[columns.visits]\nrole = "insensitive"'
    mask = 'protect = { name = "noise-additive", share = 0.01 }'
    words = POLICY.replace(plain, f"{plain}\n{mask}")
    (folder / "masked.toml").write_text(words)
    with ind.anonymize(folder / "in.parquet", folder / "masked.toml", engine=engine) as release:
        told = [one for one in release.findings.found if "visits" in one.columns]
    assert told == []


def run(folder, monkeypatch, capsys, *words):
    """Run a command, and return its exit code with the findings of its document."""
    monkeypatch.chdir(folder)
    code = status([*words, "--policy", "policy.toml", "--json"], show_values=False)
    return code, json.loads(capsys.readouterr().out)["statements"]["findings"]


def test_all_three_commands_tell_the_findings_and_end_with_their_codes(folder, monkeypatch, capsys):
    """1 where something was found; 4 where nothing was, and not all could be looked for."""
    made = ("anonymize", "in.parquet", "--out", "out.csv", "--crosswalk", "rows.csv")
    code, own = run(folder, monkeypatch, capsys, *made, "--fail-on", "found")
    assert (code, {one["code"] for one in own["list"]} >= FOUND) == (1, True)
    for command in ("verify", "assess"):
        code, found = run(folder, monkeypatch, capsys, command, "out.csv", "--fail-on", "found")
        told = {one["code"]: one for one in found["list"]}
        assert (code, "insensitive-column-singles-out" in told) == (1, True)
        missed = {one["code"] for one in found["not_examined"]}
        assert {"repeated-identifier", "refers-to-identifiers"} <= missed
        public = [one for one in own["list"] if KINDS[one["code"]].needs == "release"]
        assert [one for one in public if one["code"] != "names-in-text"] == [
            one for one in found["list"] if one["code"] != "names-in-text"
        ]
    both = ("--original", "in.parquet", "--crosswalk", "rows.csv", "--fail-on", "found")
    code, found = run(folder, monkeypatch, capsys, "verify", "out.csv", *both)
    assert (code, found["list"]) == (1, own["list"])


def test_a_release_in_which_nothing_is_found_is_not_called_examined(tmp_path, monkeypatch, capsys):
    """Without the input nobody knows whether an identifier repeats."""
    words = POLICY.split("[columns.visits]", maxsplit=1)[0] + POLICY[POLICY.index("[[models]]") :]
    (tmp_path / "policy.toml").write_text(words)
    rows = "".join(f"P{n},{n % 4 * 20},{'UK'[n % 2]}\n" for n in range(80))
    (tmp_path / "in.csv").write_text(f"pid,age,town\n{rows}")
    made = ("anonymize", "in.csv", "--out", "out.csv", "--fail-on", "found")
    assert run(tmp_path, monkeypatch, capsys, *made)[0] == 0
    code, found = run(tmp_path, monkeypatch, capsys, "verify", "out.csv", "--fail-on", "found")
    assert (code, found["list"]) == (4, [])
    assert run(tmp_path, monkeypatch, capsys, "verify", "out.csv")[0] == 0
