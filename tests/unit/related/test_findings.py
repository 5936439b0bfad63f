"""What related tables give away: people who are alone with an amount, in every command."""

import json
from collections import defaultdict

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import WorkError
from indistinct.frontends.cli.main import status
from indistinct.related.verify.release import verify_related

POLICY = """
[related]
people = "patients"
[tables.patients]
key = "id"
[tables.patients.columns.sex]
role = "quasi-identifier"
[tables.events]
references = { id = "patients" }
[tables.events.columns.icd]
role = "quasi-identifier"
[tables.events.columns.amount]
role = "insensitive"
[[models]]
name = "joint-anonymity"
k = 3
m = 1
[method]
max_suppression = 0.2
max_deleted = 0.5
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Release people with two events each, a third of whose amounts nobody else has."""
    place = tmp_path_factory.mktemp("amounts")
    (place / "in").mkdir()
    ids = [f"p{n:02}" for n in range(30)]
    amounts = [10 if n % 3 else 100 + n for n in range(60)]
    pl.DataFrame({"id": ids, "sex": ["f", "m"] * 15}).write_csv(place / "in" / "patients.csv")
    pl.DataFrame(
        {"id": [one for one in ids for _ in (0, 1)], "icd": ["E1"] * 60, "amount": amounts}
    ).write_csv(place / "in" / "events.csv")
    (place / "policy.toml").write_text(POLICY)
    return place


def alone(release):
    """Count the people with an amount that nobody else of their sex has, plainly."""
    patients, events = release["patients"], release["events"]
    sexes = dict(zip(patients["id"], patients["sex"], strict=True))
    shown = defaultdict(set)
    for who, amount in zip(events["id"], events["amount"], strict=True):
        shown[sexes[who], amount].add(who)
    return len({who for those in shown.values() if len(those) == 1 for who in those})


def test_people_who_are_alone_with_an_amount_are_told_by_every_command(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    made = ("anonymize", "in", "--out", "out", "--fail-on", "found")
    documents = []
    for words in (made, ("verify", "out"), ("assess", "out", "--fail-on", "found")):
        code = status([*words, "--policy", "policy.toml", "--json"], show_values=False)
        assert code == (1 if "--fail-on" in words else 0)
        found = json.loads(capsys.readouterr().out)["statements"]["findings"]["list"]
        documents.append([one for one in found if one["code"] == "insensitive-column-singles-out"])
    release = {name: pl.read_csv(folder / "out" / f"{name}.csv") for name in ("patients", "events")}
    (told,) = documents[0]
    assert (told["table"], told["columns"], told["unit"]) == ("events", ["amount"], "people")
    assert (told["count"], told["of"]) == (alone(release), 30)
    assert told["message"].startswith(f"{alone(release)} of 30 people")
    assert documents == [documents[0]] * 3
    manifest = json.loads((folder / "out" / "manifest.json").read_text())
    assert told in manifest["warnings"]


def test_words_that_no_figures_make_are_a_fault(folder):
    policy = folder / "policy.toml"
    release = ind.anonymize(folder / "in", ind.RelatedPolicy.load(policy), seed=1)
    tables = dict(release.tables)
    assert ind.verify(tables, policy, manifest=release.manifest).holds
    for word, said in (
        ("message", "nothing"),
        ("count", 1),
        ("remedy", "p01"),
        ("rank", "useless"),
    ):
        listed = [{**one, word: said} for one in release.manifest["warnings"]]
        forged = {**release.manifest, "warnings": listed}
        faults = ind.verify(tables, policy, manifest=forged).faults
        assert any(one.place.startswith("manifest.warnings[0]") for one in faults)


def test_histories_too_long_to_verify_are_refused_for_that():
    """Not with a share of the rows that nobody counted."""
    ids = [f"p{n}" for n in range(3) for _ in range(700)]
    tables = {
        "patients": pl.DataFrame({"id": ["p0", "p1", "p2"], "sex": ["f"] * 3}),
        "events": pl.DataFrame({"id": ids, "icd": [f"E{n % 700}" for n in range(2100)]}),
    }
    words = ind.RelatedPolicy.from_words(
        {
            "related": {"people": "patients"},
            "tables": {
                "patients": {"key": "id", "columns": {"sex": {"role": "quasi-identifier"}}},
                "events": {
                    "references": {"id": "patients"},
                    "columns": {"icd": {"role": "quasi-identifier"}},
                },
            },
            "models": [{"name": "joint-anonymity", "k": 3, "m": 3}],
            "method": {"max_suppression": 0.2, "max_deleted": 0.5},
        }
    )
    with pytest.raises(WorkError, match="700 different rows"):
        ind.anonymize(tables, words, seed=1)


def test_a_column_of_a_table_that_keeps_little_is_told():
    """Of 60 codes nothing but the chapter stays, which 48 of the rows share."""
    codes = [f"{'B' if n % 5 < 1 else 'A'}{n:02}" for n in range(60)]
    tables = {
        "patients": pl.DataFrame({"id": range(60), "sex": ["f", "m"] * 30}),
        "events": pl.DataFrame({"id": range(60), "icd": codes}),
    }
    tree = {f"{one}*": [code for code in codes if code[0] == one] for one in "AB"}
    icd = {"role": "quasi-identifier", "hierarchy": {"tree": tree}, "importance": "high"}
    words = {
        "related": {"people": "patients"},
        "tables": {
            "patients": {"key": "id", "columns": {"sex": {"role": "quasi-identifier"}}},
            "events": {"references": {"id": "patients"}, "columns": {"icd": icd}},
        },
        "models": [{"name": "joint-anonymity", "k": 5, "m": 1}],
        "method": {"max_deleted": 0.1},
    }
    release = ind.anonymize(tables, words, seed=1)
    assert {*release.tables["events"]["icd"]} == {"A*", "B*"}
    (told,) = [one for one in release.warnings if one.code == "column-keeps-little"]
    assert (told.table, told.columns, told.count) == ("events", ("icd",), 60)
    # Of all pairs of rows, which differ, those of two chapters still do: 2 x 48 x 12 of 60 x 59.
    assert told.share == pytest.approx(2 * 48 * 12 / (60 * 59), abs=1e-6)
    beside = {"original": tables, "crosswalk": release.crosswalk}
    assert told in verify_related(release.tables, words, **beside).findings.found
    assert "column-keeps-little" not in json.dumps(release.manifest["warnings"])
    blind = verify_related(release.tables, words).findings
    assert "column-keeps-little" in {one.code for one in blind.not_examined}
