"""Every option of the commands works on a table that is not read whole, or is refused.

A refusal is one sentence that names what to take instead, and nothing is written then. A new option
fails here until it is in one of the lists.
"""

import inspect as reflection

import numpy as np
import polars as pl
import pytest

from indistinct.frontends.cli.anonymize import anonymize
from indistinct.frontends.cli.checking import assess, verify
from indistinct.frontends.cli.main import status as status_of
from indistinct.frontends.cli.table import inspect

ROWS = 120
POLICY = """
[columns.person]
role = "identifier"
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20] }
[columns.sex]
role = "quasi-identifier"
[columns.ill]
role = "sensitive"
[columns.weight]
role = "insensitive"
[[models]]
name = "k-anonymity"
k = 3
[method]
max_suppression = 0.2
algorithm = "optimal"
"""
NOISY = POLICY.replace('role = "insensitive"', 'role = "quasi-identifier"\nprotect = "noise"')
DATA = {
    "anonymize": ["in.parquet", "--policy", "policy.toml", "--out", "new"],
    "verify": ["release", "--policy", "policy.toml"],
    "assess": ["release", "--policy", "policy.toml"],
    "inspect": ["in.parquet"],
}
COMMANDS = {"anonymize": anonymize, "verify": verify, "assess": assess, "inspect": inspect}
ENGINE = ["--engine", "polars"]
BY_NAMES = [
    "--crosswalk", "new.csv", "--crosswalk-key", "person", "--record-column", "record",
]  # fmt: skip
SHORT = ["--quasi-identifiers", "age,sex", "--k", "3", "--max-suppression", "0.9", "--identifiers"]
# The words that ask for each option.
WORKS = {
    "anonymize": {
        "warnings": ["--warnings", "all"],
        "policy": [],
        "out": [],
        "manifest": ["--manifest", "said.json"],
        "crosswalk": ["--crosswalk", "new.csv"],
        "owner": ["--owner", "owner.json"],
        "algorithm": ["--algorithm", "ola"],
        "objective": ["--objective", "discernibility"],
        "max_suppression": ["--max-suppression", "0.3"],
        "intervals": ["--intervals", "bounds"],
        "engine": [],
        "memory": ["--memory", "1GB"],
        "temp": ["--temp", "."],
        "rows_per_file": ["--rows-per-file", "50"],
        "partition_by": ["--partition-by", "ill"],
        "crosswalk_key": BY_NAMES,
        "record_column": BY_NAMES,
        "replace_it": ["--replace"],
        "no_hash": ["--no-hash"],
        "verbose": ["--verbose"],
        "as_json": ["--json"],
        # In place of the policy.
        "quasi_identifiers": [*SHORT, "person,ill,weight"],
        "identifiers": [*SHORT, "person,ill,weight"],
        "k": [*SHORT, "person,ill,weight"],
        "sensitive": [*SHORT, "person,weight", "--sensitive", "ill"],
        "insensitive": [*SHORT, "person,ill", "--insensitive", "weight"],
    },
    "verify": {
        "policy": [],
        "original": ["--original", "in.parquet"],
        "crosswalk": ["--original", "in.parquet", "--crosswalk", "cross.csv"],
        "manifest": ["--manifest", "release/_manifest.json"],
        "require_manifest": ["--require-manifest"],
        "work": ["--work", "1000"],
        "warnings": ["--warnings", "all"],
        "engine": [],
        "memory": ["--memory", "1GB"],
        "temp": ["--temp", "."],
        "as_json": ["--json"],
    },
    "assess": {
        "policy": [],
        "original": ["--original", "in.parquet"],
        "crosswalk": ["--original", "in.parquet", "--crosswalk", "cross.csv"],
        "population": ["--population", "people.csv"],
        "require": ["--require", "k>=3"],
        "weights": ["--weights", "weight"],
        "warnings": ["--warnings", "all"],
        "engine": [],
        "memory": ["--memory", "1GB"],
        "temp": ["--temp", "."],
        "as_json": ["--json"],
    },
    "inspect": {
        "policy": ["--policy", "policy.toml"],
        "draft": ["--draft", "draft.toml"],
        "yes": ["--draft", "draft.toml", "--yes-to-suggestions"],
        "settle": ["--settle", "age=sensitive"],
        "replace": ["--draft", "draft.toml", "--replace"],
        "preview": ["--preview"],
        "separator": ["--separator", ","],
        "decimal": ["--decimal", ","],
        "formats": ["--formats", "day=dd/mm/yyyy"],
        "types": ["--types", "age=text"],
        "engine": [],
        "memory": ["--memory", "1GB"],
        "temp": ["--temp", "."],
        "as_json": ["--json"],
    },
}
REFUSED = {
    "anonymize": {
        "history": ["--history", "history.json"],
        "report": ["--report", "report.html"],
        "metadata": ["--metadata", "new.jsonld"],
        "seed": ["--seed", "1"],
        "suppressed": ["--suppressed", "mask"],
        "epsilon": ["--policy", "noisy.toml", "--epsilon", "2"],
    },
    "verify": {
        "owner": ["--owner", "owner.json"],
        "history": ["--original", "in.parquet", "--history", "policy.toml"],
    },
    "assess": {
        "queries": ["--original", "in.parquet", "--queries", "10"],
        "learn": ["--original", "in.parquet", "--learn", "ill"],
    },
    "inspect": {
        "encoding": ["--encoding", "cp1252"],
        "quote": ["--quote", "'"],
        "escape": ["--escape", "\\"],
        "header": ["--header", "2"],
        "skip_rows": ["--skip-rows", "1"],
        "skip_last": ["--skip-last", "1"],
        "vulnerability": ["--vulnerability"],
        "target": ["--vulnerability", "--target", "identity"],
        "profile": ["--profile", "omop-5.4"],
    },
}
# What a refusal calls the option by, where it is another word.
NAMED = {"epsilon": "protect", "target": "vulnerability"}
CROSSWALK = ["--crosswalk", "cross.csv"]
# A synthetic table has no policy, and is verified before any engine is asked.
# The exit code of a warning is tested with the warnings.
ELSEWHERE = {
    "verify": {"declaration", "model", "fail_on"},
    "assess": {"fail_on"},
    "anonymize": {"fail_on"},
    "inspect": {"explain", "fail_on", "trials"},
}
NOT_OPTIONS = {"data", "context"}
CASES = [
    pytest.param(command, words, id=f"{command}-{option}")
    for command, options in WORKS.items()
    for option, words in options.items()
]
REFUSALS = [
    pytest.param(command, option, words, id=f"{command}-{option}")
    for command, options in REFUSED.items()
    for option, words in options.items()
]


def status(line):
    """Run a command; give its exit code."""
    return status_of([*line], show_values=False)


@pytest.fixture(name="folder")
def a_folder(tmp_path, monkeypatch):
    """Work in a folder with a table, its policy and a population."""
    monkeypatch.chdir(tmp_path)
    chance = np.random.default_rng(3)
    frame = pl.DataFrame(
        {
            "person": [f"P{row}" for row in chance.permutation(ROWS)],
            "age": chance.integers(20, 60, ROWS),
            "sex": chance.choice(["f", "m"], ROWS),
            "ill": chance.choice(["flu", "gout", "mumps"], ROWS),
            "weight": chance.integers(1, 4, ROWS),
        }
    )
    frame.write_parquet("in.parquet")
    pl.concat([frame] * 3).select("age", "sex").write_csv("people.csv")
    (tmp_path / "policy.toml").write_text(POLICY)
    (tmp_path / "noisy.toml").write_text(NOISY)
    return tmp_path


def line_of(command, words):
    """Return the words of a command line; the short form stands in place of a policy."""
    data = DATA[command]
    if "--k" in words:
        data = [word for word in data if word not in {"--policy", "policy.toml"}]
    return [command, *data, *ENGINE, *words]


def files_in(folder):
    """List what stands in a folder."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_in_a_list(command):
    """So that a new one is thought of here."""
    options = set(reflection.signature(COMMANDS[command]).parameters) - NOT_OPTIONS
    listed = [*WORKS[command], *REFUSED[command], *ELSEWHERE.get(command, ())]
    assert len(listed) == len(set(listed))
    assert set(listed) == options


@pytest.mark.parametrize(("command", "words"), CASES)
def test_an_option_works(command, words, folder):
    """The command ends well, and what it published holds."""
    if command in {"verify", "assess"}:
        assert status([*line_of("anonymize", []), "--out", "release", *CROSSWALK]) == 0
    assert status(line_of(command, words)) == 0
    if command == "anonymize":
        assert (folder / "new" / "_manifest.json").is_file()


@pytest.mark.parametrize(("command", "option", "words"), REFUSALS)
def test_an_option_is_refused_in_one_sentence(command, option, words, folder, capsys):
    """The sentence names the option and what to take instead, and nothing is written."""
    (folder / "release").mkdir()
    before = files_in(folder)
    assert status(line_of(command, words)) == 2
    said = capsys.readouterr().err
    assert NAMED.get(option, option) in said
    assert "memory" in said
    assert files_in(folder) == before
