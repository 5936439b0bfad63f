"""The commands for folders of tables about the same people."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
import tomli_w
from typer.testing import CliRunner

from hospitals import hospital, policy
from indistinct.errors import IndistinctError
from indistinct.frontends.cli.main import app
from indistinct.related.policy import RelatedPolicy
from indistinct.tables.engines.schemas import staged_schema


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a hospital and a policy."""
    path = tmp_path_factory.mktemp("related")
    (path / "in").mkdir()
    for name, frame in hospital(1, 30).items():
        frame.write_csv(path / "in" / f"{name}.csv")
    (path / "policy.toml").write_text(tomli_w.dumps(policy(2, 2)), encoding="utf-8")
    return path


def run(*words: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, [str(word) for word in words])
    error = result.exception
    code = error.exit_code if isinstance(error, IndistinctError) else result.exit_code
    return code, result.output


def document_in(said: str) -> dict:
    """Return the document among what was printed, warnings before or behind it."""
    return json.JSONDecoder().raw_decode(said[said.index("{") :])[0]


def test_a_folder_is_released_and_verified(folder: Path) -> None:
    words = ("--policy", folder / "policy.toml")
    code, said = run(
        "anonymize", folder / "in", *words, "--out", folder / "out", "--crosswalk", folder / "rows"
    )
    assert code == 0, said
    assert "holds: joint-anonymity (k = 2, m = 2)" in said
    assert run("verify", folder / "out")[0] == 0
    code, said = run(
        "verify",
        folder / "out",
        *words,
        "--original",
        folder / "in",
        "--crosswalk",
        folder / "rows",
        "--json",
    )
    assert code == 0, said
    assert document_in(said)["models"][0]["name"] == "joint-anonymity"
    code, said = run("anonymize", folder / "in", *words, "--out", folder / "out")
    assert code == 2
    code, said = run(
        "anonymize", folder / "in", *words, "--out", folder / "out", "--replace", "--json"
    )
    assert code == 0
    assert document_in(said)["verified"] is True
    assert (
        run("anonymize", folder / "in", *words, "--out", folder / "two", "--suppressed", "mask")[0]
        == 2
    )


def test_a_folder_that_was_touched_does_not_hold(folder: Path) -> None:
    words = ("--policy", folder / "policy.toml")
    assert run("anonymize", folder / "in", *words, "--out", folder / "touched")[0] == 0
    file = folder / "touched" / "events.csv"
    lines = file.read_text().splitlines()
    file.write_text("\n".join([lines[0], *lines[:0:-1]]) + "\n")
    assert run("verify", folder / "touched")[0] == 1


def test_a_report_and_an_attack_by_command(folder: Path) -> None:
    words = ("--policy", folder / "policy.toml", "--original", folder / "in")
    assert (
        run(
            "anonymize",
            folder / "in",
            *words[:2],
            "--out",
            folder / "o",
            "--crosswalk",
            folder / "c",
        )[0]
        == 0
    )
    own = (*words, "--crosswalk", folder / "c")
    code, said = run("report", folder / "o", *own, "--out", folder / "r.html")
    assert code == 0, said
    page = (folder / "r.html").read_text(encoding="utf-8")
    assert "The promise holds." in page
    assert "known events" in page
    assert (folder / "r.html").stat().st_mode & 0o777 == 0o600
    code, said = run(
        "attack", folder / "o", *own, "--attack", "known-events", "--days", 7, "--seed", 1
    )
    assert code == 0, said
    assert "with one more event" in said
    assert run("report", folder / "o", *own, "--out", folder / "p.html", "--public")[0] == 2
    code, said = run("assess", folder / "o", *words[:2], "--require", "k>=2")
    assert code == 0, said
    assert "joint-anonymity (k 2, m 2): holds" in said
    code, said = run("assess", folder / "o", *words[:2], "--require", "k>=30", "--json")
    assert code == 1
    assert json.loads(said.partition("\n}")[0] + "\n}")["related"]["people"] == {"released": 30}
    assert run("assess", folder / "o", *words)[0] == 2


