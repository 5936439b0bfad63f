"""The command as users run it: what it prints, what it writes, how it ends."""

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import forked
from indistinct.frontends.cli.main import status
from indistinct.tables.publish.fictitious_patients import sample
from shared import environment

CANARIES = ("Quetzalcoatl", "Zanzibarite", "Xylophonitis")
POLICY = """
[columns.name]
role = "identifier"
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20] }
[columns.town]
role = "quasi-identifier"
[columns.illness]
role = "sensitive"
[[models]]
name = "k-anonymity"
k = 3
[method]
max_suppression = 0.2
"""
MANIFEST_KEYS = {"format", "policy", "codebook",
    "indistinct", "input", "output", "method", "models", "records", "classes",
    "loss", "risk", "verified",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a table of people, among them three with telling values."""
    rows = ["name,age,town,illness"]
    rows += [
        f"person {row},{20 + row % 17},{('Ulm', 'Hof')[row % 2]},{('flu', 'gout')[row % 3 > 0]}"
        for row in range(60)
    ]
    rows.append(f"{CANARIES[0]},97,{CANARIES[1]},{CANARIES[2]}")
    (tmp_path / "data.csv").write_text("\n".join(rows) + "\n")
    (tmp_path / "policy.toml").write_text(POLICY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):
    """Run the command in this process; give exit code, standard output and standard error."""

    def command(*arguments: str, show_values: bool = False) -> tuple[int, str, str]:
        capsys.readouterr()
        code = status([str(argument) for argument in arguments], show_values=show_values)
        said = capsys.readouterr()
        assert "Traceback" not in said.out + said.err
        return code, said.out, said.err

    return command


def process(*arguments: str, **options) -> subprocess.CompletedProcess:
    """Run the command as a process of its own, forked from one that has loaded the program."""
    return subprocess.run(
        forked.command(*arguments),
        capture_output=True,
        check=False,
        timeout=120,
        env=environment(),
        **options,
    )


def anonymized(run, *more: str) -> dict:
    """Make the release of the folder, and give the document."""
    code, out, _ = run(
        "anonymize", "data.csv", "--policy", "policy.toml", "--out", "out.csv", "--json", *more
    )
    assert code == 0
    return json.loads(out)


def test_each_command_prints_one_document_and_nothing_else(folder, run):
    """With --json standard output is exactly one JSON document."""
    for arguments in (
        ("sample", "patients", "--rows", "30", "--out", "patients.csv"),
        ("inspect", "data.csv"),
        ("inspect", "data.csv", "--policy", "policy.toml", "--draft", "draft.toml"),
        ("anonymize", "data.csv", "--policy", "policy.toml", "--out", "out.csv"),
        ("assess", "out.csv", "--policy", "policy.toml"),
        ("assess", "out.csv", "--policy", "policy.toml", "--original", "data.csv"),
        ("assess", "out.csv", "--policy", "policy.toml", "--original", "data.csv",
         "--queries", "20", "--learn", "illness"),
        ("verify", "out.csv", "--policy", "policy.toml"),
        ("sweep", "data.csv", "--policy", "policy.toml", "--vary", "k=2,3"),
    ):  # fmt: skip
        code, out, _ = run(*arguments, "--json")
        assert code == 0, arguments
        assert isinstance(json.loads(out, parse_constant=pytest.fail), dict)


def test_each_command_speaks_to_people(folder, run):
    """Without --json the answer is text, and says what was asked."""
    assert "age" in run("inspect", "data.csv")[1]
    code, out, _ = run("anonymize", "data.csv", "--policy", "policy.toml", "--out", "out.csv")
    assert code == 0
    assert "k-anonymity" in out
    assert (
        "-anonymous: every record is indistinguishable"
        in run("assess", "out.csv", "--policy", "policy.toml")[1]
    )
    more = ("--original", "data.csv", "--queries", "9", "--learn", "illness")
    _, out, _ = run("assess", "out.csv", "--policy", "policy.toml", *more)
    assert "query error" in out
    assert "learning" in out
    assert "It holds" in run("verify", "out.csv", "--policy", "policy.toml")[1]
    assert "wrote" in run("sample", "patients", "--rows", "5", "--out", "p.csv")[2]
    assert run("sample", "patients", "--rows", "5")[1].startswith("name,")


def test_help_and_version(run):
    """Every command explains itself, with an example."""
    assert run("--version")[1].startswith("indistinct ")
    for command in ("inspect", "anonymize", "assess", "verify", "attack", "sweep", "sample"):
        code, out, _ = run(command, "--help")
        assert code == 0
        assert "Example: indistinct" in " ".join(out.split())


def test_the_manifest_has_every_key_and_no_value(folder, run):
    """It stands beside the release, is what --json printed, and holds no value of a record."""
    document = anonymized(run)
    written = (folder / "out.csv.manifest.json").read_text()
    # The command tells its owner of more than the manifest tells everybody.
    open_parts = {"warnings": [], "statements": {}}
    assert {**json.loads(written), **open_parts} == {**document, **open_parts}
    assert set(document) == MANIFEST_KEYS | {"warnings", "statements"}
    assert document["input"]["rows"] == 61
    assert document["output"]["rows"] == document["records"]["released"]
    assert document["verified"] is True
    assert set(document["risk"]) == {"prosecutor", "journalist", "marketer"}
    assert set(document["classes"]) == {"count", "smallest", "mean", "largest"}
    assert not any(value in written for value in (*CANARIES, "flu", "Ulm"))
    assert not re.search(r"person \d", written)


def test_the_manifest_goes_where_it_is_asked_to(folder, run):
    """--manifest names its file; none stands beside the release then."""
    anonymized(run, "--manifest", "said.json")
    assert (folder / "said.json").exists()
    assert not (folder / "out.csv.manifest.json").exists()


@pytest.mark.parametrize("form", ["drop", "mask"])
def test_the_crosswalk_links_each_row_of_the_release_to_its_input(folder, run, form):
    """Sensitive values are those of the input row; suppressed records have output row -1."""
    document = anonymized(run, "--crosswalk", "cross.csv", "--suppressed", form)
    original = pl.read_csv("data.csv")
    release = pl.read_csv("out.csv")
    pairs = pl.read_csv("cross.csv").rows()
    assert pl.read_csv("cross.csv").columns == ["output_row", "input_row"]
    assert sorted(row for _, row in pairs) == list(range(61))
    kept = [(new, old) for new, old in pairs if new >= 0]
    assert len(kept) == document["records"]["released"] < 61
    for new, old in kept:
        assert release["illness"][new] == original["illness"][old]
    assert release.height == (61 if form == "mask" else len(kept))
    if form == "mask":
        hidden = set(range(61)) - {new for new, _ in kept}
        assert all(set(release.row(row)) == {"*"} for row in hidden)
    assert [old for _, old in sorted(kept)] != sorted(old for _, old in kept)


def test_the_release_has_no_identifier_and_one_order(folder, run):
    """Names are gone; the rows are sorted, whatever the order of the input and the seed are."""
    anonymized(run)
    first = Path("out.csv").read_text()
    header, *rows = first.splitlines()
    assert header == "age,town,illness"
    assert rows == sorted(rows)
    header, *records = Path("data.csv").read_text().splitlines()
    Path("data.csv").write_text("\n".join([header, *records[::-1], ""]))
    anonymized(run, "--seed", "7", "--replace")
    assert Path("out.csv").read_text() == first


def test_the_short_form_needs_no_file(folder, run):
    """Roles and k as options, hierarchies from the data."""
    code, out, _ = run(
        "anonymize", "data.csv", "--quasi-identifiers", "age,town", "--identifiers", "name",
        "--sensitive", "illness", "--k", "5", "--out", "out.parquet", "--json",
    )  # fmt: skip
    assert code == 0
    assert json.loads(out)["models"][0]["achieved"]["k"] >= 5
    assert pl.read_parquet("out.parquet").height > 0


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "arrow"])
def test_every_format_is_written_and_verified(folder, run, ending):
    """The ending chooses the format; the file verifies."""
    out = f"out.{ending}"
    assert run("anonymize", "data.csv", "--policy", "policy.toml", "--out", out)[0] == 0
    assert run("verify", out, "--policy", "policy.toml", "--original", "data.csv")[0] == 0


def test_a_draft_runs(folder, run):
    """The policy that inspect drafts anonymizes the table it was drafted for."""
    sample("patients", rows=80, seed=3).write_csv("patients.csv")
    assert run("inspect", "patients.csv", "--draft", "draft.toml")[0] == 0
    code, _, said = run("anonymize", "patients.csv", "--policy", "draft.toml", "--out", "o.csv")
    assert code == 0, said
    assert run("verify", "o.csv", "--policy", "draft.toml")[0] == 0


def test_requirements_set_the_exit_code(folder, run):
    """0 when all hold, 1 when one fails, 2 when one cannot be read."""
    anonymized(run)
    ask = ("assess", "out.csv", "--policy", "policy.toml")
    assert run(*ask, "--require", "k>=3", "--require", "prosecutor<=0.5")[0] == 0
    code, _, said = run(*ask, "--require", "k>=3", "--require", "k>=1000")
    assert code == 1
    assert "k>=1000" in said
    assert run(*ask, "--require", "luck>=3")[0] == 2


def test_a_table_of_the_population_gives_the_journalists_risk(folder, run):
    """Where everybody stands in it three times, the risk falls to a third; exit 2 without it."""
    least = anonymized(run)["classes"]["smallest"]
    header, *rows = Path("data.csv").read_text().splitlines()
    Path("census.csv").write_text("\n".join([header, *rows, *rows, *rows]) + "\n")
    ask = ("assess", "out.csv", "--policy", "policy.toml")
    assert json.loads(run(*ask, "--json")[1])["risk"]["journalist"] is None
    told = ("--population", "census.csv")
    risk = json.loads(run(*ask, *told, "--json")[1])["risk"]
    assert risk["prosecutor"] == 1 / least
    assert risk["journalist"] == 1 / (3 * least)
    assert "journalist" in run(*ask, *told)[1]
    assert run(*ask, *told, "--require", "journalist<=0.2")[0] == 0
    assert run(*ask, *told, "--require", "journalist<=0.001")[0] == 1
    code, _, said = run(*ask, "--population", "nobody.csv")
    assert code == 2
    assert "nobody.csv" in said


def test_a_tampered_release_does_not_verify(folder, run):
    """Exit code 1, and the reason."""
    anonymized(run)
    lines = Path("out.csv").read_text().splitlines()
    Path("out.csv").write_text("\n".join([lines[0], *lines[2:]]) + "\n")
    code, out, _ = run("verify", "out.csv", "--policy", "policy.toml", "--json")
    assert code == 1
    assert any("sha256" in reason for reason in json.loads(out)["reasons"])


def wrong_uses() -> dict[str, tuple[str, ...]]:
    """List what must end with exit code 2, by name."""
    ask = ("anonymize", "data.csv", "--policy", "policy.toml", "--out")
    short = ("anonymize", "data.csv", "--identifiers", "name", "--out", "out.csv")
    full = (*short, "--sensitive", "illness", "--quasi-identifiers", "age,town")
    return {
        "no data": ("inspect", "nothing.csv"),
        "no policy file": ("anonymize", "data.csv", "--policy", "no.toml", "--out", "out.csv"),
        "no policy": ("anonymize", "data.csv", "--out", "out.csv"),
        "two policies": (*ask, "out.csv", "--k", "3"),
        "onto the input": (*ask, "data.csv"),
        "onto the input, in other words": (*ask, "./data.csv"),
        "manifest onto the input": (*ask, "out.csv", "--manifest", "data.csv"),
        "crosswalk onto the input": (*ask, "out.csv", "--crosswalk", "data.csv"),
        "manifest onto the release": (*ask, "out.csv", "--manifest", "out.csv"),
        "crosswalk onto the release": (*ask, "out.csv", "--crosswalk", "out.csv"),
        "into no folder": (*ask, "none/out.csv"),
        "onto a folder": (*ask, "."),
        "onto a full disk": (*ask, "/dev/full"),
        "k = 1": (*full, "--k", "1"),
        "k above the table": (*full, "--k", "62"),
        "a column named twice": (*full, "--insensitive", "age", "--k", "2"),
        "an unknown algorithm": (*ask, "out.csv", "--algorithm", "magic"),
        "an unknown objective": (*ask, "out.csv", "--objective", "beauty"),
        "too much suppression": (*ask, "out.csv", "--max-suppression", "1.5"),
        "an unknown option": (*ask, "out.csv", "--colour"),
        "an unknown command": ("publish",),
        "no table in the file": ("inspect", "policy.parquet"),
        "an unknown sample": ("sample", "doctors"),
        "a sample of nobody": ("sample", "patients", "--rows", "0"),
        "a draft onto the data": ("inspect", "data.csv", "--draft", "data.csv"),
    }


@pytest.mark.parametrize("names", ["age,city", "age,town"])
def test_columns_that_the_policy_does_not_describe_end_with_5(folder, run, names):
    """One that is not there, and one without a role; nothing is written."""
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    ask = ("anonymize", "data.csv", "--out", "out.csv", "--quasi-identifiers", names, "--k", "2")
    code, out, said = run(*ask)
    assert code == 5
    assert not out
    assert "columns." in said
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_with_json_an_error_is_one_object(folder, run):
    """The first fault at the top, the exit code, and all faults."""
    ask = (
        "anonymize",
        "data.csv",
        "--out",
        "out.csv",
        "--quasi-identifiers",
        "age,city",
        "--k",
        "2",
    )
    code, out, _ = run(*ask, "--json")
    found = json.loads(out)
    assert found["exit"] == code == 5
    assert found["kind"] == "schema"
    assert found["place"] == "columns.city"
    assert found["error"]
    assert found["remedy"]
    assert found["faults"][0]["place"] == "columns.city"
    assert len(found["faults"]) > 1
    assert not any(value in out for value in CANARIES)
    code, out, _ = run("anonymize", "data.csv", "--json", "--colour")
    assert json.loads(out)["exit"] == code == 2


@pytest.mark.parametrize("case", wrong_uses())
def test_wrong_use_ends_with_2_in_words_and_writes_nothing(folder, run, case):
    """One line of what is wrong, one of what to do; files stay as they were."""
    (folder / "policy.parquet").write_text(POLICY)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    code, out, said = run(*wrong_uses()[case])
    assert code == 2, said
    assert said.strip()
    assert "error of indistinct itself" not in said
    assert not any(value in out + said for value in CANARIES)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_no_solution_ends_with_3_and_says_what_would_help(folder, run):
    """The models ask for more than the table gives; an old file is untouched."""
    (folder / "out.csv").write_text("old")
    more = '[[models]]\nname = "distinct-l-diversity"\ncolumn = "illness"\nl = 9\n'
    (folder / "policy.toml").write_text(POLICY.replace("[method]", more + "[method]"))
    code, out, said = run(
        "anonymize",
        "data.csv",
        "--policy",
        "policy.toml",
        "--out",
        "out.csv",
        "--replace",
        "--json",
    )
    assert code == 3
    assert json.loads(out)["exit"] == 3
    assert "l = 3" in said
    assert (folder / "out.csv").read_text() == "old"
    assert len(list(folder.iterdir())) == 3


def test_no_value_of_a_record_is_ever_printed_unless_asked_for(folder, run):
    """A hierarchy that lacks values names their number; --show-values prints them."""
    town = '[columns.town]\nrole = "quasi-identifier"\n'
    lacking = town + 'hierarchy = { tree = { south = ["Ulm", "Hof"] } }\n'
    (folder / "policy.toml").write_text(POLICY.replace(town, lacking))
    ask = ("anonymize", "data.csv", "--policy", "policy.toml", "--out", "out.csv")
    code, out, said = run(*ask)
    assert code == 2
    assert "columns.town.hierarchy" in said
    assert not any(value in out + said for value in CANARIES)
    assert CANARIES[1] in run(*ask, show_values=True)[2]


def test_verify_shows_no_value_of_a_foreign_cell(folder, run):
    """What is wrong is counted, not shown."""
    anonymized(run)
    text = Path("out.csv").read_text().replace("Ulm", CANARIES[0])
    Path("out.csv").write_text(text)
    (folder / "out.csv.manifest.json").unlink()
    town = '[columns.town]\nrole = "quasi-identifier"\n'
    tree = town + 'hierarchy = { tree = { south = ["Ulm", "Hof", "Zanzibarite"] } }\n'
    (folder / "policy.toml").write_text(POLICY.replace(town, tree))
    for json_too in ((), ("--json",)):
        code, out, said = run("verify", "out.csv", "--policy", "policy.toml", *json_too)
        assert code == 1
        assert not any(value in out + said for value in CANARIES)


def test_an_error_of_the_program_shows_no_value(folder, run, monkeypatch):
    """Whatever breaks, the user sees its kind and place only."""
    from indistinct.tables.reading import files

    def fail(*_, **__):
        raise RuntimeError(CANARIES[0])

    monkeypatch.setattr(files, "read_file", fail)
    code, out, said = run("inspect", "data.csv")
    assert code == 70
    assert "RuntimeError" in said
    assert CANARIES[0] not in out + said


def test_standard_input_and_output(folder):
    """With - the table comes from a pipe and the release goes into one; progress stays silent."""
    ask = ("anonymize", "-", "--policy", "policy.toml", "--out", "-")
    done = process(*ask, input=(folder / "data.csv").read_bytes())
    assert done.returncode == 0
    assert done.stderr.startswith(b"warning: what is given away: ")  # and no progress
    assert done.stderr.count(b"\n") == 1
    lines = list(csv.reader(done.stdout.decode().splitlines()))
    assert lines[0] == ["age", "town", "illness"]
    (folder / "piped.csv").write_bytes(done.stdout)
    # Nobody wrote the hierarchy of town, and the manifest of a pipe is nowhere.
    checked = process("verify", "-", "--policy", "policy.toml", input=done.stdout)
    assert checked.returncode == 4, checked.stderr
    assert b"IT IS UNDECIDED" in checked.stdout
    assert b"neither the policy nor a manifest says its hierarchy" in checked.stdout


def test_verification_from_a_pipe_compares_the_manifest(folder, run):
    """--manifest is believed only as far as its hash is that of the bytes."""
    anonymized(run)
    ask = ("verify", "-", "--policy", "policy.toml", "--manifest", "out.csv.manifest.json")
    content = (folder / "out.csv").read_bytes()
    assert process(*ask, input=content).returncode == 0
    assert process(*ask, input=content + b"\n").returncode == 1


def test_progress_is_silent_in_a_pipe(folder):
    """No bar reaches standard error, only a warning; the exit code is the process's."""
    done = process("anonymize", "data.csv", "--policy", "policy.toml", "--out", "o.csv", "--json")
    assert (done.returncode, done.stderr.count(b"\n")) == (0, 1)
    assert done.stderr.startswith(b"warning: what is given away: ")
    json.loads(done.stdout)
    failed = process("verify", "o.csv", "--policy", "absent.toml", "--show-values")
    assert failed.returncode == 2
    assert b"Traceback" not in failed.stderr


def test_a_reader_that_leaves_early_is_no_error(folder):
    """The command ends quietly when its pipe is closed."""
    source = "from indistinct.frontends.cli.main import run; run()"
    command = f"{sys.executable} -c '{source}' sample patients --rows 20000 | head -n 1"
    done = subprocess.run(
        command, shell=True, capture_output=True, check=False, timeout=120, env=environment()
    )
    assert done.stdout.startswith(b"name,")
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr
