"""Without any extra, the core works, and everything else names the extra that it needs."""

import json
import subprocess
import sys

import pytest

import indistinct as ind
from indistinct.base.extras import EXTRA_OF
from shared import warmed_environment

# One process hides every package of an extra and runs all lines one after the other.
SCRIPT = """
import contextlib, io, json, sys

hidden, lines = json.load(sys.stdin)
for package in hidden:
    sys.modules[package] = None

import brief_search
from indistinct.frontends.cli.main import app, run
from typer.main import get_command

brief_search.anneal_as_asked_by("")


def leaves(group, path):
    for name in group.list_commands(None):
        yield from leaf(group.get_command(None, name), [*path, name])


def leaf(command, path):
    return leaves(command, path) if hasattr(command, "list_commands") else [path]


told = []
for line in [*lines, *([*path, "--help"] for path in leaves(get_command(app), []))]:
    sys.argv = ["indistinct", *line]
    out, error, code = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        try:
            run()
        except SystemExit as end:
            code = end.code or 0
    told.append([line, code, error.getvalue()])
json.dump(told, sys.stdout)
"""

CORE = [
    "sample patients --rows 60 --out patients.csv",
    "sample register --rows 60 --out register.csv",
    "inspect patients.csv --draft policy.toml --yes-to-suggestions",
    "anonymize patients.csv --policy policy.toml --out release.csv --crosswalk crosswalk.csv",
    "verify release.csv --policy policy.toml",
    "assess release.csv --policy policy.toml",
    "report release.csv --policy policy.toml --original patients.csv --out report.html",
    "sweep patients.csv --policy policy.toml --vary k=2,5 --out sweep.svg",
    "graph anonymize friends.csv --model k-degree --k 2 --out friends-released.csv",
    "graph assess friends-released.csv --original friends.csv",
]
NEED = {
    "inspect table.xlsx": "files",
    "inspect table.sav": "files",
    "inspect postgresql://user@127.0.0.1/visits?table=public.visits": "postgres",
    "database init patients.csv --person name --epsilon 3 --out patients.toml": "database",
}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str]]:
    folder = tmp_path_factory.mktemp("bare")
    ring = [f"{one},{(one + step) % 12}" for one in range(12) for step in (1, 2)]
    (folder / "friends.csv").write_text("\n".join(["source,target", *ring]) + "\n", "utf-8")
    for name in ("table.xlsx", "table.sav"):
        (folder / name).write_bytes(b"PK\x03\x04" if name.endswith("x") else b"$FL2@(#)")
    lines = [line.split() for line in [*CORE, *NEED]]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=folder,
        env=warmed_environment(),
        input=json.dumps([sorted(EXTRA_OF), lines]),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {" ".join(line): (code, error) for line, code, error in json.loads(done.stdout)}


@pytest.mark.parametrize("line", CORE)
def test_the_core_needs_no_extra(line: str, told: dict[str, tuple[int, str]]) -> None:
    code, error = told[line]
    assert code == 0, error


@pytest.mark.parametrize("line", NEED)
def test_a_missing_extra_is_named(line: str, told: dict[str, tuple[int, str]]) -> None:
    code, error = told[line]
    assert code == ind.MissingExtraError.exit_code
    assert f"indistinct[{NEED[line]}]" in " ".join(error.split())
    assert "Traceback" not in error


def test_every_command_shows_its_help_without_extras(told: dict[str, tuple[int, str]]) -> None:
    helps = {line: answer for line, answer in told.items() if line.endswith("--help")}
    assert len(helps) > 15
    assert {line for line, (code, _) in helps.items() if code} == set()