def test_pseudonyms_and_shares_are_said(folder: Path) -> None:
    """The key lies beside the policy; its second use is warned about, and shares are assessed."""
    words = {**policy(2, "all"), "related": {"people": "patients", "keys": "pseudonym"}}
    share = {"name": "largest-share", "column": "events.code", "values": ["E"], "share": 0.5}
    words["models"].append(share)
    (folder / "joined").mkdir()
    file = folder / "joined" / "policy.toml"
    file.write_text(tomli_w.dumps(words), encoding="utf-8")
    out, rows = folder / "joined" / "out", folder / "joined" / "rows"
    own = ("--policy", file, "--out", out, "--crosswalk", rows)
    code, said = run("anonymize", folder / "in", *own)
    assert code == 0, said
    assert "was there before" not in said
    assert (folder / "joined" / "pseudonyms.key").stat().st_mode & 0o777 == 0o600
    code, said = run("anonymize", folder / "in", *own, "--replace")
    assert code == 0, said
    assert "the key of the pseudonym patients.pid was there before" in " ".join(said.split())
    owner = ("--policy", file, "--original", folder / "in", "--crosswalk", rows)
    assert run("verify", out, *owner)[0] == 0
    code, said = run("assess", out, "--policy", file)
    assert code == 0, said
    assert "events.code, at most 50%: holds" in said


def test_a_folder_is_inspected_and_a_policy_drafted(folder: Path) -> None:
    draft = folder / "draft.toml"
    code, said = run("inspect", folder / "in", "--draft", draft)
    assert code == 0, said
    assert "patients (people): 30 rows, key pid" in said
    assert "pid leads to patients" in said
    words = tomllib.loads(draft.read_text(encoding="utf-8"))
    assert words["related"] == {"people": "patients"}
    assert words["tables"]["events"]["references"] == {"pid": "patients"}
    assert words["models"] == [{"name": "joint-anonymity", "k": 5, "m": 2}]
    assert "Tried on 30 of 30 people: m = 2 holds" in said
    assert "# Tried on 30 of 30 people: m = 2 holds" in draft.read_text(encoding="utf-8")
    for table in words["tables"].values():
        for column in table["columns"].values():
            if column["role"] == "undecided":
                column["role"] = "insensitive"
    words["method"] = {"max_deleted": 1.0, "max_suppression": 0.5}
    assert RelatedPolicy.from_words(words, folder).people == "patients"
    assert run("anonymize", folder / "in", "--policy", draft, "--out", folder / "d")[0] == 2
    code, said = run("inspect", folder / "in", "--json")
    assert json.loads(said)["people"] == "patients"


def test_commands_take_schemas(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with staged_schema("duckdb:///h.duckdb") as schema:
        schema.write(hospital(1, 30), "{}")
    given, out = "duckdb:///h.duckdb", "duckdb:///out.duckdb?schema=released"
    words = ("--policy", folder / "policy.toml")
    code, said = run("anonymize", given, *words, "--out", out, "--crosswalk", "rows")
    assert code == 0, said
    own = (*words, "--original", given, "--crosswalk", "rows")
    for command in (
        ("verify", out),
        ("verify", out, *own),
        ("assess", out, *words, "--require", "k>=2"),
        ("attack", out, *own, "--attack", "known-events", "--seed", 1),
        ("report", out, *own, "--out", "report.html"),
        ("inspect", given, "--draft", "draft.toml"),
    ):
        code, said = run(*command)
        assert code == 0, said
    assert run("anonymize", given, *words, "--out", given)[0] == 2


@pytest.mark.parametrize(
    "command",
    [("sweep", "--vary", "k=2,3", "--out", "s.html"), ("compare", "--target", "sex")],
)
def test_commands_of_one_table_refuse_several(folder: Path, command: tuple[str, ...]) -> None:
    name, *words = command
    result = CliRunner().invoke(
        app,
        [name, str(folder / "in" / "events.csv"), "--policy", str(folder / "policy.toml"), *words],
    )
    assert isinstance(result.exception, IndistinctError)
    assert "related tables, which is not possible here" in str(result.exception)
